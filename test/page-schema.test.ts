import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { buildPageJsonSchema } from '../src/commands/page-schema.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { sectionSchema } from '../src/core/pages/sections/section.schema.ts';

const shipped = readFileSync(path.join(import.meta.dirname, '../content/page.schema.json'), 'utf8');

it('the JSON Schema that editors use is the one that pages are checked against', () =>
  expect(shipped, 'run npm run -s signpost -- page-schema').toBe(buildPageJsonSchema()));

it('every definition is named after a section or a field, and the whole is the schema that pages are checked against', () => {
  const { $defs, $schema: _, title: __, ...schema } = JSON.parse(shipped);
  const types = sectionSchema.options.map(({ shape }) => String(shape.type.value));
  expect(Object.keys($defs)).toEqual(expect.arrayContaining(types));
  expect(Object.keys($defs).filter((name) => !/^[a-z-]+(?:\.[a-zA-Z]+)?$/.test(name))).toEqual([]);
  const expand = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(expand);
    if ('$ref' in node) return expand($defs[String(node.$ref).slice('#/$defs/'.length)]);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, expand(value)]));
  };
  const { $schema: ___, ...whole } = z.toJSONSchema(pageSchema, { io: 'input', reused: 'inline' });
  expect(expand(schema)).toEqual(whole);
});

it('every field of every section says what it is', () => {
  const silent = sectionSchema.options.flatMap((option) =>
    Object.entries(option.shape)
      .filter(([name, field]) => name !== 'type' && field.description === undefined)
      .map(([name]) => `${String(option.shape.type.value)}.${name}`),
  );
  expect(silent).toEqual([]);
});
