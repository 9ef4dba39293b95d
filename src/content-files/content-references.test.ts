import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { copyContent } from '../../test/support/content-copy.ts';
import { authorFileSchema } from '../core/articles/author.schema.ts';
import { assessmentSchema } from '../core/assessment/assessment.schema.ts';
import type { TextPath } from '../core/pages/claims/placeholders.ts';
import { describeField } from '../core/pages/content.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import { pageSchema } from '../core/pages/page.schema.ts';
import { siteSchema } from '../core/pages/site.schema.ts';
import { productSchema } from '../core/products/product.schema.ts';
import { calculatorsSchema } from '../core/savings/calculators.schema.ts';
import { listArticleSlugs, readArticleFiles } from './articles/read-article-files.ts';
import { hashText, parseYaml, stringifyParsed, takeParsed } from './parse-yaml.ts';
import { readContent } from './read-content.ts';

/** An edit that breaks a reference. */
const brokenSchema = z.strictObject({
  /** `kind of file: field`. */
  key: z.string(),
  file: z.string(),
  from: z.string(),
  to: z.string(),
  field: z.string(),
  reason: z.string(),
});

const { content: REFERENCES, articles: ARTICLES } = z
  .strictObject({ content: z.array(brokenSchema), articles: z.array(brokenSchema) })
  .parse(parse(readFileSync(path.resolve('test/fixtures/broken-references.yaml'), 'utf8')));

let folder: string;
let images: ImageCatalog;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-references-'));
  copyContent(folder);
  const names = readdirSync(path.join(folder, 'images'), { recursive: true, encoding: 'utf8' });
  const image = { src: '/images/x.svg', width: 1, height: 1, sources: [] };
  images = { images: new Map(names.map((name) => [name, image])), origin: 'folder' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Applies an edit, and puts the file back after `check`. */
function withEdit({ file, from, to }: z.infer<typeof brokenSchema>, check: () => void): void {
  const full = path.join(folder, file);
  const text = readFileSync(full, 'utf8');
  expect(text, `${file} has the text to replace`).toContain(from);
  writeFileSync(full, text.replace(from, to));
  try {
    check();
  } finally {
    writeFileSync(full, text);
  }
}

const read = () => {
  const articles = path.join(folder, 'articles');
  const content = readContent(folder, { images, articles: new Set(listArticleSlugs(articles)) });
  const { partners, authors } = content;
  readArticleFiles(articles, { partners: new Set(partners.keys()), authors, images });
};

it('the shipped content has no broken reference', () => expect(read).not.toThrow());

/** What reading the folder throws. */
function readError(): string {
  try {
    read();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function expectNamed(reference: z.infer<typeof brokenSchema>): void {
  const { file, field, reason } = reference;
  withEdit(reference, () => {
    const [title, ...lines] = readError().split('\n');
    expect(title).toBe('[content] 1 problem:');
    const [, found = '', number = '', place] =
      /^ {2}content\/([^,]+), line (\d+), (.+?): /.exec(lines[0] ?? '') ?? [];
    expect([lines.length, found, place]).toEqual([1, file, field]);
    // The line has the name of the field, or begins the entry of the list.
    const text = readFileSync(path.join(folder, file), 'utf8').split('\n')[Number(number) - 1];
    expect(text).toContain(/ field (?:\S*\.)?(\S+)$/.exec(` ${field}`)?.[1] ?? '');
    expect(lines[0]).toContain(reason);
  });
}

const NAMES = '$key in $file, $to: the error names file, line and field';
const KEYS = REFERENCES.map(({ key }) => key);
// Of each field one, and the others in the rest.
it.each(REFERENCES.filter(({ key }, at) => KEYS.indexOf(key) === at))(NAMES, expectNamed);
it.each(REFERENCES.filter(({ key }, at) => KEYS.indexOf(key) < at))(NAMES, { tags: ['rest'] }, expectNamed);

it.each(ARTICLES)('$key in $file: the error names file and field', (reference) => {
  withEdit(reference, () => {
    const [title, ...lines] = readError().split('\n');
    expect(title).toBe('[articles:files] 1 file is invalid');
    expect(lines).toEqual([expect.stringContaining(`/crm-basics.md: ${reference.field} `)]);
    expect(lines[0]).toContain(reference.reason);
  });
});

it('takes the values that a build has parsed, with the lines of their texts, and leaves what JSON has not', () => {
  const file = path.join(folder, 'parsed.json');
  writeFileSync(file, JSON.stringify([[hashText('# One.\na: 1\n'), { a: 2 }]]));
  takeParsed(file);
  const parsed = parseYaml('# One.\na: 1\n');
  expect(parsed).toMatchObject({ value: { a: 2 } });
  expect('findLine' in parsed && parsed.findLine(['a'])).toBe(2);
  takeParsed(path.join(folder, 'missing.json'));
  for (const text of ['b: .nan\n', 'b: 3\n']) parseYaml(text);
  const hashes = new Map<string, unknown>(JSON.parse(stringifyParsed()));
  expect([hashes.has(hashText('b: .nan\n')), hashes.get(hashText('b: 3\n'))]).toEqual([false, { b: 3 }]);
});

/** The way to every value in a value. */
function listPaths(value: unknown, path: TextPath = []): TextPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  const inner = [...keys].flatMap((key) => listPaths(Reflect.get(value, key), [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

it('every field of every content file has a place in words, with its line', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const parsed = parseYaml(text);
    if (!('value' in parsed)) throw new Error(file);
    const lines = text.split('\n');
    for (const at of listPaths(parsed.value)) {
      const place = describeField(parsed.value, at);
      // Lists and what is in them are words: no position is part of a name with dots.
      expect(place, file).toMatch(/^(?:[^,\d]+ \d+(?: \([^)]+\))?(?:, |$)|[\w.-]+, )*(?:field \S+)?$/);
      const key = at.findLast((part) => typeof part === 'string');
      const line = lines[(parsed.findLine(at) ?? 0) - 1];
      expect(line, `${file}, ${place}`).toContain(typeof at.at(-1) === 'string' ? key : '');
    }
  }
});

/** Texts that other files or the site name by their key: they define something, or are checked against a list. */
const NO_REFERENCES: Readonly<Record<string, string>> = {
  'site: imageHosts': 'hosts of other sites',
  'site: currency': 'a code',
  'site: version': 'of a text',
  'calculators: calculators': 'keys that it defines',
  'calculators: totals': 'keys that it defines',
  'calculators: name': 'a parameter of links',
  'product: sources': 'keys that it defines',
  'product: offers': 'keys that it defines',
  'product: facts': 'keys that it defines',
  'product: criteria': 'keys that it defines',
  'product: currency': 'a code',
  'product: country': 'a code',
  'product: href': 'addresses of other sites, and of this one',
  'product: checked': 'a day',
  'product: from': 'a day',
  'product: on': 'a day',
  'product: starts': 'a day',
  'product: ends': 'a day',
  'product: alt': 'words',
  'product: focus': 'two numbers',
  'assessment: key': 'keys that it defines',
  'assessment: challenges': 'compared with the options, in src/core/assessment/assessment-checks.ts',
  'assessment: budgets': 'compared with the options, in the same place',
  'assessment: revenueNotes': 'compared with the options, in the same place',
  'site: source': 'a name that it gives',
  'site: id': 'an anchor that it defines',
  'site: partner': 'compared with the partners, as that of a page',
  'site: product': 'compared with the products, in src/core/products/compare.test.ts',
  'site: offer': 'compared with the offers, in the same place',
  'author: alt': 'words',
  'author: focus': 'two numbers',
  'author: date': 'a day',
  'page: publishedAt': 'a day',
  'page: updated': 'a day',
  'page: date': 'a day',
  'page: source': 'a name that it gives',
  'page: headerSource': 'a name that it gives',
  'page: id': 'an anchor that it defines',
  'page: key': 'a topic that it defines',
  'page: offer': 'compared with the offers, in src/core/products/compare.test.ts',
  'page: product': 'compared with the products, in the same place',
  'page: products': 'compared with the products, in the same place',
  'page: questions': 'compared with the answers, in src/core/products/criteria.test.ts',
  'page: fact': 'a dash where a product has none',
  'page: alt': 'words',
  'assessment: code': 'what partners receive',
  'assessment: unknown': 'what partners receive',
  'page: focus': 'two numbers',
  'page: youtube': 'an id of another site',
  ...Object.fromEntries(
    (
      'site: stated|site: audited|product: until|product: to|product: day|assessment: verifiedOn|author: stated|' +
      'page: day|page: checked|page: until|page: from|page: verifiedOn'
    )
      .split('|')
      .map((field) => [field, 'a day']),
  ),
};

const KINDS: Readonly<Record<string, z.ZodType>> = {
  site: siteSchema,
  calculators: calculatorsSchema,
  product: productSchema,
  assessment: assessmentSchema,
  author: authorFileSchema,
  page: pageSchema,
};

/** The fields of a schema whose texts have a form: keys, paths, anchors. */
function listFormedFields(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Reflect.get(value, 'type') === 'string' && Reflect.has(value, 'pattern')) found.add(name);
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'properties') walk(part, name);
      else for (const [field, child] of Object.entries(Object(part))) walk(child, field);
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
  return found;
}

it.each(Object.entries(KINDS))(
  'each key, path and anchor that a %s names is in the table',
  (kind, schema) => {
    const covered = new Set(REFERENCES.map(({ key }) => key));
    const fields = [...listFormedFields(schema)].map((field) => `${kind}: ${field}`);
    expect(fields.length).toBeGreaterThan(1);
    expect(fields.filter((field) => !covered.has(field) && !(field in NO_REFERENCES))).toEqual([]);
  },
);
