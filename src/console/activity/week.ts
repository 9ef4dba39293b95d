import { addDays, getLocalDay, toUtc } from '../../core/commissions/local-time.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { readCash } from '../reports/cash.ts';
import { isDay } from '../reports/range.ts';
import { readActivity } from './read.ts';

const DAYS = 7;

/** Views and clicks of all pages in some days. */
async function countDays({ money: { rollups } }: ConsoleSite, from: string, to: string) {
  const groups = await rollups.readByKey({ dimension: 'page', from, to });
  const sum = (get: (group: (typeof groups)[number]) => number) =>
    groups.reduce((all, group) => all + get(group), 0);
  return { views: sum(({ views }) => views), clicks: sum(({ clicks }) => clicks) };
}

/** Sources of visits in some days, by name. */
async function readSourceNames({ money: { rollups } }: ConsoleSite, from: string, to: string) {
  const groups = await rollups.readByKey({ dimension: 'source', from, to });
  return new Map(groups.map(({ key, sessions }) => [key.filter(Boolean).join(': '), sessions]));
}

/** A new source has to bring so many visits to be named. */
const MIN_VISITS = 5;
const MAX_NAMED = 5;
/** A week in which counts differ by no more than this many of their standard deviations is as usual. */
const USUAL = 2.6;

/** Whether two counts of as many days differ by no more than chance explains. */
export const isUsual = (one: number, other: number): boolean =>
  Math.abs(one - other) <= USUAL * Math.sqrt(one + other);

/**
 * Reads the seven full days to yesterday, or to the day that the address names: counts against as many days before, and
 * new sources.
 */
async function readDays(site: ConsoleSite, { parameters }: ViewRequest) {
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const asked = parameters.get('to') ?? '';
  const to = isDay(asked) && asked < today ? asked : addDays(today, -1);
  const from = addDays(to, 1 - DAYS);
  const before = [addDays(from, -DAYS), addDays(from, -1)] as const;
  const [now, former, sources, known] = await Promise.all([
    countDays(site, from, to),
    countDays(site, ...before),
    readSourceNames(site, from, to),
    readSourceNames(site, addDays(from, -365), addDays(from, -1)),
  ]);
  return {
    from,
    to,
    now,
    former,
    isClicksUsual: isUsual(now.clicks, former.clicks),
    isViewsUsual: isUsual(now.views, former.views),
    newSources: [...sources]
      .filter(([name, visits]) => !known.has(name) && visits >= MIN_VISITS)
      .sort(([, one], [, other]) => other - one)
      .slice(0, MAX_NAMED),
    earlier: addDays(from, -1),
    /** The last day of the next week; null where it has not ended. */
    later: addDays(to, DAYS) < today ? addDays(to, DAYS) : null,
  };
}

/** Reads the money of some days: commissions that were reported on them, what was received and what was spent. */
async function readMoney(site: ConsoleSite, { from, to }: { readonly from: string; readonly to: string }) {
  const { table } = site.money.commissions;
  const start = (day: string) => toUtc(Date.parse(day), site.settings.TIME_ZONE);
  const [cash, since, after] = await Promise.all([
    readCash(site, { from, to }),
    table.count({ since: start(from), isCounted: true }),
    table.count({ since: start(addDays(to, 1)), isCounted: true }),
  ]);
  return { reported: since - after, received: cash.payments, spent: cash.spent };
}

/** Reads a week, and below it everything that operators have changed. */
export async function readWeek(site: ConsoleSite, request: ViewRequest) {
  if (request.rest.length > 0) return null;
  const [week, changes] = await Promise.all([readDays(site, request), readActivity(site, request)]);
  /** Null for operators who may not see amounts. */
  const money = isAllowed(request.viewer, 'money') ? await readMoney(site, week) : null;
  return { ...week, changes, money };
}
