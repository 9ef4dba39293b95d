import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildPartnerMaturity } from '../../core/commissions/maturity.ts';
import type { MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { CommissionStore } from '../../stores/ledger.ts';
import type { RollupStore } from '../../stores/rollup-reader.ts';
import { type CommissionSum, sumCommissions } from '../commissions/commissions-model.ts';
import type { LedgerReading } from '../commissions/commissions-reader.ts';
import { passesValues } from '../figures/passes-values.ts';
import { selectEntries } from '../figures/select-entries.ts';
import { readSyncRows, type SyncReading } from '../import/read-sync-rows.ts';
import {
  buildTable,
  buildTimeCell,
  type ExportTable,
  type ViewReader,
  type ViewRequest,
} from '../view-reader.ts';
import {
  buildPartnerRow,
  type MaturityModel,
  type PartnerRow,
  type PartnersModel,
} from './partners-model.ts';

export interface PartnersReaderOptions extends LedgerReading, SyncReading {
  readonly partners: ReadonlyMap<string, Pick<Partner, 'name' | 'terms'>>;
  readonly rollups: Pick<RollupStore, 'readByKey'>;
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<CommissionStore, 'readState'> | null;
}

/** How the programs of the partners do. */
export class PartnersReader implements ViewReader<PartnersModel> {
  readonly #options: PartnersReaderOptions;

  constructor(options: PartnersReaderOptions) {
    this.#options = options;
  }

  async read({ query }: ViewRequest): Promise<PartnersModel> {
    const { readEntries, rollups, partners, timeZone, now } = this.#options;
    const [all, groups, syncs] = await Promise.all([
      readEntries(),
      rollups.readByKey({ dimension: 'partner', from: query.from, to: query.to }),
      readSyncRows(this.#options.getStore(), this.#options),
    ]);
    const clicks = new Map(groups.map((group) => [group.key[0] ?? '', group.clicks]));
    const byPartner = Map.groupBy(all, ({ commission }) => commission.partner);
    const selected = Map.groupBy(selectEntries(all, query, timeZone), ({ commission }) => commission.partner);
    // A partner whose file was removed may still have commissions.
    const filters = query.filters.filter(({ dimension }) => dimension === 'partner');
    const keys = [...new Set([...partners.keys(), ...byPartner.keys()])].filter((key) =>
      passesValues(filters, ({ value }) => value === key),
    );
    const unsorted = keys.map((key) => {
      const partner = partners.get(key);
      const network = partner?.terms.network ?? '';
      const sync = syncs.find((row) => row.network === network);
      const facts = { key, name: partner?.name ?? key, network, clicks: clicks.get(key) ?? 0 };
      return buildPartnerRow(
        { ...facts, nextSyncAt: sync?.nextAt ?? null },
        selected.get(key) ?? [],
        byPartner.get(key) ?? [],
      );
    });
    const rows = unsorted.sort(compareRows);
    const curves = rows.flatMap((row) =>
      buildCurve(row, byPartner.get(row.key) ?? [], all, {
        isRecurring: partners.get(row.key)?.terms.recurring ?? false,
        now: now(),
      }),
    );
    return { rows, curves, now: now() };
  }

  async exportTable(request: ViewRequest): Promise<ExportTable> {
    const { rows } = await this.read(request);
    const days = (time: number | undefined) => (time === undefined ? null : (time / DAY_MS).toFixed(2));
    const sums = rows.flatMap((row): { row: PartnerRow; sum: CommissionSum | null }[] =>
      row.sums.length === 0 ? [{ row, sum: null }] : row.sums.map((sum) => ({ row, sum })),
    );
    const money = (sum: CommissionSum | null, kind: keyof MoneyTotals) =>
      sum && formatDecimalAmount(sum[kind], sum.currency);
    return buildTable(sums, {
      partner: ({ row }) => row.key,
      clicks: ({ row }) => row.clicks,
      conversions: ({ row }) => row.conversions,
      'conversion rate': ({ row }) => row.conversionRate,
      'approval rate': ({ row }) => row.approvalRate,
      currency: ({ sum }) => sum?.currency ?? null,
      approved: ({ sum }) => money(sum, 'approved'),
      pending: ({ sum }) => money(sum, 'pending'),
      reversed: ({ sum }) => money(sum, 'reversed'),
      'days to convert (median)': ({ row }) => days(row.timeToConvert?.median),
      'days to convert (90 %)': ({ row }) => days(row.timeToConvert?.p90),
      'days to approve (median)': ({ row }) => days(row.timeToApprove?.median),
      'days to approve (90 %)': ({ row }) => days(row.timeToApprove?.p90),
      'last message': ({ row }) => buildTimeCell(row.lastMessageAt),
    });
  }
}

/** The curve in the currency with the most commissions. */
function buildCurve(
  { key, name }: Pick<PartnerRow, 'key' | 'name'>,
  own: readonly LedgerEntry[],
  all: readonly LedgerEntry[],
  options: Parameters<typeof buildPartnerMaturity>[2],
): MaturityModel[] {
  const currency = sumCommissions(own)[0]?.currency;
  const select = (entries: readonly LedgerEntry[]) =>
    entries.filter(({ isCounted, commission }) => isCounted && commission.currency === currency);
  const maturity = buildPartnerMaturity(select(own), select(all), options);
  if (maturity === null) return [];
  const { curve, conversions, isPooled } = maturity;
  return [{ partner: key, name, shares: curve.shares, ranges: curve.ranges, conversions, isPooled }];
}

function compareRows(one: PartnerRow, other: PartnerRow): number {
  return other.conversions - one.conversions || other.clicks - one.clicks || (one.name < other.name ? -1 : 1);
}
