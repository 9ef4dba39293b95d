import { expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readNewsletterRequest } from './newsletter-form.ts';

it.each<[string, Record<string, string>]>([
  ['without a provider', {}],
  [
    'without a page that has the form',
    { NEWSLETTER_PROVIDER: 'webhook', NEWSLETTER_URL: 'https://hooks.example', WEBHOOK_KEY: 'key' },
  ],
])('leaves the body of a sign-up unread %s, so that another page can respond', async (_, settings) => {
  const site = await createTestSite({ settings, content: { pages: new Map() } });
  const request = new Request('http://site.test/newsletter/sign-up', { method: 'POST', body: 'email=a' });
  expect(await readNewsletterRequest(site, request, '')).toBeNull();
  expect(request.bodyUsed).toBe(false);
});
