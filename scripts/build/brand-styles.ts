import path from 'node:path';
import type { Plugin } from 'vite';
import { readBrandStyles } from '../../src/adapters/content/read-brand.ts';

const CONTENT = path.resolve(import.meta.dirname, '../../content');

/** Adds the colors, corners and font of `content/brand.yaml` to the style sheet of each kind of page. */
export function brandStyles(): Plugin {
  return {
    name: 'signpost:brand-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/styles\/[^/]+\.css$/, code: /base\.css/ },
      handler(code) {
        this.addWatchFile(path.join(CONTENT, 'brand.yaml'));
        return `${code}\n${readBrandStyles(CONTENT)}\n`;
      },
    },
  };
}
