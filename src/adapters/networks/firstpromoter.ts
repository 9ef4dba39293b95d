import { z } from 'zod';
import type { CommissionSource, SourceReport } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { parseToken } from '../../core/commissions/message-fields.ts';
import { createLoopGuard, type NetworkClient } from './network-client.ts';

const WINDOW_DAYS = 120;
const DAY_MS = 86_400_000;
const PER_PAGE = 100;

const figures = z.object({ promoter_earnings_amount: z.coerce.number().default(0) });
const rows = z.array(
  z.object({
    sub_id: z.string().nullish(),
    data: figures.optional(),
    sub_data: z.array(z.object({ period: z.string(), data: figures })).optional(),
  }),
);
/** Some versions wrap the list. */
const response = z.union([rows, z.object({ data: rows }).transform(({ data }) => data)]);

type Row = z.output<typeof rows>[number];

/**
 * FirstPromoter's report by sub-id: what each click has earned a day, in cents. Its list of commissions has no sub-id,
 * so that the report is the only way from money to a click.
 */
export function createFirstPromoterSource(get: NetworkClient): CommissionSource {
  return {
    async *readPages({ cursor, terms, now }) {
      const guard = createLoopGuard();
      for (let page = Number(cursor ?? '1'); ; page++) {
        const query = new URLSearchParams([
          ['columns[]', 'promoter_earnings_amount'],
          ['columns[]', 'refunds_count'],
          ['group_by', 'day'],
          ['start_date', toDay(now - WINDOW_DAYS * DAY_MS)],
          ['end_date', toDay(now + DAY_MS)],
          ['page', String(page)],
          ['per_page', String(PER_PAGE)],
        ]);
        const list = await get('/reports/sub_ids', query, (json) => response.safeParse(json).data ?? null);
        if (list.length > 0) guard(JSON.stringify(list));
        const isLast = list.length < PER_PAGE;
        yield {
          reports: list.flatMap((row) => buildRowReports(row, terms)),
          cursor: isLast ? null : String(page + 1),
        };
        if (isLast) return;
      }
    },
  };
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

function buildRowReports(
  { sub_id: subId, data, sub_data: days }: Row,
  terms: CommissionTerms,
): SourceReport[] {
  if (!subId) return [];
  const totals = days ?? (data === undefined ? [] : [{ period: '', data }]);
  return totals.map(({ period, data: { promoter_earnings_amount: amount } }) => ({
    reported: {
      nativeId: ['sub', subId, period].filter(Boolean).join(':').slice(0, 128),
      kind: 'sale',
      status: 'pending',
      amount: Math.round(amount),
      currency: terms.currency ?? 'USD',
      saleAmount: null,
      token: parseToken(subId),
      clickTime: null,
      eventTime: parseDate(period, terms.timeZone, 'month-first'),
      changeTime: null,
      isTest: false,
    },
    strings: [subId],
  }));
}
