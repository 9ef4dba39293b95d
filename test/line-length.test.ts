import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = path.resolve(import.meta.dirname, '..');
const MAX_LENGTH = 120;
/** The formatter does not break literals. */
const MAX_LITERAL_LENGTH = 140;
const COMMENT = /^\s*(?:\/\/|\/\*|\*\s)/;

const biome = z
  .object({ formatter: z.object({ lineWidth: z.int() }) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'biome.json'), 'utf8')));

const sources = ['src', 'scripts', 'tools', 'test', 'edge'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs|astro|css)$/.test(name) && !/\bnode_modules\b|^dist\b/.test(name))
    .map((name) => path.join(folder, name)),
);

it('the formatter breaks code after 120 characters at the latest, except inside a literal', () => {
  expect(biome.formatter.lineWidth).toBeLessThanOrEqual(MAX_LENGTH);
});

it('no comment has a line of more than 120 characters', () => {
  const long = sources.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > MAX_LENGTH && COMMENT.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(long).toEqual([]);
});

it('no line of code has more than 140 characters, except class lists and written path data', () => {
  const written = 'src/ui/icon-paths.ts';
  const code = sources.filter((file) => /^(src|scripts|tools)\//.test(file) && !/\.test\.tsx?$/.test(file));
  const long = code.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > MAX_LITERAL_LENGTH && !/\bclass(?:Name)?=/.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(long.filter((place) => !place.startsWith(written))).toEqual([]);
});
