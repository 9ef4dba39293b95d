import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import {
  buildEmpty,
  buildField,
  type EditField,
  findFieldAt,
  findSchema,
  parseTyped,
  setAt,
} from '../../core/console/form-fields.ts';
import { FORWARDED } from '../../core/outbound/partner.ts';
import { splitMarkdown } from '../edit-yaml.ts';
import { findKind } from '../kinds.ts';
import { parseYaml } from '../parse-yaml.ts';
import { findFormSchema, planForm, restoreBreaks } from './plan-form.ts';

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
  const fields = listFields(buildField(schema, parsed.value, []));
  expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
  expect(fields.filter(({ kind, isPresent }) => kind === 'other' && isPresent)).toEqual([]);
  const front = JSON.stringify(parsed.value);
  expect(planForm(file, { base: whole, current: whole }, { front })).toEqual({ text: whole });
  // Each field by its name, as browsers send it.
  const named = fields.flatMap((field) =>
    'value' in field ? [[field.name, field.value.replaceAll('\n', '\r\n')] as const] : [],
  );
  const form = Object.fromEntries(named);
  expect(planForm(file, { base: whole, current: whole }, form)).toEqual({ text: whole });
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
    const plan = (front: unknown) =>
      planForm('partners/kit.yaml', { base: yaml, current: yaml }, { front: JSON.stringify(front) });
    expect(plan({ key: 'kit', subId: null, affiliate: null })).toEqual({
      text: 'key: kit\nsubId: null\naffiliate: null\n',
    });
  });

  it('are set by the JSON of their path too, and by nothing else', () => {
    const yaml = 'title: A # a comment\nsections:\n  - type: prose\n    body: Words\n';
    const plan = (form: Readonly<Record<string, string>>) =>
      planForm('pages/a.yaml', { base: yaml, current: yaml }, form);
    expect(plan({ '["title"]': 'B', '["sections",0,"body"]': 'One.\r\nTwo.' })).toEqual({
      text: yaml.replace('A', 'B').replace('Words', '|-\n      One.\n      Two.'),
    });
    expect(plan({ front: '{"title":"C","sections":[]}', '["title"]': 'B' })).toMatchObject({
      text: expect.stringMatching(/^title: B # a comment\nsections:\s+\[\]/),
    });
    for (const name of ['["__proto__","title"]', '["sections",9,"body"]', '["sections"]', '[', 'title'])
      expect(plan({ [name]: 'x' }), name).toEqual({ text: yaml });
    expect(plan({ front: '[]' })).toMatchObject({ problem: 'The form is incomplete' });
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

const TEMPLATE = path.join(ROOT, 'src/commands/new/site-template');
const FILES = [
  ...SHIPPED.map((file) => [file, path.join(ROOT, 'content', file)] as const),
  ...['partners/example.yaml', 'products/example.yaml'].map(
    (file) => [file, path.join(TEMPLATE, file)] as const,
  ),
];

const KINDS = Map.groupBy(
  FILES.filter(([file]) => file.endsWith('.yaml')),
  ([file]) => file.split('/')[0] ?? '',
);

it.each([...KINDS])(
  'each choice and each Add of the forms of %s can be saved, when what is empty is filled in',
  {
    tags: ['rest'],
  },
  (_, files) => {
    const seen = new Set<string>();
    const faults: string[] = [];
    for (const [file, full] of files) {
      const yaml = readFileSync(full, 'utf8').replace(/\{\{(\w+)\}\}/g, 'x');
      const [schema, checks] = [findFormSchema(file), findKind(file)?.schema ?? undefined];
      const parsed = parseYaml(yaml);
      if (schema === null || checks === undefined || 'problem' in parsed)
        throw new Error(`${file} has no form`);
      /** What a value of the form is refused for by itself: not for being empty, and not for what is beside it. */
      const listIssues = (text: string) => {
        const next = parseYaml(text);
        const issues = 'problem' in next ? [] : (checks.safeParse(next.value).error?.issues ?? []);
        return issues.flatMap((issue) => {
          const isOwn = /^(?:too_small|too_big|invalid_type|invalid_value)$/.test(issue.code);
          const isEmpty = issue.code === 'too_small' && issue.origin === 'string';
          const value = 'problem' in next ? null : next.value;
          const found =
            issue.path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value) ?? '';
          return isOwn && !isEmpty && found !== ''
            ? [`${issue.path.filter((key) => typeof key === 'string').join('.')}: ${issue.message}`]
            : [];
        });
      };
      const known = new Set(listIssues(yaml));
      const whole = buildField(schema, parsed.value, []);
      // What a group has that the file lacks has no fields yet.
      const listShown = (field: EditField): EditField[] =>
        field.isPresent
          ? listFields(field).filter(({ isPresent, path: at }) => isPresent || isParentShown(at))
          : [];
      const isParentShown = (at: EditField['path']) =>
        findFieldAt(whole, at.slice(0, -1).join('.')).isPresent;
      for (const field of listShown(whole)) {
        const item = field.path.join('.');
        const types = field.kind === 'list' && field.types.length > 0 ? field.types : [''];
        const isAdded = field.kind === 'list' ? !field.isFull : field.kind === 'group' && !field.isPresent;
        const { schema: own = {}, value: list } = findSchema(schema, parsed.value, field.path) ?? {};
        const build = (type: string) => {
          const items = own.items ?? {};
          const chosen = items.anyOf?.find((one) => one.properties?.['type']?.const === type) ?? items;
          const next = Array.isArray(list) ? [...list, buildEmpty(chosen) ?? ''] : (buildEmpty(own) ?? {});
          return setAt(parsed.value, field.path, next);
        };
        const plans = [
          ...(field.kind === 'choice' ? field.options : []).map(
            (option) => [option, setAt(parsed.value, field.path, parseTyped(field, option))] as const,
          ),
          ...(isAdded ? types : []).map((type) => [`add ${type}`, build(type)] as const),
        ];
        // Sections of one type have one form, and so do entries that operators name.
        const [section = ''] = /^sections\.\d+/.exec(item) ?? [];
        const [type = ''] =
          section === '' ? [] : findFieldAt(whole, section).label.replace(/^\d+ /, '').split(':');
        const shape = item
          .replace(section, type)
          .replace(/\.\d+/g, '')
          .replace(/^(sources|offers|facts|criteria|calculators|totals)\.[\w-]+/, '$1');
        for (const [what, value] of plans) {
          const key = `${file.split('/')[0]} ${shape} ${what}`;
          if (seen.has(key)) continue;
          seen.add(key);
          const front = JSON.stringify(value);
          const plan = planForm(file, { base: yaml, current: yaml }, { front });
          if ('problem' in plan) faults.push(`${key}: ${plan.problem}`);
          else
            faults.push(
              ...listIssues(plan.text)
                .filter((issue) => !known.has(issue))
                .map((issue) => `${key}: ${issue}`),
            );
        }
      }
    }
    expect(seen.size).toBeGreaterThan(2);
    expect(faults).toEqual([]);
  },
);
