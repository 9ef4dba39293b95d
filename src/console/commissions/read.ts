import type { LedgerEntry, UnmatchedReason } from '../../core/commissions/build-ledger.ts';
import {
  buildCommissionKey,
  type CommissionKind,
  type CommissionStatus,
} from '../../core/commissions/commission-fact.ts';
import { buildCampaignName } from '../../core/commissions/credit.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { buildListPage, type ListPage, parseListPage } from '../figures/list-page.ts';
import type { ConsoleSort } from '../figures/query.ts';
import { selectEntries } from '../figures/select-entries.ts';
import {
  buildTable,
  buildTimeCell,
  type ExportColumns,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../views.ts';
import { buildCommissionDetail, type CommissionDetailModel } from './detail.ts';

/** A commission as a row of a list. Amounts are minor units, times ms since 1970. */
export interface CommissionRow {
  readonly partner: string;
  readonly account: string;
  readonly id: string;
  readonly kind: CommissionKind;
  readonly status: CommissionStatus;
  readonly amount: number;
  /** What it was worth before it was reversed; 0 when it is not. */
  readonly reversedAmount: number;
  readonly currency: string;
  readonly bookedAt: number;
  readonly changedAt: number;
  /** Null while no click is known, as `page`, `placement` and `campaign`. */
  readonly clickedAt: number | null;
  readonly page: string | null;
  readonly placement: string | null;
  /** The last campaign before the click. */
  readonly campaign: string | null;
  readonly reason: UnmatchedReason | null;
  /** False for test messages, dismissed commissions, and reports that another source has priority over. */
  readonly isCounted: boolean;
  readonly isDismissed: boolean;
}

/** A page of the list of commissions. */
export interface CommissionsModel extends ListPage<CommissionRow> {
  readonly kind: 'list';
  /** What was searched for; empty without a search. */
  readonly search: string;
  /** Sums of all rows that count, by currency, in minor units. */
  readonly sums: readonly CommissionSum[];
  readonly now: number;
}

/** Money of one currency in minor units. */
export interface CommissionSum extends MoneyTotals {
  readonly currency: string;
  readonly count: number;
}

/** Builds the row of a commission. */
export function buildCommissionRow(entry: LedgerEntry): CommissionRow {
  const { commission, journey, reason, isCounted } = entry;
  return {
    partner: commission.partner,
    account: commission.account,
    id: commission.nativeId,
    kind: commission.kind,
    status: commission.status,
    amount: commission.amount,
    reversedAmount: commission.reversedAmount,
    currency: commission.currency,
    bookedAt: commission.eventTime,
    changedAt: commission.changeTime,
    clickedAt: journey?.clickTime ?? null,
    page: journey?.page ?? null,
    placement: journey?.placement ?? null,
    campaign: journey === null ? null : buildCampaignName(journey.touches.at(-1)?.campaign ?? {}),
    reason,
    isCounted,
    isDismissed: commission.isDismissed,
  };
}

/** Columns by which the list can be sorted; amounts of several currencies are compared as numbers. */
const SORT_KEYS: Readonly<Record<string, (row: CommissionRow) => string | number>> = {
  booked: ({ bookedAt }) => bookedAt,
  clicked: ({ clickedAt }) => clickedAt ?? 0,
  amount: ({ amount, reversedAmount }) => amount || -reversedAmount,
  status: ({ status }) => status,
  partner: ({ partner }) => partner,
  page: ({ page }) => page ?? '',
  campaign: ({ campaign }) => campaign ?? '',
  id: ({ id }) => id,
};

/** Sorts rows by a column; the newest booking first without one, or when it is not a column of the list. */
export function sortCommissionRows(
  rows: readonly CommissionRow[],
  sort: ConsoleSort | null,
): CommissionRow[] {
  const known = sort !== null && Object.hasOwn(SORT_KEYS, sort.column) ? sort : null;
  const getKey = SORT_KEYS[known?.column ?? 'booked'] ?? (({ bookedAt }: CommissionRow) => bookedAt);
  const sign = (known?.isDescending ?? true) ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [first, second] = [getKey(one), getKey(other)];
    if (first !== second) return first < second ? -sign : sign;
    return other.bookedAt - one.bookedAt || (one.id < other.id ? -1 : 1);
  });
}

/** Whether a commission's id, sub-id or click contains a text; case does not matter. */
export function matchesSearch({ commission }: LedgerEntry, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const names = [commission.nativeId, commission.token, commission.clickId ?? ''];
  return names.some((name) => name.toLowerCase().includes(wanted));
}

/** Sums the commissions that count by currency, the currency with the most commissions first. */
export function sumCommissions(entries: readonly LedgerEntry[]): CommissionSum[] {
  const sums = new Map<string, { -readonly [Key in keyof CommissionSum]: CommissionSum[Key] }>();
  for (const { commission, isCounted } of entries) {
    if (!isCounted) continue;
    const { currency, status, amount, reversedAmount } = commission;
    const sum = sums.get(currency) ?? { currency, approved: 0, pending: 0, reversed: 0, count: 0 };
    sums.set(currency, sum);
    sum.count += 1;
    sum.reversed += reversedAmount;
    if (status === 'approved' || status === 'paid') sum.approved += amount;
    else if (status === 'pending') sum.pending += amount;
  }
  return [...sums.values()].sort((one, other) => other.count - one.count);
}

/** What several views read the ledger with. */
export interface LedgerReading {
  /** Every commission with its journey. Rejects with `LedgerError`. */
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly timeZone: string;
  /** ms since 1970. */
  readonly now: () => number;
}

export interface CommissionsReaderOptions extends LedgerReading {
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<Ledger, 'readDecisions' | 'readRaw'> | null;
}

const MAX_SEARCH_LENGTH = 100;
const MAX_MESSAGES = 20;

/** The list of commissions, and one of them with everything that led to it. */
export class CommissionsReader implements ViewReader<CommissionsModel | CommissionDetailModel> {
  readonly #options: CommissionsReaderOptions;

  constructor(options: CommissionsReaderOptions) {
    this.#options = options;
  }

  async read(request: ViewRequest): Promise<CommissionsModel | CommissionDetailModel | null> {
    if (request.rest.length > 0) return this.#readOne(request);
    const { entries, search } = await this.#select(request);
    const rows = sortCommissionRows(entries.map(buildCommissionRow), request.query.sort);
    return {
      kind: 'list',
      ...buildListPage(rows, parseListPage(request.parameters)),
      search,
      sums: sumCommissions(entries),
      now: this.#options.now(),
    };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { entries } = await this.#select(request);
    const rows = sortCommissionRows(entries.map(buildCommissionRow), request.query.sort);
    return buildTable(rows, EXPORT_COLUMNS);
  }

  /** A search finds commissions of all time. */
  async #select({ query, parameters }: ViewRequest) {
    const { readEntries, timeZone } = this.#options;
    const search = (parameters.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
    const entries = await readEntries();
    return {
      search,
      entries:
        search === ''
          ? selectEntries(entries, query, timeZone)
          : entries.filter((entry) => matchesSearch(entry, search)),
    };
  }

  async #readOne({ rest, parameters }: ViewRequest): Promise<CommissionDetailModel | null> {
    const [partner, id] = rest;
    const { readEntries, getStore } = this.#options;
    if (rest.length !== 2 || partner === undefined) return null;
    const account = parameters.get('account');
    const entries = await readEntries();
    const entry = entries.find(
      ({ commission }) =>
        commission.partner === partner &&
        commission.nativeId === id &&
        (account === null || commission.account === account),
    );
    if (entry === undefined) return null;
    const key = buildCommissionKey(entry.commission);
    const decisions = (await getStore()?.readDecisions()) ?? [];
    return buildCommissionDetail(entry, {
      entries,
      decisions: decisions.filter((decision) => buildCommissionKey(decision) === key),
      messages: await this.#readMessages(entry),
    });
  }

  async #readMessages({ facts }: LedgerEntry): Promise<CommissionDetailModel['messages']> {
    const store = this.#options.getStore();
    const ids = [...new Set(facts.flatMap(({ rawId }) => (rawId === null ? [] : [rawId])))];
    const found = await Promise.all(ids.slice(-MAX_MESSAGES).map((id) => store?.readRaw(id) ?? null));
    return found
      .filter((message) => message !== null)
      .map(({ arrivedAt, content }) => ({ arrivedAt, content }))
      .sort((one, other) => other.arrivedAt - one.arrivedAt);
  }
}

const EXPORT_COLUMNS: ExportColumns<CommissionRow> = {
  partner: ({ partner }) => partner,
  account: ({ account }) => account,
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  amount: ({ amount, currency }) => formatDecimalAmount(amount, currency),
  reversed: ({ reversedAmount, currency }) => formatDecimalAmount(reversedAmount, currency),
  currency: ({ currency }) => currency,
  booked: ({ bookedAt }) => buildTimeCell(bookedAt),
  clicked: ({ clickedAt }) => buildTimeCell(clickedAt),
  page: ({ page }) => page,
  placement: ({ placement }) => placement,
  campaign: ({ campaign }) => campaign,
  reason: ({ reason }) => reason,
  counted: ({ isCounted }) => (isCounted ? 'yes' : 'no'),
};
