import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import { authorFileSchema } from '../src/core/articles/author.schema.ts';
import { networkSchema } from '../src/core/commissions/networks/network.schema.ts';
import { partnerSchema } from '../src/core/outbound/partner.schema.ts';
import { claimFileSchema } from '../src/core/pages/claims/claim.schema.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { sectionSchema } from '../src/core/pages/sections/section.schema.ts';
import { productSchema } from '../src/core/products/product.schema.ts';
import { calculatorsSchema } from '../src/core/savings/calculators.schema.ts';
import { ARTICLE_SOURCE_NAMES } from '../src/server/articles/article-sources.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The examples in YAML of a recipe, in their order. */
function readExamples(recipe: string): unknown[] {
  const blocks = read(`docs/recipes/${recipe}.md`).matchAll(/^ *```yaml\n([\s\S]*?)^ *```$/gm);
  return [...blocks].map(([, text = '']): unknown => parse(text));
}

const wholeFile = (example: unknown) => ({
  ...(parse(read('content/calculators.yaml')) as object),
  ...(example as object),
});
const firstItem = (example: unknown) => (example as readonly unknown[])[0];

it.each<[recipe: string, index: number, schema: z.ZodType, build?: (example: unknown) => unknown]>([
  ['page', 0, pageSchema],
  ['partner', 0, partnerSchema],
  ['author', 0, authorFileSchema],
  ['author', 1, sectionSchema, firstItem],
  ['claim', 0, claimFileSchema],
  ['calculator', 0, sectionSchema, firstItem],
  ['calculator', 1, calculatorsSchema, wholeFile],
  ['product', 0, productSchema],
  ['newsletter', 0, sectionSchema, firstItem],
  ['add-a-network', 0, networkSchema],
])('the recipe %s has a valid example %d', (recipe, index, schema, build = (example) => example) => {
  const result = schema.safeParse(build(readExamples(recipe)[index]));
  expect(result.error?.issues.map(({ path: field, message }) => `${field.join('.')}: ${message}`)).toBe(
    undefined,
  );
});

it('docs/attribution.md describes each field of a partner, and no other', () => {
  const [, section = ''] = read('docs/attribution.md').split("### A partner's file");
  const [, table = ''] = /\n\| field \|[^\n]*\n\|-[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? [];
  const described = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const fields = Object.keys(partnerSchema.in.shape);
  expect(
    fields.filter((field) => !described.includes(field)).map((field) => `add: | \`${field}\` | … |`),
  ).toEqual([]);
  expect(described.filter((field = '') => !fields.includes(field))).toEqual([]);
});

it('the recipe for article sources has a row for each source', () => {
  const recipe = read('docs/recipes/article-source.md');
  expect(ARTICLE_SOURCE_NAMES.filter((name) => !recipe.includes(`\n| \`${name}\` |`))).toEqual([]);
});
