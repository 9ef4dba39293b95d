import path from 'node:path';
import type { Plugin } from 'vite';
import { readBrandSettings } from '../../src/content-files/read-content.ts';
import { findContentFolder } from '../../src/content-files/site-folder.ts';
import { buildBrandStyles } from '../../src/core/pages/brand/build-brand-styles.ts';
import { buildBrandFontStyles, readBrandFont } from './font/brand-font.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CONTENT = path.resolve(ROOT, findContentFolder(ROOT, process.env['CONTENT_DIR']));

/**
 * Adds the font of `content/brand.yaml` to the style sheets of all pages and of the console; in development its colors and
 * corners too, which a built site adds to each page that it renders (`src/runtimes/astro/render.ts`).
 */
export function brandStyles(): Plugin {
  let isBuild = false;
  return {
    name: 'signpost:brand-styles',
    enforce: 'pre',
    config(_, { command }) {
      isBuild = command === 'build';
    },
    transform: {
      filter: { id: /\/src\/(?:styles\/[^/]+|console\/console)\.css$/, code: /base\.css/ },
      async handler(code, id) {
        this.addWatchFile(path.join(CONTENT, 'brand.yaml'));
        const css = isBuild ? '' : buildBrandStyles(readBrandSettings(CONTENT)).css;
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
