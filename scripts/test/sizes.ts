// Compares the lines of code and of tests of each folder of `src` with sizes.json: prints what grew, and fails above 3 %.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';

const MAX_GROWTH = 0.03;
const FILE = path.join(ROOT, 'sizes.json');
type Sizes = Record<string, { code: number; tests: number }>;

/** Lines of each folder of `src` by kind, from files that git knows. */
function countLines(): Sizes {
  const sizes: Sizes = {};
  const listed = execFileSync('git', ['ls-files', 'src'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  for (const file of listed) {
    const [, folder = '', rest] = file.split('/', 3);
    if (rest === undefined || !/\.(tsx?|astro|mjs|css)$/.test(file)) continue;
    if (!existsSync(path.join(ROOT, file))) continue;
    const size = sizes[folder] ?? { code: 0, tests: 0 };
    sizes[folder] = size;
    const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1;
    size[/\.test\.tsx?$/.test(file) ? 'tests' : 'code'] += lines;
  }
  return sizes;
}

/** What grew, a line each, and whether it grew too much for a folder that is not new. */
export function compareSizes(before: Sizes, now: Sizes) {
  return Object.entries(now).flatMap(([folder, sizes]) =>
    (['code', 'tests'] as const).flatMap((kind) => {
      const [old, lines] = [before[folder]?.[kind] ?? 0, sizes[kind]];
      if (lines <= old) return [];
      const percent = old === 0 ? Infinity : ((lines - old) / old) * 100;
      const isTooMuch = lines > old * (1 + MAX_GROWTH);
      const growth = Number.isFinite(percent) ? `, ${percent.toFixed(1)} % more` : '';
      return [{ text: `src/${folder}: ${old} → ${lines} lines of ${kind}${growth}`, isTooMuch }];
    }),
  );
}

if (import.meta.main) {
  const now = countLines();
  if (process.argv.includes('--write')) writeWhole(FILE, `${JSON.stringify(now, null, 2)}\n`);
  const grown = compareSizes(JSON.parse(readFileSync(FILE, 'utf8')), now);
  for (const { text } of grown) console.log(text);
  if (grown.some(({ isTooMuch }) => isTooMuch)) {
    console.error(
      'A folder grew by more than 3 %. Make it smaller, or run `node scripts/test/sizes.ts --write` and name the feature ' +
        'in the body of the commit.',
    );
    process.exitCode = 1;
  }
}
