import { type Figures, fillFigures } from '../../core/content/figures.ts';
import { type Page, pageSchema } from '../../core/content/page.schema.ts';
import type { ContentFolder } from './content-folder.ts';

/** Reads `pages/*.yaml` with every figure in its place; the pages by path. */
export function readPages(folder: ContentFolder, figures: Figures): Map<string, Page> {
  const pages = folder.readFolder('pages', pageSchema, (raw, report) =>
    fillFigures(raw, figures, (name, at) => report(at, `nothing is called {${name}}`)),
  );
  return new Map([...pages].map(([name, page]) => [`/${name}`, page]));
}
