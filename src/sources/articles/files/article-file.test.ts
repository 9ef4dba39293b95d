import { expect, it } from 'vitest';
import { buildArticleDraft } from '../../../core/articles/article-draft.ts';
import { parseArticleFile } from './article-file.ts';

it.each([
  'Plain title',
  'What "per seat" costs: a sum',
  "It's 5 > 3 # really",
  'Größe: naïve',
  '- [x] {y} & *z',
])('parses the draft of a new article with the title %j', (title) => {
  expect(parseArticleFile('a.md', buildArticleDraft(title, '2026-03-12', 'Guides'))).toMatchObject({
    file: { slug: 'a', front: { title, draft: true, publishedAt: '2026-03-12T00:00:00.000Z' } },
  });
});

it.each([
  ['---\r\ntitle: x\r\n---\r\nBody', 'excerpt'],
  ['\uFEFF---\ntitle: x\n---\nBody', 'excerpt'],
  ['--- \ntitle: x\n---\nBody', 'front matter'],
  ['---\ntitle: x\nBody', 'front matter'],
  ['', 'front matter'],
])('names the first problem of the front matter, case %#', (text, field) => {
  const parsed = parseArticleFile('a.md', text);
  expect('problems' in parsed && parsed.problems[0]?.field).toBe(field);
});
