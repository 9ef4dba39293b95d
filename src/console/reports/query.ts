import { CAMPAIGN_MODELS, type CampaignModel } from '../../core/commissions/credit/credit.ts';
import type { WeekStart } from '../../core/console/operator.ts';
import type { DayRange } from './range.ts';
import { buildPresetRange, CUSTOM_RANGE, DEFAULT_RANGE, isDay, type RangeContext } from './range.ts';

/**
 * Dimensions that can be filtered by; each is a parameter of the address. `site`: the host of a listed site, or `own`.
 * `journey`: visits `with` or `without` one, or `all`.
 */
export const CONSOLE_DIMENSIONS = [
  'site',
  'page',
  'placement',
  'campaign',
  'source',
  'answer',
  'partner',
  'status',
  'journey',
] as const;
export type ConsoleDimension = (typeof CONSOLE_DIMENSIONS)[number];

/** The value of pages, placements and campaigns for commissions without a click, and of answers without any. */
export const NO_VALUE = '(none)';

/** Which campaign before a click has its money unless the address of *Campaigns* names another one. */
export const DEFAULT_MODEL: CampaignModel = 'last';

/** The column by which a table is sorted. */
export interface ConsoleSort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The one site that a query is about; null for all of them. */
export function findSite({ filters }: Pick<ConsoleQuery, 'filters'>): string | null {
  const [only, ...more] = filters.filter(({ dimension }) => dimension === 'site');
  return only === undefined || only.isNot || more.length > 0 ? null : only.value;
}

/** Which rows a view shows: those whose `dimension` has (or has not) a value. */
export interface ConsoleFilter {
  readonly dimension: ConsoleDimension;
  readonly value: string;
  readonly isNot: boolean;
}

/** What the address of a view says, parsed. Two equal queries have the same address. */
export interface ConsoleQuery {
  /** The preset of the range, or `custom`. */
  readonly range: string;
  /** First and last day, `YYYY-MM-DD` in the site's time zone, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly model: CampaignModel;
  /** ISO 4217; null for the currency with the most money. */
  readonly currency: string | null;
  readonly sort: ConsoleSort | null;
  readonly filters: readonly ConsoleFilter[];
  /** The first day of the weeks of charts: a preference, no part of the address. */
  readonly weekStart: WeekStart;
}

/** All that a query asks besides its days. */
export const DEFAULT_QUERY: Omit<ConsoleQuery, 'from' | 'to'> = {
  range: 'custom',
  model: DEFAULT_MODEL,
  currency: null,
  sort: null,
  filters: [],
  weekStart: 'monday',
};

const MAX_FILTERS = 20;
const MAX_VALUE_LENGTH = 400;
const MAX_SHOWN_LENGTH = 40;

/**
 * Parses the parameters of an address. What is missing has its default; what is not understood has it too and is
 * reported in `problems`. Parameters with other names are left to the view.
 */
export function parseConsoleQuery(parameters: URLSearchParams, context: RangeContext) {
  const problems: string[] = [];
  const report = (name: string, value: string, instead: string) =>
    problems.push(`The address has ${name} “${value.slice(0, MAX_SHOWN_LENGTH)}”: ${instead}.`);
  const currency = parameters.get('currency') ?? '';
  const isCurrency = /^[A-Z]{3}$/.test(currency);
  if (!isCurrency && currency !== '') report('currency', currency, 'the main currency is shown instead');
  return {
    query: {
      ...parseRange(parameters, context, report),
      model: CAMPAIGN_MODELS.find((known) => known === parameters.get('model')) ?? DEFAULT_MODEL,
      currency: isCurrency ? currency : null,
      sort: parseSort(parameters.get('sort') ?? '', report),
      filters: parseFilters(parameters, report),
      weekStart: context.weekStart,
    },
    problems,
  };
}

/**
 * Parameters of an address that chose between two truths; `model` is one of *Campaigns* alone. Returns the parameters without
 * them, null where it has none.
 */
export function dropFormerParameters(
  parameters: URLSearchParams,
  isCampaigns: boolean,
): URLSearchParams | null {
  const kept = new URLSearchParams(parameters);
  for (const name of ['clock', 'compare', 'keep']) kept.delete(name);
  if (!isCampaigns || !CAMPAIGN_MODELS.some((model) => model === kept.get('model'))) kept.delete('model');
  return kept.size === parameters.size ? null : kept;
}

type Report = (name: string, value: string, instead: string) => void;

function parseRange(
  parameters: URLSearchParams,
  context: RangeContext,
  report: Report,
): DayRange & { readonly range: string } {
  const from = parameters.get('from') ?? '';
  const to = parameters.get('to') ?? '';
  if (isDay(from) && isDay(to)) {
    if (from <= to) return { range: CUSTOM_RANGE, from, to };
    return { range: CUSTOM_RANGE, from: to, to: from };
  }
  if (from !== '' || to !== '')
    report('from and to', `${from} – ${to}`, 'both have to be days, as 2026-11-20');
  const key = parameters.get('range') ?? '';
  const range = key === '' ? null : buildPresetRange(key, context);
  if (range !== null) return { range: key, ...range };
  if (key !== '' && key !== CUSTOM_RANGE) report('range', key, 'the last 12 months are shown instead');
  const days = buildPresetRange(DEFAULT_RANGE, context) ?? { from: context.today, to: context.today };
  return { range: DEFAULT_RANGE, ...days };
}

function parseSort(text: string, report: Report): ConsoleQuery['sort'] {
  const match = /^(-?)([a-z][a-zA-Z]{0,30})$/.exec(text);
  if (match !== null) return { column: match[2] ?? '', isDescending: match[1] === '-' };
  if (text !== '') report('sort', text, 'the usual order is shown instead');
  return null;
}

function parseFilters(parameters: URLSearchParams, report: Report): readonly ConsoleFilter[] {
  const filters = CONSOLE_DIMENSIONS.flatMap((dimension) =>
    [false, true].flatMap((isNot) => {
      const values = [...new Set(parameters.getAll(isNot ? `${dimension}!` : dimension))].sort();
      return values.filter((value) => value !== '').map((value) => ({ dimension, value, isNot }));
    }),
  );
  const valid = filters.filter(({ value }) => value.length <= MAX_VALUE_LENGTH).slice(0, MAX_FILTERS);
  if (valid.length < filters.length)
    report('filters', String(filters.length), `only ${valid.length} of them are applied`);
  return valid;
}
