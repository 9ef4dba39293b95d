import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CREDIT_MODELS } from '../../core/commissions/credit.ts';
import { addFilter, buildConsoleAddress, buildConsoleParameters, removeFilter } from './addresses.ts';
import { CONSOLE_DIMENSIONS, type ConsoleQuery, parseConsoleQuery } from './query.ts';
import { addDays, buildComparedRange, buildNeighborRange, buildPresetRange, RANGE_PRESETS } from './range.ts';

const context = {
  today: '2026-11-20',
  allTime: { from: '2025-10-03', to: '2026-11-20' },
  weekStart: 'monday',
} as const;
const parse = (text: string) => parseConsoleQuery(new URLSearchParams(text), context);

it('an address without parameters shows the last 28 days with all defaults', () => {
  expect(parse('')).toEqual({
    query: {
      range: '28d',
      from: '2026-10-24',
      to: '2026-11-20',
      compare: 'previous',
      clock: 'click',
      model: 'last',
      currency: null,
      sort: null,
      filters: [],
      weekStart: 'monday',
    },
    problems: [],
  });
});

it.each([
  ['today', '2026-11-20', '2026-11-20'],
  ['yesterday', '2026-11-19', '2026-11-19'],
  ['7d', '2026-11-14', '2026-11-20'],
  ['30d', '2026-10-22', '2026-11-20'],
  ['91d', '2026-08-22', '2026-11-20'],
  ['month', '2026-11-01', '2026-11-20'],
  ['last-month', '2026-10-01', '2026-10-31'],
  ['year', '2026-01-01', '2026-11-20'],
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

it('every query is the same after its address was parsed', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const address = new URL(buildConsoleAddress('pages', query), 'http://console.test');
      const { query: parsed, problems } = parseConsoleQuery(address.searchParams, context);
      expect(problems).toEqual([]);
      expect(sortFilters(parsed)).toEqual(sortFilters(query));
      expect(buildConsoleAddress('pages', parsed)).toBe(address.pathname + address.search);
    }),
    { numRuns: 2_000 },
  );
});

it('no address makes the parser throw, and what it returns can be addressed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { query } = parse(text);
      expect(parse(buildConsoleParameters(query).toString()).problems).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

it('a filter about the same value replaces the earlier one', () => {
  const filter = { dimension: 'page', value: '/pricing', isNot: false } as const;
  const once = addFilter(parse('').query, 'page', '/pricing');
  expect(addFilter(once, 'page', '/pricing', true).filters).toEqual([{ ...filter, isNot: true }]);
  expect(removeFilter(once, filter).filters).toEqual([]);
});

it('a comparison has the same weekdays, or the same dates of the year before', () => {
  const range = { from: '2026-11-01', to: '2026-11-20' };
  expect(buildComparedRange({ ...range, compare: 'previous' })).toEqual({
    from: '2026-10-11',
    to: '2026-10-30',
  });
  expect(buildComparedRange({ from: '2024-02-29', to: '2024-02-29', compare: 'year' })).toEqual({
    from: '2023-02-28',
    to: '2023-02-28',
  });
  expect(buildComparedRange({ ...range, compare: 'none' })).toBeNull();
});

it('the neighbors of a period are as long as it is, and those of a month are months', () => {
  expect(buildNeighborRange({ from: '2026-11-14', to: '2026-11-20' }, -1)).toEqual({
    from: '2026-11-07',
    to: '2026-11-13',
  });
  expect(buildNeighborRange({ from: '2026-01-01', to: '2026-01-31' }, 1)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  });
  expect(buildNeighborRange({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  });
});
