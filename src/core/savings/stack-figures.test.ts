import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { forAll } from '../../../test/support/for-all.ts';
import { readSampleProducts, SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { buildFigures, findAgedCharges } from '../pages/claims/placeholders.ts';
import { resolveName } from '../pages/claims/statements.ts';
import type { Product } from '../products/product.ts';
import { buildBill, calculateSavings } from './calculate-savings.ts';
import { buildSavings, calculatorsSchema } from './calculators.schema.ts';
import { formatDollars } from './parse-amount.ts';

const file = calculatorsSchema.parse(
  parse(readFileSync(path.join(SHIPPED_CONTENT, 'calculators.yaml'), 'utf8')),
);
const shipped = readSampleProducts(SHIPPED_CONTENT);

/** The shipped products with other amounts of HighLevel's offers and charges, by key. */
function price(amounts: Readonly<Record<string, number>>): Map<string, Product> {
  const highlevel = shipped.get('highlevel') ?? expect.fail();
  const offers = highlevel.offers.map((one) => ({ ...one, amount: amounts[one.key] ?? one.amount }));
  const facts = highlevel.facts.map((one) =>
    one.micros === undefined ? one : { ...one, micros: amounts[one.key] ?? one.micros },
  );
  return new Map([...shipped, ['highlevel', { ...highlevel, offers, facts }]]);
}

function read(products: ReadonlyMap<string, Product>, now?: number) {
  const savings = buildSavings(file, products, (at, reason) => expect.fail(`${at.join('.')} ${reason}`));
  return { savings, figures: buildFigures({ savings, products, claims: new Map(), now }) };
}

it('the shipped example: $1,195 before usage and $1,116.95 with it, at five sizes of agency', () => {
  const { figures, savings } = read(shipped);
  const show = (...names: string[]) => names.map((name) => figures.get(`stack:${name}`));
  expect(show('saving', 'saving-year', 'saving-percent')).toEqual(['$1,195', '$14,340', '80%']);
  expect(show('usage', 'plan-net', 'net', 'net-year')).toEqual([
    '$78.05',
    '$375.05',
    '$1,116.95',
    '$13,403.40',
  ]);
  expect(show('volumes', 'checked', 'people', 'per-seat', 'without-seats')).toEqual([
    '3,000 texts and 40,000 emails',
    'May 5, 2025',
    '9',
    '$50',
    '$1,042',
  ]);
  expect(show(...[3, 6, 9, 15, 25].map((people) => `people-${people}`))).toEqual([
    '$1,192',
    '$1,342',
    '$1,492',
    '$1,792',
    '$2,292',
  ]);
  expect(buildBill(savings, 'unlimited')?.net).toEqual({ rest: '$1,116.95', year: '$13,403.40' });
});

it(
  'for any prices, every net figure is the one of the files, and the same as the totals that articles name',
  { tags: ['rest'] },
  () =>
    forAll(
      2,
      [
        fc.integer({ min: 0, max: 1400 }),
        fc.integer({ min: 0, max: 1_000 }),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 200_000 }),
      ],
      (plan, text, email, number, campaign) => {
        const rates = {
          text: text * 100,
          email: email * 100,
          number: number * 10_000,
          campaign: campaign * 100,
        };
        const { figures, savings } = read(
          price({
            unlimited: plan * 100,
            'text-high': rates.text,
            email: rates.email,
            'number-local': rates.number,
            'campaign-high': rates.campaign,
          }),
        );
        const usage = Math.round(
          (3_000 * rates.text + 40_000 * rates.email + rates.number + rates.campaign) / 10_000,
        );
        const net = 1_492_00 - plan * 100 - usage;
        expect(figures.get('stack:net')).toBe(formatDollars(net));
        expect(figures.get('stack:net-year')).toBe(formatDollars(net * 12));
        expect(figures.get('stack:plan-net')).toBe(figures.get('total:highlevel-nine'));
        expect(buildBill(savings, 'unlimited')?.net?.rest).toBe(formatDollars(Math.max(0, net)));
      },
    ),
);

it('a calculator with usage names its volumes, and leaves out what they cost', () => {
  const { roi } = read(shipped).savings.calculators;
  if (roi === undefined) expect.fail();
  expect(roi.copy.net).toBe('With 500 texts and 2,000 emails');
  expect(roi.copy.compared).toContain('adds $10.65');
  const at = (crmCost: string) => calculateSavings(roi, { crmCost });
  expect([at('500').monthlyCents, at('500').netCents]).toEqual([403_00, 392_35]);
  expect([at('107.65').netCents, at('107.66').netCents, at('97').netCents]).toEqual([0, 1, 0]);
});

it('a bill past the age of its price shows no saving', () => {
  const bill = buildBill(read(shipped).savings, 'unlimited', Date.parse('2028-11-24'));
  expect(bill).toMatchObject({
    stack: '$1,492',
    plan: 'see price',
    rest: 'see price',
    net: { year: 'see price' },
  });
});

it('a bill that the plan and its usage exceed leaves $0 with usage', () => {
  const { savings } = read(price({ unlimited: 1_450_00 }));
  expect(buildBill(savings, 'unlimited')).toMatchObject({ rest: '$42', net: { rest: '$0', year: '$0' } });
});

it('a net figure names the prices that it rests on, and the days of charges past their age', () => {
  const now = Date.parse('2026-11-24');
  const { figures, savings } = read(shipped, now);
  expect(resolveName('stack:net', { products: shipped, savings })).toContain('product:highlevel.text-high');
  expect(resolveName('stack:saving', { products: shipped, savings })).toEqual([]);
  const charges = findAgedCharges(figures, { savings, products: shipped, now });
  expect(charges.get('stack:net')).toEqual({ shown: '$1,116.95', day: '2025-05-05' });
  expect(charges.has('stack:saving')).toBe(false);
  const old = read(shipped, Date.parse('2028-11-24')).figures;
  expect([old.get('stack:net'), old.get('stack:plan-net')]).toEqual(['see price', 'see price']);
});

it('a total that does not exist is reported where it is named', () => {
  const problems: string[] = [];
  buildSavings({ ...file, stackUsage: 'none' }, shipped, (at, reason) =>
    problems.push(`${at.join('.')}: ${reason}`),
  );
  expect(problems).toEqual(['stackUsage: there is no total "none"']);
});
