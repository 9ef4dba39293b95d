import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createContentFolder } from './content-folder.ts';
import { readPages } from './read-pages.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'pages-'));
  mkdirSync(path.join(root, 'pages'));
});
afterEach(() => rmSync(root, { recursive: true }));

const HEAD = `title: A page
description: A description of this page that is long enough to be one in search results.
`;

function read(sections: string, head = HEAD) {
  writeFileSync(path.join(root, 'pages/offer.yaml'), `${head}sections:\n${sections}`);
  const folder = createContentFolder(root);
  const pages = readPages(folder, new Map([['price:starter', '$97']]));
  return {
    pages,
    problems: folder.problems.map(({ file, field, reason }) => `${file}, ${field}: ${reason}`),
  };
}

it('a document is served at the name of its file, with its figures filled in', () => {
  const { pages, problems } = read('  - { type: hero, title: "Only {price:starter}" }');
  expect(problems).toEqual([]);
  expect([...pages.keys()]).toEqual(['/offer']);
  expect(pages.get('/offer')?.sections[0]).toMatchObject({ type: 'hero', title: 'Only $97' });
});

it.each([
  ['a section of no type', '  - { type: herro, title: x }', 'sections.1 (herro).type: '],
  ['a missing field', '  - { type: hero }', 'sections.1 (hero).title: '],
  [
    'a misspelt field',
    '  - { type: hero, title: x, leed: y }',
    'sections.1 (hero): Unrecognized key: "leed"',
  ],
  [
    'a figure that is nowhere',
    '  - { type: hero, title: "{price:gold}" }',
    'sections.1 (hero).title: nothing is called {price:gold}',
  ],
  [
    'an action that leads nowhere',
    '  - { type: hero, title: x, actions: [{ label: Go }] }',
    'sections.1 (hero).actions.1: needs either `href` or `go`',
  ],
  [
    'a partner address written out',
    '  - { type: hero, title: x, actions: [{ label: Go, href: /go/highlevel }] }',
    'for a partner use `go`',
  ],
  [
    'a partner path in a text',
    '  - { type: prose, body: "Try [it](/kit-trial) now" }',
    'sections.1 (prose).body: links to a partner by its path',
  ],
  [
    'an address of another site',
    '  - { type: hero, title: x, actions: [{ label: Go, href: "https://evil.test" }] }',
    'sections.1 (hero).actions.1.href: must be a path',
  ],
  [
    'a link to a partner without calls',
    '  - { type: hero, title: x, actions: [{ label: Go, go: trial }] }',
    'calls: is missing: the page has links to a partner',
  ],
  [
    'two sections with one anchor',
    '  - { type: hero, title: x, id: top }\n  - { type: prose, id: top, body: y }',
    'sections.2 (prose).id: #top is taken',
  ],
  [
    'a navigation to a section that is not there',
    '  - { type: section-nav, label: x, items: [{ label: a, to: a }, { label: b, to: b }] }',
    'sections.1 (section-nav).items: no section has the id a',
  ],
  [
    'a row with a cell too few',
    '  - { type: comparison-table, caption: x, rowHeading: x, columns: [{ label: a }, { label: b }], rows: [{ label: r, cells: [x] }] }',
    'sections.1 (comparison-table).rows.1.cells: has 1 cells for 2 columns',
  ],
  [
    'a quotation from nowhere',
    '  - { type: testimonials, items: [{ quote: x, name: y, company: z }] }',
    'sections.1 (testimonials).items.1.origin: is missing',
  ],
  [
    'a value without a number',
    '  - { type: chart, kind: pie, unit: "%", caption: x, labelHeading: x, valueHeading: x, items: [{ label: a, value: none }, { label: b, value: 2 }] }',
    'sections.1 (chart).items.1.value: has no number in it',
  ],
])('%s is reported with file, section, field and reason', (_, sections, expected) => {
  const { problems } = read(sections);
  expect(problems).toEqual([expect.stringContaining(expected)]);
  expect(problems[0]).toContain('pages/offer.yaml, ');
});

it('all that is wrong is reported at once', () => {
  const { problems } = read('  - { type: hero }\n  - { type: prose }', 'title: A page\n');
  expect(problems).toHaveLength(3);
});

it.each([['blog'], ['old-offer']])('a document called %s would never be seen, and is reported', (name) => {
  writeFileSync(path.join(root, `pages/${name}.yaml`), `${HEAD}sections:\n  - { type: hero, title: x }`);
  const folder = createContentFolder(root);
  readPages(folder, new Map(), { '/old-offer': '/offer' });
  expect(folder.problems).toEqual([
    { file: `pages/${name}.yaml`, field: '', reason: expect.stringContaining(`answers /${name} itself`) },
  ]);
});
