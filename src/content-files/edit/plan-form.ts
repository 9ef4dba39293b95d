import { diffArrays } from 'diff';
import { z } from 'zod';
import { authorFileSchema } from '../../core/articles/author.schema.ts';
import { frontMatterSchema } from '../../core/articles/front-matter.schema.ts';
import { assessmentSchema } from '../../core/assessment/assessment.schema.ts';
import { partnerSchema } from '../../core/outbound/partner.schema.ts';
import { brandSchema } from '../../core/pages/brand/brand.schema.ts';
import { claimFileSchema } from '../../core/pages/claims/claim.schema.ts';
import { pageSchema } from '../../core/pages/page.schema.ts';
import { siteSchema } from '../../core/pages/site.schema.ts';
import { productSchema } from '../../core/products/product.schema.ts';
import { calculatorsSchema } from '../../core/savings/calculators.schema.ts';
import { editYaml, splitMarkdown, type YamlEdit, type YamlPath } from '../edit-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';

/** What content files are validated with, by the folder or the name of the file. */
const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['articles', frontMatterSchema],
  ['pages', pageSchema],
  ['partners', partnerSchema],
  ['authors', authorFileSchema],
  ['claims', claimFileSchema],
  ['products', productSchema],
  ['calculators.yaml', calculatorsSchema],
  ['assessment.yaml', assessmentSchema],
  ['site.yaml', siteSchema],
  ['brand.yaml', brandSchema],
]);

/** What a text can be the name of: `names` in the metadata of a schema. The editor offers those that there are. */
const NAMED = [
  'partner',
  'destination',
  'product',
  'offer',
  'source',
  'fact',
  'criterion',
  'author',
  'category',
  'page',
  'image',
  'calculator',
  'claim',
  'network',
  'color',
  'currency',
] as const;
export type FieldNames = (typeof NAMED)[number];

/** The part of a JSON Schema that a form is built from. */
interface FieldSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly names?: FieldNames | undefined;
  readonly description?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  readonly additionalProperties?: FieldSchema | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: FieldSchema | undefined;
  readonly maxLength?: number | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly isMain?: boolean | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z
    .object({
      // A number or a text: the form has one field for both.
      type: z.union([z.string(), z.array(z.string()).transform(() => 'string')]).optional(),
      format: z.string().optional(),
      names: z.enum(NAMED).optional(),
      description: z.string().optional(),
      const: z.unknown().optional(),
      enum: z.array(z.unknown()).optional(),
      anyOf: z.array(fieldSchema).optional(),
      oneOf: z.array(fieldSchema).optional(),
      properties: z.record(z.string(), fieldSchema).optional(),
      additionalProperties: z.union([fieldSchema, z.boolean()]).optional(),
      required: z.array(z.string()).optional(),
      items: fieldSchema.optional(),
      maxLength: z.number().optional(),
      /** The first one is what is added, where nothing would be refused. */
      examples: z.array(z.unknown()).optional(),
      isMain: z.boolean().optional(),
    })
    .transform(({ oneOf, anyOf, additionalProperties, ...schema }) => ({
      ...schema,
      anyOf: anyOf ?? oneOf,
      additionalProperties: typeof additionalProperties === 'object' ? additionalProperties : undefined,
    })),
);

const known = new Map<string, FieldSchema | null>();

/** The schema of a content file as a form needs it; null for a file that is edited as text. */
export function findFormSchema(file: string): FieldSchema | null {
  const [name = ''] = file.split('/');
  const found = known.get(name);
  if (found !== undefined) return found;
  const schema = SCHEMAS.get(name);
  const json = schema && z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const parsed = json === undefined ? null : (fieldSchema.safeParse(json).data ?? null);
  known.set(name, parsed);
  return parsed;
}

interface FieldBase {
  readonly path: YamlPath;
  /** Unique in the form; the path as JSON. */
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly isRequired: boolean;
  /** false: the file does not have it, or has null. */
  readonly isPresent: boolean;
  /** It is offered before the others that a file can have: what most files have. `isMain` in the metadata of a schema. */
  readonly isMain: boolean;
  /** The file must have it, and null is what it has for none. */
  readonly takesNull: boolean;
}

/** A field of a form. */
export type EditField =
  | (FieldBase & {
      readonly kind: 'text' | 'number' | 'day' | 'lines';
      readonly value: string;
      readonly isLong: boolean;
      readonly maxLength: number | null;
      /** What it names, each line of `lines` for itself; null for other texts. */
      readonly names: FieldNames | null;
      /** What each line of `lines` has to be one of; empty: any text. */
      readonly options: readonly string[];
    })
  | (FieldBase & { readonly kind: 'choice'; readonly value: string; readonly options: readonly string[] })
  | (FieldBase & {
      readonly kind: 'group';
      readonly fields: readonly EditField[];
      /** Whether entries with keys of their own can be added, such as claims. */
      readonly takesKeys: boolean;
    })
  | (FieldBase & {
      readonly kind: 'list';
      readonly items: readonly EditField[];
      /** Types of an item that can be added; empty when there is one. */
      readonly types: readonly string[];
    })
  /** A value that has no field: it is edited as text. */
  | (FieldBase & { readonly kind: 'other' });

/** A text with more characters gets several lines. */
const LONG = 70;

/** Builds the fields of a value from its schema. `path` leads to it in the file; `label` is its name, if it has one of its own. */
export function buildField(
  schema: FieldSchema,
  value: unknown,
  path: YamlPath,
  isRequired = true,
  label?: string,
): EditField {
  const chosen = chooseSchema(schema, value);
  const key = path.at(-1);
  const base: FieldBase = {
    path,
    name: JSON.stringify(path),
    label: typeof key === 'number' ? nameItem(value, key) : (label ?? nameKey(key ?? '')),
    help: (chosen.description ?? schema.description ?? '')
      .replace(/\b(true|false)\b/g, (word) =>
        chosen.type !== 'boolean' ? word : word === 'true' ? 'yes' : 'no',
      )
      // What is chosen has no path.
      .replace(/, such as `\.\.\/[^`]*`/, '')
      .replace(/[`*]/g, ''),
    isRequired: isRequired && !isNullable(schema),
    takesNull: isRequired && isNullable(schema),
    isPresent: value !== undefined && value !== null,
    isMain: schema.isMain === true,
  };
  const options = listOptions(chosen);
  const isText = value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
  if (options !== null && isText) return { ...base, kind: 'choice', value: String(value ?? ''), options };
  if (chosen.properties !== undefined || chosen.additionalProperties !== undefined) {
    if (base.isPresent && !isObject(value)) return { ...base, kind: 'other' };
    const takesKeys = chosen.additionalProperties !== undefined;
    return {
      ...base,
      kind: 'group',
      takesKeys,
      fields: buildFields(chosen, isObject(value) ? value : {}, path),
    };
  }
  if (chosen.type === 'array') return buildList(chosen, value, base);
  if (!isText) return { ...base, kind: 'other' };
  const text = String(value ?? '');
  const isNumber = ['number', 'integer'].includes(chosen.type ?? '') || typeof value === 'number';
  const isDay = chosen.format === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text));
  const maxLength = chosen.maxLength ?? null;
  // An empty one too: a field of one line would join the paragraphs that are put into it.
  const isLong =
    text.length > LONG ||
    text.includes('\n') ||
    (maxLength ?? 0) > 2 * LONG ||
    /^markdown\b/i.test(base.help);
  const kind = isNumber ? 'number' : isDay ? 'day' : 'text';
  const names = chosen.names ?? schema.names ?? null;
  return { ...base, kind, value: text, isLong, maxLength, names, options: [] };
}

function buildFields(
  schema: FieldSchema,
  value: Readonly<Record<string, unknown>>,
  path: YamlPath,
): EditField[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  return [
    ...Object.entries(properties).map(([key, field]) =>
      buildField(field, value[key], [...path, key], required.includes(key)),
    ),
    // The keys of entries are names that operators have given.
    ...others.map((key) => buildField(additionalProperties ?? {}, value[key], [...path, key], false, key)),
  ];
}

function buildList(schema: FieldSchema, value: unknown, base: FieldBase): EditField {
  const items = schema.items ?? {};
  const list = value ?? [];
  if (!Array.isArray(list)) return { ...base, kind: 'other' };
  const isText = items.type === 'string' || items.enum !== undefined;
  const isLine = (item: unknown) => typeof item === 'string' && !item.includes('\n');
  if (isText && list.every(isLine)) {
    const names = items.names ?? null;
    const options = listOptions(items) ?? [];
    return { ...base, kind: 'lines', value: list.join('\n'), isLong: true, maxLength: null, names, options };
  }
  return {
    ...base,
    kind: 'list',
    items: list.map((item, index) => buildField(items, item, [...base.path, index])),
    types: (items.anyOf ?? []).flatMap((one) => {
      const type = one.properties?.['type']?.const;
      return typeof type === 'string' ? [type] : [];
    }),
  };
}

const isNullable = ({ anyOf = [] }: FieldSchema) => anyOf.some(({ type }) => type === 'null');

/** The part of a union that a value is of: that with the same type, such as `type: hero`; else the first that can be. */
function chooseSchema(schema: FieldSchema, value: unknown): FieldSchema {
  const anyOf = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (anyOf === undefined) return schema;
  const isSame = (one: FieldSchema) =>
    Object.entries(one.properties ?? {}).every(
      ([key, field]) => field.const === undefined || (isObject(value) && value[key] === field.const),
    );
  const kind = Array.isArray(value) ? 'array' : typeof value;
  const found =
    anyOf.find((one) => one.type === kind && isSame(one)) ??
    anyOf.find((one) => one.type === kind) ??
    anyOf[0];
  return found === undefined ? schema : chooseSchema(found, value);
}

function listOptions({ type, enum: options, const: only }: FieldSchema): readonly string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  if (only !== undefined) return [String(only)];
  return options === undefined ? null : options.map(String);
}

/** Names of fields and sections whose keys say too little. */
const NAMES: Readonly<Record<string, string>> = {
  cta: 'Call to action',
  href: 'Link',
  src: 'Image',
  alt: 'Description',
  id: 'Anchor',
  subId: 'Sub-id',
  seoTitle: 'Title in search results',
  seoDescription: 'Description in search results',
  maxAgeDays: 'Days for which a price holds',
  canonicalUrl: 'Address of the original',
  prose: 'Text',
  faq: 'Questions and answers',
  'pros-cons': 'Pros and cons',
  'before-after': 'Before and after',
  'section-nav': 'Links to sections',
  key: 'Short name in addresses',
  hosts: 'Domains',
  affiliate: 'Your code',
  forward: 'What its links say',
  redirect: 'How a click leaves',
  trialPath: 'Short address of the trial',
  watch: 'Checks of its links',
  expect: 'What its pages have to say',
  redirectHosts: 'Domains on the way',
  pool: 'Ids to give away',
  maxLength: 'Most characters',
  encoding: 'How it is written',
  keepsCase: 'Capital letters stay',
  statuses: 'Its words for a status',
  approvalDays: 'Days until approval',
  rhythm: 'When it pays',
  daysAfterMonth: 'Days after the end of the month',
  by: 'Counted from',
  utm: 'Campaign parameters (utm)',
  afterEnd: 'Once you work with it no more',
  minimum: 'Least amount that is paid',
  site: 'The merchant’s own site',
  parameter: 'Parameter in its links',
  regions: 'Other pages by country',
  labels: 'Ids that name pages',
  uses: 'Which page has which id',
  texts: 'What the page has to say',
  without: 'What the page must not say',
  near: 'Words next to the price',
  equals: 'Price of this site',
  since: 'From the day',
  most: 'At most',
  above: 'Included',
  meta: 'Quiet word at the end',
  for: 'Who it is for',
  notFor: 'Who it is not for',
  bestFor: 'Best for whom',
  via: 'Where a copy of it was read',
  checked: 'Day of the check',
  read: 'How it was read',
  unpriced: 'Without a price, because',
  volume: 'By quantity',
  tested: 'How it was tested',
  basis: 'How it was chosen',
  per: 'For each',
  once: 'Paid once',
  publishedAt: 'Published on',
  updatedAt: 'Changed on',
  unpublishAt: 'Taken down on',
  focus: 'Part that stays in view',
  socialTitle: 'Title when shared',
  socialDescription: 'Description when shared',
  slugs: 'Articles',
  supports: 'What it is the source of',
  corrected: 'Corrections',
  kicker: 'Line above the title',
  lead: 'First lines',
  ground: 'Background',
  radius: 'Corners',
  positive: 'Color of savings',
  holder: 'Who has the copyright',
  imageHosts: 'Other sites that images come from',
  samples: 'Sample quotations',
  noScript: 'Without scripts',
  aiInput: 'Answers of AI',
  aiTrain: 'Training of AI',
  isTotalShown: 'Show the total',
  url: 'Address',
};

/** Choices whose values say too little, by the key of their field. */
const OPTION_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  forward: {
    affiliate: 'your code, which says who is paid',
    subId: 'the number of the click (sub-id)',
    utm: 'your campaign parameters (utm)',
    campaign: 'the campaign that the visit came with',
    ads: 'the ids of ads',
    journey: 'the pages of the visit',
    answers: 'answers of the assessment',
  },
  redirect: {
    page: 'by a page that says where it leads',
    http: 'at once',
    no: 'by the partner’s own address, counted beside it',
  },
  prices: { typed: 'may be typed in', none: 'may not be shown' },
  source: {
    postback: 'by postback',
    webhook: 'by webhook',
    api: 'read from its interface',
    csv: 'from a file',
    manual: 'by hand',
  },
  rhythm: {
    monthly: 'on days of the month',
    net: 'some days after the month',
    weekly: 'on a day of the week',
  },
  afterEnd: { 'pays-on': 'it pays on', stops: 'it stops paying' },
  encoding: { uuid: 'with hyphens, 36 characters', hex32: '32 characters', base62: '22 letters and digits' },
  allowed: { ask: 'ask first' },
};

/** A choice as it is read. `key`: of its field. */
export const nameOption = (key: unknown, option: string) =>
  OPTION_NAMES[String(key)]?.[option] ?? (option === 'true' ? 'yes' : option === 'false' ? 'no' : option);

/** `partnerLink` as it is read: Partner link. `picks-table`: Picks table. */
export function nameKey(key: string): string {
  const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
  if (name !== undefined) return name;
  const words = key
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const NAMING_KEYS = ['title', 'label', 'name', 'question', 'what', 'text', 'when'] as const;

/** An item by its position, its type and its first words. */
function nameItem(value: unknown, index: number): string {
  const fields = isObject(value) ? value : {};
  const type = typeof fields['type'] === 'string' ? ` ${nameKey(fields['type'])}` : '';
  const name = NAMING_KEYS.map((key) => fields[key]).find((text) => typeof text === 'string');
  const text = typeof name === 'string' ? name.replace(/\*\*|==/g, '') : '';
  const words = text === '' ? '' : `: ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
  return `${index + 1}${type}${words}`;
}

/** The fields of a form that have no fields in them. */
export function listLeaves(field: EditField): readonly EditField[] {
  if (field.kind === 'group') return field.fields.flatMap(listLeaves);
  return field.kind === 'list' ? field.items.flatMap(listLeaves) : [field];
}

/** The fields of a mapping. */
export type FieldGroup = Extract<EditField, { kind: 'group' }>;

/** A part of a form that is shown alone, such as a section of a page. */
export interface FormPart {
  /** The way to it in the form that addresses have, `sections.2`; empty for the fields that are in no other part. */
  readonly at: string;
  readonly label: string;
  readonly field: EditField;
  /** The list of which it is an item, with its position; null when it cannot be moved. */
  readonly list: { readonly path: YamlPath; readonly index: number; readonly length: number } | null;
}

/** The way to a field in the form that addresses have: `sections.2.title`. */
export const formatAt = (path: YamlPath) => path.join('.');

/** The groups of a form with more fields are parts of it. */
const MAX_WHOLE = 24;

/** Divides a form into the fields of the file itself, its sections, and the groups of a long form. */
export function listParts(form: FieldGroup): readonly [FormPart, ...FormPart[]] {
  const isLong = countFields(form) > MAX_WHOLE;
  const own = form.fields.filter((field) => {
    const hasSections = field.kind === 'list' && field.types.length > 0;
    const isGroup = field.kind === 'group' || field.kind === 'list';
    if (!field.isPresent) return false;
    return hasSections || (form.takesKeys && isGroup) || (isLong && isGroup && countFields(field) > 1);
  });
  const general = { ...form, fields: form.fields.filter((field) => !own.includes(field)) };
  return [
    { at: '', label: 'General', field: general, list: null },
    ...own.flatMap((field): FormPart[] => {
      if (field.kind !== 'list' || field.types.length === 0)
        return [{ at: formatAt(field.path), label: field.label, field, list: null }];
      return field.items.map((item, index) => ({
        at: formatAt(item.path),
        label: item.label,
        field: item,
        list: { path: field.path, index, length: field.items.length },
      }));
    }),
  ];
}

function countFields(field: EditField): number {
  if (!field.isPresent) return 0;
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : null;
  return inner === null ? 1 : inner.reduce((sum, one) => sum + countFields(one), 0);
}

const isWithin = (at: string, path: YamlPath) => `${at}.`.startsWith(`${formatAt(path)}.`);

/** The part that has the field at an address; the first one for an unknown address. */
export function findPart(parts: readonly [FormPart, ...FormPart[]], at: string): FormPart {
  return parts.find((part) => part.at !== '' && `${at}.`.startsWith(`${part.at}.`)) ?? parts[0];
}

/** The field of a form at an address, or the nearest one around it. */
export function findFieldAt(field: EditField, at: string): EditField {
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  const next = inner.find(({ path }) => isWithin(at, path));
  return next === undefined ? field : findFieldAt(next, at);
}

/** What a button of the form does besides taking over the fields. `at`: the position of a new item, the last without it. */
type FormOperation =
  | { readonly kind: 'move'; readonly path: YamlPath; readonly to: number }
  | { readonly kind: 'copy' | 'remove'; readonly path: YamlPath }
  | { readonly kind: 'empty'; readonly path: YamlPath }
  | { readonly kind: 'add'; readonly path: YamlPath; readonly at?: number | undefined };

/** What the address of a button asks for: `item` is the address of a field, `to` a position. */
export interface AskedOperation {
  readonly kind: Exclude<FormOperation['kind'], 'empty'>;
  readonly item: string;
  readonly to?: number | undefined;
}

/** Finds what a button is about in a form; null when the form has no such button. */
function findOperation(form: EditField, { kind, item, to }: AskedOperation): FormOperation | null {
  const field = findFieldAt(form, item);
  const { path } = field;
  if (formatAt(path) !== item) return null;
  if (kind === 'remove') return { kind: field.takesNull ? 'empty' : kind, path };
  if (kind === 'add') return { kind, path, at: to };
  if (kind !== 'move') return { kind, path };
  return to === undefined ? null : { kind, path, to };
}

/** The address of the field that an operation leaves open: what was moved, copied or added, or where it was removed. */
function findOpenAfter(operation: FormOperation, edit: YamlEdit): string {
  const { path } = operation;
  const [list, index] = [path.slice(0, -1), path.at(-1)];
  if (operation.kind === 'add') return formatAt(edit.path);
  if (['remove', 'empty'].includes(operation.kind) || typeof index !== 'number') return formatAt(list);
  return formatAt([...list, operation.kind === 'move' ? operation.to : index + 1]);
}

/** Line breaks as they are compared: browsers send CRLF. */
const normalizeBreaks = (text: string) => text.replace(/\r\n?/g, '\n');

/** Of mixed breaks with more changed lines, those lines all get the usual break. */
const MAX_EDITS = 2_000;

/**
 * A text that a browser has sent, with the line breaks of the file. Where the file mixes them, a line that stays or is moved
 * keeps its own, and a line in the place of another one takes the break of that one. `newline` is for a file without any.
 */
export function restoreBreaks(sent: string, file: string, newline = '\n'): string {
  const next = normalizeBreaks(sent);
  const hasCrlf = file.includes('\r\n');
  const usual = hasCrlf ? '\r\n' : file.includes('\n') ? '\n' : newline;
  const isMixed = /\r(?!\n)/.test(file) || (hasCrlf && /(?<!\r)\n/.test(file));
  if (!isMixed) return usual === '\n' ? next : next.replaceAll('\n', usual);
  const [own, lines] = [file.match(LINE) ?? [], next.match(LINE) ?? []];
  const difference = diffArrays(own.map(normalizeBreaks), lines, { maxEditLength: MAX_EDITS });
  if (difference === undefined) return next.replaceAll('\n', usual);
  let at = 0;
  const parts = difference.map(({ added, removed, value }) => {
    const from = at;
    if (!added) at += value.length;
    return { added, removed, lines: added ? value : own.slice(from, at) };
  });
  const gone = Map.groupBy(
    parts.flatMap((part) => (part.removed ? part.lines : [])),
    normalizeBreaks,
  );
  const kept = parts.flatMap(({ added, removed, lines }, index) => {
    if (!added) return removed ? [] : lines;
    const { removed: isReplaced, lines: replaced = [] } = parts[index - 1] ?? {};
    return lines.map((line, number) => {
      const old = isReplaced ? replaced[replaced.length - lines.length + number] : undefined;
      return gone.get(line)?.shift() ?? line.replace('\n', /\r\n?|\n/.exec(old ?? '')?.[0] ?? usual);
    });
  });
  // Two characters that were not next to each other would be one break.
  return kept
    .map((line, index) => (line === '\n' && kept[index - 1]?.endsWith('\r') ? '\r\n' : line))
    .join('');
}

/** A line with its break. */
const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

/** The fields of a form as they were sent. */
export type WrittenFields = Readonly<Record<string, string>>;

/** A text with what a form has changed in it. */
export interface FormPlan {
  readonly text: string;
  /** The address of the field that a button leaves open; left out: the one that was open. */
  readonly at?: string;
  /** Which way an item was moved. */
  readonly moved?: 'up' | 'down';
}

/** Why a form cannot be taken over, without its period, with the way to the field. */
export interface FormRefusal {
  readonly problem: string;
  readonly path: YamlPath;
}

const NO_SUCH_BUTTON: FormRefusal = {
  problem: 'The form is incomplete, or the name is taken or not allowed',
  path: [],
};

/**
 * Takes over the fields of a form. `base` is the text that the form was built from, `current` the one in the folder; `asked`
 * is what a button does to a list besides.
 */
export function planForm(
  file: string,
  { base, current }: { readonly base: string; readonly current: string },
  form: WrittenFields,
  asked: AskedOperation | null,
): FormPlan | FormRefusal {
  const whole = form['text'] ?? null;
  if (whole !== null) return { text: restoreBreaks(whole, current) };
  const parts = file.endsWith('.md') ? splitMarkdown(base) : null;
  const edited = planFields(file, parts?.front ?? base, form, asked);
  if ('problem' in edited || parts === null) return edited;
  const body =
    form['body'] === undefined ? parts.body : restoreBreaks(form['body'].trim(), parts.body, parts.newline);
  return { ...edited, text: parts.join(edited.text, body) };
}

function planFields(
  file: string,
  yaml: string,
  form: WrittenFields,
  asked: AskedOperation | null,
): FormPlan | FormRefusal {
  const schema = findFormSchema(file);
  const parsed = parseYaml(yaml);
  if (schema === null || 'problem' in parsed) return { text: yaml };
  const fields = buildField(schema, parsed.value ?? {}, []);
  const filled = editYaml(
    yaml,
    listFieldEdits(fields, (name) => form[name] ?? joinChoices(form, name)),
  );
  if ('problem' in filled || asked === null) return filled;
  const operation = findOperation(fields, asked);
  if (operation === null) return NO_SUCH_BUTTON;
  const now = parseYaml(filled.text);
  const edit = buildOperationEdit(operation, {
    schema,
    value: 'problem' in now ? parsed.value : now.value,
    type: (form[`type ${JSON.stringify(operation.path)}`] ?? '').trim(),
    key: (form[`key ${JSON.stringify(operation.path)}`] ?? '').trim(),
  });
  if (edit === null) return NO_SUCH_BUTTON;
  const changed = editYaml(filled.text, [edit]);
  if ('problem' in changed) return changed;
  const from = operation.kind === 'move' ? Number(operation.path.at(-1)) : 0;
  return {
    text: changed.text,
    at: findOpenAfter(operation, edit),
    ...(operation.kind === 'move' && { moved: operation.to < from ? 'up' : 'down' }),
  };
}

/** The name of the field for one of several choices. */
export const buildChoiceName = (name: string, index: number) => `${name} ${index}`;

/** Several choices as lines; null when the form has none of them. A box that is not ticked is not in it. */
function joinChoices(form: WrittenFields, name: string): string | null {
  const getIndex = (key: string) =>
    key.startsWith(`${name} `) ? Number(key.slice(name.length + 1)) : Number.NaN;
  const keys = Object.keys(form).filter((key) => getIndex(key) >= 0);
  if (keys.length === 0) return null;
  const lines = keys.sort((one, other) => getIndex(one) - getIndex(other)).map((key) => form[key] ?? '');
  return lines.filter(Boolean).join('\n');
}

/** The edits that make a file what the form has: of fields whose text differs from that of the file. */
export function listFieldEdits(
  field: EditField,
  read: (name: string) => string | null,
  order: readonly string[] = [],
): readonly YamlEdit[] {
  if (field.kind === 'group') {
    const keys = field.fields.map(({ path }) => String(path.at(-1)));
    return field.fields.flatMap((one) => listFieldEdits(one, read, keys));
  }
  if (field.kind === 'list') return field.items.flatMap((item) => listFieldEdits(item, read));
  if (field.kind === 'other') return [];
  const posted = read(field.name);
  if (posted === null) return [];
  const text = normalizeBreaks(posted);
  if (text === normalizeBreaks(field.value)) return [];
  const { path } = field;
  if (text.trim() === '' && !field.isRequired) return field.isPresent ? [buildRemoval(field)] : [];
  return [{ kind: 'set', path, value: parseFieldText(field, text), order }];
}

function parseFieldText(field: EditField, text: string): unknown {
  if (field.kind === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (field.kind === 'number') {
    const isNumber = /^-?\d+(\.\d+)?$/.test(text.trim()) && Number.isFinite(Number(text));
    return isNumber ? Number(text) : text;
  }
  if (field.kind === 'choice' && field.options.join() === 'true,false') {
    return text === 'true' ? true : text === 'false' ? false : text;
  }
  return text;
}

const buildRemoval = ({ path, takesNull }: EditField): YamlEdit =>
  takesNull ? { kind: 'set', path, value: null } : { kind: 'remove', path };

/** A key that can be given to a new entry. */
const NEW_KEY = /^[A-Za-z0-9][\w.-]{0,59}$/;

/** The edit of a button. `type`: of an item that is added to a list of several; `key`: of a new entry of a mapping. */
function buildOperationEdit(
  operation: FormOperation,
  {
    schema,
    value,
    type,
    key,
  }: { readonly schema: FieldSchema; readonly value: unknown; readonly type: string; readonly key: string },
): YamlEdit | null {
  if (operation.kind === 'empty') return { kind: 'set', path: operation.path, value: null };
  if (operation.kind !== 'add') return operation;
  const { path } = operation;
  const found = findSchema(schema, value, path);
  if (found === null) return null;
  const { additionalProperties } = found.schema;
  if (additionalProperties !== undefined && found.schema.properties === undefined && key !== '') {
    const isTaken = isObject(found.value) && Object.hasOwn(found.value, key);
    if (isTaken || !NEW_KEY.test(key)) return null;
    return { kind: 'set', path: [...path, key], value: buildEmpty(additionalProperties) };
  }
  if (found.schema.type !== 'array') {
    return { kind: 'set', path, value: buildEmpty(found.schema), order: found.order };
  }
  const items = found.schema.items ?? {};
  const chosen = items.anyOf?.find((one) => one.properties?.['type']?.const === type) ?? items;
  const empty = buildEmpty(chosen);
  return Array.isArray(found.value)
    ? {
        kind: 'insert',
        path: [...path, Math.min(operation.at ?? Infinity, found.value.length)],
        value: empty,
      }
    : { kind: 'set', path, value: [empty], order: found.order };
}

function findSchema(schema: FieldSchema, value: unknown, path: YamlPath) {
  let found: FieldSchema = chooseSchema(schema, value);
  let inner = value;
  let order: readonly string[] = [];
  for (const key of path) {
    const properties = found.properties ?? {};
    const next =
      typeof key === 'number'
        ? found.items
        : Object.hasOwn(properties, key)
          ? properties[key]
          : found.additionalProperties;
    if (next === undefined) return null;
    order = Object.keys(properties);
    inner =
      Array.isArray(inner) && typeof key === 'number'
        ? inner[key]
        : isObject(inner) && typeof key === 'string' && Object.hasOwn(inner, key)
          ? inner[key]
          : undefined;
    found = chooseSchema(next, inner);
  }
  return { schema: found, value: inner, order };
}

/** What is added: the fields that are required, empty. */
function buildEmpty(schema: FieldSchema): unknown {
  const chosen = schema.anyOf?.[0] === undefined ? schema : chooseSchema(schema, undefined);
  if (chosen.const !== undefined) return chosen.const;
  if (chosen.examples?.[0] !== undefined) return chosen.examples[0];
  if (chosen.enum !== undefined) return chosen.enum[0];
  if (chosen.properties !== undefined) {
    const { properties, required = [] } = chosen;
    return Object.fromEntries(required.map((key) => [key, buildEmpty(properties[key] ?? {})]));
  }
  if (chosen.additionalProperties !== undefined) return {};
  if (chosen.type === 'array') return [buildEmpty(chosen.items ?? {})];
  if (chosen.type === 'boolean') return false;
  return chosen.type === 'number' || chosen.type === 'integer' ? 0 : '';
}
