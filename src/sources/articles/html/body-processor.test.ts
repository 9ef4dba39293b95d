import { afterAll, beforeAll, expect, it } from 'vitest';
import { POLICY } from '../../../../test/support/article-setup.ts';
import { IS_FULL_LENGTH } from '../../../../test/support/cases.ts';
import { readSamplePartners } from '../../../../test/support/sample-content.ts';
import { expectNoStall } from '../../../../test/support/stall.ts';
import { parseUpstreamArticle } from '../../../core/articles/upstream-article.schema.ts';
import { BodyProcessorError } from '../article-mapper.ts';
import { BodyProcessor } from './body-processor.ts';
import { createBodyPreparer } from './prepare-body.ts';

const MAX_CHARACTERS = 300_000;

const fill = (piece: string) => piece.repeat(Math.floor(MAX_CHARACTERS / piece.length));
const PART =
  '<h2>Part</h2><p>Word <b>word</b> <a href="/blog/x">link</a>.</p><table><tr><td>1</td></tr></table>';

/** Bodies that took the event loop for up to 1.8 s. */
const SLOW_BODIES: Readonly<Record<string, string>> = {
  'bold tags': '<b>'.repeat(74_000),
  'closed headings': '<h2>a</h2>'.repeat(29_000),
  'open headings': '<h2>'.repeat(70_000),
  'an open quote': `<p title="${'a '.repeat(149_000)}`,
  'open tables': '<table>'.repeat(42_000),
  'anchors with the same id': '<a id=x>'.repeat(37_000),
  'nested formats': fill('<b><i>'),
  'open blocks': fill('<div>'),
  images: fill('<img src=/a.png>'),
  'less-than signs': fill('<'),
  ampersands: fill('&'),
  'ordinary parts': fill(PART),
};

let processor: BodyProcessor;
beforeAll(async () => {
  // What these tests measure is the event loop: a busy machine may take longer than the limit of the site.
  processor = new BodyProcessor(() => POLICY, 60_000);
  await processHtml(PART.repeat(1_000));
});
afterAll(() => processor.close());

const processHtml = (source: string) => processor.process({ format: 'html', source });

it('returns the same for large bodies, from the worker thread, as for small ones', async () => {
  const prepare = createBodyPreparer(POLICY);
  for (const source of [PART, PART.repeat(1_000)]) {
    expect(await processHtml(source)).toEqual(prepare({ format: 'html', source }));
  }
});

it('prepares the next body by the policy of that moment, in the worker thread too', async () => {
  const [link, ...others] = readSamplePartners().values();
  if (link === undefined || others.length === 0) return expect.fail('the sample has partners');
  let policy = { ...POLICY, partners: new Map([[link.key, link]]) };
  const own = new BodyProcessor(() => policy);
  const sources = [1, 20_000].map(
    (count) => `<p><a href="${link.site}pricing">a</a>${'word '.repeat(count)}</p>`,
  );
  const read = async () =>
    Promise.all(sources.map(async (source) => (await own.process({ format: 'html', source })).content));
  for (const content of await read()) expect(content).toContain(`/go/${link.key}`);
  policy = { ...POLICY, partners: new Map(others.map((one) => [one.key, one])) };
  for (const content of await read()) expect(content).not.toContain('/go/');
  await own.close();
});

/** The bodies that take longest for their kind; all of them at full length. */
const KINDS = IS_FULL_LENGTH
  ? Object.keys(SLOW_BODIES)
  : ['bold tags', 'an open quote', 'open tables', 'nested formats', 'ordinary parts'];

it.each(KINDS.map((kind) => [kind, SLOW_BODIES[kind] ?? '']))(
  'a body of 300,000 characters of %s does not stall the event loop',
  { tags: ['rest', 'measures'] },
  (_, source) => expectNoStall(() => processHtml(source)),
);

it.each(KINDS)(
  'a body just below the limits for the event loop, of %s, does not stall it',
  { tags: ['rest', 'measures'] },
  async (kind) => {
    const source = SLOW_BODIES[kind] ?? '';
    const inline = source.slice(
      0,
      Math.min(50_000, 1_500 * (MAX_CHARACTERS / (source.split('<').length + 1))),
    );
    await expectNoStall(() => processHtml(inline));
  },
);

it('fifty bodies of 40,000 characters at once do not stall the event loop', {
  tags: ['rest', 'measures'],
}, async () => {
  const source = '<p>Word word word.</p>'.repeat(1_800).slice(0, 40_000).replaceAll('</p><p>', ' ');
  await expectNoStall(() => Promise.all(Array.from({ length: 50 }, () => processHtml(source))));
});

it('processes the next body after one that fails', async () => {
  const site = 'an address that the sanitizer cannot parse';
  const [partner] = readSamplePartners().values();
  const policy = { ...POLICY, partners: new Map(partner ? [[partner.key, { ...partner, site }]] : []) };
  const broken = new BodyProcessor(() => policy);
  for (const count of [1, 20_000]) {
    const source = `<a href="https://x.example/">${'word '.repeat(count)}</a>`;
    await expect(broken.process({ format: 'html', source })).rejects.toThrow(BodyProcessorError);
  }
  await broken.close();
  expect((await processHtml('<p>a</p>')).text).toBe('a');
});

it('an article with too many tags is refused before its body is processed', () => {
  const article = { slug: 'a', title: 'A', publishedAt: '2026-01-01', content: SLOW_BODIES['bold tags'] };
  expect(parseUpstreamArticle(article)).toEqual({
    kind: 'invalid',
    skipped: { id: '', slug: 'a', title: 'A', reason: 'content has 74000 tags, more than 25000' },
  });
});
