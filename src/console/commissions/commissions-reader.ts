import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildCommissionKey } from '../../core/commissions/commission-fact.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { CommissionStore } from '../../stores/ledger.ts';
import { buildListPage, parseListPage } from '../figures/list-page.ts';
import { selectEntries } from '../figures/select-entries.ts';
import {
  buildTable,
  buildTimeCell,
  type ExportColumns,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../view-reader.ts';
import { buildCommissionDetail, type CommissionDetailModel } from './commission-detail-model.ts';
import {
  buildCommissionRow,
  type CommissionRow,
  type CommissionsModel,
  matchesSearch,
  sortCommissionRows,
  sumCommissions,
} from './commissions-model.ts';

/** What several views read the ledger with. */
export interface LedgerReading {
  /** Every commission with its journey. Rejects with `CommissionStoreError`. */
  readonly readEntries: () => Promise<readonly LedgerEntry[]>;
  readonly timeZone: string;
  /** ms since 1970. */
  readonly now: () => number;
}

export interface CommissionsReaderOptions extends LedgerReading {
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<CommissionStore, 'readDecisions' | 'readRaw'> | null;
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
