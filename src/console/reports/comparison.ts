import { DAY_MS } from '../../core/clock.ts';
import { getLocalDay, nameDay, toUtc } from '../../core/commissions/local-time.ts';
import { getEarned } from '../../core/commissions/metric-definitions.ts';
import {
  compareSummed,
  EARLIER_WEEKS,
  estimateDispersionOfDays,
  isChanceOfCounts,
  type PeriodPair,
} from '../../core/commissions/ranges/compare-periods.ts';
import { getMatureShare, type MaturityCurve } from '../../core/commissions/ranges/maturity.ts';
import { type CommissionDay, STATES } from '../../stores/commission-sums.ts';
import type { ConsoleSite } from '../console-site.ts';
import { sumOf } from './payments.ts';
import type { MoneyPeriod } from './periods.ts';
import type { ConsoleQuery } from './query.ts';
import { addDays, buildComparedRange, type DayRange } from './range.ts';
import { getPeriod, type Period } from './select-entries.ts';

/** Figures whose change is shown. */
export type ComparedFigure = MoneyFigure | 'clicks' | 'epc';

/** A figure and what it was in the earlier period at the same age; money in minor units. */
export interface Change extends PeriodPair {
  /** Whether two periods of the same nature differ as much by chance; null while there are no eight weeks before them. */
  readonly isChance: boolean | null;
}

/**
 * Why a change is not shown: the data begin later, it is not known what had arrived by then, most of the money of the
 * clicks is still to come, or no day of the period is over.
 */
export type NoChange = 'no-data' | 'unknown' | 'immature' | 'running';

/** How a period differs from an earlier one. */
export interface PeriodComparison {
  readonly range: DayRange;
  /** When the earlier period was as old as this one is now; ms since 1970. */
  readonly asOf: number;
  /** Whether the period has days that are not over: clicks are compared without them. */
  readonly isRunning: boolean;
  /** The first day of the money by the clock, and of counted events, where the earlier period begins before it. */
  readonly moneyBegins: string | null;
  readonly eventsBegin: string | null;
  /** Share of the money of the period's clicks that has usually arrived by now; null when it is not known. */
  readonly arrivedShare: number | null;
  readonly changes: Readonly<Record<ComparedFigure, Change | NoChange>>;
}

const MINUTE_MS = 60_000;

/** Figures of money that have a change. Payday moves none of them. */
const MONEY_FIGURES = ['confirmed', 'pending', 'expected', 'reversed'] as const;

type MoneyFigure = (typeof MONEY_FIGURES)[number];

const mapMoney = <T>(build: (figure: MoneyFigure) => T): Record<MoneyFigure, T> => ({
  confirmed: build('confirmed'),
  pending: build('pending'),
  expected: build('expected'),
  reversed: build('reversed'),
});

/** With less of the money of its clicks, a period says more about delays than about itself. */
const MIN_ARRIVED_SHARE = 0.5;

/**
 * Reads how a period differs from the one that it is compared with, at the same age: of the earlier period counts what
 * had arrived when it was as old as this one is now. Null without a comparison. `clicksByDay` are those of the period.
 * Rejects with `EventStoreError`.
 */
export async function readComparison(
  site: ConsoleSite,
  period: MoneyPeriod,
  clicksByDay: ReadonlyMap<string, number> | null,
): Promise<PeriodComparison | null> {
  const { query, curve } = period;
  const range = buildComparedRange(query);
  if (range === null) return null;
  const timeZone = site.settings.TIME_ZONE;
  // To the minute, so that what was read is read once.
  const now = Math.floor(site.clock.now() / MINUTE_MS) * MINUTE_MS;
  const ages = alignPeriods(query, range, { now, timeZone });
  const firstDays = await readFirstDays(site, query.clock);
  const hasMoney = range.from >= firstDays.money;
  const hasEvents = range.from >= firstDays.events;
  const since = addDays(range.from, -7 * EARLIER_WEEKS);
  const before = hasEvents ? await site.periods.readClicksByDay({ ...query, ...range, from: since }) : null;
  const known = { events: since >= firstDays.events, money: since >= firstDays.money };
  const usual = { since, known };
  const arrivedShare = getArrivedShare(clicksByDay, { query, curve, timeZone, now: ages.now.age });
  const isImmature = arrivedShare !== null && arrivedShare < MIN_ARRIVED_SHARE;
  const immature = isImmature ? 'immature' : null;
  const noMoney = hasMoney ? (query.clock === 'click' ? immature : null) : 'no-data';
  const noEpc = hasMoney && hasEvents ? immature : 'no-data';
  return {
    range,
    asOf: ages.before.age,
    isRunning: ages.isRunning,
    moneyBegins: hasMoney || firstDays.money === NEVER ? null : firstDays.money,
    eventsBegin: hasEvents || firstDays.events === NEVER ? null : firstDays.events,
    arrivedShare,
    changes: {
      ...(await compareMoney(site, period, { range, ages, usual, none: noMoney })),
      clicks: hasEvents ? compareClicks(clicksByDay, before, ages, usual) : 'no-data',
      epc:
        noEpc ??
        (await compareEpc(site, period, { range, ages, usual, clicks: { now: clicksByDay, before } })),
    },
  };
}

/** How far a period and the one that it is compared with have come. */
interface ComparedAges {
  readonly now: AgedPeriod;
  readonly before: AgedPeriod;
  readonly isRunning: boolean;
}

/** A period seen at a time; `to` in ms since 1970, exclusive. */
interface AgedPeriod extends Period {
  /** When it is seen; ms since 1970. */
  readonly age: number;
  /** First day and last day that was over then; `lastDay` is before `firstDay` when none was. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Sees the earlier period when it was as old as the later one is now: by the days since its end, or since its beginning
 * while the later one is not over, since months have different lengths.
 */
export function alignPeriods(
  later: DayRange,
  earlier: DayRange,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): ComparedAges {
  const [own, other] = [later, earlier].map((range) => getPeriod(range, timeZone));
  const isRunning = later.to >= getLocalDay(now, timeZone);
  const side = isRunning ? 'from' : 'to';
  const age = now - ((own?.[side] ?? 0) - (other?.[side] ?? 0));
  const see = (range: DayRange, at: number): AgedPeriod => {
    const yesterday = addDays(getLocalDay(at, timeZone), -1);
    const lastDay = isRunning && yesterday < range.to ? yesterday : range.to;
    return { ...getPeriod(range, timeZone), age: at, firstDay: range.from, lastDay };
  };
  return { now: see(later, now), before: see(earlier, age), isRunning };
}

/** The first days of what was counted and of what was booked or clicked; after every day without any. */
async function readFirstDays(
  { settings, money: { rollups, clicks, commissions } }: ConsoleSite,
  clock: ConsoleQuery['clock'],
) {
  const [firstDay, firstEvent, times] = await Promise.all([
    rollups.readFirstDay(),
    clicks.readFirstEventTime(),
    commissions.table.readTimes(true),
  ]);
  const [first] = times[clock];
  const events = firstEvent === null ? NEVER : getLocalDay(firstEvent, settings.TIME_ZONE);
  return {
    events: firstDay !== null && firstDay < events ? firstDay : events,
    money: first === null ? NEVER : nameDay(first),
  };
}

const NEVER = '9999-12-31';

/** The share of the money of clicks that has usually arrived by now; null without clicks, or when it is not known. */
function getArrivedShare(
  clicksByDay: ReadonlyMap<string, number> | null,
  context: {
    readonly query: DayRange;
    readonly curve: MaturityCurve | null;
    readonly timeZone: string;
    readonly now: number;
  },
): number | null {
  const { query, curve, timeZone, now } = context;
  if (curve === null) return null;
  let [sum, weighted] = [0, 0];
  for (let day = query.from; day <= query.to; day = addDays(day, 1)) {
    // Where clicks cannot be counted for the filters, each day counts as much.
    const clicks = clicksByDay === null ? 1 : (clicksByDay.get(day) ?? 0);
    if (clicks === 0) continue;
    const noon = toUtc(Date.parse(day), timeZone) + DAY_MS / 2;
    sum += clicks;
    weighted += clicks * getMatureShare(curve, Math.max(0, now - noon));
  }
  return sum === 0 ? null : weighted / sum;
}

/** `since`: the first day of the eight weeks before both periods, which say how much is usual; `known`: which have data. */
type UsualWeeks = { readonly since: string; readonly known: Record<'events' | 'money', boolean> };
type Compared = { readonly range: DayRange; readonly ages: ComparedAges; readonly usual: UsualWeeks };

/** `none`: why no change is shown, where that is known already. */
async function compareMoney(
  { periods }: ConsoleSite,
  period: MoneyPeriod,
  { range, ages, usual, none }: Compared & { readonly none: NoChange | null },
): Promise<Record<MoneyFigure, Change | NoChange>> {
  const { query, selection } = period;
  const earlier = { ...query, ...range };
  if (none !== null) return mapMoney(() => none);
  if (!(await isKnown(periods, period, earlier, ages))) return mapMoney(() => 'unknown');
  const money = selection.getMoney();
  const now = { ...money, confirmed: getEarned(money) };
  const exposure = { now: getPassed(ages.now), before: getPassed(ages.before) };
  const since = await periods.readDays({ ...query, ...range, from: usual.since });
  const days = countCustomers(since, ages.before, usual.since);
  const [own, other] = [exposure.now, exposure.before].map((passed) =>
    Math.max(1, Math.round(passed / DAY_MS)),
  );
  const dispersion = estimateDispersionOfDays(days, { now: own ?? 1, before: other ?? 1 });
  const compared = await periods.compareCustomers(period, [query, earlier], ages.before.age, {
    figures: MONEY_FIGURES,
    scale: exposure.now / exposure.before,
    isClicked: false,
  });
  return mapMoney((figure): Change => {
    const sums = compared[MONEY_FIGURES.indexOf(figure)] ?? NO_CUSTOMERS;
    const isChance = usual.known.money ? compareSummed(sums, dispersion).isChance : null;
    return { now: now[figure], before: Math.round(sums.before), isChance };
  });
}

const NO_CUSTOMERS = { now: 0, before: 0, difference: 0, squares: 0, count: 0 };

/** Counts the first payments of each day, and what has no click: later payments come by themselves. */
function countCustomers(
  sums: readonly CommissionDay[],
  { lastDay }: AgedPeriod,
  since: string,
): readonly number[] {
  const counts = new Map<string, number>();
  for (const { state, status, amount, day, count } of sums) {
    const isFirst =
      state === STATES.conversion || (state < STATES.matched && status !== 'reversed' && amount > 0);
    if (isFirst) counts.set(nameDay(day), (counts.get(nameDay(day)) ?? 0) + count);
  }
  return listClicks(counts, since, lastDay);
}

/** The part of a period that had passed when it was seen, in ms. */
const getPassed = ({ from, to, age }: AgedPeriod) => Math.max(1, Math.min(to, age) - from);

/**
 * Whether it is known what of an earlier period had arrived at its age. A network that reports in files counts as known while
 * the last file is as old now as the last one was then.
 */
async function isKnown(
  periods: ConsoleSite['periods'],
  period: MoneyPeriod,
  query: ConsoleQuery,
  { now, before }: ComparedAges,
): Promise<boolean> {
  const booked = await periods.readArrivals(period, query, before.age);
  const times = { now: now.age, before: before.age };
  return isArrivalKnown(booked, times, (partner, time) => periods.readLastArrival(partner, time));
}

/** More money than this share, booked by a time and arrived later, makes what was known at that time a guess. */
const MAX_LATE_SHARE = 0.1;
/** Files of two months come on days that differ by less. */
const MAX_GAP_MS = 5 * DAY_MS;

/**
 * Whether what had arrived by a time can be compared with what has arrived by now. Times in ms since 1970. `booked`: what was
 * booked by the time, and what of it came later. `readLast`: when the last message of a partner until a time had arrived, null
 * without one.
 */
export async function isArrivalKnown(
  booked: readonly { readonly partner: string; readonly all: number; readonly late: number }[],
  times: PeriodPair,
  readLast: (partner: string, time: number) => Promise<number | null>,
): Promise<boolean> {
  const allowed = MAX_LATE_SHARE * sumOf(booked, ({ all }) => all);
  if (sumOf(booked, ({ late }) => late) <= allowed) return true;
  let unknown = 0;
  for (const [partner, own] of Map.groupBy(booked, (one) => one.partner)) {
    const late = sumOf(own, (one) => one.late);
    if (late === 0) continue;
    // The time itself when nothing had arrived.
    const getQuiet = async (time: number) => time - ((await readLast(partner, time)) ?? 0);
    const gap = Math.abs((await getQuiet(times.now)) - (await getQuiet(times.before)));
    if (gap > MAX_GAP_MS) unknown += late;
  }
  return unknown <= allowed;
}

type ClicksByDay = ReadonlyMap<string, number> | null;

/** The clicks of each day that was over. */
function listClicks(
  clicks: ReadonlyMap<string, number>,
  firstDay: string,
  lastDay: string,
): readonly number[] {
  const counts: number[] = [];
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) counts.push(clicks.get(day) ?? 0);
  return counts;
}

const sumCounts = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function compareClicks(
  now: ClicksByDay,
  before: ClicksByDay,
  ages: ComparedAges,
  { since, known }: UsualWeeks,
): Change | NoChange {
  if (now === null || before === null) return 'unknown';
  const own = listClicks(now, ages.now.firstDay, ages.now.lastDay);
  const other = listClicks(before, ages.before.firstDay, ages.before.lastDay);
  if (own.length === 0 || other.length === 0) return 'running';
  const counts = { now: sumCounts(own), before: sumCounts(other) };
  const days = { now: own.length, before: other.length };
  const dispersion = estimateDispersionOfDays(listClicks(before, since, ages.before.lastDay), days);
  return { ...counts, isChance: known.events ? isChanceOfCounts(counts, days, dispersion) : null };
}

/** By click day whatever the clock is: money by booking day is not that of the clicks of the same days. */
async function compareEpc(
  { periods }: ConsoleSite,
  period: MoneyPeriod,
  { range, ages, usual, clicks }: Compared & { readonly clicks: Record<'now' | 'before', ClicksByDay> },
): Promise<Change | NoChange> {
  if (clicks.now === null || clicks.before === null) return 'unknown';
  const own = listClicks(clicks.now, ages.now.firstDay, ages.now.lastDay);
  const other = listClicks(clicks.before, ages.before.firstDay, ages.before.lastDay);
  const counts = { now: sumCounts(own), before: sumCounts(other) };
  if (own.length === 0 || other.length === 0) return 'running';
  if (counts.now === 0 || counts.before === 0) return 'no-data';
  const query = { ...period.query, clock: 'click' } as const;
  if (!(await isKnown(periods, period, { ...query, ...range }, ages))) return 'unknown';
  const cut = (days: DayRange, { lastDay }: AgedPeriod) => ({
    ...query,
    ...days,
    to: lastDay < days.to ? lastDay : days.to,
  });
  const queries = [cut(query, ages.now), cut(range, ages.before)] as const;
  const compared = await periods.compareCustomers(period, queries, ages.before.age, {
    figures: ['booked'],
    scale: counts.now / counts.before,
    isClicked: true,
  });
  const [sums = NO_CUSTOMERS] = compared;
  const isSure = usual.known.events && usual.known.money;
  return {
    now: sums.now / counts.now,
    before: sums.before / counts.before,
    isChance: isSure ? compareSummed(sums).isChance : null,
  };
}
