import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sectionSchema } from '../src/core/pages/sections/section.schema.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SUFFIX = '.schema.ts';
/** What several sections share, and the list of all. */
const SHARED = new Set(['fields', 'section']);

const types = sectionSchema.options.flatMap(({ shape }) => [...shape.type.values]);

it('the recipe for sections has a row for each type and for no other', () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/section.md'), 'utf8');
  const [, table = ''] = recipe.split('| type | fields of its own | use it for |');
  const [rows = ''] = table.split('\n\n');
  const listed = [...rows.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
  expect(listed.sort()).toEqual([...types].sort());
});

it('each schema of a section is one of the section types', () => {
  const files = readdirSync(path.join(ROOT, 'src/core/pages/sections')).filter((file) =>
    file.endsWith(SUFFIX),
  );
  const names = files.map((file) => file.slice(0, -SUFFIX.length)).filter((name) => !SHARED.has(name));
  expect(names.sort()).toEqual([...types].sort());
});
