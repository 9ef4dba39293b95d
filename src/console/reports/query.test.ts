import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { CAMPAIGN_MODELS } from '../../core/commissions/credit/credit.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import { CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { addFilter, buildConsoleAddress, buildConsoleParameters, removeFilter } from './addresses.ts';
import { CONSOLE_DIMENSIONS, type ConsoleQuery, dropFormerParameters, parseConsoleQuery } from './query.ts';
import { buildPresetRange, RANGE_PRESETS } from './range.ts';

const context = {
  today: '2026-11-20',
  allTime: { from: '2025-10-03', to: '2026-11-20' },
  weekStart: 'monday',
} as const;
const parse = (text: string) => parseConsoleQuery(new URLSearchParams(text), context);

it('an address without parameters shows the last 12 months with all defaults', () =>
  expect(parse('')).toEqual({
    query: {
      range: '12mo',
      from: '2025-11-21',
      to: '2026-11-20',
      model: 'last',
      currency: null,
      sort: null,
      filters: [],
      weekStart: 'monday',
    },
    problems: [],
  }));

it.each([
  ['28d', '2026-10-24', '2026-11-20'],
  ['3mo', '2026-08-21', '2026-11-20'],
  ['12mo', '2025-11-21', '2026-11-20'],
  ['year', '2026-01-01', '2026-11-20'],
  ['all', '2025-10-03', '2026-11-20'],
])('the range %s is from %s to %s', (range, from, to) => {
  expect(parse(`range=${range}`).query).toMatchObject({ range, from, to });
});

it('two days make a custom range, in whichever order they are', () => {
  const range = { range: 'custom', from: '2026-02-01', to: '2026-02-28' };
  expect(parse('from=2026-02-01&to=2026-02-28').query).toMatchObject(range);
  expect(parse('from=2026-02-28&to=2026-02-01&range=28d').query).toMatchObject(range);
});

it.each([
  'range=forever',
  'from=2026-02-30&to=2026-03-01',
  'from=2026-02-01',
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
    model: fc.constantFrom(...CAMPAIGN_MODELS),
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
    const model = view === 'campaigns' ? query.model : 'last';
    expect(sortFilters(parsed)).toEqual(sortFilters({ ...query, model }));
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

it.each([
  ['clock=booking&compare=previous&range=28d', false, 'range=28d'],
  ['model=linear&page=%2Fa', false, 'page=%2Fa'],
  ['model=first', false, ''],
  ['model=linear&keep=1', true, ''],
  ['model=first', true, null],
  ['range=28d', false, null],
])('of %s stays without choices between two truths, of campaigns (%s): %s', (text, isCampaigns, kept) =>
  expect(dropFormerParameters(new URLSearchParams(text), isCampaigns)?.toString() ?? null).toBe(kept),
);
