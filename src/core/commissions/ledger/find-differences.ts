import { isTotal, type LedgerEntry } from './build-ledger.ts';
import type { ListedCommission } from './commission-source.ts';
import { foldCommission } from './fold-commission.ts';

/** A commission whose sources disagree, or a total that differs from its commissions. */
export interface LedgerDifference {
  readonly partner: string;
  /** Id of the commission or total; `all since 2026-10-01` for the commissions that a network lists. */
  readonly id: string;
  readonly currency: string;
  /** What counts, in minor units. */
  readonly counted: number;
  /** What the other source reports, in minor units. */
  readonly reported: number;
}

/** Lists where reports that do not count, and the networks' own lists, differ from what counts. */
export function findDifferences(
  entries: readonly LedgerEntry[],
  listed: readonly ListedCommission[] = [],
): LedgerDifference[] {
  const relevant = entries.filter(({ commission }) => !commission.isTest && !commission.isDismissed);
  return [
    ...findSourceDifferences(relevant.filter((entry) => !isTotal(entry))),
    ...findTotalDifferences(relevant),
    ...findListDifferences(relevant, listed),
  ].filter(({ counted, reported }) => counted !== reported);
}

/** Commissions of which one source counts and another reports something else. */
function findSourceDifferences(entries: readonly LedgerEntry[]): LedgerDifference[] {
  return entries.flatMap(({ commission, facts, isCounted }) => {
    const { partner, nativeId: id, currency } = commission;
    const counted = isCounted ? commission.amount : 0;
    // What one source says alone differs from nothing else.
    if (isCounted && facts.length === 1) return [];
    return [{ partner, id, currency, counted, reported: foldCommission(facts).amount }];
  });
}

/** Clicks whose total is not the sum of their commissions. A total that counts has nothing to differ from. */
function findTotalDifferences(entries: readonly LedgerEntry[]): LedgerDifference[] {
  const getClick = ({ commission: { partner, clickId, currency } }: LedgerEntry) =>
    JSON.stringify([partner, clickId, currency]);
  const clicks = new Map<string, LedgerDifference & { isCovered: boolean }>();
  for (const entry of entries.filter(isTotal)) {
    const { partner, nativeId: id, currency, amount } = entry.commission;
    const key = getClick(entry);
    const known = clicks.get(key) ?? { partner, id, currency, counted: 0, reported: 0, isCovered: true };
    const isCovered = known.isCovered && !entry.isCounted;
    clicks.set(key, { ...known, reported: known.reported + amount, isCovered });
  }
  for (const entry of entries) {
    const total = isTotal(entry) || !entry.isCounted ? undefined : clicks.get(getClick(entry));
    if (total !== undefined) {
      clicks.set(getClick(entry), { ...total, counted: total.counted + entry.commission.amount });
    }
  }
  return [...clicks.values()]
    .filter(({ isCovered }) => isCovered)
    .map(({ isCovered: _, ...difference }) => difference);
}

/**
 * Compares a network's list with what counts since its first day: commission by commission where the ids are the same,
 * the rest as a sum, because totals per click and other ways in have ids of their own.
 */
function findListDifferences(
  entries: readonly LedgerEntry[],
  listed: readonly ListedCommission[],
): LedgerDifference[] {
  const counted = new Map(
    entries
      .filter(({ isCounted }) => isCounted)
      .map((entry) => [buildKey(entry.commission.partner, entry.commission.nativeId), entry.commission]),
  );
  const paired = new Set<string>();
  const differences: LedgerDifference[] = [];
  const sums = new Map<string, LedgerDifference & { readonly since: number }>();
  for (const [key, group] of Map.groupBy(listed, ({ partner, currency }) => buildKey(partner, currency))) {
    const since = Math.min(...group.map(({ time }) => startOfDay(time)));
    const [{ partner, currency } = { partner: '', currency: '' }] = group;
    const id = `all since ${new Date(since).toISOString().slice(0, 10)}`;
    sums.set(key, { partner, id, currency, counted: 0, reported: 0, since });
  }
  const add = (key: string, change: Partial<LedgerDifference>) => {
    const sum = sums.get(key);
    if (sum === undefined) return;
    const { counted: more = 0, reported = 0 } = change;
    sums.set(key, { ...sum, counted: sum.counted + more, reported: sum.reported + reported });
  };
  for (const { partner, id, currency, amount } of listed) {
    const own = counted.get(buildKey(partner, id));
    if (own?.currency === currency) {
      paired.add(buildKey(partner, id));
      differences.push({ partner, id, currency, counted: own.amount, reported: amount });
    } else add(buildKey(partner, currency), { reported: amount });
  }
  for (const [key, { partner, currency, amount, eventTime }] of counted) {
    const sum = sums.get(buildKey(partner, currency));
    if (sum !== undefined && !paired.has(key) && eventTime >= sum.since) {
      add(buildKey(partner, currency), { counted: amount });
    }
  }
  return [...differences, ...[...sums.values()].map(({ since: _, ...difference }) => difference)];
}

const buildKey = (...parts: readonly string[]) => JSON.stringify(parts);
const startOfDay = (time: number) => Math.floor(time / 86_400_000) * 86_400_000;
