import type { FrozenJourney } from '../../core/commissions/credit/credit.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { buildCommissionKey } from '../../core/commissions/ledger/commission-fact.ts';
import { collectStrings } from '../../core/commissions/ledger/message-fields.ts';
import { getMatchRate } from '../../core/commissions/metric-definitions.ts';
import { isAllowed } from '../../core/console/capabilities.ts';
import type { Task } from '../../core/console/task.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { buildPlacement } from '../../core/outbound/placement.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import { readListedCommissions } from '../../server/commissions/sync-networks.ts';
import type { FoldedEntry } from '../../stores/commission-entries.ts';
import { STATES, type SummedCommissions } from '../../stores/commission-sums.ts';
import { SharedReads } from '../../stores/share-read.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildConsoleAddress } from '../reports/addresses.ts';
import {
  type Column,
  exported,
  formatAmountCell,
  formatTimeCell,
  locateListPage,
} from '../reports/columns.ts';
import { formatCount, formatNumber } from '../reports/format.ts';
import { buildCommissionRow } from '../reports/select-entries.ts';

/** A commission that waits for a decision. */
export type UnmatchedItem = Awaited<ReturnType<typeof readUnmatched>>['items'][number];

/** A decision of an operator that applies and can be undone. */
export type DecidedItem = Awaited<ReturnType<typeof readDecided>>[number];

const MAX_DIFFERENCES = 50;

const NEWEST = { by: 'booked', isDescending: true } as const;

/** The newest commissions that wait for a decision: without a click, not dismissed and no test message. */
const readWaiting = (
  { money: { commissions } }: ConsoleSite,
  rows: { readonly limit: number; readonly offset: number },
) => commissions.table.readWhole({ isWaiting: true }, { ...NEWEST, ...rows });

/**
 * The share of the money whose click is known (from 0 to 1, null without any amount), by currency: `main` first, then the
 * largest unmatched amount, in minor units.
 */
export function summarizeMatches(all: readonly SummedCommissions[], main: string | null) {
  const sums = new Map<string, { matched: number; unmatched: number }>();
  for (const { state, currency, amount } of all) {
    // An id of the network says where it came from.
    if (state === STATES.labelled) continue;
    const sum = sums.get(currency) ?? { matched: 0, unmatched: 0 };
    sums.set(currency, sum);
    sum[state === STATES.unmatched ? 'unmatched' : 'matched'] += amount;
  }
  return [...sums]
    .map(([currency, { matched, unmatched }]) => ({
      currency,
      unmatched,
      matchRate: getMatchRate(matched, unmatched),
    }))
    .sort(
      (one, other) =>
        Number(other.currency === main) - Number(one.currency === main) || other.unmatched - one.unmatched,
    );
}

/** A network's clock and the site's may differ, and a redirect takes a moment. */
const NEAR_MS = 120_000;
const MAX_NEAR = 20;

/**
 * Suggests a click for each of a page of unmatched commissions: the one that a text of its message names by now, else
 * the only click to the partner near the time at which the network recorded it. Nothing is stored.
 */
async function suggestClicks(
  { money: { commissions, ledger, clicks } }: ConsoleSite,
  entries: readonly LedgerEntry[],
) {
  const reports = await Promise.all(
    entries.map(async ({ commission, facts }) => {
      const rawId = facts.findLast((fact) => fact.rawId !== null)?.rawId ?? null;
      const raw = rawId === null ? null : await ledger.readRaw(rawId);
      return {
        reported: { token: commission.token },
        strings: collectStrings(parseSentJson(raw?.content ?? '')),
      };
    }),
  );
  const { clickIds, journeys } = await commissions.matchClicks(reports);
  const named = clickIds.filter((id) => id !== null);
  const stored = named.length === 0 ? [] : await ledger.readJourneys(named);
  const byId = new Map([...journeys, ...stored].map((journey) => [journey.clickId, journey]));
  return Promise.all(
    entries.map(async ({ commission }, index) => {
      const journey = byId.get(clickIds[index] ?? '');
      if (journey !== undefined) return buildNamed(journey);
      if (commission.clickTime === null) return null;
      const { clickTime, partner } = commission;
      const range = { from: clickTime - NEAR_MS, to: clickTime + NEAR_MS, limit: MAX_NEAR };
      const near = (await clicks.readClicks(range)).filter(({ data }) => data['partner'] === partner);
      const [only] = near;
      return near.length === 1 && only !== undefined ? buildNear(only) : null;
    }),
  );
}

/** The click that a text of the message names. */
function buildNamed({ clickId, clickTime, page, placement }: FrozenJourney) {
  return { clickId, clickedAt: clickTime, page, placement, basis: 'text' as const };
}

/** The only click to the partner near the time that was reported. */
function buildNear({ id, serverTime, page, data }: SiteEvent) {
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const placement = buildPlacement(text('source'), text('position'));
  return { clickId: id, clickedAt: serverTime, page, placement, basis: 'time' as const };
}

const ITEMS_PER_PAGE = 10;
const MAX_DECIDED = 20;
/** Each takes several look-ups; an operator who has more of them to decide opens the view anyway. */
const MAX_SUGGESTED = 100;
/** As many as the decisions that are shown, so that each can be undone. */
const MAX_AT_ONCE = MAX_DECIDED;

interface Waiting {
  readonly entry: FoldedEntry;
  readonly suggestion: Awaited<ReturnType<typeof suggestClicks>>[number];
}
/** Of the sums of a ledger, which are others after every change. */
const newestCache = new SharedReads<object, readonly Waiting[]>(new WeakMap());

/** Reads the newest commissions that wait: first those for which a click is suggested. */
async function readNewest(site: ConsoleSite): Promise<readonly Waiting[]> {
  const all = await site.money.commissions.table.readCohorts(null);
  return newestCache.read(all, site.platform.sharesWork, async () => {
    const rows = await readWaiting(site, { limit: MAX_SUGGESTED, offset: 0 });
    const suggestions = await suggestClicks(site, rows);
    return rows
      .map((entry, index) => ({ entry, suggestion: suggestions[index] ?? null }))
      .sort((one, other) => Number(one.suggestion === null) - Number(other.suggestion === null));
  });
}

export const UNMATCHED_COLUMNS: readonly Column<LedgerEntry>[] = [
  exported('partner', ({ commission }) => commission.partner),
  exported('account', ({ commission }) => commission.account),
  exported('id', ({ commission }) => commission.nativeId),
  exported('status', ({ commission }) => commission.status),
  exported('amount', ({ commission: { amount, currency } }) => formatAmountCell(amount, currency)),
  exported('currency', ({ commission }) => commission.currency),
  exported('reason', ({ reason }) => reason),
  exported('sub-id', ({ commission }) => commission.token),
  exported('booked', ({ commission }) => formatTimeCell(commission.eventTime)),
];

/** Reads the commissions without a click, as a list to work through. */
export async function readUnmatched(site: ConsoleSite, { parameters, viewer }: ViewRequest) {
  const { periods, clock } = site;
  const total = await site.money.commissions.table.count({ isWaiting: true });
  const { place, rows: own } = locateListPage(total, parameters, ITEMS_PER_PAGE);
  const newest = await readNewest(site);
  const rows =
    own.offset < MAX_SUGGESTED
      ? newest.slice(own.offset, own.offset + own.limit)
      : (await readWaiting(site, own)).map((entry) => ({ entry, suggestion: null }));
  const { currency } = await periods.readCurrency({ currency: null });
  const converted = await periods.convertEntries(rows.map(({ entry }) => entry));
  const likely = newest.flatMap(({ entry: { commission }, suggestion }) =>
    suggestion === null ? [] : [{ ...commission, click: suggestion.clickId }],
  );
  return {
    ...place,
    items: converted.map((entry, index) => ({
      row: buildCommissionRow(entry),
      /** The sub-id that was reported; empty without one. */
      token: entry.commission.token,
      suggestion: rows[index]?.suggestion ?? null,
    })),
    /** How many have a likely click. */
    likely: likely.length,
    /** Those that are matched at once, as the form says it. */
    matches: likely
      .slice(0, MAX_AT_ONCE)
      .map(({ partner, account, nativeId, click }) => JSON.stringify([partner, account, nativeId, click])),
    summaries: summarizeMatches(await periods.readCohorts({ currency: null }), currency),
    /** Newest first. */
    decided: await readDecided(site),
    /** Commissions whose sources disagree; at most `MAX_DIFFERENCES`. */
    differences: (
      await site.money.commissions.table.readDifferences(
        await readListedCommissions(site.money.ledger, site.content.read().networks),
        MAX_DIFFERENCES,
      )
    ).slice(0, MAX_DIFFERENCES),
    canDecide: isAllowed(viewer, 'manage'),
    now: clock.now(),
  };
}

/** Lists the commissions without a click for which one is suggested, a task for each currency. */
export async function listUnmatchedTasks(site: ConsoleSite): Promise<readonly Task[]> {
  const newest = await readNewest(site);
  const likely = newest.filter(({ suggestion }) => suggestion !== null);
  if (likely.length === 0) return [];
  const waiting = await site.money.commissions.table.count({ isWaiting: true });
  return [...Map.groupBy(likely, ({ entry }) => entry.commission.currency)].map(([currency, own]): Task => {
    const count = formatCount(own.length, 'commission');
    return {
      key: `unmatched:${currency}`,
      kind: 'unmatched',
      text: `A click is suggested for ${count} in ${currency}.`,
      detail: describeWaiting(waiting),
      amount: own.reduce((sum, { entry }) => sum + entry.commission.amount, 0),
      currency,
      href: buildConsoleAddress('unmatched'),
      level: own.length,
    };
  });
}

const describeWaiting = (count: number) =>
  count === 1
    ? '1 commission without a click waits for a decision.'
    : `${formatNumber(count)} commissions without a click wait for a decision.`;

/** Reads every commission that waits, some hundred at a time. */
export const readWaitingPages = ({ money: { commissions } }: ConsoleSite) =>
  commissions.table.readPages({ isWaiting: true }, { ...NEWEST, limit: -1, offset: 0 });

async function readDecided({ money: { ledger, commissions }, periods }: ConsoleSite) {
  const decisions = await ledger.readDecisions();
  if (decisions.length === 0) return [];
  const newest = new Map(decisions.map((decision) => [buildCommissionKey(decision), decision]));
  const shown = [...newest.values()]
    .filter(({ action, origin }) => action !== 'reset' && origin === 'operator')
    .sort((one, other) => other.sequence - one.sequence)
    .slice(0, MAX_DECIDED);
  const lists = await Promise.all(
    shown.map(async ({ action, decidedAt, partner, account, nativeId }) => {
      const found = await commissions.table.readEntries({ partners: [partner], account, nativeId });
      const [entry] = await periods.convertEntries(found);
      return entry === undefined || action === 'reset'
        ? []
        : [{ row: buildCommissionRow(entry), action, decidedAt }];
    }),
  );
  return lists.flat();
}
