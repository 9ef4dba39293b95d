import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const MAX_LINES = 200;

/** Files whose parts have no name of their own: each reads as one list. */
const LONGER: Readonly<Record<string, string>> = {
  'src/core/paths.ts': 'every path of the site in one module, so that no other module writes one out',
  'src/stores/operators.ts': 'one port with 25 short methods over the same tables',
};

const sizes = ['src', 'scripts', 'tools', 'edge/main.ts'].flatMap((folder) => {
  const names = folder.endsWith('.ts')
    ? [folder]
    : readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name),
      );
  return names
    .filter((name) => /\.(ts|tsx|mjs|astro)$/.test(name) && !/\.test\.|node_modules/.test(name))
    .map((name) => ({ name, lines: readFileSync(path.join(ROOT, name), 'utf8').split('\n').length - 1 }));
});

it('a code file has at most 200 lines, or a reason for more', () => {
  expect(sizes.length).toBeGreaterThan(800);
  const long = sizes.filter(({ name, lines }) => lines > MAX_LINES && !(name in LONGER));
  expect(long).toEqual([]);
});

it('each file with a reason for more lines needs it', () => {
  const needed = sizes.filter(({ lines }) => lines > MAX_LINES).map(({ name }) => name);
  expect(Object.keys(LONGER).filter((name) => !needed.includes(name))).toEqual([]);
});
