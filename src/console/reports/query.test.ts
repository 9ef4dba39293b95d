import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { CREDIT_MODELS } from '../../core/commissions/credit/credit.ts';
import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { addFilter, buildConsoleAddress, buildConsoleParameters, removeFilter } from './addresses.ts';
import { CONSOLE_DIMENSIONS, type ConsoleQuery, parseConsoleQuery } from './query.ts';
import { addDays, buildPresetRange, RANGE_PRESETS } from './range.ts';

const context = {
  today: '2026-11-20',
  allTime: { from: '2025-10-03', to: '2026-11-20' },
  weekStart: 'monday',
} as const;
const parse = (text: string) => parseConsoleQuery(new URLSearchParams(text), context);

it('an address without parameters shows the last 28 days with all defaults', () =>
  expect(parse('')).toEqual({
    query: {
      range: '28d',
      from: '2026-10-24',
      to: '2026-11-20',
      compare: 'previous',
      clock: 'booking',
      model: 'last',
      currency: null,
      sort: null,
      filters: [],
      weekStart: 'monday',
    },
    problems: [],
  }));

it.each([
  ['today', '2026-11-20', '2026-11-20'],
  ['yesterday', '2026-11-19', '2026-11-19'],
  ['7d', '2026-11-14', '2026-11-20'],
  ['30d', '2026-10-22', '2026-11-20'],
  ['91d', '2026-08-22', '2026-11-20'],
  ['month', '2026-11-01', '2026-11-20'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['quarter', '2026-10-01', '2026-11-20'],
  ['last-quarter', '2026-07-01', '2026-09-30'],
  ['year', '2026-01-01', '2026-11-20'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['12mo', '2025-11-21', '2026-11-20'],
  ['all', '2025-10-03', '2026-11-20'],
])('the range %s is from %s to %s', (range, from, to) => {
  expect(parse(`range=${range}`).query).toMatchObject({ range, from, to });
});

it('two days make a custom range, in whichever order they are', () => {
  const range = { range: 'custom', from: '2026-02-01', to: '2026-02-28' };
  expect(parse('from=2026-02-01&to=2026-02-28').query).toMatchObject(range);
  expect(parse('from=2026-02-28&to=2026-02-01&range=7d').query).toMatchObject(range);
});

it.each([
  'range=forever',
  'from=2026-02-30&to=2026-03-01',
  'from=2026-02-01',
  'compare=mars',
  'clock=sun',
  'model=markov',
  'currency=usd',
  'sort=--epc',
  `page=${'x'.repeat(401)}`,
])('what is not understood in %s falls back and is reported', (text) => {
  const { query, problems } = parse(text);
  expect(problems).toHaveLength(1);
  expect(query).toEqual(parse('').query);
});

it.each(['lastPaid', 'linear', 'entryPage', 'linearPages'])(
  'an address with the former credit model %s shows the default and says so',
  (model) => {
    const { query, problems } = parse(`clock=click&model=${model}`);
    expect([query.clock, query.model]).toEqual(['click', 'last']);
    expect(problems).toEqual([`The address has model “${model}”: last is shown instead.`]);
  },
);

it('more than 20 filters are reported, and the first 20 apply', () => {
  const many = Array.from({ length: 25 }, (_, index) => `page=/p${index}`).join('&');
  expect(parse(many).query.filters).toHaveLength(20);
  expect(parse(many).problems).toHaveLength(1);
});

const day = fc.integer({ min: 0, max: 9_000 }).map((days) => addDays('2001-01-01', days));
const anyQuery: fc.Arbitrary<ConsoleQuery> = fc
  .record({
    days: fc.oneof(fc.constantFrom(...RANGE_PRESETS.map(({ key }) => key)), fc.tuple(day, day)),
    compare: fc.constantFrom('none', 'previous', 'year'),
    clock: fc.constantFrom('click', 'booking'),
    model: fc.constantFrom(...CREDIT_MODELS),
    currency: fc.constantFrom(null, 'USD', 'EUR'),
    sort: fc.option(
      fc.record({ column: fc.constantFrom('epc', 'clicks', 'approvalRate'), isDescending: fc.boolean() }),
    ),
    filters: fc.uniqueArray(
      fc.record({
        dimension: fc.constantFrom(...CONSOLE_DIMENSIONS),
        value: fc.string({ minLength: 1, unit: 'grapheme' }),
        isNot: fc.boolean(),
      }),
      { maxLength: 6, selector: ({ dimension, value }) => `${dimension} ${value}` },
    ),
  })
  .map(({ days, ...rest }) => {
    const preset = typeof days === 'string' ? buildPresetRange(days, context) : null;
    const [from = '', to = ''] = typeof days === 'string' ? [] : [...days].sort();
    const period = preset === null ? { range: 'custom', from, to } : { range: String(days), ...preset };
    return { ...rest, ...period, weekStart: 'monday' };
  });

const sortFilters = (query: ConsoleQuery) => ({
  ...query,
  filters: [...query.filters].map((filter) => JSON.stringify(filter)).sort(),
});

const anyView = fc.constantFrom(...CONSOLE_VIEWS.map(({ key }) => key));

it('every query is the same after its address was parsed, in every view', () =>
  forAll(4, [anyQuery, anyView], (query, view) => {
    const address = new URL(buildConsoleAddress(view, query), 'http://console.test');
    const { query: parsed, problems } = parseConsoleQuery(address.searchParams, context);
    expect(problems).toEqual([]);
    const { isExplicit: _, ...asked } = parsed;
    expect(sortFilters(asked)).toEqual(sortFilters(query));
    expect(buildConsoleAddress(view, parsed)).toBe(address.pathname + address.search);
  }));

it('no address makes the parser throw, and what it returns can be addressed', () =>
  forAll(4, [fc.string({ unit: 'binary' })], (text) => {
    const { query } = parse(text);
    expect(parse(buildConsoleParameters(query).toString()).problems).toEqual([]);
  }));

it('a filter about the same value replaces the earlier one', () => {
  const filter = { dimension: 'page', value: '/pricing', isNot: false } as const;
  const once = addFilter(parse('').query, 'page', '/pricing');
  expect(addFilter(once, 'page', '/pricing', true).filters).toEqual([{ ...filter, isNot: true }]);
  expect(removeFilter(once, filter).filters).toEqual([]);
});

it('an address that says everything stays so with every change', () => {
  const { query } = parse('range=28d&clock=booking&model=last');
  expect(buildConsoleAddress('campaigns', query)).toBe(
    '/console/campaigns?range=28d&clock=booking&model=last',
  );
  expect(buildConsoleAddress('campaigns', { ...query, isExplicit: false })).toBe('/console/campaigns');
});
