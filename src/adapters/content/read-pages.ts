import { type Figures, fillFigures } from '../../core/content/figures.ts';
import { type Page, pageSchema } from '../../core/content/page.schema.ts';
import type { ContentFolder } from './content-folder.ts';

/** First parts of paths that the site answers itself: a document of that name would never be seen. */
const TAKEN: ReadonlySet<string> = new Set([
  '404',
  '500',
  'api',
  'assessment',
  'blog',
  'go',
  'healthz',
  'readyz',
]);

/** Reads `pages/*.yaml` with every figure in its place; the pages by path. `aliases` are paths that lead elsewhere. */
export function readPages(
  folder: ContentFolder,
  figures: Figures,
  aliases: Readonly<Record<string, string>> = {},
): Map<string, Page> {
  const pages = folder.readFolder('pages', pageSchema, (raw, report) =>
    fillFigures(raw, figures, (name, at) => report(at, `nothing is called {${name}}`)),
  );
  for (const name of pages.keys()) {
    if (!TAKEN.has(name) && !Object.hasOwn(aliases, `/${name}`)) continue;
    const reason = `the site answers /${name} itself: give the file another name`;
    folder.problems.push({ file: `pages/${name}.yaml`, field: '', reason });
  }
  return new Map([...pages].map(([name, page]) => [`/${name}`, page]));
}
