import { z } from 'zod';
import { getMinorDigits, parseDecimalAmount } from '../commissions/money.ts';
import { parseCheckDay } from '../outbound/check-id.ts';
import { ruleFields } from '../pages/claims/content-rules.schema.ts';
import { imageField } from '../pages/images/image-field.schema.ts';
import { pageKey, siteHref, text } from '../pages/sections/fields.schema.ts';
import {
  ANSWERS,
  BILLING,
  type Fact,
  type Offer,
  PRODUCT_KINDS,
  type Product,
  QUANTITIES,
  type Source,
} from './product.ts';

const key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'only a-z, 0-9 and single hyphens between them');
const https = z.url({ protocol: /^https$/, error: 'must be an https address' });
const currency = z.string().regex(/^[A-Z]{3}$/, 'has to be an ISO 4217 code such as USD');
const day = z.iso.date('must be a day such as 2026-11-21');

/** How a figure was read: on the live page by the operator, in a transcription or a copy of it, or as the operator's word. */
const READ = ['opened', 'transcribed', 'copied', 'stated'] as const;

const how = {
  via: text
    .optional()
    .describe(
      'Who transcribed it, or which copy was read, as in `a public index`; left out: nobody between the page and you.',
    ),
  read: z
    .enum(READ)
    .optional()
    .describe(
      'How it was read: opened (by you, live), transcribed, copied or stated. Left out: transcribed with `via`, else stated.',
    ),
};

type How = z.infer<z.ZodObject<typeof how>>;

const hasOwnVia = ({ via, read }: How) =>
  read === undefined || (via !== undefined) === (read === 'transcribed' || read === 'copied');

const VIA = { path: ['via'], message: 'goes with `read: transcribed` and `read: copied`, and with no other' };

const resolveHow = ({ via, read }: How) => ({
  via,
  // That somebody has opened a page is never said by default.
  read: read ?? (via === undefined ? ('stated' as const) : ('transcribed' as const)),
});

const source = z
  .strictObject({
    title: text.describe('What was read, for example `Pricing page`.'),
    href: https.describe('Its address.'),
    checked: day.nullish().meta({
      isMain: true,
      description:
        'Day on which it was read; of a copy, the day of the copy. A draft may have none: write it when you have looked.',
    }),
    ...how,
    check: z
      .string()
      .refine((id) => parseCheckDay(id) !== null, 'must be the id of a check, such as lc-20261103-9f2c61aa')
      .optional()
      .describe('Id of a check of a link that shows it; its day replaces `checked`.'),
    image: imageField.optional().describe('A picture of the page as it was opened.'),
  })
  .refine(hasOwnVia, VIA);

/** What a price, a fact or a coupon rests on. */
const sourceKey = key.meta({ names: 'source', description: 'The source in which it was read.' });

const fact = z
  .strictObject({
    label: text.describe('What the figure is.'),
    value: text.optional().describe('The figure or the term as shown, when it is no amount of money.'),
    amount: z.number().nonnegative().optional().describe('An amount of money, with at most 6 decimals.'),
    per: text.optional().describe('What the amount is per, for example `text segment`.'),
    source: sourceKey.optional(),
    note: text.optional().describe('A limit of the figure or a contradiction in the sources.'),
  })
  .refine(
    ({ value, amount }) => (value === undefined) !== (amount === undefined),
    'needs either `value` or `amount`',
  )
  .refine(({ source, note }) => source !== undefined || note !== undefined, {
    path: ['note'],
    message: 'is missing: a figure without a `source` needs a note that says so',
  })
  .refine(({ amount = 0 }) => Math.abs(amount * 1e6 - Math.round(amount * 1e6)) < 1e-3, {
    path: ['amount'],
    message: 'has more than 6 decimals',
  });

const quantity = z.enum(QUANTITIES);
const charge = z.strictObject({
  fact: key.meta({
    names: 'fact',
    description: 'A fact of the product that is an amount of money with a source.',
  }),
  label: text.describe('Begins its line of the sum.'),
  each: quantity.optional().describe('Charged for each of these; left out: once a month.'),
  above: z.int().min(0).default(0).describe('How many of them are included.'),
  by: z.int().min(1).default(1).describe('The amount is for so many of them.'),
  when: quantity.optional().describe('Charged only to readers who have some of these.'),
  once: z.boolean().default(false).describe('true: in the first year only, once.'),
});
const missing = z.strictObject({ text, name: text.max(30).optional().describe('Its word in the verdict.') });

const volume = z
  .strictObject({
    each: quantity.optional().describe('The price is for each of these, for example `people`.'),
    limits: z.partialRecord(quantity, z.int().min(1)).default({}).describe('What the price covers.'),
    open: z.partialRecord(quantity, text).default({}).describe('What no dated source says; not in the sum.'),
    why: text.optional().describe('Why this plan, in a sentence.'),
    charges: z.array(charge).max(8).default([]).describe('What is paid on top.'),
    missing: z.array(missing).max(4).default([]).describe('What the price does not contain.'),
  })
  .describe("Makes the offer a plan that is priced by a reader's numbers, see `volume-prices`.");
const reading = z
  .strictObject({
    amount: z.number().nonnegative().describe('The price that was read.'),
    from: day.describe('Day on which it was read.'),
    ...how,
    source: sourceKey,
  })
  .refine(hasOwnVia, VIA);

const offer = z.strictObject({
  name: text.describe('Name of the plan, or of the shop.'),
  partner: pageKey.meta({ names: 'partner', description: 'Where the button leads.' }),
  destination: pageKey
    .default('pricing')
    .meta({ names: 'destination', description: 'The page of the partner.' }),
  price: z.number().nonnegative().optional().meta({
    isMain: true,
    description: 'The list price; 0 for a free plan. Left out with its `source`: pages show *see price*.',
  }),
  billed: z.enum(BILLING).describe('once, monthly or yearly.'),
  per: text.optional().describe('What the price is for, for example `seat`.'),
  terms: text.optional().describe('A condition of the price in a few words, for example `billed yearly`.'),
  currency: currency.optional().describe('Currency of the price when it is not that of the product.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'has to be an ISO 3166 code such as US')
    .optional()
    .describe('The country whose readers can buy it.'),
  audience: text.optional().describe('Whom the offer is for.'),
  source: sourceKey.optional().meta({ isMain: true }),
  history: z
    .array(reading)
    .max(50)
    .default([])
    .describe('Earlier prices, oldest first. Without `read` and `via` they were read as their source.'),
  facts: z.record(key, fact).default({}).describe('Figures of this offer alone, such as its limits.'),
  volume: volume.optional(),
});

const score = z.strictObject({
  criterion: text.describe('What is rated.'),
  score: z
    .number()
    .min(0)
    .max(5)
    .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e5), 'has more than one decimal'),
  why: text.describe('The reason for the score.'),
});

const answer = z
  .strictObject({
    answer: z
      .enum(ANSWERS)
      .describe('yes: a point. partly: half a point. no: none. open: no document answers it.'),
    why: text.optional().describe('What the document says.'),
    source: sourceKey.optional(),
  })
  .refine(({ answer, source }) => answer === 'open' || source !== undefined, {
    path: ['source'],
    message: 'is missing: every answer but `open` needs the document that gives it',
  })
  .refine(({ answer, source }) => answer !== 'open' || source === undefined, {
    path: ['source'],
    message: 'goes with every answer but `open`, which no document gives: remove it',
  });

const evidence = z
  .strictObject({
    text: text.describe('What shows that it was tested: a measurement, the plan that was used.'),
    href: z.union([siteHref, https]).optional().describe('Where it can be seen.'),
    image: imageField.optional().describe('A photograph or a screenshot of the test.'),
  })
  .describe('Evidence of a test.');

const tested = z.strictObject({
  by: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the short name of an author')
    .meta({ names: 'author' }),
  on: day.describe('Day on which the test ended.'),
  evidence: z.array(evidence).min(1, 'needs at least one entry: what shows that it was tested'),
});

const coupon = z
  .strictObject({
    code: text.max(40).describe('As it is entered.'),
    text: text.describe('What it does.'),
    source: sourceKey.describe('The page of the merchant that grants it.'),
    starts: day.describe('First day.'),
    ends: day.describe('Last day.'),
  })
  .refine(({ starts, ends }) => ends >= starts, { path: ['ends'], message: 'is before `starts`' });

const points = z.array(text).min(2, 'needs at least two').max(8).default([]);

const fields = z.strictObject({
  name: text.max(80),
  kind: z.enum(PRODUCT_KINDS),
  maker: text.max(80).optional().describe('Who makes it.'),
  image: imageField.optional().meta({ isMain: true }),
  verdict: text.max(240).optional().describe('The verdict in one sentence.'),
  for: z.array(text).min(1).max(6).default([]).describe('For whom it is.'),
  notFor: z.array(text).min(1).max(6).default([]).describe('For whom it is not.'),
  pros: points,
  cons: points,
  currency: currency.default('USD'),
  /** A price that was checked longer ago is not shown any more. */
  maxAgeDays: z.int().min(1).max(1_000).default(180),
  sources: z.record(key, source).default({}),
  offers: z.record(key, offer),
  facts: z.record(key, fact).default({}).describe('Limits, charges and terms of the product.'),
  unpriced: text.optional().describe('What is known of the prices that no offer has, in a sentence.'),
  scores: z.array(score).max(8).default([]),
  criteria: z
    .record(key, z.record(key, answer))
    .default({})
    .describe('Answers of documents to the questions of each criterion, for a `criteria-table`.'),
  tested: tested.optional(),
  coupons: z.array(coupon).max(4).default([]),
  button: text.max(40).optional().describe('Words of its buttons; they fit the kind when left out.'),
  ...ruleFields,
  draft: z.boolean().default(false).describe('true: pages cannot show it yet.'),
});

/** A product as its file has it: with the keys of its sources. */
export type ProductFields = z.infer<typeof fields>;

/** Names that placeholders use themselves. */
const TAKEN_BY_PRODUCT: ReadonlySet<string> = new Set(['maker', 'verdict', 'price', 'score', 'checked']);
const TAKEN_BY_OFFER: ReadonlySet<string> = new Set([
  'name',
  'unit',
  'year',
  'audience',
  'partner',
  'checked',
  'source',
]);

/** Reports readings that are out of order, after the present price or no amounts of the offer's currency. */
function checkHistory(
  { history, source: present, currency }: ProductFields['offers'][string],
  product: ProductFields,
  report: (path: (string | number)[], message: string) => void,
): void {
  const { check = '', checked } = product.sources[present ?? ''] ?? {};
  const today = parseCheckDay(check) ?? checked ?? '';
  if (history.length > 0 && present === undefined) report([], 'needs a present price: the last reading');
  history.forEach(({ amount, from }, index) => {
    const next = history[index + 1]?.from ?? today;
    if (next !== '' && from >= next)
      report([index, 'from'], `is not before ${next}, the day of the next reading`);
    const unit = currency ?? product.currency;
    if (!isAmount(amount, unit)) report([index, 'amount'], `is no amount of ${unit}`);
  });
}

function isAmount(price: number, currency: string): boolean {
  const exact = price * 10 ** getMinorDigits(currency);
  return Math.abs(exact - Math.round(exact)) <= 1e-6;
}

function checkTogether(product: ProductFields, issues: z.RefinementCtx): void {
  const report = (path: (string | number)[], message: string) =>
    issues.addIssue({ code: 'custom', path, message });
  for (const [name, { checked, check }] of Object.entries(product.sources)) {
    if (!product.draft && !checked && check === undefined)
      report(['sources', name, 'checked'], 'is missing: the day on which you looked at the page');
  }
  const checkSource = (named: string | undefined, path: (string | number)[]) => {
    if (named === undefined || Object.hasOwn(product.sources, named)) return;
    report(path, `there is no source "${named}"; sources has ${Object.keys(product.sources).join(', ')}`);
  };
  const names = new Set<string>();
  if (Object.keys(product.offers).length === 0) report(['offers'], 'needs at least one offer');
  for (const [name, one] of Object.entries(product.offers)) {
    const { source: named, price, currency = product.currency, facts, billed, volume } = one;
    names.add(name);
    checkHistory(one, product, (at, message) => report(['offers', name, 'history', ...at], message));
    one.history.forEach(({ source: of }, index) => {
      checkSource(of, ['offers', name, 'history', index, 'source']);
    });
    checkSource(named, ['offers', name, 'source']);
    if (price === undefined && named !== undefined)
      report(['offers', name, 'price'], 'is missing: a `source` is that of a price');
    if (price !== undefined && named === undefined)
      report(['offers', name, 'source'], 'is missing: a price needs one');
    if (!isAmount(price ?? 0, currency)) report(['offers', name, 'price'], `is no amount of ${currency}`);
    if (TAKEN_BY_PRODUCT.has(name)) report(['offers', name], `"${name}" is a name that placeholders use`);
    if (volume !== undefined && (price === undefined || billed === 'once'))
      report(['offers', name, 'volume'], 'needs a `price` that is billed monthly or yearly');
    volume?.charges.forEach(({ fact: key }, index) => {
      if (product.facts[key]?.amount === undefined || product.facts[key].source === undefined)
        report(['offers', name, 'volume', 'charges', index, 'fact'], `"${key}" is no amount with a source`);
    });
    for (const [inner, { source: of }] of Object.entries(facts)) {
      checkSource(of, ['offers', name, 'facts', inner, 'source']);
      if (TAKEN_BY_OFFER.has(inner))
        report(['offers', name, 'facts', inner], `"${inner}" is a name that placeholders use`);
    }
  }
  for (const [name, { source: named }] of Object.entries(product.facts)) {
    checkSource(named, ['facts', name, 'source']);
    if (names.has(name)) report(['facts', name], 'an offer has this key');
    if (TAKEN_BY_PRODUCT.has(name)) report(['facts', name], `"${name}" is a name that placeholders use`);
  }
  for (const [criterion, answers] of Object.entries(product.criteria))
    for (const [name, { source: named }] of Object.entries(answers))
      checkSource(named, ['criteria', criterion, name, 'source']);
  product.coupons.forEach(({ source: named }, index) => {
    checkSource(named, ['coupons', index, 'source']);
  });
  const criteria = product.scores.map(({ criterion }) => criterion);
  const second = criteria.findIndex((criterion, index) => criteria.indexOf(criterion) < index);
  if (second >= 0) report(['scores', second, 'criterion'], 'is rated twice');
}

/** Shape of `content/products/{key}.yaml`: one product with everything that pages say of it. */
export const productSchema = fields
  .superRefine(checkTogether)
  .transform(({ sources, offers, facts, scores, coupons, ...product }): Omit<Product, 'key'> => {
    const findSource = (name: string): Source => ({
      key: name,
      title: sources[name]?.title ?? '',
      href: sources[name]?.href ?? '',
      checked: parseCheckDay(sources[name]?.check ?? '') ?? sources[name]?.checked ?? '',
      check: sources[name]?.check,
      image: sources[name]?.image,
      ...resolveHow(sources[name] ?? {}),
    });
    const buildFacts = (list: ProductFields['facts'], unit: string): readonly Fact[] =>
      Object.entries(list).map(([name, { source: named, amount, ...rest }]) => ({
        key: name,
        ...rest,
        micros: amount === undefined ? undefined : Math.round(amount * 1e6),
        currency: unit,
        source: named === undefined ? undefined : findSource(named),
      }));
    return {
      ...product,
      offers: Object.entries(offers).map(
        ([name, { source: named, price, facts: inner, history, ...rest }]): Offer => {
          const unit = rest.currency ?? product.currency;
          const toMinor = (amount: number) => parseDecimalAmount(String(amount), unit) ?? 0;
          return {
            key: name,
            ...rest,
            currency: unit,
            amount: toMinor(price ?? 0),
            history: history.map(({ amount, from, source: of, via, read }) => ({
              amount: toMinor(amount),
              source: {
                ...findSource(of),
                checked: from,
                ...((via ?? read) !== undefined && resolveHow({ via, read })),
              },
            })),
            facts: buildFacts(inner, unit),
            source: named === undefined ? undefined : findSource(named),
          };
        },
      ),
      sources: Object.keys(sources).map(findSource),
      facts: buildFacts(facts, product.currency),
      scores,
      coupons: coupons.map(({ source: named, ...rest }) => ({ ...rest, source: findSource(named) })),
    };
  });
