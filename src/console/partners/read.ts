import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildPartnerMaturity, type ShareRange } from '../../core/commissions/maturity.ts';
import { getApprovalRate, type MoneyTotals } from '../../core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { readSyncRows, type SyncReading } from '../../server/commissions/sync-networks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Rollups } from '../../stores/rollups.ts';
import { type CommissionSum, type LedgerReading, sumCommissions } from '../commissions/read.ts';
import { passesValues } from '../figures/periods.ts';
import { selectEntries } from '../figures/select-entries.ts';
import { buildTable, buildTimeCell, type ExportTable, type ViewReader, type ViewRequest } from '../views.ts';

/** How long something takes, in ms: half of the cases take at most `median`, nine of ten at most `p90`. */
export interface Durations {
  readonly median: number;
  readonly p90: number;
  readonly count: number;
}

/** How a partner's program does. Rates are from 0 to 1 and null while nothing can be said. */
export interface PartnerRow {
  readonly key: string;
  readonly name: string;
  readonly network: string;
  readonly clicks: number;
  /** Matched commissions that are not reversed, of the period. */
  readonly conversions: number;
  readonly conversionRate: number | null;
  /** By amount, in the currency with the most commissions. */
  readonly approvalRate: number | null;
  readonly sums: readonly CommissionSum[];
  /** From the click to the first commission. */
  readonly timeToConvert: Durations | null;
  /** From the booking to the approval. */
  readonly timeToApprove: Durations | null;
  /** When the newest message arrived, of all time; ms since 1970, null without any. */
  readonly lastMessageAt: number | null;
  /** When its network's API is read next; ms since 1970, null when it is not read. */
  readonly nextSyncAt: number | null;
}

/** The share of the final commission that has usually arrived, by age of the click in weeks. */
export interface MaturityModel {
  readonly partner: string;
  readonly name: string;
  readonly shares: readonly number[];
  /** The 80% interval of each share. */
  readonly ranges: readonly ShareRange[];
  /** Conversions of the partner itself. */
  readonly conversions: number;
  /** Whether it rests on the conversions of all partners, because there are too few of its own. */
  readonly isPooled: boolean;
}

export interface PartnersModel {
  readonly rows: readonly PartnerRow[];
  /** One for each partner with enough conversions. */
  readonly curves: readonly MaturityModel[];
  readonly now: number;
}

/** The median and the 90th percentile (nearest rank) of durations in ms; null without any. */
export function buildDurations(values: readonly number[]): Durations | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p90: at(0.9), count: sorted.length };
}

/** Builds a partner's row from its commissions of the period; `all` are its commissions of all time. */
export function buildPartnerRow(
  partner: Pick<PartnerRow, 'key' | 'name' | 'network' | 'clicks' | 'nextSyncAt'>,
  entries: readonly LedgerEntry[],
  all: readonly LedgerEntry[],
): PartnerRow {
  const counted = entries.filter(({ isCounted }) => isCounted);
  const matched = counted.filter(({ journey, commission }) => journey !== null && commission.amount !== 0);
  const sums = sumCommissions(counted);
  return {
    ...partner,
    conversions: matched.length,
    conversionRate: partner.clicks === 0 ? null : matched.length / partner.clicks,
    approvalRate: sums[0] === undefined ? null : getApprovalRate(sums[0]),
    sums,
    timeToConvert: buildDurations(listConversionTimes(counted)),
    timeToApprove: buildDurations(listApprovalTimes(counted)),
    lastMessageAt: all.reduce<number | null>(
      (newest, { facts }) => facts.reduce((time, { arrivedAt }) => Math.max(time ?? 0, arrivedAt), newest),
      null,
    ),
  };
}

/** From each click to its first commission; a recurring commission does not convert again. */
function listConversionTimes(entries: readonly LedgerEntry[]): number[] {
  const first = new Map<string, number>();
  for (const { commission, journey } of entries) {
    if (journey === null) continue;
    const time = Math.max(0, commission.eventTime - journey.clickTime);
    first.set(journey.clickId, Math.min(time, first.get(journey.clickId) ?? time));
  }
  return [...first.values()];
}

/** From the booking of each commission to its first approval; those that were approved at once are left out. */
function listApprovalTimes(entries: readonly LedgerEntry[]): number[] {
  return entries.flatMap(({ commission, facts }) => {
    const wasPending = facts.some(({ status }) => status === 'pending');
    const times = facts
      .filter(({ status }) => status === 'approved' || status === 'paid')
      .map(({ changeTime }) => changeTime);
    if (!wasPending || times.length === 0) return [];
    return [Math.max(0, Math.min(...times) - commission.eventTime)];
  });
}

export interface PartnersReaderOptions extends LedgerReading, SyncReading {
  readonly partners: ReadonlyMap<string, Pick<Partner, 'name' | 'terms'>>;
  readonly rollups: Pick<Rollups, 'readByKey'>;
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<Ledger, 'readState'> | null;
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
