import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../src/console');

/** Narrow tables leave out cells with `no-figure`; words such as "none yet" have `no-figure-note`. */
it('only a dash is marked as no figure', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  const texts = files.flatMap((file) =>
    [...readFileSync(path.join(FOLDER, file), 'utf8').matchAll(/className="no-figure">([^<]*)</g)].map(
      ([, text]) => text,
    ),
  );
  expect(texts.length).toBeGreaterThan(3);
  expect([...new Set(texts)].sort()).toEqual(['{NO_FIGURE}', '–']);
});
