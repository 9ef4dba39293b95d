import { z } from 'zod';
import { findTokenCandidates, TOKEN_ENCODINGS, TOKEN_LENGTHS } from '../commissions/ledger/click-token.ts';
import { COMMISSION_STATUSES, FACT_SOURCES } from '../commissions/ledger/commission-fact.ts';
import {
  DEFAULT_TERMS,
  NO_PAYMENT_TERMS,
  PAYOUT_CLOCKS,
  PAYOUT_RHYTHMS,
  type PaymentTerms,
  type Payout,
  WEEKDAYS,
} from '../commissions/ledger/commission-terms.ts';
import { isTimeZone } from '../commissions/local-time.ts';
import { formatDecimalAmount, parseDecimalAmount } from '../commissions/money.ts';
import { isLoopback } from '../text/parse-text.ts';
import { findNearest } from '../text/words.ts';
import { addMonth, listActiveUses } from './labels.ts';
import { NO_EXPECTATION } from './page-expectation.ts';
import { FORWARDED, NO_RULES, REDIRECTS, UTM_WORDS } from './partner.ts';

/** Names that the outbound table fills in itself; a program's own parameter cannot be one of them. */
const TAKEN =
  /^(utm_.*|journey_pages|session_time|entry_page|assessment_type|revenue_range|challenges|gclid|fbclid|campaign_id|ad_group_id|ad_id)$/;

const key = z.string().regex(/^[a-z0-9-]{1,40}$/, 'only a-z, 0-9 and -, at most 40 characters');

const parameter = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,39}$/, 'only letters, digits, _ . and -, at most 40 characters')
  .refine((name) => !TAKEN.test(name), 'is a parameter that every outbound link has already');

const address = z.string().superRefine((text, issues) => {
  const reason = whyNotAnAddress(text);
  if (reason) issues.addIssue({ code: 'custom', message: reason });
});

function whyNotAnAddress(text: string): string | null {
  if (!URL.canParse(text)) return 'is not an absolute address';
  const url = new URL(text);
  if (url.username || url.password) return 'has a user name or password in it';
  if (url.protocol === 'https:') return null;
  return url.protocol === 'http:' && isLoopback(url.hostname) ? null : 'has to begin with https://';
}

const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'has to be an ISO 4217 code such as USD');

const paymentFields = z.strictObject({
  approvalDays: z.int().min(0).max(365).nullable().default(null),
  rhythm: z.enum(PAYOUT_RHYTHMS).optional(),
  /** Of the rhythm `monthly`: days of the month; in a shorter month its last day. */
  days: z.array(z.int().min(1).max(31)).min(1).max(8).optional(),
  /** Of the rhythm `net`. */
  daysAfterMonth: z.int().min(0).max(365).optional(),
  /** Of the rhythm `weekly`. */
  weekday: z.enum(WEEKDAYS).optional(),
  by: z.enum(PAYOUT_CLOCKS).optional(),
  minimum: z.strictObject({ amount: z.number().positive(), currency: currencyCode }).optional(),
  afterEnd: z
    .enum(['pays-on', 'stops'])
    .nullable()
    .default(null)
    .describe(
      'Whether it goes on paying for customers that you have brought, once you work with it no more.',
    ),
  method: z.string().trim().min(1).max(60).nullable().default(null),
  contact: z.email().nullable().default(null),
});

type PaymentFields = z.infer<typeof paymentFields>;

/** The field that each rhythm needs; no other rhythm has it. */
const RHYTHM_FIELDS = { monthly: 'days', net: 'daysAfterMonth', weekly: 'weekday' } as const;

function checkPayments(fields: PaymentFields, issues: z.RefinementCtx): void {
  const report = (path: string[], message: string) => issues.addIssue({ code: 'custom', path, message });
  const { rhythm, days = [], by, minimum } = fields;
  for (const known of PAYOUT_RHYTHMS) {
    const field = RHYTHM_FIELDS[known];
    const isGiven = fields[field] !== undefined;
    if (known === rhythm && !isGiven) report([field], `is missing; rhythm: ${known} needs it`);
    if (known !== rhythm && isGiven) report([field], `belongs to rhythm: ${known}`);
  }
  if (new Set(days).size < days.length) report(['days'], 'has a day twice');
  if (by !== undefined && (rhythm === undefined || rhythm === 'weekly' || days.length > 1)) {
    report(['by'], 'belongs to rhythm: net, and to rhythm: monthly with one day');
  }
  if (minimum === undefined) return;
  const amount = parseMinimum(minimum);
  if (amount === null || Number(formatDecimalAmount(amount, minimum.currency)) !== minimum.amount) {
    report(['minimum', 'amount'], `is no amount of ${minimum.currency}`);
  }
}

const parseMinimum = ({ amount, currency }: NonNullable<PaymentFields['minimum']>) =>
  parseDecimalAmount(String(amount), currency);

function buildPayout({
  rhythm,
  days,
  daysAfterMonth,
  weekday,
  by = 'approval',
}: PaymentFields): Payout | null {
  const [day, ...others] = days ?? [];
  if (rhythm === 'monthly' && day !== undefined) {
    return others.length === 0
      ? { rhythm: 'month-day', day, by }
      : { rhythm: 'month-days', days: [day, ...others].sort((one, other) => one - other) };
  }
  if (rhythm === 'net' && daysAfterMonth !== undefined) return { rhythm, days: daysAfterMonth, by };
  if (rhythm === 'weekly' && weekday !== undefined) return { rhythm, weekday: WEEKDAYS.indexOf(weekday) };
  return null;
}

function buildPaymentTerms(fields: PaymentFields): PaymentTerms {
  const { approvalDays, minimum, afterEnd, method, contact } = fields;
  const amount = minimum === undefined ? null : parseMinimum(minimum);
  return {
    approvalDays,
    payout: buildPayout(fields),
    minimum: minimum === undefined || amount === null ? null : { amount, currency: minimum.currency },
    afterEnd,
    method,
    contact,
  };
}

/** How the program reports commissions; the fields of `CommissionTerms`. */
const terms = {
  network: key.default(DEFAULT_TERMS.network).meta({ names: 'network' }),
  account: key.default(DEFAULT_TERMS.account),
  program: z.string().trim().max(100).default(DEFAULT_TERMS.program),
  currency: currencyCode.nullable().default(DEFAULT_TERMS.currency),
  timeZone: z
    .string()
    .refine(isTimeZone, 'has to be an IANA time zone such as Europe/Berlin')
    .default(DEFAULT_TERMS.timeZone),
  recurring: z.boolean().default(DEFAULT_TERMS.recurring),
  statuses: z
    .record(z.string().trim().toLowerCase().min(1).max(60), z.enum(COMMISSION_STATUSES))
    .default({ ...DEFAULT_TERMS.statuses }),
  source: z.enum(FACT_SOURCES).nullable().default(DEFAULT_TERMS.source),
  payments: paymentFields.superRefine(checkPayments).transform(buildPaymentTerms).default(NO_PAYMENT_TERMS),
};

const label = z
  .string()
  .regex(/^[\w.~-]{1,100}$/, 'only letters, digits, _ . ~ and -, at most 100 characters')
  .refine(
    (text) => findTokenCandidates(text).length === 0,
    'looks like a click id, and no id may name a visitor',
  );
const labelUse = z.strictObject({
  id: label,
  /** The first day on which links carry it. */
  since: z.iso.date(),
  /** Addresses of pages; none ends the use. */
  pages: z
    .array(z.string().regex(/^\/[^\s?#]*$/, 'has to be the path of a page, such as /blog/desks'))
    .max(2_000),
  /** A name for a group. */
  name: z.string().trim().max(60).default(''),
  /** One place of links on these pages (`hero`, or `box / hero`); empty: all of them. */
  placement: z.string().trim().max(140).default(''),
});

/** What an id is given to, from a day on until its next use. */
export type LabelUse = z.output<typeof labelUse>;

/**
 * Ids of a network (tracking ids, sub-ids, campaigns) that the site gives to pages, groups of pages and placements, so that
 * money without a click id finds them: `labels` of a partner's file.
 */
export const labelsSchema = z
  .strictObject({
    /** Left out: that of the network. */
    parameter: z
      .string()
      .regex(/^[A-Za-z_][\w.-]{0,39}$/, 'has to be the name of a parameter')
      .optional(),
    /** How many ids the account may have; left out: as many as the network's file says. */
    most: z.int().min(1).max(10_000).optional(),
    /** Ids that the site may give to pages. */
    pool: z.array(label).default([]),
    uses: z.array(labelUse).default([]),
  })
  .superRefine(checkLabelUses)
  // What the network's file says; see `readNetworks`.
  .transform((labels) => ({ ...labels, usualDays: 3, longestDays: 90 }));

export type PartnerLabels = z.output<typeof labelsSchema>;

function checkLabelUses(
  { pool, uses }: { readonly pool: readonly string[]; readonly uses: readonly LabelUse[] },
  issues: z.RefinementCtx,
): void {
  const report = (path: (string | number)[], message: string) =>
    issues.addIssue({ code: 'custom', path, message });
  pool.forEach((one, index) => {
    if (pool.indexOf(one) < index) report(['pool', index], 'is in the pool twice');
  });
  for (const [index, one] of uses.entries()) {
    const before = uses.slice(0, index).findLast((other) => other.id === one.id);
    if (before !== undefined && one.since < addMonth(before.since))
      report(
        ['uses', index, 'since'],
        `${one.id} moves at most once a month: the next day is ${addMonth(before.since)}`,
      );
  }
  for (const date of new Set(uses.map(({ since }) => since))) {
    const owners = new Map<string, LabelUse>();
    for (const one of listActiveUses(uses, date))
      for (const page of one.pages) {
        const owner = owners.get(`${page} ${one.placement}`);
        // Reported once: on the first day of the second one.
        if (owner !== undefined && (one.since === date || owner.since === date))
          report(['uses', uses.indexOf(one), 'pages'], `${page} has ${owner.id} from ${date} on already`);
        owners.set(`${page} ${one.placement}`, one);
      }
  }
}

const conditionSchema = z.strictObject({
  text: z.string().trim().min(1),
  source: address,
  /** Day of the copy that was read, or of the operator's own look at the source. */
  checked: z.iso.date(),
});

const ruleSchema = conditionSchema.extend({ allowed: z.enum(['yes', 'no', 'ask']) });

const rulesSchema = z.strictObject({
  claims: ruleSchema.nullable().default(null),
  comparisons: ruleSchema.nullable().default(null),
  brandBidding: ruleSchema.nullable().default(null),
  copying: ruleSchema.nullable().default(null),
  discounts: ruleSchema.nullable().default(null),
  conditions: z.array(conditionSchema).default([]),
});

export type RuleFields = z.output<typeof rulesSchema>;

/** What a program pays for a customer, and where it says so. */
const commissionSchema = z.strictObject({
  /** Of each payment of a customer. */
  percent: z.number().positive().max(100),
  /** Left out: as long as the customer pays. */
  months: z.int().positive().optional(),
  /** What follows, and what changes the rate. */
  note: z.string().trim().min(1).optional(),
  /** Offers whose prices are the examples, such as `kit.creator`. */
  examples: z
    .array(z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, 'has to be an offer such as kit.creator'))
    .min(1)
    .max(3),
  title: z.string().trim().min(1),
  source: address,
  checked: z.iso.date(),
});

const hostName = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'has to be a host in lower case, such as go.example.com');

const expectedText = z.string().trim().min(2).max(200);

/** What the page of a destination has to say; fields of `OfferExpectation`. */
const expectation = z.strictObject({
  texts: z.array(expectedText).max(10).default([]),
  without: z.array(expectedText).max(10).default([]),
  prices: z
    .array(
      z.strictObject({
        equals: z
          .string()
          .regex(
            /^(?:claim:[a-z0-9-]+|product:[a-z0-9-]+\.[a-z0-9-]+)$/,
            'has to name a price of this site, such as product:kit.creator or claim:competing-price',
          ),
        near: expectedText,
        currency: currencyCode.default('USD'),
      }),
    )
    .max(10)
    .default([]),
});

const watchFields = z.strictObject({
  /** false: no link to the partner is checked. */
  check: z.boolean().default(true),
  /** Hosts of the network or the merchant that a link passes on its way. */
  redirectHosts: z.array(hostName).max(20).default([]),
  expect: z.record(key, expectation).default({}),
});

/** What forms say about the fields below. */
export const UTM_HELP =
  'Text, and words in braces: {page} is the page of the link, {content|cta} what the link says, else cta, {partner} the short ' +
  'name of the partner, {businessType} and {budget} answers of the assessment. Empty: the parameter is left out.';

/** What a utm parameter says: text, and words of the click in braces, such as `{page}` or `{content|button}`. */
export const utmTemplate = z.string().superRefine((text, issues) => {
  const report = (message: string) => issues.addIssue({ code: 'custom', message });
  if (!/^(?:[\w.-]|\{\w+(?:\|[\w.-]+)?\}){0,100}$/.test(text))
    report('only letters, digits, _ . - and words such as {page}');
  for (const [, name = ''] of text.matchAll(/\{(\w+)/g)) {
    if (UTM_WORDS.some((word) => word === name)) continue;
    const nearest = findNearest(name, UTM_WORDS) ?? UTM_WORDS.join('}, {');
    report(`no click has the word {${name}}; did you mean {${nearest}}?`);
  }
});

const fields = z.strictObject({
  key,
  name: z.string().trim().min(1).max(60),
  site: address.refine((text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`, {
    message: 'has to be the origin of the site with a slash at the end',
  }),
  /** Hosts (with port, when it is not the usual one) that a destination may have. */
  hosts: z.array(z.string().min(1)).min(1).describe('The domains that its links may lead to.'),
  /**
   * The parameter that names who is paid, and its value, which nothing a visitor sends can change; null: the destinations name
   * it themselves, in their path or in a query that stays byte for byte.
   */
  affiliate: z
    .strictObject({
      parameter,
      value: z
        .string()
        .regex(
          /^[\w.~-]{1,100}$/,
          'only letters, digits, _ . ~ and -, at most 100 characters; with another value, set affiliate: null and leave the parameter in the destinations',
        ),
    })
    .nullable(),
  /** The parameter that carries the click id back to the operator in the program's reports; null when it has none. */
  subId: z
    .strictObject({
      parameter,
      /** Most characters that the network stores. */
      maxLength: z
        .int()
        .min(TOKEN_LENGTHS.base62)
        .max(256)
        .meta({ examples: [TOKEN_LENGTHS.uuid] }),
      encoding: z.enum(TOKEN_ENCODINGS).default('uuid'),
      /** Whether the network returns the value with unchanged case, which `base62` requires. */
      keepsCase: z.boolean().default(false),
    })
    .nullable(),
  /** Ids that name pages in the program's reports, where these have no click. */
  labels: labelsSchema.optional(),
  /**
   * How a visitor gets there. `page`: by the redirect page. `http`: by a redirect without a page, once the click is on disk.
   * `no`: links are the partner's own address, and clicks are counted beside them.
   */
  redirect: z.enum(REDIRECTS).default('page'),
  /** Whether its products may have typed prices; some programs forbid them. */
  prices: z.enum(['typed', 'none']).default('typed'),
  ...terms,
  /** A path of this site for the destination `trial`, such as `/kit-trial`; null: `/go/{key}?page=trial` alone leads there. */
  trialPath: z
    .string()
    .regex(/^\/[a-z0-9-]{1,60}$/, 'has to be one part of a-z, 0-9 and -, such as /kit-trial')
    .nullable()
    .default(null),
  forward: z
    .array(z.enum(FORWARDED))
    .refine((names) => names.includes('affiliate'), 'has to name affiliate, which says who is paid')
    .default([...FORWARDED])
    .describe('With nothing ticked, all of it.'),
  campaign: utmTemplate
    .optional()
    .describe(
      'The campaign its links name for visits that came without one. Its links have to say the campaign parameters.',
    ),
  utm: z
    .strictObject({ source: utmTemplate, medium: utmTemplate, content: utmTemplate })
    .partial()
    .optional()
    .describe(`What differs from the site’s own, if its links say the campaign parameters. ${UTM_HELP}`),
  /** What the program pays, as pages say it with `{partners:commissions}`. */
  commission: commissionSchema.optional(),
  /** What the program demands of the sites of its partners. */
  rules: rulesSchema.default({ ...NO_RULES, conditions: [] }),
  /** Absolute address by page key. `pricing` always exists and serves every unknown key. */
  destinations: z.record(key, address),
  /** How the links are checked. */
  watch: watchFields.default({ check: true, redirectHosts: [], expect: {} }),
  /** Destinations of visitors of a region, which the trusted proxy names. */
  regions: z
    .record(
      z.string().regex(/^[A-Z]{2}$/, 'has to be an ISO 3166 code in capitals, such as DE'),
      z.record(key, address),
    )
    .optional(),
});

type Fields = z.infer<typeof fields>;

function checkTogether(partner: Fields, issues: z.RefinementCtx): void {
  const report = (path: string[], message: string) => issues.addIssue({ code: 'custom', path, message });
  if (partner.subId !== null && partner.subId.parameter === partner.affiliate?.parameter) {
    report(['subId', 'parameter'], 'is the affiliate parameter already');
  }
  if (partner.subId !== null && partner.subId.maxLength < TOKEN_LENGTHS[partner.subId.encoding]) {
    const { encoding } = partner.subId;
    report(['subId', 'maxLength'], `is less than the ${TOKEN_LENGTHS[encoding]} characters of ${encoding}`);
  }
  if (partner.subId?.encoding === 'base62' && !partner.subId.keepsCase) {
    report(['subId', 'encoding'], 'base62 is case-sensitive: set keepsCase: true, or choose uuid or hex32');
  }
  if (partner.redirect === 'no') {
    const why = 'needs the redirect: with redirect: no, a link is the same for every visitor';
    if (partner.subId !== null) report(['subId'], why);
    if (partner.regions !== undefined) report(['regions'], why);
  }
  if (partner.labels?.uses.some(({ placement }) => placement !== '') && partner.redirect !== 'no')
    report(['labels'], 'a placement needs redirect: no, since behind the redirect it is a parameter');
  if (partner.labels?.parameter !== undefined && partner.labels.parameter === partner.subId?.parameter)
    report(['labels', 'parameter'], 'carries the click id already');
  const minimum = partner.payments.minimum?.currency ?? partner.currency;
  if (partner.currency !== null && minimum !== partner.currency) {
    report(
      ['payments', 'minimum', 'currency'],
      `is ${minimum}, but the commissions are in ${partner.currency}`,
    );
  }
  if (!Object.hasOwn(partner.destinations, 'pricing')) {
    report(['destinations', 'pricing'], 'is missing; it serves every unknown page key');
  }
  if (partner.trialPath !== null && !Object.hasOwn(partner.destinations, 'trial')) {
    report(['destinations', 'trial'], `is missing; ${partner.trialPath} leads to it`);
  }
  for (const { path, text } of listDestinations(partner)) {
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    if (!partner.hosts.includes(url.host)) {
      report(path, `has the host ${url.host}, which hosts does not list`);
    }
    if (partner.affiliate !== null && url.searchParams.has(partner.affiliate.parameter)) {
      report(path, `has ${partner.affiliate.parameter} in it, which every link gets anyway`);
    }
  }
  for (const page of Object.keys(partner.watch.expect)) {
    if (Object.hasOwn(partner.destinations, page)) continue;
    report(['watch', 'expect', page], 'is not a page key of destinations');
  }
  for (const [region, pages] of Object.entries(partner.regions ?? {})) {
    for (const page of Object.keys(pages)) {
      if (Object.hasOwn(partner.destinations, page)) continue;
      report(['regions', region, page], 'is not a page key of destinations');
    }
  }
}

/** Every address of the file with the way to it. */
function listDestinations({ destinations, regions = {} }: Fields): { path: string[]; text: string }[] {
  const list = (pages: Readonly<Record<string, string>>, ...path: string[]) =>
    Object.entries(pages).map(([page, text]) => ({ path: [...path, page], text }));
  return [
    ...list(destinations, 'destinations'),
    ...Object.entries(regions).flatMap(([region, pages]) => list(pages, 'regions', region)),
  ];
}

/** Shape of `content/partners/{key}.yaml`; its output is a `Partner`. */
export const partnerSchema = fields
  .superRefine(checkTogether)
  .transform(
    ({
      hosts,
      watch,
      destinations,
      regions,
      network,
      account,
      program,
      currency,
      timeZone,
      recurring,
      statuses,
      source,
      payments,
      ...partner
    }) => ({
      ...partner,
      subId: partner.forward.includes('subId') ? partner.subId : null,
      destinations: new Map(Object.entries(destinations)),
      regions:
        regions &&
        new Map(Object.entries(regions).map(([name, pages]) => [name, new Map(Object.entries(pages))])),
      watch: {
        isOff: !watch.check,
        hosts: [...hosts, ...watch.redirectHosts],
        expect: new Map(
          Object.entries(watch.expect).map(([page, expected]) => [page, { ...NO_EXPECTATION, ...expected }]),
        ),
      },
      terms: { network, account, program, currency, timeZone, recurring, statuses, source, payments },
    }),
  );

export type PartnerFile = z.output<typeof partnerSchema>;
