import type { LedgerEntry } from '../commissions/build-ledger.ts';
import type { FrozenJourney } from '../commissions/credit.ts';
import { buildPageName } from '../events/page-name.ts';
import type { Flow } from './build-flow.ts';

/** What the width of a path shows. */
export const JOURNEY_MEASURES = ['money', 'clicks'] as const;
export type JourneyMeasure = (typeof JOURNEY_MEASURES)[number];

/** A path that several visits took: the page of entry, the last pages before the click, and the partner. */
export interface JourneyPath {
  /** Identifies the path in an address. */
  readonly key: string;
  /** Pages, then the partner's key. `…` is for pages that are left out. */
  readonly steps: readonly string[];
  readonly clicks: number;
  readonly conversions: number;
  /** Approved and pending commission in minor units. */
  readonly amount: number;
}

export interface JourneysModel {
  readonly measure: JourneyMeasure;
  /** The paths with the most of the measure. */
  readonly paths: readonly JourneyPath[];
  /** How many other paths there are, and what they sum to. */
  readonly rest: {
    readonly paths: number;
    readonly clicks: number;
    readonly conversions: number;
    readonly amount: number;
  };
  /** The path that is chosen as a filter; null without one. */
  readonly chosen: JourneyPath | null;
  readonly flow: Flow;
  /** Null without any money. */
  readonly currency: string | null;
  /** Whether older clicks of the period were left out because there are too many. */
  readonly isCut: boolean;
  readonly partners: Readonly<Record<string, string>>;
}

const MAX_PAGES = 4;
const SEPARATOR = ' > ';

/** The steps of a journey: at most four pages, of which the first one and the last ones stay, and the partner. */
function buildSteps({ entryPage, pages, page, partner }: FrozenJourney): readonly string[] {
  const names = [entryPage, ...pages, page].filter((name) => name !== '').map(buildPageName);
  const seen = [...new Set(names.slice(0, -1))].filter((name) => name !== names.at(-1));
  const all = [...seen, names.at(-1) ?? 'home'];
  const shown = all.length <= MAX_PAGES ? all : [all[0] ?? '', '…', ...all.slice(-(MAX_PAGES - 2))];
  return [...shown, partner];
}

/**
 * Builds the paths of clicks and commissions, those with the most of the measure first. Commissions have the journey
 * that was stored with them; clicks the one that their link carried.
 */
export function buildPaths(
  entries: readonly LedgerEntry[],
  clicks: readonly FrozenJourney[],
  measure: JourneyMeasure,
  sitePaths: readonly string[] = [],
): JourneyPath[] {
  const names = new Map(sitePaths.map((path) => [buildPageName(path), path]));
  const paths = new Map<string, { -readonly [Key in keyof JourneyPath]: JourneyPath[Key] }>();
  const stored = new Map(
    entries.flatMap(({ journey }) => (journey === null ? [] : [[journey.clickId, journey] as const])),
  );
  const find = (journey: FrozenJourney) => {
    const steps = buildSteps(stored.get(journey.clickId) ?? journey).map((step) => names.get(step) ?? step);
    const key = steps.join(SEPARATOR);
    const path = paths.get(key) ?? { key, steps, clicks: 0, conversions: 0, amount: 0 };
    paths.set(key, path);
    return path;
  };
  const counted = new Set(clicks.map(({ clickId }) => clickId));
  for (const click of clicks) find(click).clicks += 1;
  for (const { commission, journey, isCounted } of entries) {
    if (journey === null || !isCounted) continue;
    const path = find(journey);
    // The events of an old click may be removed already: its commission shows that there was one.
    if (!counted.has(journey.clickId)) path.clicks += 1;
    counted.add(journey.clickId);
    if (commission.amount !== 0) path.conversions += 1;
    path.amount += commission.amount;
  }
  const other = measure === 'money' ? 'clicks' : 'amount';
  const own = measure === 'money' ? 'amount' : 'clicks';
  return [...paths.values()].sort(
    (one, next) => next[own] - one[own] || next[other] - one[other] || (one.key < next.key ? -1 : 1),
  );
}
