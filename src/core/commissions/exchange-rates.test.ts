import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../clock.ts';
import {
  convertEntries,
  getReportedMoney,
  isRate,
  listMoney,
  MAX_RATE_AGE_DAYS,
  type RateOrigin,
  RateTable,
  sumForeignMoney,
} from './exchange-rates.ts';
import type { LedgerEntry } from './ledger/build-ledger.ts';
import type { RateDay } from './ledger/stored-money.schema.ts';
import { getMinorDigits } from './money.ts';

const day = (
  date: string,
  rates: Readonly<Record<string, string>>,
  origin: RateOrigin = 'ecb',
  base = 'EUR',
): RateDay => ({ day: date, base, origin, rates });

/** Of the European Central Bank, April 2025, which published no rate from Good Friday to Easter Monday. */
const ECB = [
  day('2025-04-17', { USD: '1.136', JPY: '161.98', GBP: '0.85873', KWD: '0.34835' }),
  day('2025-04-22', { USD: '1.1476', JPY: '161.05', GBP: '0.85858', KWD: '0.35161' }),
];

const convert = (amount: number, from: string, to: string, date = '2025-04-17', days = ECB) => {
  const rate = new RateTable(days, to).findRate(from, date);
  return rate === null ? null : [rate.convert(amount), rate.day];
};

it.each([
  ['1.0832', true],
  ['17487.21', true],
  ['0.000001', true],
  ['0', false],
  ['0.00', false],
  ['-1.2', false],
  ['1,0832', false],
  ['1e3', false],
  ['N/A', false],
  ['', false],
  ['1.', false],
  ['1234567890', false],
])('%j is a rate: %s', (text, expected) => expect(isRate(text)).toBe(expected));

it.each([
  // 1,000.00 × 1.136
  ['EUR', 'USD', 100_000, 113_600],
  // 10.01 × 1.136 = 11.37136
  ['EUR', 'USD', 1_001, 1_137],
  // 0.01 × 1.136 = 0.01136
  ['EUR', 'USD', 1, 1],
  // 10.00 / 1.136 = 8.802816…
  ['USD', 'EUR', 1_000, 880],
  ['USD', 'EUR', -1_000, -880],
  // 10.00 × 161.98 = 1,619.80: the yen has no minor unit
  ['EUR', 'JPY', 1_000, 1_620],
  ['JPY', 'EUR', 1_620, 1_000],
  // The dinar has three digits: 10.000 / 0.34835 = 28.7067…
  ['KWD', 'EUR', 10_000, 2_871],
  ['EUR', 'KWD', 1_000, 3_484],
  // 100 yen × 0.34835 / 161.98 = 0.21505…
  ['JPY', 'KWD', 100, 215],
  // 10.00 × 1.136 / 0.85873 = 13.22883…
  ['GBP', 'USD', 1_000, 1_323],
  ['USD', 'USD', 1_000, 1_000],
  ['EUR', 'USD', 0, 0],
])('converts %s to %s: %d to %d', (from, to, amount, expected) => {
  expect(convert(amount, from, to)).toEqual([expected, '2025-04-17']);
});

it('rounds half away from zero', () => {
  const half = [day('2025-04-17', { USD: '0.5' })];
  expect([1, 3, -1, -3].map((amount) => convert(amount, 'EUR', 'USD', '2025-04-17', half)?.[0])).toEqual([
    1, 2, -1, -2,
  ]);
});

it.each([
  ['2025-04-17', '2025-04-17'],
  ['2025-04-21', '2025-04-17'],
  ['2025-04-22', '2025-04-22'],
  ['2025-04-29', '2025-04-22'],
  ['2025-04-30', null],
  ['2025-04-16', null],
])('a booking of %s has the rate of %s', (date, expected) => {
  expect(new RateTable(ECB, 'USD').findRate('EUR', date)?.day ?? null).toBe(expected);
  expect(new RateTable(ECB, 'USD').findRate('GBP', date)?.day ?? null).toBe(expected);
});

it('has no rate for a currency that no file names', () => {
  expect(convert(1, 'CHF', 'USD')).toBeNull();
  expect(convert(1, 'CHF', 'EUR')).toBeNull();
});

it('a rate that was typed in has priority over that of a file for the same day', () => {
  const typed = day('2025-04-17', { USD: '2' }, 'operator');
  expect(convert(100, 'EUR', 'USD', '2025-04-17', [typed, ...ECB])).toEqual([200, '2025-04-17']);
  expect(convert(100, 'EUR', 'USD', '2025-04-22', [typed, ...ECB])?.[1]).toBe('2025-04-22');
});

it('a typed rate between two other currencies counts as long as there is no newer one over the euro', () => {
  const days = [...ECB, day('2025-04-18', { USD: '2' }, 'operator', 'GBP')];
  expect(convert(100, 'GBP', 'USD', '2025-04-17', days)).toEqual([132, '2025-04-17']);
  expect(convert(100, 'GBP', 'USD', '2025-04-21', days)).toEqual([200, '2025-04-18']);
  expect(convert(100, 'USD', 'GBP', '2025-04-21', days)).toEqual([50, '2025-04-18']);
  expect(convert(100, 'GBP', 'USD', '2025-04-22', days)?.[1]).toBe('2025-04-22');
});

it('knows the newest day with a rate, over the euro that of the older of two', () => {
  const days = [
    ...ECB,
    day('2025-04-23', { USD: '1.14' }),
    day('2025-04-19', { JPY: '140' }, 'operator', 'USD'),
  ];
  const find = (from: string, to: string) => new RateTable(days, to).findNewestDay(from);
  expect([find('EUR', 'USD'), find('GBP', 'USD'), find('USD', 'GBP'), find('JPY', 'USD')]).toEqual(
    '2025-04-23 2025-04-22 2025-04-22 2025-04-22'.split(' '),
  );
  expect([find('CHF', 'USD'), find('CHF', 'EUR')]).toEqual([null, null]);
  expect(CURRENCIES.map((code) => find(code, code))).toEqual(CURRENCIES.map(() => null));
  expect(new RateTable(days.slice(3), 'JPY').findNewestDay('USD')).toBe('2025-04-19');
});

it('shows the price of one unit of a currency', () => {
  const format = (from: string, to: string) => new RateTable(ECB, to).findRate(from, '2025-04-17')?.format();
  expect([format('EUR', 'USD'), format('USD', 'EUR'), format('EUR', 'JPY'), format('KWD', 'JPY')]).toEqual(
    '1.136 0.880282 161.98 464.992'.split(' '),
  );
});

const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'GBP'];
const arbitraryRate = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 1, max: 999_999_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(9, '0')}`);

it('is exact for every amount and rate: the nearest minor unit, half away from zero', () =>
  forAll(
    1,
    [
      fc.maxSafeInteger(),
      arbitraryRate,
      arbitraryRate,
      fc.constantFrom(...CURRENCIES),
      fc.constantFrom(...CURRENCIES),
    ],
    (amount, one, other, from, to) => {
      fc.pre(from !== to);
      const days = [day('2025-04-17', Object.fromEntries([[from, one]])), day('2025-04-17', { [to]: other })];
      const rate = new RateTable(days, to).findRate(from, '2025-04-17');
      const scale = (text: string, code: string) =>
        code === 'EUR' ? 10n ** 9n : BigInt(text.replace('.', ''));
      const digits = (code: string) => 10n ** BigInt(getMinorDigits(code));
      const top = BigInt(amount) * scale(other, to) * digits(to);
      const bottom = scale(one, from) * digits(from);
      const size = (top < 0n ? -top : top) * 2n;
      const rounded = ((size + bottom) / (2n * bottom)) * (top < 0n ? -1n : 1n);
      const isExact =
        rounded <= BigInt(Number.MAX_SAFE_INTEGER) && rounded >= -BigInt(Number.MAX_SAFE_INTEGER);
      expect(rate?.convert(amount)).toBe(isExact ? Number(rounded) : null);
    },
  ));

const START = Date.parse('2025-04-01T00:00:00Z');
const STATUSES = ['pending', 'approved', 'paid', 'reversed', 'unknown'] as const;

const arbitraryReport = fc.record({
  amount: fc.integer({ min: -1_000_000, max: 10_000_000 }),
  currency: fc.constantFrom(...CURRENCIES, 'CHF'),
  status: fc.constantFrom(...STATUSES),
  hours: fc.integer({ min: 0, max: 24 * 40 }),
  isCounted: fc.boolean(),
});
type Report = typeof arbitraryReport extends fc.Arbitrary<infer Value> ? Value : never;

function buildEntry({ amount, currency, status, hours, isCounted }: Report): LedgerEntry {
  const eventTime = START + hours * 3_600_000;
  const states = status === 'reversed' ? (['approved', 'reversed'] as const) : [status];
  const reports = states.map((state, index) => {
    return { amount, currency, status: state, eventTime, changeTime: eventTime + index };
  });
  return { ...buildSampleEntry(reports, null), isCounted };
}
const arbitraryEntry = arbitraryReport.map(buildEntry);

const arbitraryRates = fc.array(
  fc.record({
    day: fc
      .integer({ min: -3, max: 40 })
      .map((number) => new Date(START + number * DAY_MS).toISOString().slice(0, 10)),
    base: fc.constantFrom('EUR', 'EUR', 'GBP'),
    origin: fc.constantFrom<RateOrigin>('ecb', 'operator'),
    rates: fc.dictionary(fc.constantFrom('USD', 'JPY', 'KWD', 'GBP'), arbitraryRate),
  }),
  { maxLength: 25 },
);

it('converts each amount once: the total is the sum of the parts, and what has no rate is beside it', () =>
  forAll(
    1,
    [fc.array(arbitraryEntry, { maxLength: 30 }), arbitraryRates, fc.constantFrom(...CURRENCIES)],
    (entries, rates, currency) => {
      const table = new RateTable(rates, currency);
      const converted = convertEntries(entries, table, 'UTC');
      expect(converted.map(getReportedMoney)).toEqual(entries.map(getReportedMoney));
      const sum = (list: readonly LedgerEntry[], code: string) =>
        list
          .filter(({ isCounted, commission }) => isCounted && commission.currency === code)
          .filter(({ commission }) => commission.status !== 'unknown')
          .reduce((total, { commission }) => total + commission.amount, 0);
      const foreign = sumForeignMoney(listMoney(converted), currency);
      const parts = foreign.converted.reduce((total, money) => total + (money.converted ?? 0), 0);
      expect(sum(converted, currency)).toBe(sum(entries, currency) + parts);
      for (const code of CURRENCIES.filter((one) => one !== currency)) {
        const [in_, out] = [foreign.converted, foreign.missing].map(
          (list) => list.find((money) => money.currency === code)?.amount ?? 0,
        );
        expect((in_ ?? 0) + (out ?? 0)).toBe(sum(entries, code));
        expect(out).toBe(sum(converted, code));
      }
      for (const [index, { commission, original }] of converted.entries()) {
        const before = entries[index]?.commission;
        if (before === undefined || before.currency === currency) {
          expect(original).toBeUndefined();
          continue;
        }
        const booked = new Date(before.eventTime).toISOString().slice(0, 10);
        const rate = table.findRate(before.currency, booked);
        const age = rate === null ? 0 : (Date.parse(booked) - Date.parse(rate.day)) / DAY_MS;
        expect(age >= 0 && age <= MAX_RATE_AGE_DAYS).toBe(true);
        // Money of which a part is no safe integer any more stays as it was reported.
        const isExact = rate !== null && rate.convert(before.reversedAmount) !== null;
        const amount = isExact ? rate.convert(before.amount) : null;
        expect(commission.amount).toBe(amount ?? before.amount);
        expect(commission.currency).toBe(amount === null ? before.currency : currency);
      }
    },
    [
      [
        [buildEntry({ amount: 10_000_000, currency: 'USD', status: 'paid', hours: 0, isCounted: true })],
        [day('2025-04-01', { USD: '0.000000001' })],
        'EUR',
      ],
    ],
  ));

it('depends on no order, neither of commissions nor of rates', () =>
  forAll(
    1,
    [
      fc.array(arbitraryEntry, { maxLength: 20 }),
      arbitraryRates.map((rates) => [
        ...new Map(rates.map((rate) => [`${rate.day} ${rate.base} ${rate.origin}`, rate])).values(),
      ]),
      fc.infiniteStream(fc.nat()),
    ],
    (entries, rates, numbers) => {
      const shuffle = <T>(list: readonly T[]) =>
        list
          .map((item) => [numbers.next().value ?? 0, item] as const)
          .sort(([one], [other]) => one - other)
          .map(([, item]) => item);
      const run = (list: readonly LedgerEntry[], days: readonly RateDay[]) =>
        sumForeignMoney(listMoney(convertEntries(list, new RateTable(days, 'USD'), 'UTC')), 'USD');
      expect(run(shuffle(entries), shuffle(rates))).toEqual(run(entries, rates));
    },
  ));

it('takes the rate of the day of the booking in the time zone of the site', () => {
  const days = [day('2025-04-17', { USD: '1' }), day('2025-04-18', { USD: '2' })];
  const eventTime = Date.parse('2025-04-17T22:30:00Z');
  const entry = buildSampleEntry([{ amount: 100, currency: 'EUR', eventTime, changeTime: eventTime }], null);
  const read = (timeZone: string) =>
    convertEntries([entry], new RateTable(days, 'USD'), timeZone)[0]?.commission.amount;
  expect([read('UTC'), read('Europe/Berlin')]).toEqual([100, 200]);
});
