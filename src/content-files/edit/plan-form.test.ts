import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { FORWARDED } from '../../core/outbound/partner.ts';
import { splitMarkdown } from '../edit-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';
import {
  buildField,
  type EditField,
  findFieldAt,
  findFormSchema,
  listFieldEdits,
  planForm,
  restoreBreaks,
} from './plan-form.ts';

function listFields(field: EditField): EditField[] {
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  return [field, ...inner.flatMap(listFields)];
}

const SHIPPED = readdirSync(path.join(ROOT, 'content'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(yaml|md)$/.test(file) && findFormSchema(file) !== null,
);

it('the files of each kind have a form', () => {
  expect(SHIPPED.length).toBeGreaterThan(10);
});

it.each(SHIPPED)('the form of %s has each value, and changes nothing while no field is changed', (file) => {
  const whole = readFileSync(path.join(ROOT, 'content', file), 'utf8');
  const text = file.endsWith('.md') ? (splitMarkdown(whole)?.front ?? '') : whole;
  const parsed = parseYaml(text);
  const schema = findFormSchema(file);
  if (schema === null || 'problem' in parsed) throw new Error('it has no form');
  const form = buildField(schema, parsed.value, []);
  const fields = listFields(form);
  expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
  expect(fields.filter(({ kind, isPresent }) => kind === 'other' && isPresent)).toEqual([]);
  const values = new Map(fields.map((field) => [field.name, 'value' in field ? field.value : '']));
  expect(listFieldEdits(form, (one) => values.get(one)?.replaceAll('\n', '\r\n') ?? null)).toEqual([]);
});

it('offers first what most files have, and helps without marks of Markdown', () => {
  const form = buildField(
    findFormSchema('products/a.yaml') ?? {},
    { sources: { a: {} }, offers: { a: {} } },
    [],
  );
  for (const at of ['image', 'sources.a.checked', 'offers.a.price', 'offers.a.source'])
    expect(findFieldAt(form, at), at).toMatchObject({ isMain: true, isPresent: false });
  expect(listFields(form).filter(({ help }) => /[`*]/.test(help))).toEqual([]);
});

describe('fields that name something', () => {
  const build = (file: string, value: unknown) => {
    const form = buildField(findFormSchema(file) ?? {}, value, []);
    return (at: string) => findFieldAt(form, at);
  };

  it('say what they name', () => {
    const page = build('pages/a.yaml', {
      cta: { partner: 'kit', source: 'a' },
      sections: [
        { type: 'product-box', product: 'kit', offer: 'pro' },
        { type: 'product-comparison', products: ['kit', 'hubspot'] },
        { type: 'image', image: { src: '../images/a.png', alt: 'A' } },
      ],
    });
    const named = [
      'cta.partner',
      'cta.partnerLink',
      'sections.0.product',
      'sections.0.offer',
      'sections.1.products',
    ];
    expect(named.map((at) => Reflect.get(page(at), 'names'))).toEqual([
      'partner',
      'destination',
      'product',
      'offer',
      'product',
    ]);
    expect(page('sections.2.image.src')).toMatchObject({ label: 'Image', names: 'image' });
    expect(page('title')).toMatchObject({ names: null, options: [] });
    // What a merchant receives is chosen, too.
    const forward = build('partners/a.yaml', { forward: ['affiliate'] })('forward');
    expect(forward).toMatchObject({ kind: 'lines', value: 'affiliate', options: [...FORWARDED] });
  });

  it('are taken over as one list, without the empty ones', () => {
    const yaml = `title: A\nsections:\n  - type: product-comparison\n    products:\n      - kit\n      - hubspot\n`;
    const name = JSON.stringify(['sections', 0, 'products']);
    const form = { [`${name} 0`]: 'hubspot', [`${name} 1`]: '', [`${name} 2`]: 'activecampaign' };
    const plan = planForm('pages/a.yaml', { base: yaml, current: yaml }, form, null);
    expect('text' in plan && plan.text).toBe(
      yaml.replace('- kit', '- hubspot').replace(/- hubspot\n$/, '- activecampaign\n'),
    );
  });

  it('have null for none where the file must have them', () => {
    const yaml = 'key: kit\nsubId:\n  parameter: sid\n  maxLength: 64\naffiliate: null\n';
    const partner = build('partners/kit.yaml', {
      key: 'kit',
      subId: { parameter: 'sid', maxLength: 64 },
      affiliate: null,
    });
    expect(partner('subId')).toMatchObject({
      kind: 'group',
      isPresent: true,
      isRequired: false,
      takesNull: true,
    });
    expect(partner('affiliate')).toMatchObject({ kind: 'group', isPresent: false });
    const base = { base: yaml, current: yaml };
    expect(planForm('partners/kit.yaml', base, {}, { kind: 'remove', item: 'subId' })).toMatchObject({
      text: 'key: kit\nsubId: null\naffiliate: null\n',
    });
    expect(planForm('partners/kit.yaml', base, {}, { kind: 'add', item: 'affiliate' })).toMatchObject({
      text: expect.stringContaining('affiliate:\n  parameter: ""\n  value: ""\n'),
    });
    // What the check of the file would refuse is not added.
    const without = yaml.replace(/subId:\n.*\n.*\n/, 'subId: null\n');
    const added = planForm(
      'partners/kit.yaml',
      { base: without, current: without },
      {},
      { kind: 'add', item: 'subId' },
    );
    expect(added).toMatchObject({
      text: expect.stringContaining('subId:\n  parameter: ""\n  maxLength: 36\n'),
    });
  });
});

it.each([
  ['two words far from each other', 'a\nb\r\n\nc\rd\r\ne', 'A\nb\n\nc\nd\nE', 'A\nb\r\n\nc\rd\r\nE'],
  ['a word of a line with another break', 'a\r\nb\nc\r\n', 'a\nB\nc\n', 'a\r\nB\nc\r\n'],
  ['the order of lines', 'a\r\nb\r\nc\n', 'c\na\nb\n', 'c\na\r\nb\r\n'],
  ['one line to two', 'a\r\nbc\nd\r\n', 'a\nb\nc\nd\n', 'a\r\nb\r\nc\nd\r\n'],
  ['what was between two breaks', 'a\rb\n\nc', 'a\n\nc', 'a\r\r\nc'],
  ['a line to none', 'a\r\n', 'b', 'b'],
])('each line keeps its break when an edit changes %s', (_, file, sent, after) =>
  expect(restoreBreaks(sent, file)).toBe(after),
);
