import { z } from 'zod';
import { COMMISSION_KINDS, COMMISSION_STATUSES } from '../ledger/commission-fact.ts';
import { isTimeZone } from '../local-time.ts';

/**
 * What a field of a message or a column of a report can mean; `subId` is the click. `voided`, `locked` and `paid` are of
 * reports that have columns of their own for them. `label`: an id that names a page; `item`, `itemName` and `items`: what was
 * bought; `from`: the first day of a row of several.
 */
export const MEANINGS = [
  'id',
  'subId',
  'status',
  'amount',
  'saleAmount',
  'currency',
  'kind',
  'eventTime',
  'changeTime',
  'clickTime',
  'voided',
  'locked',
  'paid',
  'label',
  'item',
  'itemName',
  'items',
  'from',
] as const;
export type Meaning = (typeof MEANINGS)[number];

const text = z.string().trim().min(1).max(400);
/** YAML reads `0`, `1.5` and `true` as values of their own; in these files they are words. */
const word = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((raw) => (Array.isArray(raw) || raw === undefined ? raw : [raw]), z.array(item).min(1));
/** The names that secrets of networks have, with the partner's behind them where each has its own. */
export const SECRET_NAME =
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:TOKEN|KEY|SECRETS?|SID|ID|USER|PASSWORD|PASSPHRASE)(?:_[A-Z0-9_]+)?$/;
/** Settings of the site, of this version and earlier ones, whose names look like secrets of networks. */
const SITE_SETTING =
  /^(?:ARTICLE_SERVICE|FORM|GHOST|LEDGER_COPY|NEWSLETTER|WEBHOOK)_KEY|^PREVIEW_TOKEN$|^WEBHOOK_SECRETS$|^SMTP_|^GA_|^(?:CLICK|NEWSLETTER_FORM)_ID/;
const secretName = z
  .string()
  .regex(SECRET_NAME, 'has to be a name such as ACME_TOKEN, ACME_KEY, ACME_SECRET, ACME_ID or ACME_USER')
  .refine((name) => !SITE_SETTING.test(name), 'is a setting of the site, which no network gets');

/** One thing that holds or not of a message, row or record; the words are those of `is`. */
const condition = z.strictObject({
  /** The first of these fields that is filled. */
  field: listOf(text),
  /**
   * Words (`*` at an end stands for anything), or `filled`, `empty`, `zero` (no digit but 0), `set` (neither empty nor a
   * word for no), `negative`, `placeholder`, `past` (a date that has been reached), `group` (fields inside).
   */
  is: listOf(word).optional(),
  above: z.number().optional(),
});
/** Several conditions hold together. */
const conditions = listOf(condition);

/** A text of a message: a path, the first of several that is filled, or one of the fields below. */
const value = z.preprocess(
  (raw) => {
    if (typeof raw === 'string' || Array.isArray(raw)) return { field: raw };
    return raw;
  },
  z.strictObject({
    /** Paths such as `data.items[0].id`; `{ when, take }` is a path under a condition. */
    field: listOf(z.union([text, z.strictObject({ when: conditions, take: text })])).optional(),
    /** Where no field is filled. */
    constant: word.optional(),
    join: z.array(text).min(1).optional(),
    /** Between the parts of `join`. */
    with: z.string().default('-'),
    /** Before the text: `sub:` for the total of a click, `item:` for one of an item. */
    prefix: z.string().max(20).default(''),
    /** Of each part of `join`: more characters are cut off. */
    longest: z.int().positive().optional(),
    /** A path beside the list of records. */
    response: text.optional(),
  }),
);

/** Rules in their order: the first that holds decides. A word that no table knows is unknown. */
const rules = <Word extends z.ZodType>(to: Word) =>
  z.array(
    z.strictObject({
      when: conditions.optional(),
      // biome-ignore lint/suspicious/noThenProperty: the name that the files have; nothing awaits them
      then: to.optional(),
      field: value.optional(),
      /** The network's words, in any case; the usual ones are known without. */
      words: z.record(z.string().toLowerCase(), to).default({}),
    }),
  );
const statusRules = rules(z.enum(COMMISSION_STATUSES));
const kindRules = rules(z.enum(COMMISSION_KINDS));

const record = z.strictObject({
  id: value,
  click: value.optional(),
  amount: value,
  sale: value.optional(),
  currency: value.optional(),
  eventTime: value.optional(),
  changeTime: value.optional(),
  clickTime: value.optional(),
  /** An id that names a page (`link.label`). */
  label: value.optional(),
  status: statusRules.optional(),
  kind: kindRules.optional(),
  /** Whether a negative amount is a correction; else it is refused unless the kind says so. */
  negative: z.enum(['adjustment', 'refused']).default('refused'),
  /** Whether each record is a payment of a subscription at partners with `recurring`. */
  repeats: z.boolean().default(false),
  /** Amounts that are written without the sign that they have. */
  negateWhen: conditions.optional(),
});

/** How what a network sends is read. */
const push = z.strictObject({
  /** The field that has the message as JSON. */
  unwrap: text.optional(),
  /** What shows that a message has the network's shape; others are read as the documented postback. */
  own: conditions,
  /** Whether the shape alone tells the network, without its name in the partner's file. */
  alone: z.boolean().default(false),
  signature: z
    .strictObject({
      uses: z.enum(['hmac-hex', 'svix', 'digistore24-sha']),
      header: z.string().toLowerCase().optional(),
      field: text.optional(),
      secret: secretName,
    })
    .optional(),
  /** A message that is encrypted as a whole. */
  decrypt: z.strictObject({ uses: z.enum(['clickbank-aes']), secret: secretName }).optional(),
  /** The text that the network expects as response. */
  answer: z.string().max(40).optional(),
  rules: z
    .array(
      z.strictObject({
        when: conditions.optional(),
        // biome-ignore lint/suspicious/noThenProperty: the name that the files have; nothing awaits them
        then: z.enum(['test', 'ignored']).optional(),
        record: record.optional(),
      }),
    )
    .min(1),
});

const names = z.preprocess(
  (raw, issues) => {
    if (Object.hasOwn(Object(raw), 'click'))
      issues.addIssue({ code: 'custom', path: ['click'], message: 'is called subId here' });
    return raw;
  },
  z.partialRecord(z.enum(MEANINGS), listOf(text)),
);

/** How rows of the network's reports are read. */
const report = z.strictObject({
  /** Headings that only this report has. */
  recognize: z.array(text).default([]),
  /** Headings by meaning, before the usual ones. */
  columns: names.default({}),
  /** For rows without an id of their own. */
  id: value.optional(),
  /** What its rows are: commissions, orders without money, or sums of the commissions of another report. */
  money: z.enum(['commissions', 'none', 'sums']).default('commissions'),
  /** Whether rows of one id are several commissions, which get numbers. */
  numbersRows: z.boolean().default(false),
  /** Added to the id of rows with a negative amount. */
  returns: text.optional(),
  status: statusRules.optional(),
  kind: kindRules.optional(),
  dates: z.enum(['month-first', 'day-first']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  /** Columns of money or of states that are known and not read. */
  ignore: z.array(text).default([]),
});

/** Characters of a class: themselves, and ranges such as `a-z`; a hyphen at an end is one. */
const characterClass = z.strictObject({
  of: z.string().regex(/^[!-~]{1,100}$/, 'has to be characters and ranges such as a-z0-9-'),
  least: z.int().nonnegative().max(400).default(1),
  /** Left out: as many as `least`. */
  most: z.int().positive().max(400).optional(),
});
type CharacterClass = z.output<typeof characterClass>;

/** Earlier files have a regular expression: one of classes with lengths is read as these, every other one is not. */
function readFormerPattern(raw: unknown): unknown {
  const [, inner] = (typeof raw === 'string' && /^\^(.{1,400})\$$/.exec(raw)) || [];
  if (inner === undefined) return raw;
  const parts = [
    ...inner.matchAll(/(?:\[([\w!-,./:-@\\-]+)\]|(\\[dw.-]|[\w-]))(?:\{(\d+)(,?)(\d*)\}|([+*?]))?/g),
  ];
  if (parts.map(([all]) => all).join('') !== inner) return raw;
  return parts.map(([, set, one = '', from, comma, to, mark]) => {
    const of = (set ?? one).replaceAll('\\d', '0-9').replaceAll('\\w', 'A-Za-z0-9_').replace(/\\(.)/g, '$1');
    const least = from === undefined ? Number(mark !== '*' && mark !== '?') : Number(from);
    const isOpen = mark === '+' || mark === '*' || (comma === ',' && to === '');
    return { of, least, most: isOpen ? 400 : mark === '?' ? 1 : to ? Number(to) : undefined };
  });
}

const pattern = z.preprocess(
  readFormerPattern,
  z.array(characterClass, 'has to be a list such as [{ of: a-z0-9-, least: 1, most: 20 }]').min(1).max(20),
);

/** Whether an id consists of classes with their lengths, in time that grows with both alone. */
export function matchesClasses(id: string, classes: readonly CharacterClass[]): boolean {
  let ends = new Set([0]);
  for (const { of, least, most = least } of classes) {
    const members = of.replace(/(.)-(.)/g, (_, first: string, last: string) =>
      Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (__, index) =>
        String.fromCharCode(first.charCodeAt(0) + index),
      ).join(''),
    );
    const next = new Set<number>();
    for (const start of ends)
      for (let count = 0; count <= most; count += 1) {
        if (count >= least) next.add(start + count);
        if (!members.includes(id[start + count] ?? '\0')) break;
      }
    ends = next;
  }
  return ends.has(id.length);
}

/** `10 of 0-9`, for a sentence. */
export const describeClasses = (classes: readonly CharacterClass[]): string =>
  classes
    .map(({ of, least, most = least }) => `${least === most ? least : `${least} to ${most}`} of ${of}`)
    .join(', then ');

const fill = z.record(z.string(), word);
/** Reports the fields that a scheme cannot do without. */
const needsFields =
  (fields: Readonly<Partial<Record<string, readonly string[]>>>) =>
  (value: { readonly scheme: string }, issues: z.RefinementCtx) => {
    for (const field of fields[value.scheme] ?? [])
      if (Reflect.get(value, field) === undefined)
        issues.addIssue({ code: 'custom', path: [field], message: `is missing: ${value.scheme} needs it` });
  };
const page = z
  .strictObject({
    scheme: z.enum(['none', 'cursor', 'number', 'offset', 'next']),
    parameter: text.optional(),
    /** Where a POST has the page. */
    in: z.enum(['body', 'query']).default('body'),
    size: z.strictObject({ parameter: text, value: z.int().positive() }).optional(),
    /** `cursor`: its path in the last record; `next`: the path of the next address in the response. */
    from: value.optional(),
    /** The path of the number of pages. */
    pages: text.optional(),
    /** What shows that there are more pages; `last` that there are none. */
    more: conditions.optional(),
    last: conditions.optional(),
  })
  .superRefine(
    needsFields({
      cursor: ['parameter', 'from'],
      number: ['parameter'],
      offset: ['parameter'],
      next: ['from'],
    }),
  )
  .default({ scheme: 'none', in: 'body' });
const timeFormat = z.enum(['day', 'day-compact', 'day-dots', 'iso', 'iso-z', 'ms', 'seconds']);
const windowFields = z
  .strictObject({
    from: text,
    to: text.optional(),
    format: timeFormat,
    /** Days of the longest window; left out: one window. */
    days: z.number().positive().optional(),
    overlapDays: z.number().nonnegative().default(0),
    lookBackDays: z.number().positive(),
    aheadDays: z.number().nonnegative().default(0),
  })
  .refine(({ days = Infinity, overlapDays }) => overlapDays < days, 'needs overlapDays below days');

/** A list of an interface. */
const list = z.strictObject({
  /** Below the address of the interface. */
  path: z.string().default(''),
  method: z.enum(['GET', 'POST']).default('GET'),
  query: fill.default({}),
  /** The body of a POST as JSON; windows and pages are written into it. */
  body: z.record(z.string(), z.unknown()).optional(),
  window: windowFields.optional(),
  /** Several readings, such as one for each kind of date; fields replace those above. */
  passes: z.array(z.strictObject({ query: fill.default({}), window: windowFields.optional() })).optional(),
  page,
  /** Where the list is; empty: the response is the list. */
  records: listOf(z.string()),
  /** A field with a list: each entry is a record of its own with the fields around it. */
  expand: text.optional(),
  /** What shows an error in a response with status 200. */
  fails: conditions.optional(),
  /** Which records count; left out: all. */
  only: conditions.optional(),
  record,
  /** The fields that may name the click or the program; left out: all. */
  strings: z.array(text).optional(),
});

const api = z.strictObject({
  needs: z.array(secretName).min(1),
  optional: z.array(secretName).default([]),
  url: z
    .string()
    .regex(/^https:\/\/[a-z0-9.-]+(?:\/[^\s]*)?$/, 'has to begin with https:// and name its host'),
  auth: z
    .strictObject({
      scheme: z.enum(['bearer', 'basic', 'header', 'query', 'oauth']),
      secret: secretName,
      user: secretName.optional(),
      /** The name of the header or parameter; of `oauth`, where the token is no header. */
      name: text.optional(),
      /** Before the key in its header. */
      prefix: z.string().default(''),
      /** `oauth`: the address of tokens, its grant, and further fields. */
      url: z.string().startsWith('https://').optional(),
      fields: fill.default({}),
      /** `oauth`: the path of the token in the response. */
      token: text.default('access_token'),
    })
    .superRefine(needsFields({ header: ['name'], query: ['name'], oauth: ['url'] })),
  headers: fill.default({}),
  /** Of amounts that name none, when the partner's file does not either. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  rate: z.strictObject({ requests: z.int().positive(), perSeconds: z.number().positive() }).optional(),
  ...list.shape,
  /** A list of single commissions that only checks the totals above. */
  compare: list.optional(),
});

/** The secrets that requests use and that nothing declares, so that nobody is asked for them. */
function listUndeclared({ needs, optional, ...rest }: z.output<typeof api>): readonly string[] {
  const { auth } = rest;
  const written = [...JSON.stringify(rest).matchAll(/\{([A-Z][A-Z0-9_]+)\}/g)].map(([, name = '']) => name);
  const used = [auth.secret, auth.user ?? auth.secret, ...written.filter((name) => SECRET_NAME.test(name))];
  return [...new Set(used)].filter((name) => !needs.includes(name) && !optional.includes(name));
}

const seen = z.enum(['documented', 'code', 'secondary']);
const day = z.iso.date();

const fact = z.strictObject({
  id: word,
  click: z.boolean().optional(),
  status: z.enum(COMMISSION_STATUSES),
  kind: z.enum(COMMISSION_KINDS).optional(),
  amount: z.int(),
  sale: z.int().optional(),
  currency: z.string(),
  time: word.optional(),
  /** `changeTime`, where `time` is another. */
  changed: word.optional(),
  label: word.optional(),
  items: z.int().optional(),
});
export type ExpectedFact = z.output<typeof fact>;

/** A message, a report or a response with what it becomes; `CLICK` stands for a click id. */
export const messageSchema = z
  .strictObject({
    name: text,
    /** Whether the source has it as it is, or it is composed of names that the source documents. */
    is: z.enum(['quoted', 'composed']),
    query: text.optional(),
    form: z.record(z.string(), word).optional(),
    /** A text: byte for byte as it was sent, which its signature needs. */
    json: z.unknown().optional(),
    csv: z.string().optional(),
    /** A response of the interface. */
    response: z.unknown().optional(),
    currency: z.string().optional(),
    /** A secret that protects nothing, with the headers that the message has by it. */
    signed: z
      .strictObject({ secret: text, headers: z.record(z.string().toLowerCase(), word).default({}) })
      .optional(),
    /** `unconfirmed`: nobody has said yet what is right. */
    becomes: z.union([z.enum(['test', 'ignored', 'unread', 'unconfirmed']), listOf(fact)]),
  })
  .refine(
    (one) =>
      [one.query, one.form, one.json, one.csv, one.response].filter((way) => way !== undefined).length === 1,
    'needs one of query, form, json, csv and response',
  );

/** `networks/*.yaml`: everything that is known of a network. Interpreted, never executed. */
export const networkSchema = z
  .strictObject({
    format: z.literal(1),
    title: text.max(60),
    seen: z
      .partialRecord(z.enum(['push', 'interface', 'report', 'link', 'status', 'payments']), seen)
      .default({}),
    sources: z.array(z.strictObject({ text, day })).min(1),
    /** Left out: a message below shows a reversal. */
    reversal: z.literal('unknown').optional(),
    note: z.string().max(600).optional(),
    link: z
      .strictObject({
        parameter: text.optional(),
        more: z.array(text).default([]),
        place: z.enum(['query', 'path']).default('query'),
        maxLength: z.int().positive().optional(),
        keepsCase: z.boolean().optional(),
        clickIds: z.enum(['allowed', 'forbidden', 'not-stated']).default('not-stated'),
        /** Hosts of its links, each with everything below it. */
        hosts: z.array(text).default([]),
        /** Hosts of its shops: a link to them is paid when it names who is. */
        shops: z.array(text).default([]),
        /** The parameters of links to these hosts that name who is paid, and the merchant. */
        payee: text.optional(),
        merchant: text.optional(),
        /** Parameters that name who is paid on any merchant's own site. */
        marks: z.array(text).default([]),
        /** Ids that an account may have several of, so that each can name a page. */
        label: z
          .strictObject({
            parameter: text,
            maxLength: z.int().positive().optional(),
            /** Which characters ids have, part by part. */
            pattern: pattern.optional(),
            /** Of an account. */
            most: z.int().positive().optional(),
            /** Days after which half of the orders of a click have come, and after which it has none any more. */
            usualDays: z.number().positive().max(60).default(3),
            longestDays: z.int().min(1).max(180).default(90),
          })
          .optional(),
      })
      .optional(),
    /** What is entered at the network behind the address of its postbacks. */
    template: z.string().max(1_000).optional(),
    unit: z.enum(['decimal', 'minor', 'fractions']).default('decimal'),
    /** Of amounts that name none, when the partner's file does not either. */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    /** Of times without an offset; left out: that of the partner. */
    timeZone: z.string().refine(isTimeZone, 'has to be an IANA time zone such as Europe/Berlin').optional(),
    /** Of dates such as 03/04/2026; `unknown`: they are asked about. */
    dates: z.enum(['month-first', 'day-first', 'unknown']).default('unknown'),
    status: statusRules.default([]),
    kind: kindRules.default([]),
    /** Names of fields and columns by meaning, the most specific one first, where a message has no paths. */
    names: names.default({}),
    /** Names of money that can be the commission or the sale. */
    vague: z.array(text).default([]),
    /** Words that call a row one of totals. */
    totals: z.array(text).default([]),
    push: push.optional(),
    interface: api.optional(),
    report: report.optional(),
    /** Further reports by name, each found by its headings. */
    reports: z.record(z.string().regex(/^[a-z-]{1,30}$/), report).default({}),
    payments: z
      .strictObject({
        text,
        minimum: z.number().nonnegative().optional(),
        currency: z.string().optional(),
      })
      .optional(),
    messages: z.array(messageSchema).min(1),
  })
  .superRefine((file, issues) => {
    const add = (path: (string | number)[], text: string) =>
      issues.addIssue({ code: 'custom', path, message: text });
    const isReversal = ({ becomes }: z.output<typeof messageSchema>) =>
      Array.isArray(becomes) && becomes.some(({ status, amount }) => status === 'reversed' || amount < 0);
    if (file.reversal === undefined && !file.messages.some(isReversal))
      add(['messages'], 'have no reversal: add one, or reversal: unknown');
    file.push?.rules.forEach((rule, index) => {
      if ((rule.then === undefined) === (rule.record === undefined))
        add(['push', 'rules', index], 'needs either then or record');
    });
    for (const name of file.interface === undefined ? [] : listUndeclared(file.interface))
      add(['interface', 'needs'], `lacks ${name}, which requests use`);
    const { signature } = file.push ?? {};
    const hasBody = file.messages.some(({ form, json }) => (form ?? json) !== undefined);
    if (signature !== undefined && signature.uses !== 'digistore24-sha' && !hasBody)
      add(
        ['push', 'signature'],
        `${signature.uses} signs a body, and no message has one: for queries leave it out; their secret address protects them`,
      );
  });

/**
 * A network as its file describes it. `shipped`, of a file of the content folder alone: the file of that name that ships with
 * the program, null without one.
 */
export type NetworkFile = z.output<typeof networkSchema> & { readonly shipped?: NetworkFile | null };

/** Whether the network documents what of it is read, or programs of others say so. */
export const isDocumented = (
  { seen }: NetworkFile,
  ...parts: readonly (keyof NetworkFile['seen'])[]
): boolean => parts.some((part) => seen[part] === 'documented');

/** Whether a network sends messages; false: it has reports to import, or an interface. */
export const sendsMessages = (file: NetworkFile | undefined): boolean =>
  file === undefined || file.push !== undefined || file.template !== undefined;

/** What to do first with a network that sends no messages: what is read by itself before what is imported by hand. */
export const nameFirstTask = (file: NetworkFile | undefined): string =>
  file?.interface === undefined ? 'Import its report' : 'Connect its interface';
export type NetworkValue = z.output<typeof value>;
export type NetworkCondition = z.output<typeof condition>;
export type NetworkRecord = z.output<typeof record>;
export type NetworkList = z.output<typeof list>;
export type NetworkApi = z.output<typeof api>;
export type NetworkRules<Word extends string> = readonly {
  readonly when?: readonly NetworkCondition[] | undefined;
  readonly then?: Word | undefined;
  readonly field?: NetworkValue | undefined;
  readonly words: Readonly<Record<string, Word>>;
}[];

/** Every network of a site by its name: those that ship, and those of the content folder. */
export type Networks = ReadonlyMap<string, NetworkFile>;
