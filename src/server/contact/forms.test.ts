import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readNewsletterRequest } from './newsletter-form.ts';
import { FormTokens } from './submit-form.ts';

it.each<[string, Record<string, string>]>([
  ['without a provider', {}],
  [
    'without a page that has the form',
    { NEWSLETTER_PROVIDER: 'webhook:https://hooks.example', WEBHOOK_KEY: 'key' },
  ],
])('leaves the body of a sign-up unread %s, so that another page can respond', async (_, settings) => {
  const site = await createTestSite({ settings, content: { pages: new Map() } });
  const request = new Request('http://site.test/newsletter/sign-up', { method: 'POST', body: 'email=a' });
  expect(await readNewsletterRequest(site, request, '')).toBeNull();
  expect(request.bodyUsed).toBe(false);
});

it.each([
  [
    '/blog/with-form',
    { status: 422, path: '/blog/with-form', section: { consent: 'Write to [me](/privacy).' } },
  ],
  ['/blog/without', null],
  ['/blog/none', null],
])('a sign-up of the article at %s is answered with its form', async (path, expected) => {
  const form =
    '<p>{{newsletter consent="Write to <a href="/privacy">me</a>." button="Go" thanks="Thanks."}}</p>';
  const all = [buildTestArticle('with-form', 1, { content: form }), buildTestArticle('without')];
  const site = await createTestSite({
    settings: { NEWSLETTER_PROVIDER: 'webhook:https://hooks.example', WEBHOOK_KEY: 'key' },
    content: { pages: new Map() },
  });
  Object.assign(site.content.articles, {
    getSummaries: () => all,
    get: async (slug: string) => all.find((one) => one.slug === slug) ?? null,
  });
  const body = new URLSearchParams({ page: path, email: 'a' });
  const request = new Request('http://site.test/newsletter/sign-up', { method: 'POST', body });
  const result = await readNewsletterRequest(site, request, '');
  if (expected === null) expect(result).toBeNull();
  else expect(result).toMatchObject(expected);
  expect(request.bodyUsed).toBe(false);
});

const at = (now: number, key = 'secret') => new FormTokens(key, () => now);

it('reads the age of a form', () => {
  const token = at(1_000_000).issue();
  expect(at(1_004_500).readAge(token)).toBe(4_500);
});

it('issues different tokens in the same millisecond', () => expect(at(5).issue()).not.toBe(at(5).issue()));

it.each([
  ['nothing', () => ''],
  ['words', () => 'let me in'],
  ['the token of another key', () => at(1_000, 'other').issue()],
  ['an earlier time on a good signature', (token: string) => token.replace(/^[^.]+/, '1')],
  ['a cut token', (token: string) => token.slice(0, -1)],
  ['a token with more behind it', (token: string) => `${token}.x`],
  ['a megabyte', () => 'a.'.repeat(500_000)],
])('rejects %s', (_, forge) => {
  const tokens = at(1_000_000);
  expect(tokens.readAge(forge(tokens.issue()))).toBeNull();
});
