import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { type EarnedSum, rankMatureClicks, sumEarnings } from '../../core/commissions/build-ranking.ts';
import type { CreditModel } from '../../core/commissions/credit.ts';
import type { Ranked } from '../../core/commissions/rank-by-earnings.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { yieldToEventLoop } from '../../server/commissions/yield-to-event-loop.ts';
import {
  type BreakdownRow,
  buildBreakdown,
  type CreditedMoney,
  sumCreditedMoney,
} from './build-breakdown.ts';
import { buildPeriodMoney, type PeriodMoney } from './build-period-figures.ts';
import { getCampaignModel, getPageModel } from './console-names.ts';
import { type BreakdownDimension, dropFilters } from './period-counts.ts';
import type { MoneyPeriod, PeriodReader } from './period-reader.ts';

/**
 * Reads what each page, placement or campaign earned, with the ranking of clicks. Rejects with `EventStoreError` or
 * `CommissionStoreError`.
 */
export async function readBreakdown(
  periods: Pick<PeriodReader, 'selectEntries'>,
  period: MoneyPeriod,
  by: BreakdownDimension,
): Promise<readonly BreakdownRow[]> {
  const { query, counts: reading } = period;
  const counts = await reading.readCounts(by);
  await yieldToEventLoop();
  const ranking = counts === null ? new Map() : await rank(periods, period, by);
  await yieldToEventLoop();
  const money = getCreditedMoney(
    period,
    by,
    by === 'campaign' ? getCampaignModel(query) : getPageModel(query),
  );
  await yieldToEventLoop();
  if (by !== 'page') return buildBreakdown({ money, counts, ranking });
  const paths = new Map([...(counts?.keys() ?? [])].map((path) => [buildPageName(path), path]));
  return buildBreakdown({ money, counts, ranking, getKey: (name) => paths.get(name) ?? name });
}

/** Ranks by click day. A page is as certain among all pages as alone, so that filters by itself do not apply. */
async function rank(
  periods: Pick<PeriodReader, 'selectEntries'>,
  period: MoneyPeriod,
  by: BreakdownDimension,
): Promise<ReadonlyMap<string, Ranked>> {
  const { query, entries, counts } = period;
  if (query.clock !== 'click') return new Map();
  const ranked = dropFilters(query, by);
  const isSame = ranked.filters.length === query.filters.length;
  const commissions = isSame ? entries : periods.selectEntries(period, ranked);
  const rows = rankMatureClicks(await counts.readMatureClicks(by), getEarnings(commissions, by));
  return new Map(rows.map((row) => [row.key, row]));
}

/** What was computed from a list of commissions; a list stays the same while the ledger does. */
const getSums = memoizeByKey((_entries: readonly LedgerEntry[]) => ({
  earnings: new Map<string, ReadonlyMap<string, EarnedSum>>(),
  money: new Map<string, ReadonlyMap<string, CreditedMoney>>(),
  period: null as PeriodMoney | null,
}));

/** The sums of the commissions of a period, or of the one that it is compared with; computed once as well. */
export function getPeriodMoney({
  entries,
  currency,
  rates,
}: Pick<MoneyPeriod, 'entries' | 'currency' | 'rates'>) {
  const sums = getSums(entries);
  sums.period ??= buildPeriodMoney(entries, currency, rates);
  return sums.period;
}

function getEarnings(entries: readonly LedgerEntry[], by: BreakdownDimension) {
  const { earnings } = getSums(entries);
  const sums = earnings.get(by) ?? sumEarnings(entries, by);
  earnings.set(by, sums);
  return sums;
}

/** The money of the commissions of a period by a dimension, under a model; computed once while nothing changes. */
export function getCreditedMoney(
  { entries, currency, rates }: MoneyPeriod,
  by: BreakdownDimension,
  model: CreditModel,
) {
  const { money } = getSums(entries);
  const sums = money.get(`${by} ${model}`) ?? sumCreditedMoney(entries, { by, model, currency, rates });
  money.set(`${by} ${model}`, sums);
  return sums;
}
