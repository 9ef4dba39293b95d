import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ILLUSTRATION_NAMES } from '../src/core/pages/sections/fields.schema.ts';
import { SECTION_SCHEMAS, sectionSchema } from '../src/core/pages/sections/section.schema.ts';
import { PURPOSES } from '../src/editor/form-kinds.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const types = sectionSchema.options.flatMap(({ shape }) => [...shape.type.values]);

it('the recipe for sections has a row for each type and for no other', () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/section.md'), 'utf8');
  const listed = [...recipe.matchAll(/^- `([a-z-]+)`: /gm)].map(([, type]) => type);
  expect(listed.sort()).toEqual([...types].sort());
});

it('the editor offers each type by what it is for, and no two for the same', () => {
  expect(PURPOSES.map(([type]) => type).sort()).toEqual([...types].sort());
  expect(new Set(PURPOSES.map(([, name]) => name)).size).toBe(types.length);
});

it('the recipe for sections names every illustration', () => {
  const recipe = readFileSync(path.join(ROOT, 'docs/recipes/section.md'), 'utf8');
  expect(ILLUSTRATION_NAMES.filter((name) => !recipe.includes(`\`${name}\``))).toEqual([]);
});

it('content may name each illustration that has a file, and no other', () => {
  const files = globSync('*.svg', { cwd: path.join(ROOT, 'src/ui/illustrations') });
  expect([...ILLUSTRATION_NAMES].sort()).toEqual(files.map((file) => path.basename(file, '.svg')).sort());
});

it('the list of section types has each schema of its folder', async () => {
  const folder = path.join(ROOT, 'src/core/pages/sections');
  const files = globSync('*.schema.ts', { cwd: folder }).filter((file) => !/^(fields|section)\./.test(file));
  const modules = await Promise.all(
    files.map((file): Promise<Readonly<Record<string, unknown>>> => import(path.join(folder, file))),
  );
  const schemas = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (/Schema$/.test(name) ? [value] : [])),
  );
  const listed = new Set<unknown>(SECTION_SCHEMAS);
  expect(schemas.length).toBeGreaterThan(15);
  expect(schemas.filter((schema) => !listed.has(schema))).toEqual([]);
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
