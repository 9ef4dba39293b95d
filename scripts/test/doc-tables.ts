// npm run fix: writes the parts of the documentation that are definitions of the code, each between the comments
// `<!-- table: NAME -->` and `<!-- /table -->`. With --check, names the files that differ instead (npm run check).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SOURCE_RULES } from '../../src/core/events/visit-source.ts';
import { writeWhole } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';

const FILES = ['docs/attribution.md'];

/** What each table of the documentation says, by its name. */
const TABLES: Readonly<Record<string, () => string>> = {
  sources: () => SOURCE_RULES.map(({ when }, index) => `${index + 1}. ${when}`).join('\n'),
};

const MARKED = /(<!-- table: (\w+) -->\n\n)[\s\S]*?(\n\n<!-- \/table -->)/g;

/** The text of a document with its tables as the code defines them. Throws for the name of no table. */
export function writeTables(text: string): string {
  return text.replaceAll(MARKED, (_, start: string, name: string, end: string) => {
    const build = TABLES[name];
    if (build === undefined) throw new Error(`no table is called "${name}"`);
    return start + build() + end;
  });
}

if (import.meta.main)
  for (const name of FILES) {
    const file = path.join(ROOT, name);
    const text = readFileSync(file, 'utf8');
    const written = writeTables(text);
    if (written === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${name} differs from the code: run "npm run fix"`);
      process.exitCode = 1;
    } else writeWhole(file, written);
  }
