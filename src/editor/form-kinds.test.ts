import { expect, it } from 'vitest';
import { findFormSchema } from '../content-files/edit/plan-form.ts';
import {
  buildEmpty,
  buildField,
  type FieldPath,
  findFieldAt,
  findSchema,
  formatAt,
  parseTyped,
  setAt,
  takeAway,
} from '../core/console/form-fields.ts';
import { productSchema } from '../core/products/product.schema.ts';
import { changeItems, type FormValue, findFormKind, resolveAt } from './form-kinds.ts';

const product = findFormKind('product');
const schema = findFormSchema('products/a.yaml') ?? {};
const NEW: FormValue = {
  name: 'Gaggia',
  kind: 'physical',
  offers: { shop: { name: 'Bean Street', partner: 'bean-street', billed: 'once' } },
};
const SHOPS = [
  { value: 'bean-street', name: 'Bean Street' },
  { value: 'depot', name: 'Kitchen Depot' },
];
const complete = (value: unknown): FormValue => product?.complete?.(Object(value), { partner: SHOPS }) ?? {};
const type = (value: FormValue, at: string, text: string): FormValue => {
  const form = buildField(schema, product?.prepare?.(value) ?? value, []);
  const field = findFieldAt(form, resolveAt({ at }, value));
  expect(formatAt(field.path)).toBe(resolveAt({ at }, value));
  const next = parseTyped(field, text);
  return complete(next === undefined ? takeAway(value, field.path, form) : setAt(value, field.path, next));
};

it('makes the source of a price of what is typed, in any order, and takes it back', () => {
  const fields: readonly (readonly [at: string, text: string])[] = [
    ['offers.*.price', '449,50'],
    ['sources.$.href', 'https://shop.example/gaggia'],
    ['sources.$.checked', '2026-11-20'],
  ];
  for (const order of [fields, fields.toReversed()]) {
    const typed = order.reduce<FormValue>((value, [at, text]) => type(value, at, text), NEW);
    expect(typed).toEqual({
      ...NEW,
      offers: { shop: { ...Object(NEW['offers']).shop, price: 449.5, source: 'shop' } },
      sources: {
        shop: { title: 'Product page', href: 'https://shop.example/gaggia', checked: '2026-11-20' },
      },
    });
    expect(productSchema.safeParse(typed).error).toBeUndefined();
    const emptied = order.reduce<FormValue>((value, [at]) => type(value, at, ''), typed);
    expect(emptied).toEqual(NEW);
  }
});

it('fills in what a product without an offer needs, with the name of the shop', () => {
  const made = type({ name: 'Gaggia', kind: 'software', offers: {} }, 'offers.*.partner', 'depot');
  expect(made['offers']).toEqual({ shop: { partner: 'depot', name: 'Kitchen Depot', billed: 'monthly' } });
  expect(type(made, 'offers.*.partner', 'bean-street')['offers']).toMatchObject({
    shop: { name: 'Bean Street' },
  });
  const own = { ...NEW, offers: { shop: { name: 'My words', partner: 'depot', billed: 'once' } } };
  expect(type(own, 'offers.*.partner', 'bean-street')['offers']).toMatchObject({
    shop: { name: 'My words' },
  });
});

it('keeps the source that an offer has, and its title', () => {
  const source = { title: 'Pricing page', href: 'https://shop.example/', checked: '2026-01-01' };
  const value = { ...NEW, offers: { basic: { price: 1, source: 'pricing' } }, sources: { pricing: source } };
  expect(Object(type(value, 'offers.*.price', '2')['offers']).basic).toMatchObject({
    price: 2,
    source: 'pricing',
  });
  expect(type(value, 'offers.*.price', '')['sources']).toEqual({ pricing: source });
});

it('takes a mapping away with the last thing in it, and nothing else', () => {
  const form = buildField(findFormSchema('brand.yaml') ?? {}, { colors: { accent: '#123456' } }, []);
  expect(takeAway({ colors: { accent: '#123456' }, look: 'bench' }, ['colors', 'accent'], form)).toEqual({
    look: 'bench',
  });
  expect(setAt({ list: [1, 2, 3] }, ['list', 1], undefined)).toEqual({ list: [1, 3] });
  expect(setAt({}, ['__proto__', 'a'], 1)).not.toHaveProperty('a');
});

it('adds nothing that its own check refuses: what is to be filled in is not there', () => {
  const seeded: string[] = [];
  for (const file of [
    'products/a.yaml',
    'brand.yaml',
    'partners/a.yaml',
    'site.yaml',
    'pages/a.yaml',
    'assessment.yaml',
  ]) {
    const own = findFormSchema(file) ?? {};
    const walk = (value: unknown, path: FieldPath) => {
      if (typeof value === 'number' || value === '') seeded.push(`${file} ${formatAt(path)}`);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    };
    for (const key of Object.keys(own.properties ?? {}))
      walk(buildEmpty(findSchema(own, {}, [key])?.schema ?? {}), [key]);
  }
  // A list of texts has places for them.
  // The schema has an example, which its check takes.
  expect(seeded.filter((one) => !/\.\d+$/.test(one))).toEqual(['partners/a.yaml subId.maxLength']);
});

it('moves, doubles and takes away an item, and says so', () => {
  const items = ['a', { id: 'b', title: 'B' }, 'c'];
  const change = (act: string, index: number, to = 0) => {
    const done = changeItems(items, act, index, { label: `${index + 1} Text`, to });
    return [done.items.map((one) => Object(one).title ?? one).join(''), done.index, done.said];
  };
  expect(change('up', 1)).toEqual(['Bac', 0, 'Moved to 1 of 3: Text.']);
  expect(change('down', 1)).toEqual(['acB', 2, 'Moved to 3 of 3: Text.']);
  expect(change('move', 0, 3)).toEqual(['Bca', 2, 'Moved to 3 of 3: Text.']);
  expect(change('move', 2, 0)).toEqual(['caB', 0, 'Moved to 1 of 3: Text.']);
  // Before and after itself is where it is.
  for (const to of [1, 2]) expect(change('move', 1, to)).toEqual(['aBc', 1, '']);
  expect(change('up', 0)).toEqual(['aBc', 0, 'This is the first.']);
  expect(change('down', 2)).toEqual(['aBc', 2, 'This is the last.']);
  expect(change('remove', 2)).toEqual(['aB', 1, 'Removed. Ctrl Z brings it back.']);
  expect(changeItems(['a'], 'remove', 0)).toMatchObject({ items: [], index: 0 });
  expect(change('up', 7)).toEqual(['aBc', 7, '']);
  // An anchor leads to one place.
  expect(changeItems(items, 'copy', 1).items).toEqual(['a', items[1], { title: 'B' }, 'c']);
});
