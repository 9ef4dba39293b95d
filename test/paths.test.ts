import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as paths from '../src/core/paths.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** The one module that writes paths of the site out; what has paths of other sites and services; names of files. */
const EXEMPT = /^(core\/paths\.ts|sources\/|content-files\/|move-in\/|commands\/|runtimes\/node\/)/;

const NAMES =
  'console|blog|go|api|functions|og|assessment|contact|privacy|affiliate-disclosure|feature-comparison|healthz|readyz|404|500|rss\\.xml|feed\\.json|robots\\.txt|llms\\.txt|sitemap';

/** A path of the site as a literal, as the beginning of a template, after an origin, or in a regular expression. */
const WRITTEN_OUT = [
  new RegExp(`['"\`](?:\\$\\{[^}]*\\})?/(?:${NAMES})(?![\\w-])`),
  /\\\/(?:blog|go|api|functions)(?:\\\/|\b)/,
  /`\/\$\{/,
  /['"`]\/['"`] ?\+|\+ ?['"`]\/['"`]/,
];

function readCode(name: string): string {
  return readFileSync(path.join(SOURCE, name), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/^import .*$|\bfrom '[^']*'/gm, '');
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(ts|tsx|astro)$/.test(name) && !/\.test\.tsx?$/.test(name),
);

it('no module but core/paths.ts writes out or concatenates a path of the site', () => {
  const found = files
    .filter((name) => !EXEMPT.test(name))
    .flatMap((name) =>
      readCode(name)
        .split('\n')
        .filter((line) => WRITTEN_OUT.some((pattern) => pattern.test(line)))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

/** A place of a template string. */
const PLACE = ['$', '{x}'].join('');

it.each([
  'href="/blog"',
  "get('/api/x')",
  `\`/blog/${PLACE}\``,
  `\`${PLACE}/blog\``,
  '/^\\/go\\//',
  `\`/${PLACE}\``,
])('the search for written-out paths finds %s', (code) => {
  expect(WRITTEN_OUT.some((pattern) => pattern.test(code))).toBe(true);
});

it('every route of src/pages is reserved, so that no page document can hide behind it', () => {
  const routes = readdirSync(path.join(SOURCE, 'pages'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.astro') && !name.startsWith('[...'))
    .map((name) => `/${name.replace(/(\/?index)?\.astro$/, '').replaceAll(path.sep, '/')}`);
  expect(routes.length).toBeGreaterThan(6);
  expect(routes.filter((route) => !paths.isReservedPath(route))).toEqual([]);
});

it('every named path is reserved, except those of page documents', () => {
  const named = Object.entries(paths).filter(([name]) => name.endsWith('_PATH'));
  expect(named.length).toBeGreaterThan(15);
  const open = named.map(([, value]) => String(value)).filter((value) => !paths.isReservedPath(value));
  expect(open.sort()).toEqual([...paths.LINKED_PAGES].sort());
});
