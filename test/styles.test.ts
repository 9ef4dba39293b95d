import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from 'tailwindcss';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { listPageSources, listScriptNames } from '../scripts/build/vite-plugins.ts';

const CONSOLE_FOLDER = path.resolve(import.meta.dirname, '../src/console');
/**
 * The classes that a file with markup may give to elements: those in attributes named `class` or `…className`, and in
 * constants, properties and functions whose names end in `CLASSES`, `className` or `Class`.
 */
function listClassNames(file: string): ReadonlySet<string> {
  const known = byFile.get(file);
  if (known !== undefined) return known;
  const code = readFileSync(file, 'utf8');
  const found = file.endsWith('.astro') ? listInTemplate(code) : listInScript(code, file);
  byFile.set(file, found);
  return found;
}

const byFile = new Map<string, ReadonlySet<string>>();

/** The class selectors of a style sheet, without escapes. */
function listClassSelectors(css: string): Set<string> {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<!\\)(["'])(?:\\.|(?!\1).)*\1/g, '""');
  const names = [
    ...rules.matchAll(/\.((?:\\[0-9a-f]{1,6} ?|\\.|[a-z_-])(?:\\[0-9a-f]{1,6} ?|\\.|[\w-])*)/gi),
  ];
  return new Set(names.map(([, name = '']) => removeEscapes(name)));
}

const CLASS_HOLDER = /(?:^class$|className$|ClassName$|CLASSES$|Class$)/;

function listInScript(code: string, file: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node, isClass: boolean): void => {
    const isHolder = isClass || CLASS_HOLDER.test(getHolderName(node));
    if (isHolder && isText(node)) for (const name of split(node.text)) found.add(name);
    ts.forEachChild(node, (child) => visit(child, isHolder && !isCondition(child)));
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return found;
}

function getHolderName(node: ts.Node): string {
  const isNamed =
    ts.isJsxAttribute(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isFunctionDeclaration(node);
  return isNamed ? (node.name?.getText() ?? '') : '';
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node);
}

/** Texts that decide about a class without being one: comparisons, conditions, lookup keys, parameters and types. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  const isComparison =
    ts.isBinaryExpression(node) &&
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      node.operatorToken.kind,
    );
  return (
    isComparison ||
    ts.isTypeNode(node) ||
    ts.isParameter(node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
  );
}

function listInTemplate(code: string): Set<string> {
  const plain = [...code.matchAll(/\bclass(?:Name)?="([^"]*)"/g)];
  const calls = [...code.matchAll(/\bclass=\{\w+\('([^']*)'\)\}/g)];
  return new Set([...plain, ...calls].flatMap(([, text = '']) => split(text)));
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

function removeEscapes(name: string): string {
  return name
    .replace(/\\([0-9a-f]{1,6}) ?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, '$1');
}

const ROOT = path.resolve(import.meta.dirname, '..');
const SHEETS = globSync(path.join(ROOT, 'src/**/*.css'));
const MARKUP = globSync(
  path.join(ROOT, 'src/{ui,sections,islands,console,editor,layouts,pages}/**/*.{tsx,astro}'),
).filter((file) => !file.includes('.test.'));
const name = (file: string) => path.relative(ROOT, file);
const read = (file: string) => readFileSync(file, 'utf8');

/** The style sheets that pages of the site import. */
const PAGE_SHEETS = SHEETS.filter((sheet) => sheet.includes('/styles/') && listPageSources(sheet).length > 0);

/** The style sheet of the console. */
const CONSOLE_SHEET = path.join(ROOT, 'src/console/console.css');

/** Classes that have no rule of their own or, like the search field of the header, show on pages with another sheet. */
const WITHOUT_RULE: Readonly<Record<string, readonly string[]>> = {
  group: PAGE_SHEETS.map(name),
  field: ['src/styles/article.css', 'src/styles/assessment.css', 'src/styles/home.css'],
};
/** Classes of the console that name what has no look of its own: shapes, their legend, and what tests look for. */
const CONSOLE_NAMES = new Set(
  'task-list editor-part money-approved money-paid chart-young legend-approved sum-line'.split(' '),
);
/** Classes that the HTML of articles gets while it is sanitized and structured, and those of shapes of charts. */
const OUTSIDE_MARKUP = new Set([
  'desk-problems',
  'table-scroll',
  'chart-wide',
  'chart-narrow',
  ...listClassNames(path.join(ROOT, 'src/sources/articles/html/sanitize-html.ts')),
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

it('finds the style sheets of all pages', () =>
  expect(PAGE_SHEETS.map(name).sort()).toEqual(
    (
      'src/styles/article.css src/styles/assessment.css src/styles/blog.css src/styles/home.css ' +
      'src/styles/landing.css'
    ).split(' '),
  ));

it('landing pages have the classes of the sections and illustrations that are found by their file names', () => {
  const sources = listPageSources(path.join(ROOT, 'src/styles/landing.css')).map(name);
  const found = [
    'src/sections/pages/faq.tsx',
    'src/sections/pages/hero-section.astro',
    'src/ui/illustrations/one-tab.svg',
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

it('the style sheet of the console has a rule for every class of its views', async () => {
  const files = MARKUP.filter((file) => /\/src\/(?:console|editor)\//.test(file));
  const classNames = new Set(files.flatMap((file) => [...listClassNames(file)]));
  const selectors = listClassSelectors(await buildStyles(CONSOLE_SHEET, classNames));
  const missing = [...classNames].filter((one) => !selectors.has(one));
  // The desk has styles of its own.
  expect(missing.filter((one) => !CONSOLE_NAMES.has(one) && !one.startsWith('desk-'))).toEqual([]);
});

it('no text of the console is smaller than 12 px', async () => {
  const classNames = globSync(path.join(ROOT, 'src/console/**/*.tsx')).flatMap((file) => [
    ...listClassNames(file),
  ]);
  const whole = await buildStyles(CONSOLE_SHEET, new Set(classNames));
  // A container whose `em` is a measure has no text of its own.
  const css = whole.replaceAll(/\{[^{}]*container-type[^{}]*\}/g, '{}');
  const sizes = [...css.matchAll(/[;{\s](?:font|font-size|--small): *([^;}]*)/g)].flatMap(([, value = '']) =>
    [...value.matchAll(/(\d*\.?\d+)(px|rem)/g)].map(
      ([, size = '', unit]) => Number(size) * (unit === 'px' ? 1 : 16),
    ),
  );
  expect(sizes.length).toBeGreaterThan(20);
  expect(sizes.filter((size) => size < 12)).toEqual([]);
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

const { always, islands } = listScriptNames();

it('finds the classes of every island that hydrates, those of its parts included', () => {
  expect(Object.keys(islands).sort()).toEqual('ArticleList AssessmentIsland SavingsCalculator'.split(' '));
  expect(islands['SavingsCalculator']).toEqual(expect.arrayContaining(['.text-danger', '.sm:p-8', 'input']));
  expect(islands['AssessmentIsland']).toEqual(expect.arrayContaining(['.reasons', '.rule-table', 'table']));
});

it('finds the elements and classes that browser scripts create', () =>
  expect(always).toEqual(expect.arrayContaining(['iframe', '.button'])));

/** Narrow tables leave out cells with `no-figure`; words such as "none yet" have `no-figure-note`. */
it('only a dash is marked as no figure', () => {
  const files = readdirSync(CONSOLE_FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const texts = files.flatMap((file) =>
    [
      ...readFileSync(path.join(CONSOLE_FOLDER, file), 'utf8').matchAll(/className="no-figure">([^<]*)</g),
    ].map(([, text]) => text),
  );
  expect(texts.length).toBeGreaterThan(3);
  expect([...new Set(texts)].sort()).toEqual(['{NO_FIGURE}', '–']);
});

/** One that begins at the middle of light letters looks like a strike. */
it('a dark marker covers the line', () => {
  const palettes = SHEETS.flatMap((file) => [...read(file).matchAll(/[^{}]*--marker: #(\w{6});[^{}]*/g)]);
  const dark = palettes.filter(([, color = '']) => /^[0-9a][0-9a-f][0-9a][0-9a-f][0-9a]/.test(color));
  expect(dark.length).toBeGreaterThan(1);
  for (const [palette] of dark)
    expect(palette).toMatch(/--marker-height: 88%;\s*--marker-place: 50%;\s*--on-marker: #f/);
});
