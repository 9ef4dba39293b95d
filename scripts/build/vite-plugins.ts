import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { buildBrandFontStyles, readBrandFont } from '../../src/content-files/drawn/brand-font.ts';
import { readBrandSettings } from '../../src/content-files/read-content.ts';
import { buildBrandStyles } from '../../src/core/pages/brand/build-brand-styles.ts';
import type { ScriptNames } from '../../src/runtimes/astro/insert-styles.ts';
import { ROOT } from '../start/pinned-node.mjs';

const SOURCE = path.join(ROOT, 'src');
const MARKUP_FOLDERS = ['pages', 'layouts', 'sections', 'islands', 'ui'].map(
  (name) => path.join(SOURCE, name) + path.sep,
);
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.{1,2}\/[^'"?]+)/g;
const GLOB = /\bimport\.meta\.glob[^(]*\(\s*(\[[^\]]*\]|'[^']*')/g;

/**
 * Gives Tailwind the sources of each page's style sheet: the files with markup that the pages import which import the
 * sheet. A class is therefore in the styles of exactly those pages that can show it.
 */
export function pageSources(): Plugin {
  return {
    name: 'signpost:page-sources',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/styles\/[^/]+\.css$/ },
      handler(code, id) {
        const files = listPageSources(id);
        for (const file of files) this.addWatchFile(file);
        return `${code}\n${files.map((file) => `@source "${escapeGlob(file)}";`).join('\n')}\n`;
      },
    },
  };
}

/** Absolute paths of the files whose classes a page's style sheet has to have. */
export function listPageSources(styleSheet: string): string[] {
  const files = new Set<string>();
  for (const page of globSync(path.join(SOURCE, 'pages/**/*.astro'))) {
    if (listImports(page).includes(styleSheet)) collectMarkup(page, files);
  }
  return [...files].sort();
}

/** Absolute paths of a file with markup and of those that it imports. */
function listMarkupFiles(file: string): string[] {
  const files = new Set<string>();
  collectMarkup(file, files);
  return [...files];
}

function collectMarkup(file: string, found: Set<string>): void {
  if (found.has(file)) return;
  found.add(file);
  for (const target of listImports(file)) {
    if (MARKUP_FOLDERS.some((folder) => target.startsWith(folder))) collectMarkup(target, found);
  }
}

function listImports(file: string): string[] {
  const code = readFileSync(file, 'utf8');
  const folder = path.dirname(file);
  const named = [...code.matchAll(IMPORT)].map(([, specifier = '']) => path.resolve(folder, specifier));
  return [
    ...named,
    ...[...code.matchAll(GLOB)].flatMap(([, patterns = '']) => listGlobbed(folder, patterns)),
  ];
}

/** The files that the patterns of one `import.meta.glob` match; a pattern with `!` excludes. */
function listGlobbed(folder: string, patterns: string): string[] {
  const all = [...patterns.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern);
  return globSync(
    all.filter((pattern) => !pattern.startsWith('!')),
    { cwd: folder, exclude: all.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : [])) },
  ).map((file) => path.resolve(folder, file));
}

/** Names of dynamic routes have brackets, which a glob would read as a set of characters. */
function escapeGlob(file: string): string {
  return file.replace(/[[\]]/g, '?');
}

const BESIDE = 'virtual:beside-script';

/** Gives the server the script of sites beside this one, as one minified text. */
export function besideScript(): Plugin {
  return {
    name: 'signpost:beside-script',
    resolveId: { filter: { id: /^virtual:beside-script$/ }, handler: () => `\0${BESIDE}` },
    load: {
      filter: { id: /^\0virtual:beside-script$/ },
      async handler() {
        const entry = path.join(SOURCE, 'browser/events/beside-script.ts');
        this.addWatchFile(entry);
        return `export default ${JSON.stringify(await buildBesideScript(entry))};`;
      },
    },
  };
}

/** Bundles the script. Rejects with what is wrong in it. */
export async function buildBesideScript(
  entry = path.join(SOURCE, 'browser/events/beside-script.ts'),
): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'beside' } },
  });
  const [file] = Array.isArray(built) ? built : [built];
  const code = file !== undefined && 'output' in file ? file.output[0].code : '';
  return code.trim();
}

const MODULE = 'virtual:script-names';
const ISLAND = /<([A-Z]\w*)[^<>]*?\sclient:/g;
const ELEMENT = /(?:<|createElement\(')([a-z][a-z0-9]*)/g;
const DATA = /\b(data-[a-z-]+)|dataset(?:\.(\w+)|\['(\w+)'\])/g;
const PROPERTY = /var\((--[\w-]+)/g;
const TEXT = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g;
const CLASS = /^-?[a-z[][\w:./[\]()%&>=,#-]*$/;

/** Gives the server the classes and elements that the browser's scripts may add to a page, read from their sources. */
export function scriptNames(): Plugin {
  return {
    name: 'signpost:script-names',
    resolveId: { filter: { id: /^virtual:script-names$/ }, handler: () => `\0${MODULE}` },
    load: {
      filter: { id: /^\0virtual:script-names$/ },
      handler: () => `export default ${JSON.stringify(listScriptNames())};`,
    },
  };
}

/** Lists the names of all islands and browser scripts. */
export function listScriptNames(): ScriptNames {
  const pages = globSync(path.join(SOURCE, '{pages,sections}/**/*.astro')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const components = new Set(
    pages.flatMap((page) => [...page.matchAll(ISLAND)].map(([, name = '']) => name)),
  );
  const islands: Record<string, string[]> = {};
  for (const file of globSync(path.join(SOURCE, 'islands/*/*.tsx'))) {
    const code = readFileSync(file, 'utf8');
    for (const name of components)
      if (code.includes(`export function ${name}(`)) islands[name] = readNames(listMarkupFiles(file));
  }
  return { always: readNames(listScripts()), islands };
}

const listScripts = () =>
  globSync(path.join(SOURCE, 'browser/**/*.ts')).filter((file) => !file.endsWith('.test.ts'));

/** Every word in a string, because it could be a class; words without a rule are harmless. */
function readNames(files: readonly string[]): string[] {
  const names = new Set<string>();
  for (const file of files) {
    const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (const [, element = ''] of code.matchAll(ELEMENT)) names.add(element);
    for (const [, property = ''] of code.matchAll(PROPERTY)) names.add(property);
    for (const [, ...texts] of code.matchAll(TEXT))
      for (const word of texts.join('').split(/[\s'"`]+/)) if (CLASS.test(word)) names.add(`.${word}`);
    for (const [, attribute, ...property] of code.matchAll(DATA))
      names.add(`[${attribute ?? toAttribute(property.join(''))}]`);
  }
  return [...names].sort();
}

const toAttribute = (property: string) =>
  `data-${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const CONTENT = path.resolve(ROOT, process.env['CONTENT_DIR'] || 'content');

/**
 * Adds the colors, corners and font of `content/brand.yaml` to the style sheets in development; a built site adds them to
 * each page that it renders (`src/runtimes/astro/render.ts`).
 */
export function brandStyles(): Plugin {
  return {
    name: 'signpost:brand-styles',
    enforce: 'pre',
    apply: 'serve',
    transform: {
      filter: { id: /\/src\/(?:styles\/[^/]+|console\/console)\.css$/, code: /base\.css/ },
      async handler(code, id) {
        this.addWatchFile(path.join(CONTENT, 'brand.yaml'));
        const { css } = buildBrandStyles(readBrandSettings(CONTENT));
        const font = await readBrandFont(CONTENT);
        if (font === null) return `${code}\n${css}\n`;
        this.addWatchFile(font.file);
        // Vite resolves the path from the style sheet and serves the file under a name with a hash.
        const address = path.relative(path.dirname(id), font.file);
        return `${code}\n${css}\n${buildBrandFontStyles(font, address)}\n`;
      },
    },
  };
}
