import { z } from 'zod';
import { MONEY_WORDS, ORDERS } from '../../products/compare.ts';
import { defineSection, text } from './fields.schema.ts';

const productKey = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the short name of a product');
const offerKey = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be the key of an offer of the product');

const product = productKey.meta({ names: 'product', description: 'Which product it is about.' });
const offer = offerKey
  .optional()
  .meta({ names: 'offer', description: 'The offer whose price is shown; the cheapest when left out.' });
const button = text.max(40).optional().describe('Words of the buttons; they fit the kind when left out.');

/** How a choice was made: never by what it earns. */
const basis = text
  .refine((words) => !MONEY_WORDS.test(words), 'must not be about what the site earns')
  .describe('On what the choice and the order rest, in a sentence.');

/** One product with its verdict, prices and buttons. */
export const productBoxSchema = defineSection('product-box', {
  product,
  offer,
  badge: text.max(60).optional().describe('Why it is here, such as `Best for small rooms`.'),
  button,
  brief: z.boolean().default(false).describe('Only the verdict and the offer, where the page says the rest.'),
});

const comparedRow = z
  .strictObject({
    label: text.describe('What the row compares.'),
    cells: z.array(text).min(2).max(6).optional().describe('A text for each product.'),
    fact: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .optional()
      .meta({ names: 'fact', description: 'A fact that the products have; a dash where one has it not.' }),
  })
  .refine(({ cells, fact }) => (cells === undefined) !== (fact === undefined), 'needs `cells` or a `fact`');

/** Two to six products side by side: differences first, equal rows folded. */
export const productComparisonSchema = defineSection('product-comparison', {
  products: z.array(product).min(2).max(6).describe('The columns.'),
  rows: z.array(comparedRow).max(30).default([]).describe('Rows after price, best for and not for.'),
  scores: z.boolean().default(false).describe('Compares the scores, which need the same criteria.'),
  button,
}).superRefine(({ products, rows }, issues) => {
  if (new Set(products).size < products.length)
    issues.addIssue({ code: 'custom', path: ['products'], message: 'has a product twice' });
  rows.forEach(({ cells }, index) => {
    if (cells === undefined || cells.length === products.length) return;
    const message = `has ${cells.length} cells for ${products.length} products`;
    issues.addIssue({ code: 'custom', path: ['rows', index, 'cells'], message });
  });
});

/** A shortcode has digits as a text. */
const example = z.coerce.number().int().min(0).max(1_000_000);

/** What each product costs with the reader's own numbers: first year, plan, sum, and what is not in it. */
export const volumePricesSchema = defineSection('volume-prices', {
  products: z.array(product).min(2).max(6).describe('The rows; each has an offer with `volume`.'),
  people: example.min(1).describe('People with a seat in the example.'),
  contacts: example.describe('Contacts in the example.'),
  texts: example.describe('Texts a month in the example.'),
  emails: example.describe('Emails a month in the example.'),
  tries: z.array(z.int().min(1)).max(4).default([]).describe('Other numbers of people, as links.'),
  button,
});

const pick = z.strictObject({
  product,
  offer,
  bestFor: text.max(80).describe('What it is the best for, such as `Beginners`.'),
  why: text.max(200).describe('The reason in a sentence.'),
  limit: text.max(160).describe('Where it stops.'),
});

/** The recommendations of a page, a row for each kind of reader. */
export const picksTableSchema = defineSection('picks-table', {
  basis,
  items: z.array(pick).min(2).max(8).describe('The picks.'),
  button,
});

/** Products in an order with a stated basis, each with reasons. */
export const roundupSchema = defineSection('roundup', {
  basis,
  order: z
    .enum(ORDERS)
    .default('listed')
    .describe('score: best first, price: cheapest first, listed: as written here.'),
  items: z
    .array(
      z.strictObject({
        product,
        offer,
        bestFor: text.max(80).optional().describe('What it is the best for.'),
        text: text.optional().describe('What the page says of it besides its verdict.'),
      }),
    )
    .min(2)
    .max(12)
    .describe('The products.'),
  button,
}).superRefine(({ items }, issues) => {
  if (new Set(items.map((item) => item.product)).size === items.length) return;
  issues.addIssue({ code: 'custom', path: ['items'], message: 'has a product twice' });
});

const criterion = z.strictObject({
  key: productKey.meta({ names: 'criterion', description: 'One that the products are rated by.' }),
  title: text.max(60).describe('Name of the criterion.'),
  questions: z
    .record(productKey, text)
    .optional()
    .describe('Its questions by key, each with the answer of every product; the points alone when left out.'),
});

/** Products by criteria that documents answer: the points of each, or every answer with its source. */
export const criteriaTableSchema = defineSection('criteria-table', {
  products: z.array(product).min(2).max(6).describe('The products, all rated by the same questions.'),
  criteria: z.array(criterion).min(1).max(4).describe('The criteria.'),
}).refine(({ criteria }) => new Set(criteria.map(({ questions }) => questions === undefined)).size === 1, {
  path: ['criteria'],
  message: 'have `questions` all or none',
});

/** Two products against each other: for whom the one, for whom the other. */
export const versusSchema = defineSection('versus', {
  products: z.array(product).length(2).describe('The two products.'),
  verdict: text.describe('The answer in one or two sentences.'),
  button,
}).refine(({ products: [one, other] }) => one !== other, {
  path: ['products'],
  message: 'has a product twice',
});
