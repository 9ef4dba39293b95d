import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import type {
  CommissionSource,
  ListedRecord,
  MessageFields,
  ParsedMessage,
  SourceReport,
} from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildTotalId,
  getObject,
  getText,
  parseStatus,
  parseToken,
} from '../../core/commissions/ledger/message-fields.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { createLoopGuard, type NetworkClient } from './network-client.ts';
import { buildReports, IGNORED_MESSAGE, type NetworkModule, parseTime } from './network-report.ts';

const WINDOW_DAYS = 120;
const PER_PAGE = 100;
/** A list that is longer is compared up to here; it begins with the newest. */
const MAX_LISTED = 10_000;

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

/** Only what is compared: the list also has the customer's e-mail address. */
const commissions = z.array(
  z.object({
    id: z.union([z.number(), z.string()]).transform(String),
    status: z.string().default(''),
    amount: z.coerce.number(),
    unit: z.string().nullish(),
    created_at: z.string(),
    promoter_campaign: z
      .object({ campaign: z.object({ name: z.string() }).nullish() })
      .nullish()
      .catch(null),
  }),
);
const commissionResponse = z.union([
  commissions,
  z.object({ data: commissions }).transform(({ data }) => data),
]);

/**
 * FirstPromoter's report by sub-id: what each click has earned a day, in cents. Its list of commissions has no sub-id,
 * so that the report is the only way from money to a click, and the list only checks its sums.
 */
function createFirstPromoterSource(get: NetworkClient): CommissionSource {
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
        const list = await get('/reports/sub_ids', query, response);
        if (list.length > 0) guard(JSON.stringify(list));
        const isLast = list.length < PER_PAGE;
        yield {
          reports: list.flatMap((row) => buildRowReports(row, terms)),
          cursor: isLast ? null : String(page + 1),
        };
        if (isLast) return;
      }
    },
    async readList({ terms, now }) {
      const guard = createLoopGuard();
      const records: ListedRecord[] = [];
      for (let page = 1; ; page++) {
        const query = new URLSearchParams([
          ['filters[created_at][from]', toDay(now - WINDOW_DAYS * DAY_MS)],
          ['sorting[created_at]', 'desc'],
          ['page', String(page)],
          ['per_page', String(PER_PAGE)],
        ]);
        const list = await get('/commissions', query, commissionResponse);
        if (list.length > 0) guard(JSON.stringify(list));
        records.push(...list.flatMap((row) => buildListed(row, terms)));
        if (list.length < PER_PAGE || records.length >= MAX_LISTED) return records;
      }
    },
  };
}

function buildListed(row: z.output<typeof commissions>[number], terms: CommissionTerms): ListedRecord[] {
  const time = parseDate(row.created_at, terms.timeZone, 'month-first');
  // Credits and points are no money.
  if (time === null || (row.unit ?? 'cash') !== 'cash') return [];
  const amount = row.status === 'denied' ? 0 : Math.round(row.amount);
  const listed = { id: row.id, amount, currency: terms.currency ?? 'USD', time };
  return [{ listed, strings: [row.promoter_campaign?.campaign?.name ?? ''].filter(Boolean) }];
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
      nativeId: buildTotalId(subId, period),
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

/** FirstPromoter webhooks of both versions, forwarded by the merchant. Its postbacks have the generic shape. */
function parseFirstPromoterMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  return parseFirstVersion(fields, terms) ?? parseSecondVersion(fields, terms);
}

const FIRST_VERSION =
  /^(lead_(signup|becomes_referral|cancelled)|new_customer|promoter_\w+|reward_created|fulfilment_pending)$/;

/** `{ event: { type, created_at }, data }`, amounts in cents. */
function parseFirstVersion(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getObject(fields, 'event');
  const data = getObject(fields, 'data');
  const type = getText(event, 'type');
  if (!FIRST_VERSION.test(type) || Object.keys(data).length === 0) return null;
  const id = getText(data, 'id');
  const changeTime = parseTime(getText(event, 'created_at'), terms);
  if (type === 'lead_signup') {
    return buildReports({ fields, terms, nativeId: `referral:${id}`, kind: 'lead', amount: '0', changeTime });
  }
  if (type !== 'reward_created' || !['', 'cash'].includes(getText(data, 'unit'))) return IGNORED_MESSAGE;
  return buildReports({
    fields,
    terms,
    nativeId: id,
    kind: 'sale',
    status: parseStatus(getText(data, 'status'), terms),
    amount: getText(data, 'amount'),
    saleAmount: getText(data, 'conversion_amount'),
    hasFractions: true,
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'created_at'), terms),
    changeTime,
  });
}

function parseSecondVersion(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const type = getText(fields, 'event_type');
  const data = getObject(fields, 'data');
  if (!type.includes('.') || Object.keys(data).length === 0) return null;
  const id = getText(data, 'id') || getText(fields, 'entity_id');
  const changeTime = parseTime(getText(fields, 'timestamp'), terms);
  if (type.startsWith('referral.')) {
    return buildReports({ fields, terms, nativeId: `referral:${id}`, kind: 'lead', amount: '0', changeTime });
  }
  if (!type.startsWith('commission.') || !['', 'cash'].includes(getText(data, 'unit')))
    return IGNORED_MESSAGE;
  return buildReports({
    fields,
    terms,
    nativeId: id,
    kind: getText(data, 'commission_type'),
    status: type === 'commission.deleted' ? 'reversed' : parseStatus(getText(data, 'status'), terms),
    amount: getText(data, 'amount'),
    saleAmount: getText(data, 'sale_amount'),
    hasFractions: true,
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'created_at'), terms),
    changeTime,
  });
}

/** FirstPromoter, https://firstpromoter.com: signed webhooks and an API. */
export const firstPromoter = {
  parseMessage: parseFirstPromoterMessage,
  signatureHeader: 'x-webhook-signature',
  api: {
    credentials: ['FIRSTPROMOTER_TOKEN'],
    buildRequest: (settings) => ({
      url: 'https://api.firstpromoter.com/api/v2/affiliate',
      headers: {
        authorization: `Bearer ${settings.FIRSTPROMOTER_TOKEN}`,
        'account-id': settings.FIRSTPROMOTER_ACCOUNT_ID,
      },
    }),
    createSource: createFirstPromoterSource,
  },
} as const satisfies NetworkModule<'FIRSTPROMOTER_TOKEN' | 'FIRSTPROMOTER_ACCOUNT_ID'>;
