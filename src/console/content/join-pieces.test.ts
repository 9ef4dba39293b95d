import { expect, it } from 'vitest';
import { createChance } from '../../../test/support/chance.ts';
import { Piece } from '../../content-files/edit/piece.ts';
import { splitBlocks } from '../../editor/merge.ts';
import { joinPieces } from './join-pieces.ts';

const ARTICLE = `---
# About kettles.
title: Kettles
description: "One"
tags: [a, b, c]
sources:
  - { id: 1, title: Alpha } # read
  - { id: 2, title: Beta }
publishedAt: 2026-01-05
---

# Kettles

First words.

Second words
in two lines.

- one
- two

\`\`\`
code

with a gap
\`\`\`
## Last
Third words.
`;

type Edit = readonly [from: string, to: string];
const edit = (text: string, edits: readonly Edit[]) =>
  edits.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`“${from}” is not there`);
    return now.replace(from, () => to);
  }, text);
const join = (
  theirs: readonly Edit[],
  mine: readonly Edit[],
  base = ARTICLE,
  file = 'articles/kettles.md',
) => {
  const pieces = [[], theirs, mine].map((edits) => new Piece(file, edit(base, edits)));
  const [old, other, own] = pieces as [Piece, Piece, Piece];
  const joined = joinPieces(old, other, own)?.text ?? null;
  // Whose change is saved first makes no difference.
  expect(joinPieces(old, own, other)?.text ?? null).toBe(joined);
  return joined;
};

const JOINED: readonly [what: string, theirs: readonly Edit[], mine: readonly Edit[]][] = [
  ['blocks far apart', [['First', 'Our']], [['Third', 'My']]],
  ['neighboring blocks', [['First', 'Our']], [['Second words', 'My words']]],
  ['neighboring blocks without an empty line', [['## Last', '## End']], [['Third', 'My']]],
  ['a block and what is put in below it', [['First', 'Our']], [['Second words', 'New.\n\nSecond words']]],
  [
    'a block and what is put in above it',
    [['Second words', 'Our words']],
    [['First words.', 'First words.\n\nNew.']],
  ],
  ['two blocks that are put in', [['First', 'New.\n\nFirst']], [['## Last', '## New\n\n## Last']]],
  ['a removed block and its neighbor', [['First words.\n\n', '']], [['Second words', 'My words']]],
  [
    'a moved block and another one',
    [
      ['First words.\n\n', ''],
      ['- one', 'First words.\n\n- one'],
    ],
    [['Third', 'My']],
  ],
  ['the text and a field', [['First', 'Our']], [['title: Kettles', 'title: Pots']]],
  ['two fields', [['title: Kettles', 'title: Pots']], [['"One"', '"Two"']]],
  ['fields of two items', [['title: Alpha', 'title: 1st']], [['title: Beta', 'title: 2nd']]],
  ['two fields of one item', [['title: Alpha', 'title: 1st']], [['{ id: 1,', '{ id: 7,']]],
  ['an item that is put in, and another one', [['[a,', '[x, a,']], [['b, c]', 'b, d]']]],
  ['a removed item, and another one', [['a, b', 'b']], [['c]', 'd]']]],
  ['a reordered list, and an item of it', [['[a, b, c]', '[c, a, b]']], [['title: Alpha', 'title: 1st']]],
  [
    'a field whose name all objects have, and another one',
    [['tags:', 'constructor: x\ntags:']],
    [['title: Kettles', 'title: Pots']],
  ],
  ['comments of both', [['# About kettles.', '# About pots.']], [['# read', '# seen']]],
];
it.each(JOINED)('joins %s, and keeps every other byte', (_, theirs, mine) => {
  for (const base of [ARTICLE, ARTICLE.replaceAll('\n', '\r\n')]) {
    const own = (edits: readonly Edit[]) =>
      edits.map(
        ([from, to]): Edit =>
          base === ARTICLE ? [from, to] : [from.replaceAll('\n', '\r\n'), to.replaceAll('\n', '\r\n')],
      );
    expect(join(own(theirs), own(mine), base)).toBe(edit(edit(base, own(theirs)), own(mine)));
  }
});

it('joins an item of a list that somebody else has reordered', () => {
  const joined = join([['[a, b, c]', '[c, a, b]']], [['[a, b, c]', '[a, b, c, d]']]);
  expect(joined).toBe(edit(ARTICLE, [['[a, b, c]', '[c, d, a, b]']]));
});

it.each<[what: string, theirs: readonly Edit[], mine: readonly Edit[]]>([
  ['one word of one block', [['First', 'Our']], [['First', 'My']]],
  ['two words of one block', [['Second', 'Our']], [['two lines', 'my lines']]],
  ['two items of one list of the text', [['- one', '- our']], [['- two', '- my']]],
  ['two lines of one block of code', [['code\n', 'ours\n']], [['with a gap', 'my gap']]],
  ['a block that one of them removes', [['First words.\n\n', '']], [['First', 'My']]],
  [
    'a block that one of them moves',
    [
      ['First words.\n\n', ''],
      ['- one', 'First words.\n\n- one'],
    ],
    [['First', 'My']],
  ],
  ['a block that one of them divides', [['First words.', 'First.\n\nWords.']], [['First', 'My']]],
  ['the place of two new blocks', [['Second', 'Ours.\n\nSecond']], [['Second', 'Mine.\n\nSecond']]],
  ['the end', [['Third words.', 'Third words.\n\nOurs.']], [['Third words.', 'Third words.\n\nMine.']]],
  ['one field', [['title: Kettles', 'title: Pots']], [['title: Kettles', 'title: Pans']]],
  ['a field that one of them removes', [['description: "One"\n', '']], [['"One"', '"Two"']]],
  ['one item', [['a, b, c', 'a, x, c']], [['a, b, c', 'a, y, c']]],
  ['an item that one of them removes', [['  - { id: 2, title: Beta }\n', '']], [['Beta }', '2nd }']]],
  ['the order of a list', [['[a, b, c]', '[c, a, b]']], [['[a, b, c]', '[b, a, c]']]],
  ['the state, and one of them the text', [['publishedAt', 'draft: true\npublishedAt']], [['First', 'My']]],
  ['the day, and one of them the text', [['2026-01-05', '2027-01-05']], [['First', 'My']]],
  [
    'the address, and one of them the text',
    [['publishedAt', 'address: /now/\npublishedAt']],
    [['First', 'My']],
  ],
  ['a fence that ends no more, and what is below', [['gap\n```', 'gap\n']], [['Third', 'My']]],
  ['what cannot be read', [['title: Kettles', 'title: [']], [['First', 'My']]],
])('leaves it to a person where both have changed %s', (_, theirs, mine) => {
  expect(join(theirs, mine)).toBeNull();
});

const PAGE = `title: Page
sections:
  # At the top.
  - type: hero
    title: Hello
    lead: Words

  - type: faq
    items:
      - { question: How?, answer: So. }
      - { question: Why?, answer: Well. }
  - type: prose
    body: Text
`;

it('joins sections by what they are, wherever they were moved', () => {
  const moved: readonly Edit[] = [
    ['  - type: prose\n    body: Text\n', ''],
    ['sections:\n', 'sections:\n  - type: prose\n    body: Text\n'],
  ];
  const mine: readonly Edit[] = [['answer: Well.', 'answer: Mine.']];
  expect(join(moved, mine, PAGE, 'pages/page.yaml')).toBe(edit(edit(PAGE, moved), mine));
  expect(join([['Hello', 'Ours']], [['lead: Words', 'lead: Mine']], PAGE, 'pages/page.yaml')).toBe(
    edit(PAGE, [
      ['Hello', 'Ours'],
      ['lead: Words', 'lead: Mine'],
    ]),
  );
  expect(join([['Hello', 'Ours']], [['Hello', 'Mine']], PAGE, 'pages/page.yaml')).toBeNull();
});

it('loses no word of either of two people, whatever they write where', () => {
  const random = createChance(76);
  const blocks = Array.from({ length: 12 }, (_, at) => `Block ${at} has words.`);
  const write = (texts: readonly string[]) => `---\ntitle: T\n---\n\n${texts.join('\n\n')}\n`;
  let count = 0;
  for (let round = 0; round < 400; round += 1) {
    const change = (name: string) => {
      const texts = [...blocks];
      for (let step = 0; step < 2; step += 1) {
        const at = Math.floor(random() * texts.length);
        const kind = Math.floor(random() * 3);
        if (kind === 0) texts[at] = `${texts[at]} ${name}${step}`;
        else if (kind === 1) texts.splice(at, 0, `New of ${name}${step}.`);
        else texts.splice(at, 1);
      }
      return texts;
    };
    const [theirs, mine] = [change('theirs'), change('mine')];
    const [base, other, own] = [blocks, theirs, mine].map(
      (texts) => new Piece('articles/a.md', write(texts)),
    );
    const joined = base && other && own ? joinPieces(base, other, own) : null;
    if (joined === null) continue;
    count += 1;
    const words = (texts: readonly string[]) => texts.join(' ').match(/(?:theirs|mine)\d/g) ?? [];
    expect(words([joined.text]).sort()).toEqual([...words(theirs), ...words(mine)].sort());
    for (const block of blocks) {
      const isKept =
        theirs.some((text) => text.startsWith(block)) && mine.some((text) => text.startsWith(block));
      expect(joined.text.split('\n').filter((line) => line.startsWith(block))).toHaveLength(Number(isKept));
    }
  }
  expect(count).toBeGreaterThan(100);
});

it.each([
  '',
  'One.',
  '\n\n  \nOne.\n\n\n\nTwo.\n\n',
  'One.\r\n\r\n- a\r\n\r\n  b\r\n- c\r\n***\r\nTwo.\r\n',
  '    code\n\n    more\n\n<div>\n\n</div>\n\n[a]: /b\n[c]: /d\n\n> q\nlazy\n',
  `${'> '.repeat(200)}deep\n\nOther.`,
])('splits a text into blocks that are all of it: %j', (text) => {
  const blocks = splitBlocks(text);
  const whole = blocks.map(({ gap, source }) => gap + source).join('');
  expect(text.startsWith(whole)).toBe(true);
  expect(text.slice(whole.length).trim()).toBe('');
});
