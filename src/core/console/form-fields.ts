/** The way to a field of a file: keys, and positions from 0. */
export type FieldPath = readonly (string | number)[];

/** What a text can be the name of: `names` in the metadata of a schema. The editor offers those that there are. */
export const NAMED = [
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
export interface FieldSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly names?: FieldNames | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly FieldSchema[] | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  readonly additionalProperties?: FieldSchema | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: FieldSchema | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly isMain?: boolean | undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface FieldBase {
  readonly path: FieldPath;
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
      /** It has as many items as it may. */
      readonly isFull: boolean;
    })
  /** A value that has no field: it is edited as text. */
  | (FieldBase & { readonly kind: 'other' });

/** A text with more characters gets several lines. */
const LONG = 70;

/** The fields of the values that were there before a change, most of which stay. */
const built = new WeakMap<object, readonly [schema: FieldSchema, place: string, field: EditField]>();

/**
 * Builds the fields of a value from its schema; of a value that was not changed, the same ones again. `path` leads to it in the
 * file; `label` is its name, if it has one of its own.
 */
export function buildField(
  schema: FieldSchema,
  value: unknown,
  path: FieldPath,
  isRequired = true,
  label?: string,
): EditField {
  if (typeof value !== 'object' || value === null) return buildNew(schema, value, path, isRequired, label);
  const place = JSON.stringify([path, isRequired, label]);
  const known = built.get(value);
  if (known?.[0] === schema && known[1] === place) return known[2];
  const field = buildNew(schema, value, path, isRequired, label);
  built.set(value, [schema, place, field]);
  return field;
}

function buildNew(
  schema: FieldSchema,
  value: unknown,
  path: FieldPath,
  isRequired: boolean,
  label?: string,
): EditField {
  const chosen = chooseSchema(schema, value);
  const key = path.at(-1);
  const base: FieldBase = {
    path,
    name: JSON.stringify(path),
    label: typeof key === 'number' ? nameItem(value, key) : (label ?? schema.title ?? nameKey(key ?? '')),
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
  path: FieldPath,
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
    isFull: list.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY),
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
  consent: { site: 'as on this site', none: 'never', full: 'always' },
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

const NAMING_KEYS = [
  'title',
  'label',
  'name',
  'question',
  'what',
  'text',
  'when',
  'platform',
  'key',
] as const;

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

/** The fields of a form that are there or have to be, without those that have fields in them. */
export const listPresent = (field: EditField): readonly EditField[] =>
  field.kind !== 'group' && field.kind !== 'list'
    ? [field]
    : field.isPresent || field.isRequired
      ? (field.kind === 'group' ? field.fields : field.items).flatMap(listPresent)
      : [];

/** The fields of a mapping. */
export type FieldGroup = Extract<EditField, { kind: 'group' }>;

/** The way to a field in the form that addresses have: `sections.2.title`. */
export const formatAt = (path: FieldPath) => path.join('.');

const isWithin = (at: string, path: FieldPath) => `${at}.`.startsWith(`${formatAt(path)}.`);

/** The field of a form at an address, or the nearest one around it. */
export function findFieldAt(field: EditField, at: string): EditField {
  const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : [];
  const next = inner.find(({ path }) => isWithin(at, path));
  return next === undefined ? field : findFieldAt(next, at);
}

/** What is added: what can be nothing else. What has to be filled in is not there, and undefined where it is all. */
export function buildEmpty(schema: FieldSchema): unknown {
  const chosen = schema.anyOf?.[0] === undefined ? schema : chooseSchema(schema, undefined);
  if (chosen.const !== undefined) return chosen.const;
  if (chosen.examples?.[0] !== undefined) return chosen.examples[0];
  if (chosen.enum !== undefined) return chosen.enum[0];
  if (chosen.properties !== undefined) {
    const { properties, required = [] } = chosen;
    return Object.fromEntries(
      required
        .map((key) => [key, buildEmpty(properties[key] ?? {})] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
  if (chosen.additionalProperties !== undefined) return {};
  // As many items as the list needs.
  if (chosen.type === 'array')
    return Array.from(
      { length: Math.max(1, chosen.minItems ?? 1) },
      () => buildEmpty(chosen.items ?? {}) ?? '',
    );
  return chosen.type === 'boolean' ? false : undefined;
}

export function findSchema(schema: FieldSchema, value: unknown, path: FieldPath) {
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

/** A value with another one at a path; undefined takes away what is there, and what is missing on the way is made. */
export function setAt(value: unknown, [key, ...rest]: FieldPath, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value) && typeof key === 'number') {
    if (rest.length === 0 && next === undefined) return value.filter((_, index) => index !== key);
    return value.map((item, index) => (index === key ? setAt(item, rest, next) : item));
  }
  const own = isObject(value) ? value : {};
  const inner = setAt(Object.hasOwn(own, key) ? own[key] : undefined, rest, next);
  const { [key]: _, ...others } = own;
  return inner === undefined ? others : { ...own, [key]: inner };
}

/** A value of a form with a field emptied: the optional mapping that it was alone in goes too. */
export function takeAway(value: unknown, path: FieldPath, form: EditField): unknown {
  const next = setAt(value, path, undefined);
  const around = path.slice(0, -1);
  const parent = around.reduce<EditField | undefined>((field, _, index) => {
    const inner = field?.kind === 'group' ? field.fields : field?.kind === 'list' ? field.items : [];
    return inner.find((one) => formatAt(one.path) === formatAt(around.slice(0, index + 1)));
  }, form);
  const left = around.reduce<unknown>((found, key) => Reflect.get(Object(found), key), next);
  const isGone =
    around.length > 0 &&
    parent?.kind === 'group' &&
    !parent.isRequired &&
    isObject(left) &&
    Object.keys(left).length === 0;
  return isGone ? takeAway(next, around, form) : next;
}

/** What a field has when its text is written; undefined: nothing. */
export function parseTyped(field: EditField, text: string): unknown {
  if (field.kind === 'lines') {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return lines.length > 0 || field.isRequired ? lines : undefined;
  }
  if (text.trim() === '') return field.takesNull ? null : undefined;
  if (field.kind === 'number') {
    const number = text.trim().replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
    return /^-?\d+(\.\d+)?$/.test(number) ? Number(number) : text;
  }
  if (field.kind === 'choice' && field.options.join() === 'true,false')
    return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
