import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseDocument, visit } from 'yaml';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { IS_FULL_LENGTH } from '../../test/support/cases.ts';
import { editYaml, splitMarkdown, type YamlEdit, type YamlPath } from './edit-yaml.ts';
import { parseYaml } from './parse-yaml.ts';

interface ContentText {
  readonly name: string;
  readonly text: string;
}

/** Every YAML file of the site, and the front matter of every article. */
const ALL_FILES: readonly ContentText[] = readdirSync(path.join(ROOT, 'content'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => /\.(yaml|md)$/.test(name))
  .sort()
  .map((name) => {
    const text = readFileSync(path.join(ROOT, 'content', name), 'utf8');
    return { name, text: name.endsWith('.md') ? (splitMarkdown(text)?.front ?? '') : text };
  });

/** The longest file of each folder, all at full length. */
const FILES = IS_FULL_LENGTH
  ? ALL_FILES
  : [...Map.groupBy(ALL_FILES, ({ name }) => path.dirname(name)).values()].map((files) =>
      files.reduce((longest, file) => (file.text.length > longest.text.length ? file : longest)),
    );

const HOSTILE: readonly unknown[] = [
  'a # no comment',
  '#',
  'He said "yes": it\'s so',
  'key: value',
  '🧭 emoji and ümlauts',
  'two\nlines',
  '---',
  '  leading and trailing  ',
  '- item',
  '{ a: b }, [c]',
  'one paragraph that is folded\nanother one, with : and # in it\n',
  '',
  'yes',
  '2026-11-22',
  '0x1f',
  '*alias &anchor !tag %directive @at `tick`',
  '\\ \t backslash, tab',
  '|\n\n  indented\nends with breaks\n\n',
  '\u2028\u0085\ufeff\u0007',
  'a\r\nb',
  '~',
  '? question',
  'null',
  '<script>alert(1)</script>',
  null,
  true,
  -1.5,
];

function read(text: string): unknown {
  const parsed = parseYaml(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.value;
}

function edit(text: string, ...edits: YamlEdit[]): string {
  const edited = editYaml(text, edits);
  if ('problem' in edited) throw new Error(`${edited.path.join('.')} ${edited.problem}`);
  return edited.text;
}

/** The paths of everything in a value, the value itself first. */
function listPaths(value: unknown, at: YamlPath = []): (readonly [YamlPath, unknown])[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => listPaths(item, [...at, index]))
    : Object.entries(isMapping(value) ? value : {}).flatMap(([key, field]) => listPaths(field, [...at, key]));
  return [[at, value], ...inner];
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLeaf = (value: unknown) => typeof value !== 'object' || value === null;

/** A copy of a value in which a function has changed what is around the last part of a path. */
function change(value: unknown, at: YamlPath, apply: (around: never, last: never) => void): unknown {
  const copy: unknown = structuredClone(value);
  const around = at.slice(0, -1).reduce<unknown>((found, part) => Reflect.get(Object(found), part), copy);
  apply(around as never, at.at(-1) as never);
  return copy;
}

/** The text without the values of its fields: what an edit of values has to leave as it is. */
function cutValues(text: string): string {
  const ranges: (readonly [number, number])[] = [];
  visit(parseDocument(text), {
    Scalar(key, node) {
      if (key === 'key' || !node.range) return;
      const [start, end] = node.range;
      const written = text.slice(start, end).replace(/(?:\r?\n[ \t]*)+$/, '');
      ranges.push([start, start + written.length]);
    },
  });
  return ranges.reduceRight((now, [start, end]) => `${now.slice(0, start)}…${now.slice(end)}`, text);
}

/** Whether one text is the other one with a part inserted in one place. */
function isInserted(longer: string, shorter: string): boolean {
  let [before, after] = [0, 0];
  while (before < shorter.length && longer[before] === shorter[before]) before += 1;
  while (after < shorter.length && longer.at(-1 - after) === shorter.at(-1 - after)) after += 1;
  return before + after >= shorter.length;
}

const sortLines = (text: string) => text.split('\n').sort();

/** Every 150th place of long files, all at full length; sections always. */
const choose = <Item extends { readonly at: YamlPath }>(items: readonly Item[]) =>
  items.filter(
    ({ at }, index) => IS_FULL_LENGTH || items.length < 12 || index % 150 === 0 || at.join() === 'sections',
  );

it.each(FILES)(
  'writes any value in each place of $name and leaves every other byte',
  { tags: ['rest'] },
  ({ text }) => {
    const value = read(text);
    const leaves = listPaths(value).filter(([at, leaf]) => at.length > 0 && isLeaf(leaf));
    for (let round = 0; round < HOSTILE.length; round += IS_FULL_LENGTH ? 1 : 9) {
      const edits = leaves.map(([at], index): YamlEdit => {
        return { kind: 'set', path: at, value: HOSTILE[(index + round) % HOSTILE.length] };
      });
      const edited = edit(text, ...edits);
      const wanted = edits.reduce<unknown>(
        (now, { path: at, ...one }) =>
          change(now, at, (around, last) => void Reflect.set(around, last, Reflect.get(one, 'value'))),
        value,
      );
      expect(read(edited)).toEqual(wanted);
      expect(cutValues(edited)).toBe(cutValues(text));
    }
  },
);

it.each(FILES)('moves, copies and removes items of the lists of $name', { tags: ['rest'] }, ({ text }) => {
  const value = read(text);
  const lists = listPaths(value).flatMap(([at, list]) => (Array.isArray(list) ? [{ at, list }] : []));
  const items = lists.flatMap(({ at, list }) => list.map((item, index) => ({ at, list, item, index })));
  for (const { at, list, item, index } of choose(items)) {
    const own = [...at, index];
    const moved = edit(text, { kind: 'move', path: own, to: list.length - 1 });
    const others = list.toSpliced(index, 1);
    const setList = (next: unknown) =>
      change({ value }, ['value', ...at], (around, last) => void Reflect.set(around, last, next));
    expect({ value: read(moved) }).toEqual(setList([...others, item]));
    expect(edit(moved, { kind: 'move', path: [...at, list.length - 1], to: index })).toBe(text);
    if (isMapping(item) && at.length === 1) expect(sortLines(moved)).toEqual(sortLines(text));
    const copied = edit(text, { kind: 'copy', path: own });
    expect({ value: read(copied) }).toEqual(setList(list.toSpliced(index, 0, item)));
    expect(isInserted(copied, text)).toBe(true);
    expect(edit(copied, { kind: 'remove', path: [...at, index + 1] })).toBe(text);
    const removed = edit(text, { kind: 'remove', path: own });
    expect({ value: read(removed) }).toEqual(setList(others));
    if (list.length > 1) expect(isInserted(text, removed)).toBe(true);
  }
});

const listMappings = (value: unknown) =>
  listPaths(value).flatMap(([at, mapping]) => (isMapping(mapping) ? [{ at, mapping }] : []));

it.each(FILES)('adds keys to the mappings of $name and removes them', { tags: ['rest'] }, ({ text }) => {
  const value = read(text);
  for (const { at, mapping } of choose(listMappings(value))) {
    const names = Object.keys(mapping);
    const [order, added] = [
      ['added', ...names],
      [...at, 'added'],
    ];
    const fields = { list: ['a: b', { c: 'two\nlines' }], text: '# d' };
    for (const edits of [
      { kind: 'set', path: added, value: fields },
      { kind: 'set', path: added, value: 'first', order },
    ] as const) {
      const longer = edit(text, edits);
      expect({ value: read(longer) }).toEqual(
        change({ value }, ['value', ...added], (around, last) => void Reflect.set(around, last, edits.value)),
      );
      expect(isInserted(longer, text)).toBe(true);
      expect(edit(longer, { kind: 'remove', path: added })).toBe(text);
    }
  }
});

it.each(FILES)('removes the keys of the mappings of $name', { tags: ['rest'] }, ({ text }) => {
  const value = read(text);
  const keys = listMappings(value).flatMap(({ at, mapping }) =>
    Object.keys(mapping).map((key) => ({ at, mapping, key })),
  );
  for (const { at, mapping, key } of choose(keys)) {
    const removed = edit(text, { kind: 'remove', path: [...at, key] });
    expect({ value: read(removed) }).toEqual(
      change({ value }, ['value', ...at, key], (around, last) => void Reflect.deleteProperty(around, last)),
    );
    if (Object.keys(mapping).length > 1) expect(isInserted(text, removed)).toBe(true);
  }
});

const LONG = 'a'.repeat(100);
const PAGE = `# The page of help.
title: Help # as in the menu
sections:
  - type: hero
    title: Help

  # Asked most often.
  - type: faq
    items:
      - { question: "How?", answer: 'So.' }
      - question: Why?
        answer: >-
          A text that is folded because it is
          longer than one line.
    # The end of the questions.

  - type: prose
    body: |
      One.

      Two.
`;

it.each<readonly [name: string, edits: readonly YamlEdit[], from: string, to: string]>([
  ['a text', [{ kind: 'set', path: ['title'], value: 'Contact' }], 'title: Help #', 'title: Contact #'],
  [
    'a text with a colon',
    [{ kind: 'set', path: ['title'], value: 'A: b' }],
    'title: Help #',
    'title: "A: b" #',
  ],
  [
    'a folded text',
    [{ kind: 'set', path: ['sections', 1, 'items', 1, 'answer'], value: 'Short.' }],
    'A text that is folded because it is\n          longer than one line.',
    'Short.',
  ],
  [
    'a folded text, whose lines have at most 120 characters',
    [
      {
        kind: 'set',
        path: ['sections', 1, 'items', 1, 'answer'],
        value: `${LONG} 123456789 ${LONG} 1234567890`,
      },
    ],
    'A text that is folded because it is\n          longer than one line.',
    `${LONG} 123456789\n          ${LONG}\n          1234567890`,
  ],
  [
    'a text of several lines',
    [{ kind: 'set', path: ['sections', 2, 'body'], value: 'One.\n\n- Three\n' }],
    'One.\n\n      Two.',
    'One.\n\n      - Three',
  ],
  [
    'a new field in the order of the schema',
    [{ kind: 'set', path: ['sections', 1, 'title'], value: 'Questions', order: ['type', 'title', 'items'] }],
    'type: faq\n',
    'type: faq\n    title: Questions\n',
  ],
  [
    'a field of a mapping that is missing',
    [{ kind: 'set', path: ['cta', 'source'], value: 'help', order: [] }],
    '      Two.\n',
    '      Two.\ncta:\n  source: help\n',
  ],
  [
    'a new section',
    [{ kind: 'insert', path: ['sections', 2], value: { type: 'prose', body: 'New.' } }],
    '  - type: prose\n',
    '  - type: prose\n    body: New.\n\n  - type: prose\n',
  ],
  [
    'the last key of a mapping',
    [{ kind: 'remove', path: ['sections', 2, 'body'] }],
    '    body: |\n      One.\n\n      Two.\n',
    '',
  ],
  [
    'all items of a list',
    [
      { kind: 'remove', path: ['sections', 1, 'items', 0] },
      { kind: 'remove', path: ['sections', 1, 'items', 0] },
    ],
    PAGE.slice(PAGE.indexOf('\n      - { question'), PAGE.indexOf('    # The end')),
    ' []\n',
  ],
])('changes %s as an author would', (_, edits, from, to) => {
  expect(PAGE).toContain(from);
  const wanted = PAGE.replace(from, () => to);
  expect(edit(PAGE, ...edits)).toBe(wanted);
  const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
  expect(edit(windows(PAGE), ...edits)).toBe(windows(wanted));
});

it('moves a section with the comment above it, and leaves the blank lines between sections', () => {
  const moved = edit(PAGE, { kind: 'move', path: ['sections', 1], to: 0 });
  expect(moved).toMatch(
    /sections:\n {2}# Asked most often\.\n {2}- type: faq[\s\S]*questions\.\n\n {2}- type: hero\n {4}title: Help\n\n {2}- type: prose/,
  );
});

it.each([
  ['a file that is empty', '', { kind: 'set', path: ['title'], value: 'Help' }, 'title: Help\n'],
  [
    'a file of comments',
    '# A brand.',
    { kind: 'set', path: ['a', 'b'], value: 1 },
    '# A brand.\na:\n  b: 1\n',
  ],
  ['a file without a last line break', 'a: 1', { kind: 'set', path: ['b'], value: 2 }, 'a: 1\nb: 2'],
  ['an empty list', 'a: [] # none\n', { kind: 'insert', path: ['a', 0], value: 'x' }, 'a:\n  - x # none\n'],
  ['a field without a value', 'a:\nb: 1\n', { kind: 'set', path: ['a'], value: 'x' }, 'a: x\nb: 1\n'],
  [
    'a mapping in a line',
    'a: { b: 1 }\n',
    { kind: 'set', path: ['a', 'c'], value: ['d'] },
    'a: { b: 1, c: [d] }\n',
  ],
] as const)('edits %s', (_, text, one, wanted) => expect(edit(text, one)).toBe(wanted));

it.each([
  ['a text that an anchor repeats', 'a: &x one\nb: *x\n', ['a'], /anchor/],
  ['what is not there', 'a: 1\n', ['b', 0], /cannot be changed/],
  ['a file that is no YAML', 'a: [\n', ['a'], /bracket that is not closed/],
] as const)('refuses to edit %s', (_, text, at, problem) => {
  expect(
    editYaml(text, [
      { kind: 'remove', path: at },
      { kind: 'set', path: at, value: 'two' },
    ]),
  ).toEqual({ problem: expect.stringMatching(problem), path: at });
});

it('replaces the body of a Markdown file, or its front matter, and leaves the rest', () => {
  const text = '---\r\ntitle: A\r\n---\r\n\r\nOne.\r\n\r\nTwo.\r\n\r\n';
  const parts = splitMarkdown(text);
  expect(parts).toMatchObject({ front: 'title: A', body: 'One.\r\n\r\nTwo.' });
  expect(parts?.join('title: B', parts.body)).toBe(text.replace('A', 'B'));
  expect(parts?.join('title: A', 'One.\r\n\r\nThree.')).toBe(text.replace('Two', 'Three'));
  expect(splitMarkdown('No front matter.')).toBeNull();
});
