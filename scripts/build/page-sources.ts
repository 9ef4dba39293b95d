import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = path.resolve(import.meta.dirname, '../../src');
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
export function listMarkupFiles(file: string): string[] {
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
