import { expect, it } from 'vitest';
import { readSampleProducts, readSampleSavings } from '../../../test/support/sample-content.ts';
import { buildFigures, fillFigures } from '../pages/claims/placeholders.ts';
import { describePrice, formatMicros, formatPrice, isAged, parsePrice } from './price.ts';
import { productSchema } from './product.schema.ts';
import { computeScore, describeReading, findCheapest, listReadings, type Product } from './product.ts';
import { buildTotalFigures } from './totals.ts';

const DESK = {
  name: 'Desk One',
  kind: 'physical',
  maker: 'Desk Company',
  verdict: 'A steady desk.',
  for: ['Tall people'],
  notFor: ['Small rooms'],
  pros: ['Steady', 'Quiet'],
  cons: ['Heavy', 'Slow'],
  maxAgeDays: 30,
  sources: {
    shop: { title: 'Shop', href: 'https://shop.example/desk', checked: '2026-11-01' },
    store: { title: 'Store', href: 'https://store.example/desk', checked: '2026-10-01' },
  },
  offers: {
    shop: { name: 'Shop', partner: 'shop', price: 499, billed: 'once', source: 'shop' },
    store: { name: 'Store', partner: 'store', price: 479.5, billed: 'once', source: 'store', country: 'US' },
  },
};
const NOV_15 = Date.parse('2026-11-15');

const parse = (changes: object = {}): Product => ({
  key: 'desk',
  ...productSchema.parse({ ...DESK, ...changes }),
});
const problemsOf = (changes: object) =>
  productSchema
    .safeParse({ ...DESK, ...changes })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('\n');

const figures = buildFigures({
  savings: readSampleSavings(),
  products: new Map([...readSampleProducts(), ['desk', parse()]]),
  claims: new Map(),
});
const fill = (text: string) =>
  fillFigures(text, figures, (name) => {
    throw new Error(`nothing is called ${name}`);
  });

it.each([
  [{ answer: 'yes' }, 'criteria.limits.users.source: is missing: every answer but `open`'],
  [{ answer: 'open', source: 'shop' }, 'criteria.limits.users.source: goes with every answer but `open`'],
])('of the answer %j the source is named as it is wrong', (answer, problem) =>
  expect(problemsOf({ criteria: { limits: { users: answer } } })).toContain(problem),
);

it.each([
  ['{product:kit} costs {product:kit.creator} {product:kit.creator.unit}', 'Kit costs $39 per month'],
  ['{product:kit.creator.year}, or {product:kit.creator-yearly} paid yearly', '$468, or $390 paid yearly'],
  ['{product:hubspot.starter} {product:hubspot.starter.unit}', '$20 per seat per month'],
  ['up to {product:kit.free-subscribers}', 'up to 10,000'],
  ['{product:highlevel.text-low} a text', '$0.0113 a text'],
  ['{product:highlevel.starter.sub-accounts} and {subaccounts:starter}', '3 and 3'],
  ['checked on {product:kit.creator.checked}', 'checked on August 13, 2026'],
  ['{product:kit.creator.source}', '[Kit pricing](https://kit.com/pricing)'],
  ['{product:desk.price}, {product:desk.shop}', '$479.50, $499'],
  ['{price:unlimited}, {trial:days}, {guarantee:days}', '$297, 14, 30'],
])('%s becomes %s', (text, expected) => expect(fill(text)).toBe(expected));

const withShop = (shop: object) => ({
  sources: { ...DESK.sources, shop: { ...DESK.sources.shop, ...shop } },
});

it.each([
  [{}, 'Stated by the operator on November 1, 2026.'],
  [{ read: 'stated' }, 'Stated by the operator on November 1, 2026.'],
  [{ read: 'opened' }, 'We opened the live page on November 1, 2026.'],
  [{ via: 'a public index' }, 'Price transcribed on November 1, 2026 by a public index.'],
  [{ via: 'a copy of the page', read: 'copied' }, 'From a copy of the page, as of November 1, 2026.'],
])('a source with %j says how it was read', (shop, expected) =>
  expect(describeReading(parse(withShop(shop)).sources[0] ?? expect.fail())).toBe(expected),
);

it.each([
  [{ read: 'transcribed' }, 'sources.shop.via: goes with'],
  [{ read: 'opened', via: 'a public index' }, 'sources.shop.via: goes with'],
  [{ checked: null }, 'sources.shop.checked: is missing: the day on which you looked at the page'],
])('refuses a source with %j', (shop, expected) => expect(problemsOf(withShop(shop))).toContain(expected));

const withHistory = (...history: readonly object[]) => ({
  offers: {
    shop: {
      ...DESK.offers.shop,
      history: history.map((one) => ({ amount: 450, from: '2026-08-01', source: 'store', ...one })),
    },
  },
});

it('readings are in order, the last before the present price, each as its source was read or as it says', () => {
  const sources = {
    ...DESK.sources,
    store: { ...DESK.sources.store, via: 'a public index', read: 'copied' },
  };
  const history = withHistory({}, { from: '2026-10-31', amount: 460.5, read: 'opened' });
  const [offer = expect.fail()] = parse({ ...history, sources }).offers;
  expect(
    listReadings(offer).map(({ amount, source }) => [amount, source.checked, source.read, source.via]),
  ).toEqual([
    [45_000, '2026-08-01', 'copied', 'a public index'],
    [46_050, '2026-10-31', 'opened', undefined],
    [49_900, '2026-11-01', 'stated', undefined],
  ]);
});

it.each([
  [[{ from: '2026-11-01' }], 'offers.shop.history.0.from: is not before 2026-11-01'],
  [[{}, { from: '2026-08-01' }], 'offers.shop.history.0.from: is not before 2026-08-01'],
  [[{ from: 'August' }], 'offers.shop.history.0.from: must be a day'],
  [[{ amount: '450' }], 'offers.shop.history.0.amount: '],
  [[{ amount: 450.005 }], 'offers.shop.history.0.amount: is no amount of USD'],
  [[{ source: 'memory' }], 'offers.shop.history.0.source: there is no source "memory"'],
  [[{ read: 'transcribed' }], 'offers.shop.history.0.via: goes with'],
])('refuses the readings %j', (history, expected) =>
  expect(problemsOf(withHistory(...history))).toContain(expected),
);

it('refuses earlier readings of an offer without a price', () => {
  const { price: _, source: __, ...bare } = withHistory({}).offers.shop;
  expect(problemsOf({ offers: { shop: bare } })).toContain('offers.shop.history: needs a present price');
});

it('a draft may have a price that nobody has looked at: it is not shown', () => {
  const desk = parse({ ...withShop({ checked: null }), draft: true });
  expect(describePrice(desk, desk.offers[0] ?? expect.fail())).toBe('see price');
});

it.each([
  ['2026-11-15', false],
  ['2026-12-01', false],
  ['2026-12-02', true],
])('of a price checked on November 1 that is shown for 30 days, it says on %s: aged %s', (day, expected) => {
  const desk = parse();
  expect(isAged(desk, desk.offers[0] ?? expect.fail(), Date.parse(day))).toBe(expected);
});

it('a price is shown for as many days as its product says, then replaced in every figure', () => {
  const desk = parse();
  const products = new Map([['desk', desk]]);
  const aged = buildFigures({ savings: readSampleSavings(), products, claims: new Map(), now: NOV_15 });
  const show = (name: string) => aged.get(`product:desk${name}`);
  expect([show('.shop'), show('.store'), show('.price')]).toEqual(['$499', 'see price', 'see price']);
});

it('adds prices and charges exactly, with the oldest day', () => {
  const lines = [
    { figure: 'hubspot.marketing-professional', times: 1 },
    { figure: 'hubspot.seat-professional', times: 6 },
  ];
  expect(buildTotalFigures(lines, readSampleProducts())).toEqual([
    ['', '$1,160'],
    ['.rounded', '$1,160'],
    ['.checked', 'August 13, 2026'],
  ]);
  const texts = buildTotalFigures([{ figure: 'highlevel.text-low', times: 4_000 }], readSampleProducts());
  expect(texts[0]).toEqual(['', '$45.20']);
  const saving = [
    { amount: 1_492, times: 1 },
    { figure: 'highlevel.unlimited', times: -1 },
    { figure: 'highlevel.text-high', times: -3_000 },
  ];
  expect(buildTotalFigures(saving, readSampleProducts())[0]).toEqual(['', '$1,155.10']);
  // An example's own amounts are dollars without a day, and nothing is less than zero by a rounding.
  expect(buildTotalFigures([{ amount: -0.4, times: 1 }], readSampleProducts())).toEqual([
    ['', '\u2212$0.40'],
    ['.rounded', '$0'],
  ]);
  const inEuro = new Map([['desk', parse({ currency: 'EUR' })], ...readSampleProducts()]);
  const currencies = ['desk.shop', 'kit.creator'].map((figure) => ({ figure, times: 1 }));
  expect(buildTotalFigures(currencies.slice(0, 1), inEuro)[0]).toEqual(['', '€499']);
  expect(buildTotalFigures(currencies, inEuro)).toEqual([]);
  const mixed = [
    { figure: 'desk.shop', times: 1 },
    { figure: 'desk.store', times: -1 },
  ];
  expect(buildTotalFigures(mixed, new Map([['desk', parse()]]), NOV_15)[0]).toEqual(['', 'see price']);
});

it.each([
  [49_900, 'USD', '$499'],
  [47_950, 'USD', '$479.50'],
  [34_900, 'EUR', '€349'],
  [5_000, 'JPY', '¥5,000'],
])('writes %d minor units of %s as %s', (amount, currency, expected) => {
  expect(formatPrice(amount, currency)).toBe(expected);
});

it.each([
  [8_300, '$0.0083'],
  [675, '$0.000675'],
  [1_150_000, '$1.15'],
  [1_500_000, '$1.50'],
  [45_000_000, '$45'],
])('writes %d millionths of a dollar as %s', (micros, expected) => {
  expect(formatMicros(micros, 'USD')).toBe(expected);
});

it('the cheapest offer is that of a month, and a free one costs nothing', () => {
  const kit = readSampleProducts().get('kit') ?? expect.fail();
  expect(describePrice(kit, findCheapest(kit))).toBe('Free');
  const paid = { ...kit, offers: kit.offers.filter(({ amount }) => amount > 0) };
  expect(findCheapest(paid).key).toBe('creator-yearly');
});

it('the score is the mean of the criteria with one decimal', () => {
  expect(computeScore([{ score: 4 }, { score: 4.5 }, { score: 5 }])).toBe(4.5);
  expect(computeScore([{ score: 4.1 }, { score: 4.2 }])).toBe(4.2);
  expect(computeScore([])).toBeNull();
});

it.each([
  ['no offer', { offers: {} }, 'offers: needs at least one offer'],
  [
    'a price without a known source',
    { offers: { shop: { ...DESK.offers.shop, source: 'web' } } },
    'offers.shop.source: there is no source "web"',
  ],
  [
    'a source without a day',
    { sources: { ...DESK.sources, shop: { title: 'Shop', href: 'https://shop.example/' } } },
    'sources.shop.checked',
  ],
  [
    'a price that is no amount of its currency',
    { offers: { shop: { ...DESK.offers.shop, price: 4.999 } } },
    'offers.shop.price: is no amount of USD',
  ],
  [
    'a coupon that ends before it starts',
    { coupons: [{ code: 'A', text: '10% off', source: 'shop', starts: '2026-11-02', ends: '2026-11-01' }] },
    'coupons.0.ends: is before',
  ],
  ['a figure without a source or a note', { facts: { weight: { label: 'Weight', value: '40 kg' } } }, 'note'],
  [
    'a key that placeholders use',
    { facts: { price: { label: 'Price', value: '1', source: 'shop' } } },
    'facts.price: "price" is a name that placeholders use',
  ],
  [
    'a criterion twice',
    {
      scores: [
        { criterion: 'Noise', score: 4, why: 'Quiet.' },
        { criterion: 'Noise', score: 3, why: 'Loud.' },
      ],
    },
    'scores.1.criterion: is rated twice',
  ],
  ['a score above 5', { scores: [{ criterion: 'Noise', score: 6, why: 'Quiet.' }] }, 'scores.0.score'],
])('%s is refused', (_, changes, problem) => {
  expect(problemsOf({})).toBeUndefined();
  expect(problemsOf(changes)).toContain(problem);
});

it.each([
  ['$1,299', 129_900],
  ['479,95 €', null],
  ['479,95', 47_995],
  ['1.299', null],
  ['free', 0],
  ['-5', null],
  ['', null],
])('parses the price %j', (text, amount) => expect(parsePrice(text, 'USD')).toBe(amount));

it.each([
  ['29,990', 'TND', null],
  ['29.990', 'TND', 29_990],
  ['29,9', 'TND', 29_900],
  ['1,299', 'USD', 129_900],
  ['1.299', 'USD', null],
  ['1.299', 'JPY', 1_299],
  ['1.299,50', 'EUR', 129_950],
] as const)('the price %s in %s is %s', (text, currency, amount) =>
  expect(parsePrice(text, currency)).toBe(amount),
);
