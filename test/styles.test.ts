import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from 'tailwindcss';
import { expect, it } from 'vitest';
import { listPageSources } from '../scripts/build/page-sources.ts';
import { listClassNames, listClassSelectors } from './support/class-names.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SHEETS = globSync(path.join(ROOT, 'src/**/*.css'));
const MARKUP = globSync(
  path.join(ROOT, 'src/{ui,sections,islands,console,layouts,pages}/**/*.{tsx,astro}'),
).filter((file) => !file.includes('.test.'));
const name = (file: string) => path.relative(ROOT, file);
const read = (file: string) => readFileSync(file, 'utf8');

/** The style sheets that pages of the site import. */
const PAGE_SHEETS = SHEETS.filter((sheet) => sheet.includes('/styles/') && listPageSources(sheet).length > 0);

/** The style sheet of the console, which has none of Tailwind's classes. */
const CONSOLE_SHEET = path.join(ROOT, 'src/console/console.css');

/** Classes that have no rule of their own or, like the search field of the header, show on pages with another sheet. */
const WITHOUT_RULE: Readonly<Record<string, readonly string[]>> = {
  group: PAGE_SHEETS.map(name),
  field: ['src/styles/article.css', 'src/styles/assessment.css', 'src/styles/home.css'],
};
/** Classes that the HTML of articles gets while it is sanitized and structured. */
const OUTSIDE_MARKUP = new Set([
  'table-scroll',
  ...listClassNames(path.join(ROOT, 'src/sources/articles/html/sanitize.ts')),
]);

/** The rules that a page gets for the given classes, as in the build. */
async function buildStyles(sheet: string, classNames: Iterable<string>): Promise<string> {
  const loadStylesheet = async (id: string, base: string) => {
    const file = id.startsWith('.') ? path.resolve(base, id) : path.join(ROOT, 'node_modules', id);
    return { path: file, base: path.dirname(file), content: read(file) };
  };
  const compiler = await compile(read(sheet), { base: path.dirname(sheet), loadStylesheet });
  return compiler.build([...classNames]);
}

it('finds the style sheets of all pages', () => {
  expect(PAGE_SHEETS.map(name).sort()).toEqual([
    'src/styles/article.css',
    'src/styles/assessment.css',
    'src/styles/blog.css',
    'src/styles/home.css',
    'src/styles/landing.css',
  ]);
});

it('landing pages have the classes of the sections and illustrations that are found by their file names', () => {
  const sources = listPageSources(path.join(ROOT, 'src/styles/landing.css')).map(name);
  const found = [
    'src/sections/pages/faq.tsx',
    'src/sections/pages/hero-section.astro',
    'src/ui/illustrations/one-tab.tsx',
  ];
  expect(sources).toEqual(expect.arrayContaining(found));
  expect(sources.filter((file) => file.includes('.test.'))).toEqual([]);
});

it('reads classes from attributes and constants, and not from the conditions between them', () => {
  const classNames = listClassNames(path.join(ROOT, 'src/sections/pages/hero.tsx'));
  expect(classNames).toContain('empty:hidden');
  expect(classNames).toContain('lg:col-start-2');
  expect(classNames).toContain('text-5xl');
  expect(classNames).not.toContain('wide');
});

it.each(PAGE_SHEETS.map(name))('%s has a rule for every class of its pages', async (sheet) => {
  const file = path.join(ROOT, sheet);
  const classNames = new Set(listPageSources(file).flatMap((source) => [...listClassNames(source)]));
  const selectors = listClassSelectors(await buildStyles(file, classNames));
  const missing = [...classNames].filter((one) => !selectors.has(one) && !WITHOUT_RULE[one]?.includes(sheet));
  expect(missing.map((one) => `${one} in ${describeUsers(one, listPageSources(file))}`)).toEqual([]);
});

it.each(SHEETS.map(name))('%s has no class that markup does not use', (sheet) => {
  const used = new Set(MARKUP.flatMap((file) => [...listClassNames(file)]));
  const unused = [...listClassSelectors(read(path.join(ROOT, sheet)))].filter(
    (one) => !used.has(one) && !OUTSIDE_MARKUP.has(one),
  );
  expect(unused).toEqual([]);
});

it('every style sheet reaches a page', () => {
  const reached = new Set([...PAGE_SHEETS, CONSOLE_SHEET]);
  for (const sheet of reached) {
    for (const [, id = ''] of read(sheet).matchAll(/@import "(\.[^"]+)"/g)) {
      reached.add(path.resolve(path.dirname(sheet), id));
    }
  }
  expect(SHEETS.filter((sheet) => !reached.has(sheet)).map(name)).toEqual([]);
});

it('no class has a name of one letter', () => {
  const all = [
    ...MARKUP.flatMap((file) => [...listClassNames(file)]),
    ...SHEETS.flatMap((file) => [...listClassSelectors(read(file))]),
  ];
  expect(all.filter((one) => one.length === 1)).toEqual([]);
});

function describeUsers(className: string, files: readonly string[]): string {
  return files
    .filter((file) => listClassNames(file).has(className))
    .map(name)
    .join(', ');
}
