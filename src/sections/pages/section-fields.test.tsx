import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import {
  readSamplePartners,
  readSampleProducts,
  readSampleSavings,
  readSampleSite,
} from '../../../test/support/sample-content.ts';
import { authorFileSchema } from '../../core/articles/author.schema.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { buildClaimMark } from '../../core/pages/claims/claims.ts';
import { placeFacts } from '../../core/pages/claims/corrections.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import {
  type PageSection,
  SECTION_SCHEMAS,
  sectionSchema,
} from '../../core/pages/sections/section.schema.ts';

const MODULES = import.meta.glob<Readonly<Record<string, unknown>>>(['./*.tsx', '!./*.test.tsx'], {
  eager: true,
});

/** Where a field is shown that this markup does not have: it is that of the server, without islands. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'savings-calculator: calculator': 'in the island',
  'cards (index): items.action.label': 'nowhere: the title of the card is the link',
  'contact-form: thanks': 'in the response to the form',
  'newsletter: thanks': 'in the response to the form',
  'testimonials: example': 'where samples are hidden: in the test below',
};

/** The part of JSON Schema that describes sections. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
type Path = readonly (string | number)[];

const site = readSampleSite();
const partners = readSamplePartners();
const image = { src: '/images/x.svg', width: 10, height: 10, sources: [] };
const person = authorFileSchema.parse({ name: 'Ada Park', kind: 'person', role: 'Editor', bio: 'Ada.' });
const context: PageContext = {
  path: '/x',
  siteUrl: 'https://site.example',
  site,
  samples: true,
  savings: readSampleSavings(),
  products: new Map(
    [...readSampleProducts()].map(([key, product]) => [
      key,
      { ...product, scores: [{ criterion: 'Price', score: key === 'kit' ? 3 : 4, why: 'Compared.' }] },
    ]),
  ),
  now: Date.parse('2026-11-21'),
  authors: new Map([['ada', { ...person, key: 'ada' }]]),
  images: { images: new Map([['x.svg', image]]), origin: 'folder' },
  cta: buildCta({ source: 'offer' }, { partners, site }),
  hasPartnerLinks: true,
  headerButton: undefined,
  teasers: Array.from({ length: 8 }, (_, index) => buildTestArticle(`a-${index}`)),
  contents: [],
  form: { sent: false, errors: {}, token: 't', topic: '', values: {} },
  newsletter: { sent: false, errors: {}, token: 't', email: '', hasConsent: false },
};

/** Values of texts that have a form, by the name of the field. */
const FORMED: Readonly<Record<string, unknown>> = {
  id: 'part',
  key: 'part',
  to: 'part',
  href: '/blog',
  partnerLink: 'pricing',
  partner: 'kit',
  author: 'ada',
  calculator: 'trial',
  youtube: 'abcdefghijk',
  src: '../images/x.svg',
  focus: '50% 20%',
  score: '4/5',
  source: 'place',
  slugs: ['a-3'],
  products: ['kit', 'hubspot'],
  offer: 'creator',
  fact: 'free-users',
  body: '## First\n\nText.\n\n## Second\n\nText.',
};

/** A value of a schema with its required fields alone. */
function build(schema: Schema, name: string, at = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return build(first, name, at);
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).filter(([field]) =>
      schema.required?.includes(field),
    );
    const value = Object.fromEntries(
      fields.map(([field, part]) => [field, build(part, field, `${at} ${name}`)]),
    );
    // Rules that JSON Schema does not have: an action leads somewhere, a quotation comes from somewhere.
    if ('partnerLink' in (schema.properties ?? {})) return { ...value, href: '/blog' };
    if ('fact' in (schema.properties ?? {})) return { ...value, fact: 'free-users' };
    return 'origin' in (schema.properties ?? {}) ? { ...value, origin: 'A letter' } : value;
  }
  if (name === 'product') return at.includes(' 1') ? 'hubspot' : 'kit';
  if (FORMED[name] !== undefined) return FORMED[name];
  if (schema.type === 'array') {
    const count = Math.max(schema.minItems ?? 1, name === 'rows' || name === 'sums' ? 1 : 2);
    return Array.from({ length: Math.min(count, schema.maxItems ?? count) }, (_, index) =>
      build(schema.items ?? {}, name, `${at} ${index}`),
    );
  }
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(1, schema.minimum ?? 1);
  return `Text ${at} ${name}`.slice(0, 60);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function set(value: unknown, [first, ...rest]: Path, inner: unknown): unknown {
  if (first === undefined) return inner;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? set(item, rest, inner) : item));
  return isObject(value) ? { ...value, [first]: set(value[first], rest, inner) } : value;
}

const getAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => Object(inner)[step], value);

/** The values that a field can take besides the one that it has: each of a choice, else one. */
function listValues(schema: Schema, name: string): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  return [build(schema, name, 'added')];
}

/** Every field of a value that is left out, and every text that is there, at any depth: where it is, and what it can be. */
function* listFields(
  schema: Schema,
  value: unknown,
  path: Path = [],
): Generator<{ path: Path; schema: Schema }> {
  const branch = (schema.oneOf ?? schema.anyOf)?.find(
    ({ properties = {} }) => isObject(value) && properties['kind']?.const === value['kind'],
  );
  if (branch !== undefined) {
    yield* listFields(branch, value, path);
    return;
  }
  if (Array.isArray(value) && schema.items) yield* listFields(schema.items, value[0], [...path, 0]);
  if (!isObject(value)) return;
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const at = [...path, name];
    if (name in value) yield* listFields(part, value[name], at);
    const isFreeText =
      part.type === 'string' &&
      part.enum === undefined &&
      part.const === undefined &&
      FORMED[name] === undefined;
    if (!(name in value) || isFreeText) yield { path: at, schema: part };
  }
}

/** The documents of a section type: one for each variant and kind, alone, with a title, and folded under it. */
function listDocuments(schema: Schema): readonly { readonly name: string; readonly value: object }[] {
  const { type, variant, kind, figure, span, title } = schema.properties ?? {};
  const base = Object(build(schema, ''));
  const listEach = (name: string, part: Schema | undefined) =>
    (part?.enum ?? []).map((choice) => ({ name: ` (${choice})`, value: { ...base, [name]: choice } }));
  const chosen = [...listEach('variant', variant), ...listEach('kind', kind), ...listEach('span', span)];
  const figures = (figure?.oneOf ?? figure?.anyOf ?? []).map((one) => ({
    name: ` (${one.properties?.['kind']?.const})`,
    value: { ...base, figure: build(one, 'figure') },
  }));
  const plain = chosen.length > 0 ? chosen : [{ name: '', value: base }, ...figures];
  return plain.flatMap(({ name, value }) => {
    const own = { name: `${type?.const}${name}`, value };
    if (title === undefined || 'title' in value) return [own];
    const titled = { ...value, title: 'A title' };
    return [
      own,
      { name: own.name, value: titled },
      ...('folded' in (schema.properties ?? {}) && span === undefined
        ? [{ name: `${own.name}, folded`, value: { ...titled, folded: true } }]
        : []),
    ];
  });
}

function render(value: unknown, samples = true): string {
  // A placed fact may make a text longer than its field.
  const section = sectionSchema.safeParse(value).data ?? (value as PageSection);
  const name = `${section.type.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Section`;
  const component = MODULES[`./${section.type}.tsx`]?.[name];
  // The calculator alone has its frame in a file of Astro.
  if (typeof component !== 'function') return JSON.stringify(section);
  return renderToStaticMarkup(
    createElement(component as () => null, { section, context: { ...context, samples } } as object),
  );
}

const DENIED: Claim = {
  key: 'denied',
  figure: 'No fees',
  wording: 'ever',
  evidence: '',
  fact: {
    heading: 'Read the terms',
    text: 'There are some.',
    source: 'https://provider.example/',
    checked: '2026-11-21',
  },
};

const FACT_VIEW = { isHidden: () => false, areFactsInstead: false };

/** The fields of a section that show the mark of a claim without the fact that contradicts it. */
function findUnadvised(schema: Schema): readonly string[] {
  return listDocuments(schema).flatMap(({ name, value }) =>
    [...listFields(schema, value)].flatMap(({ path, schema: part }) => {
      if (part.type !== 'string') return [];
      const made = sectionSchema.safeParse(set(value, path, `No fees${buildClaimMark('denied', DENIED)}`));
      if (!made.success) return [];
      const [placed] = placeFacts([made.data], new Map([['denied', DENIED]]), FACT_VIEW);
      const html = render(placed);
      const isMarked = html.includes('href="#says-denied"');
      return isMarked && !html.includes('<mark>Read the terms</mark>') ? [`${name}: ${path.join('.')}`] : [];
    }),
  );
}

function findDropped(schema: Schema): readonly string[] {
  const dropped: string[] = [];
  for (const { name, value } of listDocuments(schema)) {
    const queue = [{ value: value as unknown, from: undefined as Path | undefined }];
    for (const document of queue) {
      const before = render(document.value);
      for (const { path, schema: part } of listFields(schema, document.value)) {
        if (document.from?.some((step, index) => path[index] !== step)) continue;
        const field = path.filter((step) => typeof step === 'string').join('.');
        if (
          part.description?.includes('Not shown') ||
          `${name.replace(', folded', '')}: ${field}` in ELSEWHERE
        )
          continue;
        const accepted = listValues(part, String(path.at(-1)))
          .filter((choice) => choice !== part.default && choice !== getAt(document.value, path))
          .map((choice) => set(document.value, path, choice))
          .filter((candidate) => sectionSchema.safeParse(candidate).success);
        if (accepted.length === 0) continue;
        if (accepted.every((candidate) => render(candidate) === before)) dropped.push(`${name}: ${field}`);
        else if (document.from === undefined && accepted.length === 1)
          queue.push({ value: accepted[0], from: path });
      }
    }
  }
  return [...new Set(dropped)];
}

it.each(SECTION_SCHEMAS.map((schema) => [[...schema.shape.type.values][0], schema] as const))(
  'every field that a section %s accepts changes what is shown, in every variant',
  { tags: ['rest'] },
  (_, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    expect(findDropped(json as Schema)).toEqual([]);
  },
);

it.each(SECTION_SCHEMAS.map((schema) => [[...schema.shape.type.values][0], schema] as const))(
  'a section %s shows the fact at a claim that it contradicts, whatever field makes it',
  (_, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
    expect(findUnadvised(json as Schema)).toEqual([]);
  },
);

it('a section of hidden samples shows its heading, its anchor and the example, or says that nobody is quoted', () => {
  const items = [{ quote: 'It works.', name: 'Sample', company: 'Example', sample: true }];
  const renderHidden = (example?: string) =>
    render({ type: 'testimonials', id: 'stories', title: 'Stories', example, items }, false);
  expect(renderHidden('Six bills of **$1,492**.')).toMatch(/id="stories".*Stories.*<strong>\$1,492/);
  expect(renderHidden()).toContain('No customer has agreed to be quoted here yet.');
  expect(renderHidden()).not.toContain('It works.');
});

it.each([true, false])('a shown quotation that is a sample: %s, says that no customer said it', (sample) => {
  const items = [{ quote: 'It works.', name: 'Ann', company: 'Example', origin: 'A letter', sample }];
  const html = render({ type: 'testimonials', id: 'stories', title: 'Stories', items });
  expect(/>Sample<.*No customer said this\./.test(html)).toBe(sample);
});
