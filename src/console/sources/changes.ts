import { getLocalDay } from '../../core/commissions/local-time.ts';
import { findSourceChanges, type SourceChange } from '../../core/events/source-changes.ts';
import { buildSourceName, parseVisitSource, WITHOUT_JOURNEY } from '../../core/events/visit-source.ts';
import type { Site } from '../../server/site.ts';
import type { RollupGroup } from '../../stores/rollups.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { addDays, buildComparedRange, countDays } from '../reports/range.ts';

/** More visits without a known source could hide a change, or be one. */
const MAX_UNKNOWN = 0.1;
/** A source without a visit on so many days before the period is new. */
const KNOWN_DAYS = 91;
/** Visits on one of so many days before a period say that the period was counted from its beginning. */
const COVERED_DAYS = 28;
/** These are not where visitors come from. */
const NO_SOURCES = ['unknown', buildSourceName(WITHOUT_JOURNEY), 'internal'];

/**
 * Reads which sources are new or have changed for real since the period that a query compares with. Whole days alone are
 * compared. Empty with filters, which visits by source cannot be counted for, before the counts cover both periods, and
 * while more than a tenth of the visits has no known source. Rejects with `EventStoreError`.
 */
export async function readSourceChanges(
  { settings, clock, money: { rollups } }: Site,
  query: ConsoleQuery,
): Promise<readonly SourceChange[]> {
  if (query.filters.length > 0) return [];
  const yesterday = addDays(getLocalDay(clock.now(), settings.TIME_ZONE), -1);
  const [to = yesterday] = [query.to, yesterday].sort();
  const period = { from: query.from, to };
  const before = period.to < period.from ? null : buildComparedRange({ ...query, ...period });
  if (before === null) return [];
  const dimension = 'source';
  const [firstDays, earlier, ...groups] = await Promise.all([
    rollups.readByDay({ dimension, from: addDays(before.from, -COVERED_DAYS), to: before.from }),
    rollups.readByKey({ dimension, from: addDays(period.from, -KNOWN_DAYS), to: addDays(period.from, -1) }),
    rollups.readByKey({ dimension, ...period }),
    rollups.readByKey({ dimension, ...before }),
  ]);
  const [now, then] = groups.map(sumBySource);
  if (now === undefined || then === undefined || firstDays.every(({ sessions }) => sessions === 0)) return [];
  if ([now, then].some((visits) => getUnknownShare(visits) > MAX_UNKNOWN)) return [];
  const known = sumBySource(earlier);
  const sources = [...new Set([...now.keys(), ...then.keys()])].filter((name) => !NO_SOURCES.includes(name));
  return findSourceChanges(
    sources.map((source) => ({
      source,
      visits: now.get(source) ?? 0,
      before: then.get(source) ?? 0,
      isKnown: (known.get(source) ?? 0) + (then.get(source) ?? 0) > 0,
    })),
    getShare(period, before),
  );
}

function getShare(period: { from: string; to: string }, before: { from: string; to: string }): number {
  const days = countDays(period.from, period.to);
  return days / (days + countDays(before.from, before.to));
}

function sumBySource(groups: readonly RollupGroup[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { key, sessions } of groups) {
    const source = parseVisitSource(key[0], key[1]);
    // All internal visits are one source.
    const name = source.channel === 'internal' ? 'internal' : buildSourceName(source);
    sums.set(name, (sums.get(name) ?? 0) + sessions);
  }
  return sums;
}

function getUnknownShare(visits: ReadonlyMap<string, number>): number {
  const sum = [...visits.values()].reduce((total, count) => total + count, 0);
  return sum === 0 ? 0 : (visits.get('unknown') ?? 0) / sum;
}

/** The address of a source in the console. */
export function buildSourceAddress(source: string, query: Partial<ConsoleQuery> = {}): string {
  return buildConsoleAddress('sources', {
    ...query,
    sort: null,
    filters: [{ dimension: 'source', value: source, isNot: false }],
  });
}
