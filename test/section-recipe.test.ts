import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildRegistries } from '../scripts/commands/page-schema/build-registries.ts';
import { ILLUSTRATION_NAMES } from '../src/core/pages/sections/fields.schema.ts';
import { sectionSchema } from '../src/core/pages/sections/section.schema.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const types = sectionSchema.options.flatMap(({ shape }) => [...shape.type.values]);

it('the recipe for sections has a row for each type and for no other', () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/section.md'), 'utf8');
  const [, table = ''] = recipe.split('| type | fields of its own | use it for |');
  const [rows = ''] = table.split('\n\n');
  const listed = [...rows.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
  expect(listed.sort()).toEqual([...types].sort());
});

it('the recipe for sections names every illustration', () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/section.md'), 'utf8');
  expect(ILLUSTRATION_NAMES.filter((name) => !recipe.includes(`\`${name}\``))).toEqual([]);
});

it.each([...buildRegistries(ROOT)])('%s lists the files of its folder', (file, text) => {
  expect(readFileSync(path.join(ROOT, file), 'utf8'), 'run npm run page-schema').toBe(text);
});

it('each section type has a component that the build finds by its name', () => {
  const folder = path.join(ROOT, 'src/sections/pages');
  const missing = types.filter((type) => {
    if (existsSync(path.join(folder, `${type}-section.astro`))) return false;
    const component = `${type.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Section`;
    const file = path.join(folder, `${type}.tsx`);
    return !existsSync(file) || !readFileSync(file, 'utf8').includes(`export function ${component}(`);
  });
  expect(missing).toEqual([]);
});
