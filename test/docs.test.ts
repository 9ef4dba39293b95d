import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { NAMES } from '../scripts/test/run-tests.ts';
import { COMMANDS } from '../src/commands/main.ts';
import { SECRET_NAME } from '../src/core/commissions/networks/network.schema.ts';
import { REMOVED } from '../src/server/setting-faults.ts';
import { SETTINGS } from '../src/server/settings.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'tools/README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }),
];
/** Those that name what there is: the changelog names what went, too. */
const CURRENT = DOCUMENTS.filter((document) => document !== 'CHANGELOG.md');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Where the parts of the tree are that documents name; anything below them has to be there. */
const TOP = /^(src|test|scripts|tools|docs|content|migrations|public|deploy)\//;

/** Files and folders that a recipe has its reader create. */
const WRITTEN = new Set(
  (
    'content/fonts/ content/articles/what-a-crm-costs-in-the-second-year.md ' +
    'content/pages/three-tools.yaml src/console/devices/read.ts src/console/devices/run.ts ' +
    'src/console/devices/view.tsx src/move-in/hashnode-export.ts'
  ).split(' '),
);

/** Constants of the code, which look like settings. */
const CONSTANTS = globSync('{src,test/support}/**/*.ts', { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]+)\b/gm)].map(
    ([, name = '']) => name,
  ),
);

const read = (document: string) => readFileSync(path.join(ROOT, document), 'utf8');

/** Words in back quotes and lines of code blocks. */
function listCode(text: string): string[] {
  const blocks = [...text.matchAll(/^```[a-z]*\n(.*?)^```/gms)].flatMap(([, code = '']) => code.split('\n'));
  const words = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...words];
}

/** Paths as documents write them; `{a,b}`, `*` and `<name>` stand for any, a trailing `:12` for a line. */
function listPaths(text: string): string[] {
  return listCode(text)
    .flatMap((code) => code.split(/[\s"'()=|,]+(?![^{]*\})/))
    .map((word) =>
      word
        .replace(/^\.\//, '')
        .replace(/[.:;]+$/, '')
        .replace(/:\d+$/, ''),
    )
    .filter((word) => TOP.test(word) && !WRITTEN.has(word) && !/^(?:src|content)\/$/.test(word));
}

function isThere(named: string): boolean {
  const pattern = named.replace(/<[^>]+>|…|\bNAME\b|\{[a-z]+\}/g, '*');
  return existsSync(path.join(ROOT, pattern)) || globSync(pattern, { cwd: ROOT }).length > 0;
}

/** The id that a Markdown renderer gives a heading. */
function buildAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replace(/ /g, '-');
}

function listAnchors(document: string): string[] {
  return [...read(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => buildAnchor(heading));
}

it.each(CURRENT)('every path that %s names is there', (document) =>
  expect(listPaths(read(document)).filter((named) => !isThere(named))).toEqual([]),
);

it.each(DOCUMENTS)('every npm command that %s names exists', (document) => {
  const named = [...read(document).matchAll(/\bnpm run (?:-s )?([a-z][a-z-]*)/g)].map(
    ([, name = '']) => name,
  );
  // `back` is a script of the folder of a site.
  const known = { ...scripts, back: '' };
  const short = [...read(document).matchAll(/\bnpm (start|test)\b/g)].map(([, name = '']) => name);
  expect([...named, ...short].filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});

it.each(DOCUMENTS)('every command that %s names exists, in the form that npm takes', (document) => {
  const named = [...read(document).matchAll(/\bnpm run (?:-s )?signpost\b([^`\n]*)/g)];
  const isCommand = (words: string) => {
    const [, name = ''] = /^ -- ([\w-]+)/.exec(words) ?? [];
    // `signpost.mjs` starts these itself.
    const others = ['NAME', 'serve', 'edge'];
    return words === '' || others.includes(name) || Object.hasOwn(COMMANDS, name);
  };
  expect(named.filter(([, words = '']) => !isCommand(words)).map(([line]) => line)).toEqual([]);
});

it.each(DOCUMENTS)('every part of the tests that %s names exists', (document) => {
  const named = [...read(document).matchAll(/\bnpm test -- ([a-z-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !NAMES.includes(name))).toEqual([]);
});

it.each(DOCUMENTS)('every program that %s runs with node is there', (document) => {
  const named = listCode(read(document)).flatMap((code) =>
    [...code.matchAll(/\bnode (?:--\S+ (?:\.\/\S+ )?)*([\w/.-]+\.m?[jt]s)\b/g)].map(([, file = '']) => file),
  );
  expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it.each(CURRENT)('every setting that %s names is one', (document) => {
  const ofSystemsTests = ['GHOST_FOLDER', 'RECORD_ARTICLES'];
  const former = document === 'CHANGELOG.md' ? REMOVED.keys() : [];
  const others = [...CONSTANTS, ...ofSystemsTests, 'NODE_ENV', 'NODE_OPTIONS'];
  const known = new Set<string>([...SETTINGS, ...former, ...others]);
  const named = listCode(read(document)).flatMap((code) =>
    [...code.matchAll(/(?:^|\s)([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?==|$|\s)/g)].map(([, name = '']) => name),
  );
  const isOther = (name: string) => name.startsWith('SQLITE_') || SECRET_NAME.test(name);
  expect(named.filter((name) => !known.has(name) && !isOther(name))).toEqual([]);
});

it.each(DOCUMENTS)('every link of %s inside the project leads somewhere', (document) => {
  const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
  const lost = links.filter((href) => {
    if (/^[a-z]+:/.test(href) || href.startsWith('/')) return false;
    const [file = '', anchor] = href.split('#');
    const target = file === '' ? document : path.join(path.dirname(document), file);
    if (!existsSync(path.join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !listAnchors(target).includes(anchor);
  });
  expect(lost).toEqual([]);
});

it.each(DOCUMENTS)('%s has no marks of a merge', (document) =>
  expect(read(document)).not.toMatch(/^(?:<{7}|={7}|>{7})/m),
);

it('each promise of what is stored names the tests that show it, and they are there', () => {
  const [, section = ''] = read('docs/operations.md').split('## What stored and saved mean\n\n');
  const [, , ...lines] = section.split('\n\n')[0]?.split('\n') ?? [];
  const rows = lines.map((line) => line.split('|').slice(1, -1));
  expect(rows.length).toBeGreaterThan(6);
  for (const cells of rows) {
    expect(cells.map((cell) => cell.trim())).not.toContain('');
    const named = listCode(cells.at(-1) ?? '');
    expect(named.length, cells[0]).toBeGreaterThan(0);
    for (const name of named)
      expect(globSync(`{src,test}/**/${name}.test.ts`, { cwd: ROOT }), name).not.toEqual([]);
  }
});

it('every setting is documented', () => {
  const all = DOCUMENTS.map(read).join('\n') + read('.env.example');
  expect(SETTINGS.filter((name) => !all.includes(name))).toEqual([]);
});

it('the documents that every developer needs are among those that are checked', () => {
  for (const document of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/operations.md'])
    expect(DOCUMENTS).toContain(document);
});

const CHAPTERS = globSync('docs/decisions/*.md', { cwd: ROOT }).sort();

/** The day of each decision of a chapter, in its order: the first line below its heading. */
const listDays = (chapter: string) =>
  read(chapter)
    .split(/^## .+\n/m)
    .slice(1)
    .map((decision) => decision.trim().split('\n')[0] ?? '');

it('decisions are at most 14 chapters', () => {
  expect(CHAPTERS.length).toBeGreaterThan(8);
  expect(CHAPTERS.length).toBeLessThanOrEqual(14);
});

it.each(CHAPTERS)('%s has a day for each decision, the newest first', (chapter) => {
  const days = listDays(chapter);
  expect(days.length).toBeGreaterThan(0);
  expect(days.filter((day) => !/^\d{4}-\d\d-\d\d(?:; replaces .+)?$/.test(day))).toEqual([]);
  const sorted = [...days].sort((a, b) => b.slice(0, 10).localeCompare(a.slice(0, 10)));
  expect(days).toEqual(sorted);
});

it.each(CHAPTERS)('no decision of %s is longer than 35 lines', (chapter) => {
  const decisions = read(chapter).split(/^## /m).slice(1);
  expect(decisions.filter((text) => text.trimEnd().split('\n').length > 35)).toEqual([]);
});
