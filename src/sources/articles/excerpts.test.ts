import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestMapper, realClock } from '../../../test/support/article-setup.ts';
import { startUpstream, type Upstream } from '../../../test/support/upstream-server.ts';
import { guardedGet } from '../http/guarded-http.ts';
import { createGhostSource } from './ghost.ts';
import { createWordPressSource } from './wordpress.ts';

const PARAGRAPH = 'A pipeline shows every deal side by side, so that no one forgets to call.';
const BODY = `<h2>Kitchen sink</h2><p>Short.</p><p>${PARAGRAPH}</p><p>Then ${'words '.repeat(60)}</p>`;
const MORE =
  '<a href="https://wp.example/p/" class="more-link">Continue reading <span>Kitchen sink</span></a>';

let upstream: Upstream;
let post: object;
beforeAll(async () => {
  upstream = await startUpstream(() => ({ json: 'posts' in post ? post : [post] }));
});
afterAll(() => upstream.close());
const create = (name: string) => ({
  url: upstream.url,
  mapper: createTestMapper(name),
  clock: realClock,
  get: guardedGet,
  deadlineMs: 2_000,
});

it.each([
  ['is its own', '<p>What it costs.</p>', 'What it costs.'],
  ['is its own with a link to continue', `<p>What it costs.&hellip; ${MORE}</p>`, 'What it costs.…'],
  ['is its own with dots', '<p>What it costs [&hellip;]</p>', 'What it costs…'],
  ['is the beginning of the text', '<p>Kitchen sink Short. A pipeline shows every [&hellip;]</p>', PARAGRAPH],
  ['is the beginning with a link', `<p>Kitchen sink Short. A pipeline&#8230; ${MORE}</p>`, PARAGRAPH],
  [
    'is the beginning with a plain link',
    '<p>Kitchen sink Short&hellip; <a href="/p/">Read →</a></p>',
    PARAGRAPH,
  ],
  ['is missing', '', PARAGRAPH],
])('the excerpt of a WordPress post that %s', async (_, excerpt, expected) => {
  post = {
    id: 1,
    slug: 'p',
    title: { rendered: 'Title' },
    excerpt: { rendered: excerpt },
    content: { rendered: BODY },
    date_gmt: '2026-01-01T00:00:00',
  };
  const article = await createWordPressSource(create('wordpress')).get('p');
  expect([article?.excerpt, article?.seoDescription]).toEqual([expected, expected]);
});

it.each([
  ['is written by an editor', 'What it costs.', 'What it costs.'],
  ['is missing', null, PARAGRAPH],
])('the excerpt of a Ghost post that %s', async (_, custom, expected) => {
  const fields = { slug: 'p', title: 'Title', html: BODY, published_at: '2026-01-01T00:00:00Z' };
  post = {
    posts: [{ ...fields, custom_excerpt: custom, excerpt: 'Bookmark titleBookmark descriptionPublisher' }],
  };
  expect((await createGhostSource({ ...create('ghost'), key: 'k' }).get('p'))?.excerpt).toBe(expected);
});

it('cuts a long first paragraph at a word before 180 characters', async () => {
  const html = `<p>${'longer words '.repeat(40)}</p>`;
  post = { posts: [{ slug: 'p', title: 'Title', html, published_at: '2026-01-01T00:00:00Z' }] };
  const article = await createGhostSource({ ...create('ghost'), key: 'k' }).get('p');
  expect(article?.excerpt).toMatch(/^(?:longer words )+longer(?: words)?…$/);
  expect(article?.excerpt.length).toBeLessThanOrEqual(181);
});
