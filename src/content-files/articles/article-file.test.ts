import { expect, it } from 'vitest';
import { watchMachine } from '../../../test/support/scale-to-machine.ts';
import { buildArticleDraft } from '../../core/pages/drafts.ts';
import { parseArticleFile, stripMarkdown } from './article-file.ts';

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

const CITED_HEAD = `title: A title
excerpt: An excerpt.
categories: [Pricing]
publishedAt: 2026-03-12
short: ['One[^1].', Two., Three.]
sources:
  - { title: Prices, url: 'https://a.example/', date: 2026-11-21, supports: The price. }
  - { title: Limits, url: 'https://b.example/', date: 2026-11-21, supports: The limit. }
`;

function findProblems(body: string, head = CITED_HEAD) {
  const parsed = parseArticleFile('a.md', `---\n${head}---\n${body}`);
  return 'problems' in parsed ? parsed.problems.map(({ field, reason }) => `${field} ${reason}`) : [];
}

it('accepts an article that cites every source, in the text or in its three lines', () =>
  expect(findProblems('\nText.\n\nMore[^2].')).toEqual([]));

it('names the line of a citation without a source, and not of one in code', () =>
  expect(findProblems('Text[^2].\n\n`[^7]`\n\n```\n[^8]\n```\nMore[^3].')).toEqual([
    'line 18 cites [^3], an entry of sources, which has 2',
  ]));

it('names the line of a source that is not cited', () =>
  expect(findProblems('Text.')).toEqual([
    'line 9 lists a source that the text does not cite: write [^2] where it is used',
  ]));

it('reads an article without what is not read any more, and names it', () => {
  const former =
    'provenance: { kind: human }\nallow: [{ rule: free-claim, reason: a, by: A, day: 2026-11-21 }]\n';
  expect(parseArticleFile('a.md', `---\n${CITED_HEAD}${former}---\nText[^2].`)).toMatchObject({
    file: { front: { title: 'A title', allow: [] } },
    former: [
      { field: 'field provenance', reason: 'is not read any more: no rule asks for it. Remove it' },
      { field: 'allow, entry 1', reason: 'is not read any more: its rule is gone. Remove it' },
    ],
  });
});

it('names the line of a citation in the three lines', () => {
  const head = CITED_HEAD.replace('Three.', "'Three[^4].'");
  expect(findProblems('Text[^2].', head)).toEqual(['line 6 cites [^4], an entry of sources, which has 2']);
});

it.each([
  ['Price[^12], then.', 'Price, then.'],
  ['## A **bold** `code` _it_', 'A bold code it'],
  ['See [the sum](/roi-calculator) now', 'See the sum now'],
  ['| a | b |\n| --- | ---: |\n| 1 | 2 |', 'a b 1 2'],
  ['a | b\n- | -:\n1 | 2', 'a b 1 2'],
  ['- one\n  + two - three', 'one two - three'],
  ['```ts\nconst a = 1;\n```', 'const a = 1;'],
  ['<div class="x">in</div> 5 < 6', 'in 5 < 6'],
  ['> quoted', 'quoted'],
  ['Mark it _keep_, or [set it up](/go), then **stop**.', 'Mark it keep, or set it up, then stop.'],
])('strips the markup of %j', (markdown, text) => expect(stripMarkdown(markdown)).toBe(text));

it.each(['<', '](', ' ', '|', '-', '`', '#'])(
  'strips %j repeated 200,000 times in linear time',
  { tags: ['rest', 'measures'] },
  (piece) => {
    const scale = watchMachine();
    const start = performance.now();
    stripMarkdown(piece.repeat(200_000));
    expect(performance.now() - start).toBeLessThan(scale(2_000));
  },
);
