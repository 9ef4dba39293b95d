import { type Clock, DAY_MS, WEEK_MS } from '../../core/clock.ts';
import { buildClickKey } from '../../core/commissions/credit/build-click-key.ts';
import {
  buildCampaignName,
  type CampaignModel,
  type CreditPath,
} from '../../core/commissions/credit/credit.ts';
import { type ExchangeRate, type MoneySum, sumForeignMoney } from '../../core/commissions/exchange-rates.ts';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import {
  type EarnedSum,
  type MatureClicks,
  sumSite,
  weighWeek,
} from '../../core/commissions/ranges/build-ranking.ts';
import {
  buildSummedCurve,
  buildSummedSpread,
  type ClickSum,
  type MaturityCurve,
  PREDICTED_WEEKS,
} from '../../core/commissions/ranges/maturity.ts';
import type { ClickWeek, EarnedClicks } from '../../core/commissions/ranges/rank-by-earnings.ts';
import { OTHER_KEY, type RollupDimension } from '../../core/events/rollup.ts';
import { getPageSite, OWN_SITE } from '../../core/outbound/beside.schema.ts';
import type { CommissionTable } from '../../server/commissions/commission-table.ts';
import { EntryConverter } from '../../server/commissions/exchange-rates.ts';
import type { Settings } from '../../server/settings.ts';
import type { EntryOrder, EntryScope, FoldedEntry } from '../../stores/commission-entries.ts';
import {
  type CellOptions,
  type CommissionCell,
  type CommissionCohort,
  STATES,
  type SumDays,
  type SummedCommissions,
  type SumRates,
} from '../../stores/commission-sums.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { CountedVisits, Rollups, WeightedDays, WeightedRollupGroup } from '../../stores/rollups.ts';
import {
  type ApprovalRates,
  buildApprovalRates,
  getCreditedName,
  listCurrencies,
  sumEarnedCells,
} from './period-figures.ts';
import type { ConsoleFilter, ConsoleQuery } from './query.ts';
import { type DayRange, getWeekStart } from './range.ts';
import { passesFilters, passesValues } from './select-entries.ts';

/** Dimensions of counted clicks that filters of the console can be applied to. */
export type CountedDimension = Extract<
  RollupDimension,
  'page' | 'placement' | 'campaign' | 'source' | 'partner'
>;

/**
 * The dimension whose counts answer a query by a dimension: counts are by one dimension each, so that campaigns and
 * sources can be combined with the site alone. Null when no dimension has all filters; the status belongs to
 * commissions alone, and visits with and without journey are counted in all.
 */
function findCountedDimension(
  { filters }: ConsoleQuery,
  by: CountedDimension,
): CountedDimension | 'arrival' | null {
  const used = filters
    .map(({ dimension }) => dimension)
    .filter((dimension) => dimension !== 'status' && dimension !== 'journey');
  if (used.length === 0) return by;
  const isWithin = (...known: readonly string[]) => used.every((dimension) => known.includes(dimension));
  if (isWithin(by) && by !== 'placement') return by;
  if (by === 'source') return isWithin('source', 'site') ? 'arrival' : null;
  if (by === 'campaign') return isWithin('campaign', 'site') ? 'campaign' : null;
  if (isWithin('page', 'site') && by === 'page') return 'page';
  return isWithin('page', 'site', 'placement', 'partner') ? 'placement' : null;
}

/** Which visits the filters of a query leave. */
export function findVisits({ filters }: Pick<ConsoleQuery, 'filters'>): CountedVisits {
  const own = filters.filter(({ dimension }) => dimension === 'journey');
  const left = (['with', 'without'] as const).filter((visits) =>
    passesValues(own, ({ value }) => value === visits || value === 'all'),
  );
  return left.length === 2 ? undefined : (left[0] ?? 'none');
}

/**
 * Whether counted events with a key of a dimension pass the filters, as far as the key says it. The status belongs to
 * commissions alone.
 */
function passesCounts(
  key: readonly string[],
  dimension: RollupDimension,
  filters: readonly ConsoleFilter[],
): boolean {
  const values = listValues(key, dimension);
  const known = filters.filter((filter) => values[filter.dimension] !== undefined);
  return passesValues(known, (filter) => values[filter.dimension] === filter.value);
}

function listValues(
  [first = '', second = '', third = '', , host = '']: readonly string[],
  dimension: RollupDimension,
): Partial<Record<ConsoleFilter['dimension'], string>> {
  switch (dimension) {
    case 'page':
      return { page: first, site: getKeySite(first) };
    case 'placement':
      return {
        page: first,
        site: getKeySite(first),
        placement: `${first} ${second || '(none)'}`,
        partner: third,
      };
    case 'campaign':
      return {
        campaign: buildCampaignName({ utm_source: first, utm_medium: second, utm_campaign: third }),
        site: first === OTHER_KEY[0] ? '' : host || OWN_SITE,
      };
    case 'source':
      return { source: buildClickKey([first, second], 'source', '') ?? '' };
    case 'arrival':
      return { source: buildClickKey([first, second], 'source', '') ?? '', site: getKeySite(third) };
    case 'partner':
      return { partner: first };
    default:
      return {};
  }
}

/** The site of a counted page; none of what is counted together beyond the limit of a day. */
const getKeySite = (page = '') => (page === '' || page === OTHER_KEY[0] ? '' : getPageSite(page));

/** Counted events of one value. */
export interface ValueCounts {
  readonly views: number;
  /** Visits that began. */
  readonly sessions: number;
  readonly clicks: number;
}

/** Counts of the events of a period, each read once for all that a view shows. Rejects with `EventStoreError`. */
export class PeriodCounts {
  readonly #query: ConsoleQuery;
  readonly #curve: MaturityCurve | null;
  readonly #rollups: Rollups;
  readonly now: number;
  readonly #reads: Map<string, Promise<readonly WeightedRollupGroup[]>>;

  /**
   * `curve`: how long commissions take; null while too few are known. `now`: ms since 1970. `shared`: counts of the same days and
   * currency with other filters, which read the same.
   */
  constructor(
    query: ConsoleQuery,
    curve: MaturityCurve | null,
    rollups: Rollups,
    now: number,
    shared: PeriodCounts | null,
  ) {
    this.#reads = shared === null ? new Map() : shared.#reads;
    this.#query = query;
    this.#curve = curve;
    this.#rollups = rollups;
    this.now = now;
  }

  /** Counts views, visits and clicks by the values of a dimension; null where they cannot be counted for the filters. */
  async readCounts(by: CountedDimension): Promise<ReadonlyMap<string, ValueCounts> | null> {
    const query = this.#query;
    const dimension = findCountedDimension(query, by);
    if (dimension === null) return null;
    // Counts by placement have no views: they are those of the page, for every partner.
    const [groups, pages] = await Promise.all([
      this.#readFiltered(dimension, query.filters),
      dimension === 'placement' ? this.#readFiltered('page', query.filters) : [],
    ]);
    const pageViews = new Map(pages.map((group) => [group.key[0], group.views]));
    const counts = new Map<string, { views: number; sessions: number; clicks: number }>();
    for (const group of groups) {
      const key = getCountKey(group, by);
      // Calls to action that lead to no partner.
      if (by === 'partner' && key === '') continue;
      const sum = counts.get(key) ?? { views: 0, sessions: 0, clicks: 0 };
      counts.set(key, sum);
      sum.sessions += group.sessions;
      if (dimension === 'placement') sum.views = pageViews.get(group.key[0]) ?? 0;
      else sum.views += group.views;
      sum.clicks += group.clicks;
    }
    return counts;
  }

  /**
   * Counts the clicks of each value that others are compared with: filters by the dimension itself do not apply, and none
   * where `isAll`, which are the clicks of the site.
   */
  async readMatureClicks(by: CountedDimension, isAll = false): Promise<readonly MatureClicks[]> {
    const query = this.#query;
    const dimension = findCountedDimension(query, by);
    if (dimension === null) return [];
    const groups = await this.#readFiltered(dimension, isAll ? [] : dropFilters(query, by).filters);
    const sums = new Map<string, { clicks: number; matureClicks: number; clicksError: number }>();
    for (const group of groups) {
      if (group.clicks === 0) continue;
      const key = getCountKey(group, by);
      const sum = sums.get(key) ?? { clicks: 0, matureClicks: 0, clicksError: 0 };
      sums.set(key, sum);
      sum.clicks += group.clicks;
      sum.matureClicks += group.weightedClicks;
      sum.clicksError += group.clicksError;
    }
    return [...sums].map(([key, sum]) => ({ key, ...sum }));
  }

  /** Counts the clicks of some values in each of several periods within this one. */
  async readSeries(
    by: CountedDimension,
    wanted: ReadonlySet<string>,
    periods: readonly DayRange[],
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const dimension = findCountedDimension(this.#query, by);
    if (dimension === null || wanted.size === 0) return new Map();
    const groups = await this.#readFiltered(dimension, this.#query.filters);
    const keys = groups.filter((group) => wanted.has(getCountKey(group, by))).map(({ key }) => key);
    const series = new Map<string, number[]>();
    const visits = findVisits(this.#query);
    for (const group of await this.#rollups.readClicks({ dimension, keys, periods, visits })) {
      const key = getCountKey(group, by);
      const values = series.get(key) ?? periods.map(() => 0);
      series.set(key, values);
      values[group.period] = (values[group.period] ?? 0) + group.clicks;
    }
    return series;
  }

  /** The clicks of some values by week, the oldest first. */
  async readWeeks(
    by: CountedDimension,
    wanted: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly ClickWeek[]>> {
    const weeks = listWeeks(this.#query, this.#curve, this.now);
    const starts = weeks.map(({ from }) => Date.parse(getWeekStart(from, 'monday')));
    const series = await this.readSeries(by, wanted, weeks);
    const list = (counts: readonly number[]) =>
      starts.map((week, index) => ({ week, clicks: counts[index] ?? 0 }));
    return new Map([...series].map(([key, counts]) => [key, list(counts)]));
  }

  async #readFiltered(dimension: CountedDimension | 'arrival', filters: ConsoleQuery['filters']) {
    const visits = findVisits({ filters });
    const reading =
      this.#reads.get(`${dimension} ${visits}`) ??
      this.#rollups.readWeighted(dimension, listWeeks(this.#query, this.#curve, this.now), visits);
    this.#reads.set(`${dimension} ${visits}`, reading);
    const all = await reading;
    const isOwn = ({ views, sessions, clicks }: WeightedRollupGroup) => views + sessions + clicks > 0;
    const groups = visits === undefined ? all : all.filter(isOwn);
    return filters.length === 0 ? groups : groups.filter(({ key }) => passesCounts(key, dimension, filters));
  }
}

/** A query without its filters by one dimension. */
function dropFilters(query: ConsoleQuery, by: CountedDimension): ConsoleQuery {
  return { ...query, filters: query.filters.filter(({ dimension }) => dimension !== by) };
}

/** The weeks of a period; a click of each weighs the share of its commissions that has usually arrived. */
function listWeeks(
  { from, to }: DayRange,
  curve: MaturityCurve | null,
  now: number,
): readonly WeightedDays[] {
  if (curve === null) return [{ from, to, weight: 1 }];
  const weeks: WeightedDays[] = [];
  for (let monday = getWeekStart(from, 'monday'); monday <= to; monday = addDays(monday, 7)) {
    const last = addDays(monday, 6);
    weeks.push({
      from: monday < from ? from : monday,
      to: last > to ? to : last,
      ...weighWeek(curve, Date.parse(monday), now),
    });
  }
  return weeks;
}

/** The key of a row for counts; those by placement belong to pages and partners too. */
function getCountKey({ key }: { readonly key: readonly string[] }, by: CountedDimension): string {
  if (by === 'partner' && key.length === 3) return key[2] ?? '';
  return buildClickKey(by === 'page' ? key.slice(0, 1) : key, by, '') ?? '';
}

/** What the commissions of a currency say beyond one period. */
export interface History {
  readonly rates: ApprovalRates;
  /** How long commissions take; null while too few are known. */
  readonly curve: MaturityCurve | null;
}

/** Commissions that were selected for a period and count, in one currency, with their sums: each is computed once. */
export class Selection {
  readonly cells: readonly CommissionCell[];
  readonly #rates: ApprovalRates;
  readonly #known = new Map<string, unknown>();

  constructor(cells: readonly CommissionCell[], rates: ApprovalRates) {
    this.cells = cells;
    this.#rates = rates;
  }

  #once<Value>(key: string, build: () => Value): Value {
    if (!this.#known.has(key)) this.#known.set(key, build());
    return this.#known.get(key) as Value;
  }

  /** What the clicks of each value of a dimension have earned. */
  getEarnings(by: CountedDimension, model: CampaignModel = 'last'): ReadonlyMap<string, EarnedSum> {
    const getKey = ({ path, partner }: { readonly path: CreditPath; readonly partner: string }) =>
      by === 'partner' ? partner : getCreditedName(path, by, model);
    return this.#once(`earnings ${by} ${model}`, () => sumEarnedCells(this.cells, this.#rates, getKey));
  }
}

/** Commissions of a period, and what is known beyond it. */
export interface MoneyPeriod extends History {
  readonly query: ConsoleQuery;
  readonly currency: string;
  /** Those of the period that count and pass the filters; the same selection while nothing changes. */
  readonly selection: Selection;
  readonly counts: PeriodCounts;
}

/** The currency of totals; null without any money. */
export interface CountedCurrency {
  readonly currency: string | null;
  /** Whether commissions of other currencies are converted into it. */
  readonly isConverted: boolean;
}

/** The money of other currencies than that of the totals. */
export interface ForeignSums extends CountedCurrency, ReturnType<typeof sumForeignMoney> {}

/** What a reader of periods needs of a site. */
export interface PeriodSite {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly money: {
    readonly commissions: { readonly table: CommissionTable };
    readonly ledger: Ledger;
    readonly rollups: Rollups;
  };
}

/** Reads money and counts of a period. Every method rejects with `LedgerError` or `EventStoreError`. */
export class PeriodReader {
  readonly #site: PeriodSite;
  readonly #converter: EntryConverter;
  readonly #table: CommissionTable;
  readonly #reporting: string | null;
  /** What was computed from a list that was read, as long as that is the same. */
  readonly #computed = new WeakMap<object, Map<string, unknown>>();

  /** `reporting`: the currency of totals, in place of the one that was chosen in the settings. */
  constructor(site: PeriodSite, reporting: string | null = null) {
    this.#site = site;
    this.#reporting = reporting;
    this.#table = site.money.commissions.table;
    this.#converter = new EntryConverter(site.money.ledger, site.settings.TIME_ZONE);
  }

  #once<Value>(source: object, key: unknown, build: () => Value): Value {
    const known = this.#computed.get(source) ?? new Map<string, unknown>();
    this.#computed.set(source, known);
    const text = JSON.stringify(key);
    if (!known.has(text)) known.set(text, build());
    return known.get(text) as Value;
  }

  /**
   * Reads the currency of the totals of a query. Where the query names none, that is the reporting currency, with all commissions
   * converted that have a rate; without one it is the currency with the most money.
   */
  async readCurrency({
    currency,
  }: {
    readonly currency: ConsoleQuery['currency'];
  }): Promise<CountedCurrency> {
    if (currency !== null) return { currency, isConverted: false };
    const reporting = await this.readReportingCurrency();
    if (reporting !== null) return { currency: reporting, isConverted: true };
    return { currency: (await this.readCurrencies())[0] ?? null, isConverted: false };
  }

  /** The currencies of the commissions that count, the one with the most money first. */
  async readCurrencies(): Promise<readonly string[]> {
    const all = await this.#table.readCohorts(null);
    return this.#once(all, 'currencies', () => listCurrencies(all));
  }

  /** The currency in which totals are shown unless a query names another one; null without one. */
  async readReportingCurrency(): Promise<string | null> {
    return this.#reporting ?? this.#converter.readReportingCurrency();
  }

  /** The newest rate into the reporting currency, by currency of the commissions that have one. */
  async readNewestRates(): Promise<ReadonlyMap<string, ExchangeRate>> {
    return this.#converter.readNewestRates(await this.#table.readCohorts(null));
  }

  /** Every commission that counts by the weeks of click and booking, as a query counts it. */
  async readCohorts(query: { readonly currency: ConsoleQuery['currency'] }) {
    const { currency, isConverted } = await this.readCurrency(query);
    const all = await this.#table.readCohorts(isConverted ? currency : null);
    return this.convert(query, all, ({ booked }) => Math.floor(booked / DAY_MS));
  }

  #getDays({ from, to }: ConsoleQuery): SumDays {
    return { from: Date.parse(from) / DAY_MS, to: Date.parse(to) / DAY_MS };
  }

  /** The commissions of the period of a query in all currencies, converted as it counts them, that pass its filters. */
  async readCells(
    query: ConsoleQuery,
    options: Pick<CellOptions, 'by' | 'paths' | 'isForeign'> = {},
  ): Promise<{ readonly cells: readonly CommissionCell[] } & CountedCurrency> {
    const counted = await this.readCurrency(query);
    const main = counted.isConverted ? counted.currency : null;
    const rates = await this.readPrices(query);
    const all = await this.#table.readCells(this.#getDays(query), { ...options, main, rates });
    return { cells: this.#filter(all, query), ...counted };
  }

  async #readRates(currency: string) {
    return this.#converter.readRates(await this.#table.readCohorts(currency), currency);
  }

  #filter(all: readonly CommissionCell[], query: ConsoleQuery): readonly CommissionCell[] {
    const { filters, model } = query;
    if (filters.length === 0) return all;
    return this.#once(all, [filters, model], () => all.filter((cell) => passesFilters(cell, query)));
  }

  /**
   * Single commissions of a period that pass the filters of a query, as it counts them. `scope`: which, besides; `days` of
   * undefined are all.
   */
  async readEntries(
    query: ConsoleQuery,
    scope?: EntryScope,
    order?: EntryOrder,
  ): Promise<readonly FoldedEntry[]> {
    const entries: FoldedEntry[] = [];
    for await (const page of this.readEntryPages(query, scope, order)) entries.push(...page);
    return entries;
  }

  /** The same, some hundred at a time. */
  async *readEntryPages(
    query: ConsoleQuery,
    scope: EntryScope = {},
    order?: EntryOrder,
  ): AsyncGenerator<readonly FoldedEntry[]> {
    const own = { ...(await this.readScope(query)), ...scope };
    for await (const page of this.#table.readPages(own, order))
      yield query.currency === null ? await this.convertEntries(page) : page;
  }

  /** Commissions as the totals of all currencies count them. */
  async convertEntries(entries: readonly FoldedEntry[]): Promise<readonly FoldedEntry[]> {
    const { currency, isConverted } = await this.readCurrency({ currency: null });
    return isConverted && currency !== null ? this.#converter.convert(entries, currency) : entries;
  }

  /** Which commissions are of a period and pass the filters, as far as the table says it. */
  async readScope(query: ConsoleQuery): Promise<EntryScope> {
    const of = (name: ConsoleFilter['dimension']) =>
      query.filters.filter(({ dimension }) => dimension === name);
    const select = <Value extends string>(filters: readonly ConsoleFilter[], values: readonly Value[]) =>
      filters.length === 0
        ? undefined
        : values.filter((own) => passesValues(filters, ({ value }) => value === own));
    const partners = of('partner');
    return {
      days: this.#getDays(query),
      currency: query.currency,
      paths: await this.findPaths(query),
      partners: select(partners, partners.length === 0 ? [] : await this.#table.readPartners()),
      statuses: select(of('status'), COMMISSION_STATUSES),
    };
  }

  /** The ids of the paths that pass the filters and a condition; null where all do. */
  async findPaths(
    query: ConsoleQuery,
    condition?: (path: CreditPath) => boolean,
  ): Promise<readonly number[] | null> {
    const filters = query.filters.filter(
      ({ dimension }) => dimension !== 'partner' && dimension !== 'status',
    );
    if (filters.length === 0 && condition === undefined) return null;
    const passes = (path: CreditPath | null) =>
      (condition === undefined || (path !== null && condition(path))) &&
      passesFilters({ path, partner: '', status: 'unknown' }, { ...query, filters });
    const ids = [...(await this.#table.readPaths())].flatMap(([id, path]) => (passes(path) ? [id] : []));
    return passes(null) ? [0, ...ids] : ids;
  }

  /** Counts sums in the currency of the totals of a query. `getDay`: of the booking, as in `convertSums`. */
  async convert<Sum extends MoneySum>(
    query: { readonly currency: ConsoleQuery['currency'] },
    sums: readonly Sum[],
    getDay: (sum: Sum) => number | null,
  ): Promise<readonly Sum[]> {
    const { currency, isConverted } = await this.readCurrency(query);
    return isConverted && currency !== null ? this.#converter.convertSums(sums, currency, getDay) : sums;
  }

  /**
   * The money of a query by days of the click. Without filters, that of the currency of totals is summed by day already: only
   * what is converted is read by commission.
   */
  async readClickDays(
    query: ConsoleQuery,
  ): Promise<readonly (SummedCommissions & { readonly day: number | null })[]> {
    const paths = await this.findPaths(query);
    const { currency, isConverted } = await this.readCurrency(query);
    const isSummed = query.filters.length === 0 && isConverted && currency !== null;
    const { cells } = await this.readCells(query, { by: 'path and day', paths, isForeign: isSummed });
    if (isSummed) return [...(await this.#table.readDays(this.#getDays(query), currency)), ...cells];
    return paths === null ? cells : cells.filter(({ path }) => path !== null);
  }

  /** Sums what the totals of a query have of other currencies, converted, and what they do not have. */
  async readForeignMoney(query: ConsoleQuery): Promise<ForeignSums> {
    const { cells, currency, isConverted } = await this.readCells(query);
    return this.#once(cells, ['foreign', currency], () => ({
      currency,
      isConverted,
      ...sumForeignMoney(cells, currency),
    }));
  }

  /** `shared`: as of `PeriodCounts`. */
  async readPeriod(query: ConsoleQuery, shared: PeriodCounts | null = null): Promise<MoneyPeriod> {
    const { clock, money } = this.#site;
    const { cells, currency: known } = await this.readCells(query);
    const currency = known ?? 'USD';
    const history = await this.readHistory(query, currency);
    const counts = new PeriodCounts(query, history.curve, money.rollups, clock.now(), shared);
    return { query, currency, ...history, selection: this.#select(cells, currency, history.rates), counts };
  }

  #select(cells: readonly CommissionCell[], currency: string, rates: ApprovalRates): Selection {
    const build = () =>
      new Selection(
        cells.filter((cell) => cell.currency === currency),
        rates,
      );
    return this.#once(cells, ['selection', currency, [...rates]], build);
  }

  /** What all commissions of a currency say, counted as a query does. */
  async readHistory(
    query: { readonly currency: ConsoleQuery['currency'] },
    currency: string,
  ): Promise<History> {
    const now = this.#site.clock.now();
    const all = await this.readCohorts(query);
    const rates = this.#once(all, ['rates', currency], () => buildApprovalRates(all, currency));
    const week = Math.floor(now / WEEK_MS) * WEEK_MS;
    const first = week - CURVE_WEEKS * WEEK_MS;
    const spread = await this.#readSpread(currency, week);
    const curve = this.#once(all, ['curve', currency, week], () => {
      const known = listCohortSums(all, currency).filter((sum) => sum.week >= first);
      return buildSummedCurve(known, { now });
    });
    return { rates, curve: curve && { ...curve, spread } };
  }

  /** How customers differ within 12 months, or as far as clicks of half a year ago say it while too few are older. */
  async #readSpread(currency: string, week: number) {
    for (const weeks of [PREDICTED_WEEKS, PREDICTED_WEEKS / 2]) {
      const [from, to] = [week - (weeks + CURVE_WEEKS) * WEEK_MS, week - weeks * WEEK_MS];
      const spread = buildSummedSpread(await this.#table.readSpreads(currency, from, to));
      if (spread.length > 0) return spread;
    }
    return [];
  }

  /** The commissions of another query in the currency of a period, counted as it does. */
  async select({ currency, rates, query }: MoneyPeriod, other: ConsoleQuery): Promise<Selection> {
    const { cells } = await this.readCells({ ...other, currency: query.currency });
    return this.#select(cells, currency, rates);
  }

  /** The rates at which a query converts other currencies; null: none. */
  async readPrices(query: ConsoleQuery): Promise<SumRates | null> {
    const { currency, isConverted } = await this.readCurrency(query);
    return isConverted && currency !== null ? this.#readRates(currency) : null;
  }

  /** How long commissions of a period took, those from a click to its first one of all, and to their approvals, in ms. `count`: of all. */
  async readDurations(query: ConsoleQuery, count: number) {
    const scope = { ...(await this.readScope(query)), isCounted: true };
    return this.#table.readDurations(scope, Math.max(1, Math.floor(count / MEASURED)));
  }

  /** What ids of networks credit, of another query: in the currency of a period where there is a rate. */
  async readLabelled({ query }: MoneyPeriod, other: ConsoleQuery): Promise<readonly FoldedEntry[]> {
    const scope = { isLabelled: true, isCounted: true } as const;
    return this.readEntries({ ...other, currency: query.currency }, scope);
  }

  /**
   * What all clicks of a period by click day have earned, whatever its filters are: every row is drawn towards them, so that
   * the same clicks are expected to earn the same in every view.
   */
  async readSite(period: MoneyPeriod, by: CountedDimension): Promise<EarnedClicks> {
    const filters = period.query.filters.filter(({ dimension }) => dimension === 'status');
    const selection = await this.select(period, { ...period.query, filters });
    const clicks = await period.counts.readMatureClicks(by, true);
    return sumSite(clicks, selection.getEarnings(by));
  }

  /** Counts the clicks of each day; null where they cannot be counted for the filters. */
  async readClicksByDay(query: ConsoleQuery): Promise<ReadonlyMap<string, number> | null> {
    // There are few partners, so that their counts are the fastest ones to sum.
    const found = (['partner', 'page', 'campaign', 'source'] as const)
      .map((by) => findCountedDimension(query, by))
      .filter((one) => one !== null);
    const dimension = found.find((one) => one !== 'placement') ?? found[0];
    if (dimension === undefined) return null;
    const { rollups } = this.#site.money;
    const { from, to, filters } = query;
    const isFiltered = filters.some(
      (filter) => filter.dimension !== 'status' && filter.dimension !== 'journey',
    );
    const groups = isFiltered ? await rollups.readByKey({ dimension, from, to }) : [];
    const keys = groups.map(({ key }) => key).filter((key) => passesCounts(key, dimension, filters));
    if (isFiltered && keys.length === 0) return new Map();
    const visits = findVisits(query);
    const days = await rollups.readByDay({
      dimension,
      from,
      to,
      keys: isFiltered ? keys : undefined,
      visits,
    });
    return new Map(days.map(({ key, clicks }) => [key[0] ?? '', clicks]));
  }
}

/** What clicks of a currency brought, by their weeks. */
const listCohortSums = (cohorts: readonly CommissionCohort[], currency: string | undefined) =>
  cohorts.flatMap(({ state, status, week, booked, count, amount, ...sum }): ClickSum[] =>
    sum.currency !== currency || state < STATES.matched
      ? []
      : [
          {
            week,
            booked,
            amount: status === 'unknown' ? 0 : amount,
            conversions: state === STATES.conversion ? count : 0,
          },
        ],
  );

/** So many commissions say well enough how long others take; to read a million takes seconds. */
const MEASURED = 2_000;

/** Older clicks say little about how long commissions take now. */
const CURVE_WEEKS = 53;
