import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { buildConsolePath } from '../../core/paths.ts';
import { type ConsoleDimension, type ConsoleFilter, type ConsoleQuery, DEFAULT_MODEL } from './query.ts';
import { CUSTOM_RANGE, type DayRange, DEFAULT_RANGE } from './range.ts';
import type { CommissionRow } from './select-entries.ts';

/** Where reports of networks are imported. */
export const IMPORT_PATH = buildConsolePath('partners', 'import');

/** What an address does not say has its default. Only `from` and `to` of a custom range are part of an address. */
export type AddressedQuery = Partial<ConsoleQuery>;

/**
 * Builds the address of a view. Defaults are left out, so that equal queries have equal addresses. `rest` are the parts
 * of the path below the view; `extra` are parameters of the view itself.
 */
export function buildConsoleAddress(
  view: ConsoleViewKey,
  query: AddressedQuery = {},
  options: {
    readonly rest?: readonly string[];
    readonly extra?: Readonly<Record<string, string>>;
    /** `.csv` for the table of the view. */
    readonly suffix?: '' | '.csv';
  } = {},
): string {
  const { rest = [], extra = {}, suffix = '' } = options;
  const path = buildConsolePath(view === 'overview' && suffix === '' ? '' : view, ...rest);
  const parameters = buildConsoleParameters(query);
  if (view !== 'campaigns') parameters.delete('model');
  for (const [name, value] of Object.entries(extra)) parameters.set(name, value);
  const text = parameters.toString();
  return `${path}${suffix}${text === '' ? '' : `?${text}`}`;
}

/** Builds the parameters of a query; `parseConsoleQuery` reverses it. */
export function buildConsoleParameters(query: AddressedQuery): URLSearchParams {
  const { range, from, to, model, currency, sort, filters = [] } = query;
  const parameters = new URLSearchParams();
  if (range === CUSTOM_RANGE && from !== undefined && to !== undefined) {
    parameters.set('from', from);
    parameters.set('to', to);
  } else if (range !== CUSTOM_RANGE && range !== undefined && range !== DEFAULT_RANGE) {
    parameters.set('range', range);
  }
  if (model !== undefined && model !== DEFAULT_MODEL) parameters.set('model', model);
  if (currency) parameters.set('currency', currency);
  if (sort) parameters.set('sort', `${sort.isDescending ? '-' : ''}${sort.column}`);
  for (const { dimension, value, isNot } of [...filters].sort(compareFilters)) {
    const name = isNot ? `${dimension}!` : dimension;
    if (!parameters.getAll(name).includes(value)) parameters.append(name, value);
  }
  return parameters;
}

function compareFilters(one: ConsoleFilter, other: ConsoleFilter): number {
  const [first, second] = [one, other].map(({ dimension, isNot, value }) => `${dimension} ${isNot} ${value}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** Builds the address of the page of a commission. */
export function buildCommissionAddress({ partner, account, id }: CommissionRow): string {
  // A path with dot segments would lead elsewhere: such an id is found by its search.
  const isPath = id !== '.' && id !== '..' && id !== '' && !/[\\/]/.test(id);
  return isPath
    ? buildConsoleAddress('commissions', {}, { rest: [partner, id], extra: { account } })
    : buildConsoleAddress('commissions', {}, { extra: { q: id } });
}

/** The statuses of the commissions that a sum of money consists of. */
export const SUM_STATUSES = {
  confirmed: ['approved', 'paid'],
  approved: ['approved'],
  paid: ['paid'],
  pending: ['pending'],
  reversed: ['reversed'],
  unknown: ['unknown'],
  expected: ['approved', 'paid', 'pending'],
} as const satisfies Record<string, readonly CommissionStatus[]>;

/** A sum of money that commissions add up to. */
export type SumKind = keyof typeof SUM_STATUSES;

/**
 * Builds the address of the commissions that a figure consists of: those of a query, in one currency, that have a status
 * of the figure; a query for some statuses leaves those that both have. Null for a figure of all statuses.
 */
export function buildRowsAddress(query: ConsoleQuery, currency: string, kind: SumKind | null): string {
  const isAsked = ({ dimension, isNot }: ConsoleFilter) => dimension === 'status' && !isNot;
  const asked = query.filters.filter(isAsked);
  const statuses: readonly string[] = kind === null ? asked.map(({ value }) => value) : SUM_STATUSES[kind];
  const wanted = statuses.filter(
    (status) => asked.length === 0 || asked.some(({ value }) => value === status),
  );
  const filters = [
    ...query.filters.filter((filter) => !isAsked(filter)),
    ...wanted.map((value) => ({ dimension: 'status', value, isNot: false }) as const),
  ];
  return buildConsoleAddress('commissions', { ...query, currency, sort: null, filters });
}

/** The query for some days of its period. */
export const selectDays = (query: ConsoleQuery, { from, to }: DayRange): ConsoleQuery => ({
  ...query,
  range: CUSTOM_RANGE,
  from,
  to,
});

/** The query with one more filter, which replaces one about the same value. */
export function addFilter(
  query: ConsoleQuery,
  dimension: ConsoleDimension,
  value: string,
  isNot = false,
): ConsoleQuery {
  const filter = { dimension, value, isNot };
  return { ...query, filters: [...removeFilter(query, filter).filters, filter] };
}

/** The query without the filters about a value of a dimension. */
export function removeFilter(query: ConsoleQuery, { dimension, value }: ConsoleFilter): ConsoleQuery {
  const filters = query.filters.filter((other) => other.dimension !== dimension || other.value !== value);
  return { ...query, filters };
}
