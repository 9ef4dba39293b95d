import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildCommissionKey, type CommissionId } from '../../core/commissions/commission-fact.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { findDifferences, type LedgerDifference } from '../../core/commissions/find-differences.ts';
import type { ListedCommission } from '../../core/commissions/listed-commission.ts';
import { collectStrings } from '../../core/commissions/message-fields.ts';
import { getMatchRate } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { isOwner } from '../../core/console/operator.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { buildPlacement } from '../../core/outbound/placement.ts';
import { buildConsolePath } from '../../core/paths.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import { readListedCommissions } from '../../server/commissions/listed-commissions.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { getFormText } from '../app.ts';
import { buildCommissionRow, type CommissionRow, type LedgerReading } from '../commissions/read.ts';
import { buildListPage, type ListPage, parseListPage } from '../figures/list-page.ts';
import {
  type ActionOutcome,
  buildTable,
  buildTimeCell,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../views.ts';

/** A click that an unmatched commission may belong to. The operator decides. */
export interface ClickSuggestion {
  readonly clickId: string;
  /** ms since 1970. */
  readonly clickedAt: number;
  readonly page: string;
  readonly placement: string;
  /** `text`: a text of the message names it. `time`: the only click to the partner near the time that was reported. */
  readonly basis: 'text' | 'time';
}

/** A commission that waits for a decision. */
export interface UnmatchedItem {
  readonly row: CommissionRow;
  /** The sub-id that was reported; empty without one. */
  readonly token: string;
  readonly suggestion: ClickSuggestion | null;
}

/** A decision of an operator that applies and can be undone. */
export interface DecidedItem {
  readonly row: CommissionRow;
  readonly action: 'assign' | 'dismiss';
  readonly decidedAt: number;
}

/** How much of the money of a currency found its click. Amounts in minor units. */
export interface MatchSummary {
  readonly currency: string;
  readonly unmatched: number;
  /** From 0 to 1; null without any amount. */
  readonly matchRate: number | null;
}

/** A page of the commissions that wait, and what was decided. */
export interface UnmatchedModel extends Omit<ListPage<UnmatchedItem>, 'rows'> {
  readonly items: readonly UnmatchedItem[];
  readonly summaries: readonly MatchSummary[];
  /** Newest first. */
  readonly decided: readonly DecidedItem[];
  /** Commissions whose sources disagree; at most `MAX_DIFFERENCES`. */
  readonly differences: readonly LedgerDifference[];
  readonly canDecide: boolean;
  readonly formToken: string;
  readonly now: number;
}

const MAX_DIFFERENCES = 50;

/** The commissions that wait for a decision: without a click, not dismissed and no test message; newest first. */
export const listWaiting = memoizeByKey((entries: readonly LedgerEntry[]): readonly LedgerEntry[] =>
  entries
    .filter(
      ({ journey, commission, reason }) =>
        journey === null && !commission.isDismissed && reason !== 'test-message',
    )
    .sort((one, other) => other.commission.eventTime - one.commission.eventTime),
);

/** The share of the money whose click is known, by currency; the largest unmatched amount first. */
export function summarizeMatches(entries: readonly LedgerEntry[]): MatchSummary[] {
  const sums = new Map<string, { matched: number; unmatched: number }>();
  for (const { commission, journey, isCounted } of entries) {
    if (!isCounted) continue;
    const sum = sums.get(commission.currency) ?? { matched: 0, unmatched: 0 };
    sums.set(commission.currency, sum);
    sum[journey === null ? 'unmatched' : 'matched'] += commission.amount;
  }
  return [...sums]
    .map(([currency, { matched, unmatched }]) => ({
      currency,
      unmatched,
      matchRate: getMatchRate(matched, unmatched),
    }))
    .sort((one, other) => other.unmatched - one.unmatched);
}

/** What a list of commissions was compared with last, and the result. */
const getCompared = memoizeByKey((_entries: readonly LedgerEntry[]) => ({
  listed: '',
  differences: null as readonly LedgerDifference[] | null,
}));

/** The first differences between sources; `listed` are the networks' own lists. */
export function listDifferences(
  entries: readonly LedgerEntry[],
  listed: readonly ListedCommission[],
): readonly LedgerDifference[] {
  const compared = getCompared(entries);
  const text = JSON.stringify(listed);
  if (compared.differences === null || compared.listed !== text) {
    compared.differences = findDifferences(entries, listed).slice(0, MAX_DIFFERENCES);
    compared.listed = text;
  }
  return compared.differences;
}

/** Builds the row of a waiting commission. */
export function buildUnmatchedItem(entry: LedgerEntry, suggestion: ClickSuggestion | null): UnmatchedItem {
  return { row: buildCommissionRow(entry), token: entry.commission.token, suggestion };
}

/** A network's clock and the site's may differ, and a redirect takes a moment. */
const NEAR_MS = 120_000;
const MAX_NEAR = 20;

/**
 * Suggests a click for each of a page of unmatched commissions: the one that a text of its message names by now, else
 * the only click to the partner near the time at which the network recorded it. Nothing is stored.
 */
export async function suggestClicks(
  entries: readonly LedgerEntry[],
  options: {
    readonly ledger: Pick<CommissionLedger, 'matchClicks'>;
    readonly store: Pick<Ledger, 'readRaw' | 'readJourneys'>;
    readonly clicks: Pick<Clicks, 'readClicks'>;
  },
): Promise<readonly (ClickSuggestion | null)[]> {
  const { ledger, store, clicks } = options;
  const reports = await Promise.all(
    entries.map(async ({ commission, facts }) => {
      const rawId = facts.findLast((fact) => fact.rawId !== null)?.rawId ?? null;
      const raw = rawId === null ? null : await store.readRaw(rawId);
      return {
        reported: { token: commission.token },
        strings: collectStrings(parseJson(raw?.content ?? '')),
      };
    }),
  );
  const { clickIds, journeys } = await ledger.matchClicks(reports);
  const named = clickIds.filter((id) => id !== null);
  const stored = named.length === 0 ? [] : await store.readJourneys(named);
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

function buildNamed({ clickId, clickTime, page, placement }: FrozenJourney): ClickSuggestion {
  return { clickId, clickedAt: clickTime, page, placement, basis: 'text' };
}

function buildNear({ id, serverTime, page, data }: SiteEvent): ClickSuggestion {
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const placement = buildPlacement(text('source'), text('position'));
  return { clickId: id, clickedAt: serverTime, page, placement, basis: 'time' };
}

export interface UnmatchedReaderOptions extends LedgerReading {
  /** Null while there is no ledger. */
  readonly getLedger: () => {
    readonly ledger: Pick<CommissionLedger, 'decide' | 'matchClicks'>;
    readonly store: Pick<Ledger, 'readDecisions' | 'readRaw' | 'readJourneys' | 'readState'>;
  } | null;
  readonly clicks: Pick<Clicks, 'readClicks'>;
}

/** Each row may take several look-ups for a suggestion. */
const ITEMS_PER_PAGE = 20;
const MAX_DECIDED = 20;
const PATH = buildConsolePath('unmatched');

/** The commissions without a click, as a list to work through. */
export class UnmatchedReader implements ViewReader<UnmatchedModel> {
  readonly #options: UnmatchedReaderOptions;

  constructor(options: UnmatchedReaderOptions) {
    this.#options = options;
  }

  async read({ parameters, viewer, formToken }: ViewRequest): Promise<UnmatchedModel> {
    const entries = await this.#options.readEntries();
    const { rows, ...list } = buildListPage(listWaiting(entries), parseListPage(parameters), ITEMS_PER_PAGE);
    const suggestions = await this.#suggest(rows);
    const opened = this.#options.getLedger();
    const listed = opened === null ? [] : await readListedCommissions(opened.store);
    return {
      ...list,
      items: rows.map((entry, index) => buildUnmatchedItem(entry, suggestions[index] ?? null)),
      summaries: summarizeMatches(entries),
      decided: await this.#readDecided(entries),
      differences: listDifferences(entries, listed),
      canDecide: isOwner(viewer),
      formToken,
      now: this.#options.now(),
    };
  }

  async exportTable(): Promise<ExportTable> {
    const waiting = listWaiting(await this.#options.readEntries());
    return buildTable(waiting, {
      partner: ({ commission }) => commission.partner,
      account: ({ commission }) => commission.account,
      id: ({ commission }) => commission.nativeId,
      status: ({ commission }) => commission.status,
      amount: ({ commission: { amount, currency } }) => formatDecimalAmount(amount, currency),
      currency: ({ commission }) => commission.currency,
      reason: ({ reason }) => reason,
      'sub-id': ({ commission }) => commission.token,
      booked: ({ commission }) => buildTimeCell(commission.eventTime),
    });
  }

  /** `action` is `assign` (with `click`, an id or token), `dismiss` or `reset`. */
  async post(form: FormData, { parameters }: ViewRequest): Promise<ActionOutcome> {
    const query = parameters.size === 0 ? '' : `?${parameters}`;
    const finish = (message: string, isError = false): ActionOutcome => ({
      location: `${PATH}${query}`,
      message,
      isError,
    });
    const opened = this.#options.getLedger();
    const id = parseId(form);
    const entries = await this.#options.readEntries();
    const entry = entries.find(({ commission }) => buildCommissionKey(commission) === buildCommissionKey(id));
    if (opened === null || entry === undefined) {
      return finish('There is no such commission. Nothing was changed.', true);
    }
    const { ledger } = opened;
    switch (form.get('action')) {
      case 'assign': {
        const text = getField(form, 'click');
        const { clickIds } = await ledger.matchClicks([{ reported: { token: text }, strings: [] }]);
        const clickId = clickIds[0] ?? null;
        const isKnown = clickId !== null && (await ledger.decide(id, { action: 'assign', clickId }));
        return isKnown
          ? finish(`${id.nativeId} was assigned to its click.`)
          : finish(`No stored click has this id or token. ${id.nativeId} was not assigned.`, true);
      }
      case 'dismiss':
        await ledger.decide(id, { action: 'dismiss', clickId: null });
        return finish(`${id.nativeId} was dismissed. It counts in no report.`);
      case 'reset':
        await ledger.decide(id, { action: 'reset', clickId: null });
        return finish(`The decision about ${id.nativeId} was undone.`);
      default:
        return finish('The form is incomplete. Nothing was changed.', true);
    }
  }

  async #suggest(entries: readonly LedgerEntry[]): Promise<readonly (ClickSuggestion | null)[]> {
    const opened = this.#options.getLedger();
    if (opened === null) return entries.map(() => null);
    return suggestClicks(entries, { ...opened, clicks: this.#options.clicks });
  }

  async #readDecided(entries: readonly LedgerEntry[]): Promise<readonly DecidedItem[]> {
    const decisions = (await this.#options.getLedger()?.store.readDecisions()) ?? [];
    if (decisions.length === 0) return [];
    const newest = new Map(decisions.map((decision) => [buildCommissionKey(decision), decision]));
    const rows = new Map(
      entries
        .map((entry) => [buildCommissionKey(entry.commission), entry] as const)
        .filter(([key]) => newest.has(key)),
    );
    return [...newest.values()]
      .filter(({ action, origin }) => action !== 'reset' && origin === 'operator')
      .sort((one, other) => other.sequence - one.sequence)
      .slice(0, MAX_DECIDED)
      .flatMap(({ action, decidedAt, ...decision }) => {
        const entry = rows.get(buildCommissionKey(decision));
        if (entry === undefined || action === 'reset') return [];
        return [{ row: buildCommissionRow(entry), action, decidedAt }];
      });
  }
}

function parseId(form: FormData): CommissionId {
  return {
    partner: getField(form, 'partner'),
    account: getField(form, 'account'),
    nativeId: getField(form, 'id'),
  };
}

const MAX_FIELD_LENGTH = 600;

const getField = (form: FormData, name: string) => getFormText(form, name).slice(0, MAX_FIELD_LENGTH);
