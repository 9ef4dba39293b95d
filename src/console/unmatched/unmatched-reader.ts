import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildCommissionKey, type CommissionId } from '../../core/commissions/commission-fact.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { isOwner } from '../../core/console/operator.ts';
import { buildConsolePath } from '../../core/paths.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import { readListedCommissions } from '../../server/commissions/listed-commissions.ts';
import type { ClickReader } from '../../stores/clicks.ts';
import type { CommissionStore } from '../../stores/ledger.ts';
import { buildCommissionRow } from '../commissions/commissions-model.ts';
import type { LedgerReading } from '../commissions/commissions-reader.ts';
import { getFormText } from '../console-form.ts';
import { buildListPage, parseListPage } from '../figures/list-page.ts';
import {
  type ActionOutcome,
  buildTable,
  buildTimeCell,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../view-reader.ts';
import { suggestClicks } from './suggest-clicks.ts';
import {
  buildUnmatchedItem,
  type ClickSuggestion,
  type DecidedItem,
  listDifferences,
  listWaiting,
  summarizeMatches,
  type UnmatchedModel,
} from './unmatched-model.ts';

export interface UnmatchedReaderOptions extends LedgerReading {
  /** Null while there is no ledger. */
  readonly getLedger: () => {
    readonly ledger: Pick<CommissionLedger, 'decide' | 'matchClicks'>;
    readonly store: Pick<CommissionStore, 'readDecisions' | 'readRaw' | 'readJourneys' | 'readState'>;
  } | null;
  readonly clicks: Pick<ClickReader, 'readClicks'>;
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
