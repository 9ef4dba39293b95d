import { beforeAll, expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { Content } from '../../core/pages/content.ts';
import { hashText } from '../parse-yaml.ts';
import {
  findPieceAddress,
  type PieceAddress,
  type PlannedContent,
  planDeparture,
  planRename,
} from './plan-address.ts';

const PAGE = 'title: A\nsections: []\n';
const LINKING = 'title: B\nsections:\n  - { type: prose, body: "See [it](/a#price)." } # kept\n';

let content: Content;
beforeAll(async () => {
  content = (await createTestSite()).content.read();
});

function plan(texts: Readonly<Record<string, string>>, redirects = ''): PlannedContent {
  const hashed = (all: Readonly<Record<string, string>>) =>
    new Map(Object.entries(all).map(([file, text]) => [file, { text, hash: hashText(text) }]));
  const pages = Object.keys(texts).filter((file) => file.startsWith('pages/'));
  const lines = redirects.trim().split('\n').slice(1);
  return {
    content,
    texts: hashed(texts),
    files: new Set(Object.keys(texts)),
    pages: pages.map((file) => ({ file, path: `/${file.slice(6, -5)}`, title: file })),
    redirects: {
      texts: hashed(redirects === '' ? {} : { 'redirects/old.csv': redirects }),
      lines: lines.map((line, index) => {
        const [from = '', to = ''] = line.split(',');
        return { from, to, file: 'redirects/old.csv', line: index + 2 };
      }),
    },
    siteUrl: 'https://site.example',
    now: Date.parse('2026-03-20'),
    timeZone: 'UTC',
  };
}

function find(file = 'pages/a.yaml'): PieceAddress {
  const found = findPieceAddress(file, true);
  if (found === null) throw new Error('the file has no address');
  return found;
}

it('a renaming writes the new file and the links before it removes the old file', () => {
  const planned = plan({ 'pages/a.yaml': PAGE, 'pages/b.yaml': LINKING }, 'from,to\n/first,/a#price\n');
  expect(planRename(planned, find(), { name: 'next', rewritesLinks: true })).toMatchObject({
    changes: [
      { file: 'pages/next.yaml', text: PAGE, opened: null },
      { file: 'pages/b.yaml', text: LINKING.replace('/a#', '/next#'), opened: hashText(LINKING) },
      { file: 'redirects/old.csv', text: 'from,to\n/first,/next#price\n' },
      { file: 'redirects/console.csv', text: 'from,to\n/a,/next\n', opened: null },
      { file: 'pages/a.yaml', text: null, opened: hashText(PAGE) },
    ],
    file: 'pages/next.yaml',
  });
});

it('links stay when asked, unless the piece is a draft, which no redirect leads on', () => {
  const list = (text: string) => {
    const found = planRename(plan({ 'pages/a.yaml': text, 'pages/b.yaml': LINKING }), find(), {
      name: 'next',
      rewritesLinks: false,
    });
    return 'problem' in found ? found.problem : found.changes.map(({ file }) => file);
  };
  expect(list(PAGE)).toEqual(['pages/next.yaml', 'redirects/console.csv', 'pages/a.yaml']);
  expect(list(`${PAGE}draft: true\n`)).toEqual(['pages/next.yaml', 'pages/b.yaml', 'pages/a.yaml']);
});

it.each([
  ['b', /There is content\/pages\/b.yaml already/],
  ['a', /Its address is \/a already/],
  ['A', /only a-z, 0-9/],
  ['a--b', /only a-z, 0-9/],
  ['x'.repeat(81), /at most 80/],
  ['blog', /responds at \/blog itself/],
  ['first', /is a former address, which leads to \/elsewhere \(content\/redirects\/old.csv, line 2\)/],
])('a page is not renamed to %s', (name, problem) => {
  const planned = plan({ 'pages/a.yaml': PAGE, 'pages/b.yaml': PAGE }, 'from,to\n/first,/elsewhere\n');
  expect(planRename(planned, find(), { name, rewritesLinks: true })).toEqual({
    problem: expect.stringMatching(problem),
  });
});

it('a name of 80 characters is the longest one, and a file that cannot be read is not overwritten', () => {
  const planned = plan({ 'pages/a.yaml': PAGE });
  const name = 'x'.repeat(80);
  expect(planRename(planned, find(), { name, rewritesLinks: true })).toHaveProperty('changes');
  const files = new Set([...planned.files, 'pages/unread.yaml']);
  expect(planRename({ ...planned, files }, find(), { name: 'unread', rewritesLinks: true })).toHaveProperty(
    'problem',
  );
  expect(planRename(planned, find('pages/unread.yaml'), { name: 'b', rewritesLinks: true })).toEqual({
    problem: 'content/pages/unread.yaml cannot be read.',
  });
});

it.each([
  [['pages/b.yaml'], /^content\/pages\/b.yaml, .* links to it: choose a page/],
  [
    ['pages/b.yaml', 'pages/c.yaml'],
    /^content\/pages\/b.yaml, .* and 1 other place link to it: choose a page/,
  ],
])('a page to which %j lead is not removed while its address leads nowhere', (linking, problem) => {
  const others = Object.fromEntries(linking.map((file) => [file, LINKING]));
  const planned = plan({ 'pages/a.yaml': PAGE, ...others, 'pages/d.yaml': PAGE });
  const nowhere = planDeparture(planned, find(), { change: 'remove', target: null });
  expect(nowhere).toEqual({ problem: expect.stringMatching(problem) });
  expect(planDeparture(planned, find(), { change: 'remove', target: '/d' })).toMatchObject({
    changes: [
      { file: 'redirects/console.csv', text: 'from,to\n/a,/d\n' },
      { file: 'pages/a.yaml', text: null },
    ],
    message: 'Removed. /a leads to /d. Put a version back to have it again.',
  });
});

it.each([
  ['', /Choose the page/],
  ['/a', /would lead to itself/],
  ['/former', /leads on to \/b/],
  ['/back', /lead to each other/],
  ['/dd', /There is no page \/dd on this site/],
])('the address of a page that is taken down does not lead to %j', (target, problem) => {
  const redirects = 'from,to\n/former,/b\n/back,/a\n';
  const planned = plan({ 'pages/a.yaml': PAGE, 'pages/b.yaml': PAGE }, redirects);
  expect(planDeparture(planned, find(), { change: 'take-down', target })).toEqual({
    problem: expect.stringMatching(problem),
  });
});

it('a page that is taken down nowhere is a draft, keeps its former addresses and has nothing else changed', () => {
  const planned = plan({ 'pages/a.yaml': PAGE, 'pages/b.yaml': LINKING }, 'from,to\n/first,/a\n');
  const found = planDeparture(planned, find(), { change: 'take-down', target: null });
  expect(found).toMatchObject({
    changes: [
      { file: 'pages/a.yaml', text: 'title: A\ndraft: true\nsections: []\n', opened: hashText(PAGE) },
    ],
    message: expect.stringContaining('Visitors of /a, /first get “not found” (404).'),
  });
});
