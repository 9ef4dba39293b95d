import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildClickKey } from '../../core/commissions/credit/build-click-key.ts';
import { buildCampaignName, type CreditModel } from '../../core/commissions/credit/credit.ts';
import { convertAlike, type ExchangeRate, sumForeignMoney } from '../../core/commissions/exchange-rates.ts';
import { buildEntryAt, type LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import {
  type EarnedSum,
  type MatureClicks,
  sumEarnings,
  sumSite,
  weighWeek,
} from '../../core/commissions/ranges/build-ranking.ts';
import { buildClickCurve, type MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import type { ClickWeek, SiteEarnings } from '../../core/commissions/ranges/rank-by-earnings.ts';
import type { RollupDimension } from '../../core/events/rollup.ts';
import type { Content } from '../../core/pages/content.ts';
import { EntryConverter } from '../../server/commissions/exchange-rates.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import type { Settings } from '../../server/settings.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Rollups, WeightedDays, WeightedRollupGroup } from '../../stores/rollups.ts';
import {
  type ApprovalRates,
  buildApprovalRates,
  buildPeriodMoney,
  type CreditDimension,
  type CreditedMoney,
  getExpectedAmount,
  listCurrencies,
  type PeriodMoney,
  sumCreditedMoney,
} from './period-figures.ts';
import type { ConsoleFilter, ConsoleQuery } from './query.ts';
import type { DayRange } from './range.ts';
import { addDays, getWeekStart } from './range.ts';
import { passesValues, selectEntries } from './select-entries.ts';

/** Dimensions of counted clicks that filters of the console can be applied to. */
export type CountedDimension = Extract<
  RollupDimension,
  'page' | 'placement' | 'campaign' | 'source' | 'partner'
>;

/**
 * The dimension whose counts answer a query by a dimension: counts are by one dimension each, so that campaigns and
 * sources cannot be combined with another one. Null when no dimension has all filters; the status belongs to
 * commissions alone.
 */
function findCountedDimension({ filters }: ConsoleQuery, by: CountedDimension): CountedDimension | null {
  const used = filters.map(({ dimension }) => dimension).filter((dimension) => dimension !== 'status');
  if (used.length === 0) return by;
  const isWithin = (...known: readonly string[]) => used.every((dimension) => known.includes(dimension));
  if (by === 'campaign' || by === 'source') return isWithin(by) ? by : null;
  if (isWithin(by) && by !== 'placement') return by;
  if (isWithin('page') && by !== 'placement') return 'page';
  return isWithin('page', 'placement', 'partner') ? 'placement' : null;
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
  [first = '', second = '', third = '']: readonly string[],
  dimension: RollupDimension,
): Partial<Record<ConsoleFilter['dimension'], string>> {
  switch (dimension) {
    case 'page':
      return { page: first };
    case 'placement':
      return { page: first, placement: `${first} ${second || '(none)'}`, partner: third };
    case 'campaign':
      return {
        campaign: buildCampaignName({ utm_source: first, utm_medium: second, utm_campaign: third }),
      };
    case 'source':
      return { source: buildClickKey([first, second], 'source', '') ?? '' };
    case 'partner':
      return { partner: first };
    default:
      return {};
  }
}

/** Counted events of one value. */
export interface ValueCounts {
  readonly views: number;
  readonly clicks: number;
}

/** Counts of the events of a period, each read once for all that a view shows. Rejects with `EventStoreError`. */
export class PeriodCounts {
  readonly #query: ConsoleQuery;
  readonly #curve: MaturityCurve | null;
  readonly #rollups: Rollups;
  readonly now: number;
  readonly #reads = new Map<CountedDimension, Promise<readonly WeightedRollupGroup[]>>();

  /** `curve`: how long commissions take; null while too few are known. `now`: ms since 1970. */
  constructor(query: ConsoleQuery, curve: MaturityCurve | null, rollups: Rollups, now: number) {
    this.#query = query;
    this.#curve = curve;
    this.#rollups = rollups;
    this.now = now;
  }

  /** Counts views and clicks by the values of a dimension; null where they cannot be counted for the filters. */
  async readCounts(by: CreditDimension): Promise<ReadonlyMap<string, ValueCounts> | null> {
    const query = this.#query;
    const dimension = findCountedDimension(query, by);
    if (dimension === null) return null;
    // Counts by placement have no views: they are those of the page, for every partner.
    const [groups, pages] = await Promise.all([
      this.#readFiltered(dimension, query.filters),
      dimension === 'placement' ? this.#readFiltered('page', query.filters) : [],
    ]);
    const pageViews = new Map(pages.map((group) => [group.key[0], group.views]));
    const counts = new Map<string, { views: number; clicks: number }>();
    for (const group of groups) {
      const key = getCountKey(group, by);
      const sum = counts.get(key) ?? { views: 0, clicks: 0 };
      counts.set(key, sum);
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

  /** Reads the counts of campaigns down to their contents; empty where they cannot be counted for the filters. */
  async readCampaignGroups(): Promise<readonly WeightedRollupGroup[]> {
    const dimension = findCountedDimension(this.#query, 'campaign');
    return dimension === null ? [] : this.#readFiltered(dimension, this.#query.filters);
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
    for (const group of await this.#rollups.readClicks({ dimension, keys, periods })) {
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

  async #readFiltered(dimension: CountedDimension, filters: ConsoleQuery['filters']) {
    const reading =
      this.#reads.get(dimension) ??
      this.#rollups.readWeighted(dimension, listWeeks(this.#query, this.#curve, this.now));
    this.#reads.set(dimension, reading);
    const groups = await reading;
    return filters.length === 0 ? groups : groups.filter(({ key }) => passesCounts(key, dimension, filters));
  }
}

/** A query without its filters by one dimension. */
export function dropFilters(query: ConsoleQuery, by: CountedDimension): ConsoleQuery {
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

/** The key of a row for counts; those by placement belong to pages too. */
function getCountKey({ key }: { readonly key: readonly string[] }, by: CountedDimension): string {
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
  readonly entries: readonly LedgerEntry[];
  readonly #currency: string;
  readonly #rates: ApprovalRates;
  readonly #earnings = new Map<string, ReadonlyMap<string, EarnedSum>>();
  readonly #credited = new Map<string, ReadonlyMap<string, CreditedMoney>>();
  #money: PeriodMoney | null = null;

  constructor(entries: readonly LedgerEntry[], currency: string, rates: ApprovalRates) {
    this.entries = entries;
    this.#currency = currency;
    this.#rates = rates;
  }

  /** The money of all of them. */
  getMoney(): PeriodMoney {
    this.#money ??= buildPeriodMoney(this.entries, this.#currency, this.#rates);
    return this.#money;
  }

  /** What the clicks of each value of a dimension have earned. */
  getEarnings(by: CountedDimension): ReadonlyMap<string, EarnedSum> {
    const sums =
      this.#earnings.get(by) ??
      sumEarnings(this.entries, by, ({ commission }) => getExpectedAmount(commission, this.#rates));
    this.#earnings.set(by, sums);
    return sums;
  }

  /** What a model credits to each value of a dimension. */
  getCredited(by: CreditDimension, model: CreditModel): ReadonlyMap<string, CreditedMoney> {
    const key = `${by} ${model}`;
    const sums =
      this.#credited.get(key) ??
      sumCreditedMoney(this.entries, { by, model, currency: this.#currency, rates: this.#rates });
    this.#credited.set(key, sums);
    return sums;
  }
}

/** Commissions of a period, and what is known beyond it. */
export interface MoneyPeriod extends History {
  readonly query: ConsoleQuery;
  readonly currency: string;
  /** Those of the period that count and pass the filters; the same selection while nothing changes. */
  readonly selection: Selection;
  readonly all: readonly LedgerEntry[];
  readonly counts: PeriodCounts;
}

type SelectedFrom = Pick<MoneyPeriod, 'all' | 'currency' | 'rates'>;

/** Every commission, as a query counts it. */
export interface CountedLedger {
  readonly all: readonly LedgerEntry[];
  /** ISO 4217 code of the totals; null without any money. */
  readonly currency: string | null;
  /** Whether commissions of other currencies are converted into it. */
  readonly isConverted: boolean;
}

/** The money of other currencies than that of the totals. */
export interface ForeignSums
  extends Pick<CountedLedger, 'currency' | 'isConverted'>,
    ReturnType<typeof sumForeignMoney> {}

/** What a reader of periods needs of a site. */
export interface PeriodSite {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly money: {
    readonly commissions: { readonly readEntries: CommissionLedger['readEntries'] };
    readonly ledger: Ledger;
    readonly rollups: Rollups;
  };
  readonly content: { readonly read: () => { readonly partners: Content['partners'] } };
}

/** Reads money and counts of a period. Every method rejects with `CommissionStoreError` or `EventStoreError`. */
export class PeriodReader {
  readonly #site: PeriodSite;
  readonly #converter: EntryConverter;
  readonly #selected = new LRUCache<string, Selection>({ max: MAX_SELECTED });
  #rates: { readonly all: readonly LedgerEntry[] | null; readonly byCurrency: Map<string, ApprovalRates> } = {
    all: null,
    byCurrency: new Map(),
  };
  /** The list that they were selected from. */
  #selectedFrom: readonly LedgerEntry[] | null = null;
  #currencies: { readonly all: readonly LedgerEntry[]; readonly list: readonly string[] } | null = null;
  /** The commissions of other currencies than that of the totals, and their sums by query. */
  #foreign: {
    readonly all: readonly LedgerEntry[];
    readonly currency: string | null;
    readonly entries: readonly LedgerEntry[];
    readonly sums: LRUCache<string, ForeignSums>;
  } | null = null;
  #history: {
    readonly all: readonly LedgerEntry[];
    readonly currency: string;
    readonly day: number;
    readonly history: History;
  } | null = null;

  constructor(site: PeriodSite) {
    this.#site = site;
    this.#converter = new EntryConverter(site.money.ledger, site.settings.TIME_ZONE);
  }

  /**
   * Reads every commission as a query counts it, and the currency of its totals. Where the query names none, that is the
   * reporting currency, with all commissions converted that have a rate; without one it is the currency with the most money,
   * null without any.
   */
  async readLedger({ currency }: { readonly currency: ConsoleQuery['currency'] }): Promise<CountedLedger> {
    const entries = await this.#site.money.commissions.readEntries();
    if (currency !== null) return { all: entries, currency, isConverted: false };
    const converted = await this.#converter.convertToReporting(entries);
    if (converted.currency !== null)
      return { all: converted.entries, currency: converted.currency, isConverted: true };
    return { all: entries, currency: this.#listCurrencies(entries)[0] ?? null, isConverted: false };
  }

  /** The currencies of the commissions that count, the one with the most money first. */
  async readCurrencies(): Promise<readonly string[]> {
    return this.#listCurrencies(await this.#site.money.commissions.readEntries());
  }

  #listCurrencies(all: readonly LedgerEntry[]): readonly string[] {
    if (this.#currencies?.all !== all) this.#currencies = { all, list: listCurrencies(all) };
    return this.#currencies.list;
  }

  /** The currency in which totals are shown unless a query names another one; null without one. */
  readReportingCurrency(): Promise<string | null> {
    return this.#converter.readReportingCurrency();
  }

  /** The newest rate into the reporting currency, by currency of the commissions that have one. */
  async readNewestRates(): Promise<ReadonlyMap<string, ExchangeRate>> {
    return this.#converter.readNewestRates(await this.#site.money.commissions.readEntries());
  }

  /** Sums what the totals of a query have of other currencies, converted, and what they do not have. */
  async readForeignMoney(query: ConsoleQuery): Promise<ForeignSums> {
    const { all, currency, isConverted } = await this.readLedger(query);
    if (this.#foreign?.all !== all || this.#foreign.currency !== currency) {
      const entries = all.filter(
        ({ original, commission }) => original !== undefined || commission.currency !== currency,
      );
      this.#foreign = { all, currency, entries, sums: new LRUCache({ max: MAX_SELECTED }) };
    }
    const { entries, sums } = this.#foreign;
    const key = buildSelectionKey(query, currency);
    const known = sums.get(key);
    if (known !== undefined) return known;
    const selected = selectEntries(entries, { ...query, currency: null }, this.#site.settings.TIME_ZONE);
    const foreign = { currency, isConverted, ...sumForeignMoney(selected, currency) };
    sums.set(key, foreign);
    return foreign;
  }

  async readPeriod(query: ConsoleQuery): Promise<MoneyPeriod> {
    const { money, clock } = this.#site;
    const { rollups } = money;
    const { all, currency: known } = await this.readLedger(query);
    const currency = known ?? 'USD';
    const history = this.#readHistory(all, currency);
    const parts = { all, currency, ...history };
    const counts = new PeriodCounts(query, history.curve, rollups, clock.now());
    return { query, ...parts, selection: this.select(parts, query), counts };
  }

  /** The approval rates of partners in a currency, from all commissions; computed once while nothing changes. */
  getRates(all: readonly LedgerEntry[], currency: string): ApprovalRates {
    if (this.#rates.all !== all) this.#rates = { all, byCurrency: new Map() };
    const rates = this.#rates.byCurrency.get(currency) ?? buildApprovalRates(all, currency);
    this.#rates.byCurrency.set(currency, rates);
    return rates;
  }

  /** What all commissions of a currency say. */
  #readHistory(all: readonly LedgerEntry[], currency: string): History {
    const now = this.#site.clock.now();
    const day = Math.floor(now / DAY_MS);
    const cached = this.#history;
    if (cached?.all === all && cached.currency === currency && cached.day === day) return cached.history;
    const known = all.filter(
      ({ isCounted, journey, commission }) =>
        isCounted &&
        journey !== null &&
        journey.clickTime >= now - CURVE_MS &&
        commission.currency === currency,
    );
    const history = { rates: this.getRates(all, currency), curve: buildClickCurve(known, { now }) };
    this.#history = { all, currency, day, history };
    return history;
  }

  /**
   * The commissions of another query in the currency of a period, that of its comparison for example. `asOf`: as they
   * stood at that time, in ms since 1970; the status of a filter is that of the time.
   */
  select(known: SelectedFrom, query: ConsoleQuery, asOf: number | null = null): Selection {
    const { all, currency, rates } = known;
    if (this.#selectedFrom !== all) this.#selected.clear();
    this.#selectedFrom = all;
    const key = `${buildSelectionKey(query, currency)} ${asOf}`;
    const cached = this.#selected.get(key);
    if (cached !== undefined) return cached;
    const source = asOf === null ? all : this.#listAt(known, query, asOf);
    const entries = selectEntries(source, { ...query, currency }, this.#site.settings.TIME_ZONE);
    const counted = entries.filter(({ isCounted }) => isCounted);
    const selection = new Selection(counted, currency, rates);
    this.#selected.set(key, selection);
    return selection;
  }

  #listAt(known: SelectedFrom, query: ConsoleQuery, asOf: number): readonly LedgerEntry[] {
    const { partners } = this.#site.content.read();
    const filters = query.filters.filter(({ dimension }) => dimension !== 'status');
    return this.select(known, { ...query, filters }).entries.flatMap((entry) => {
      const source = partners.get(entry.commission.partner)?.terms.source ?? null;
      const aged = buildEntryAt(entry, asOf, source);
      return aged === null ? [] : (convertAlike(aged, entry) ?? []);
    });
  }

  /** The same period by click day: what its clicks have earned, whichever clock its money is counted by. */
  selectByClick(period: MoneyPeriod): MoneyPeriod {
    if (period.query.clock === 'click') return period;
    const query = { ...period.query, clock: 'click' } as const;
    return { ...period, query, selection: this.select(period, query) };
  }

  /**
   * What all clicks of a period by click day have earned, whatever its filters are: every row is drawn towards them, so that
   * the same clicks are expected to earn the same in every view.
   */
  async readSite(period: MoneyPeriod, by: CountedDimension): Promise<SiteEarnings> {
    const filters = period.query.filters.filter(({ dimension }) => dimension === 'status');
    const selection = this.select(period, { ...period.query, filters });
    const clicks = await period.counts.readMatureClicks(by, true);
    return sumSite(clicks, selection.getEarnings(by), period.curve);
  }

  /** Counts the clicks of each day; null where they cannot be counted for the filters. */
  async readClicksByDay(query: ConsoleQuery): Promise<ReadonlyMap<string, number> | null> {
    // There are few partners, so that their counts are the fastest ones to sum.
    const [dimension = null] = (['partner', 'campaign', 'source'] as const)
      .map((by) => findCountedDimension(query, by))
      .filter((found) => found !== null);
    if (dimension === null) return null;
    const { rollups } = this.#site.money;
    const { from, to, filters } = query;
    const isFiltered = filters.some((filter) => filter.dimension !== 'status');
    const groups = isFiltered ? await rollups.readByKey({ dimension, from, to }) : [];
    const keys = groups.map(({ key }) => key).filter((key) => passesCounts(key, dimension, filters));
    if (isFiltered && keys.length === 0) return new Map();
    const days = await rollups.readByDay({ dimension, from, to, keys: isFiltered ? keys : undefined });
    return new Map(days.map(({ key, clicks }) => [key[0] ?? '', clicks]));
  }
}

/** Equal for queries that select the same commissions. */
function buildSelectionKey(
  { from, to, clock, model, filters }: ConsoleQuery,
  currency: string | null,
): string {
  return JSON.stringify([from, to, clock, model, filters, currency]);
}

/** Older clicks say little about how long commissions take now. */
const CURVE_MS = 53 * 7 * DAY_MS;
/** A view selects at most nine times; each list has up to as many entries as the ledger. */
const MAX_SELECTED = 12;
