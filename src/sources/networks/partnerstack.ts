import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import type {
  CommissionSource,
  MessageFields,
  ParsedMessage,
  SourceReport,
} from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildNativeId,
  collectStrings,
  findToken,
  getObject,
  getText,
  parseStatus,
} from '../../core/commissions/ledger/message-fields.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { createLoopGuard, type NetworkClient } from './network-client.ts';
import { buildReports, buildTest, IGNORED_MESSAGE, type NetworkModule, parseTime } from './network-report.ts';

/** Rewards cannot be listed by their change, so that every run reads all that can still change. */
const WINDOW_DAYS = 400;
const PER_PAGE = 250;

const time = z.union([z.number(), z.string()]).nullish();
const reward = z.looseObject({
  key: z.string().min(1),
  amount: z.coerce.number().int(),
  currency: z.string().nullish(),
  created_at: time,
  updated_at: time,
  reward_status: z.string().nullish(),
  status: z.string().nullish(),
  payment_status: z.string().nullish(),
});
const response = z.object({ data: z.object({ has_more: z.boolean(), items: z.array(reward) }) });

type Reward = z.output<typeof reward>;

/** PartnerStack's rewards, amounts in cents. */
function createPartnerStackSource(get: NetworkClient): CommissionSource {
  return {
    async *readPages({ cursor, terms, now }) {
      const guard = createLoopGuard();
      let after = cursor;
      for (;;) {
        const query = new URLSearchParams({
          limit: String(PER_PAGE),
          order_by: 'created_at',
          min_created: String(now - WINDOW_DAYS * DAY_MS),
          ...(after !== null && { starting_after: after }),
        });
        const { data } = await get('/v2/rewards', query, response);
        const last = data.items.at(-1)?.key;
        const isLast = !data.has_more || last === undefined;
        if (last !== undefined) guard(last);
        yield {
          reports: data.items.map((item) => buildReward(item, terms)),
          cursor: isLast ? null : last,
        };
        if (isLast) return;
        after = last;
      }
    },
  };
}

function buildReward(item: Reward, terms: CommissionTerms): SourceReport {
  const toTime = (value: Reward['created_at']) =>
    value === null || value === undefined ? null : parseDate(String(value), terms.timeZone, 'month-first');
  const isRefunded = item.payment_status === 'paid_and_refunded';
  const word = item.reward_status ?? item.status ?? item.payment_status ?? '';
  return {
    reported: {
      nativeId: buildNativeId(item.key),
      kind: item.amount < 0 ? 'adjustment' : terms.recurring ? 'recurring' : 'sale',
      status: isRefunded ? 'reversed' : parseStatus(word, terms),
      amount: item.amount,
      currency: (item.currency ?? terms.currency ?? 'USD').toUpperCase(),
      saleAmount: null,
      token: findToken(item),
      clickTime: null,
      eventTime: toTime(item.created_at),
      changeTime: toTime(item.updated_at),
      isTest: false,
    },
    strings: collectStrings(item),
  };
}

/** PartnerStack: `{ event, data }`. Only rewards are commissions; the amount of a transaction is the customer's. */
function parsePartnerStackMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getText(fields, 'event');
  const data = getObject(fields, 'data');
  if (event === 'test') return buildTest(terms);
  if (event === '' || Object.keys(data).length === 0) return null;
  const nativeId = getText(data, 'key');
  if (event.startsWith('customer')) {
    const changeTime = parseTime(getText(data, 'updated_at', 'created_at'), terms);
    return buildReports({ fields, terms, nativeId, kind: 'lead', amount: '0', changeTime });
  }
  if (!/reward|commission/.test(event) && !nativeId.startsWith('rew_')) return IGNORED_MESSAGE;
  return buildReports({
    fields,
    terms,
    nativeId,
    kind: getText(data, 'kind', 'type'),
    status: parseStatus(getText(data, 'reward_status', 'status', 'payment_status'), terms),
    amount: getText(data, 'amount'),
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'created_at'), terms),
    changeTime: parseTime(getText(data, 'updated_at'), terms),
  });
}

/** PartnerStack, https://partnerstack.com: webhooks without a signature and an API. */
export const partnerStack = {
  parseMessage: parsePartnerStackMessage,
  signatureHeader: null,
  api: {
    credentials: ['PARTNERSTACK_KEY'],
    buildRequest: (settings) => ({
      url: 'https://api.partnerstack.com/api',
      headers: { authorization: `Bearer ${settings.PARTNERSTACK_KEY}` },
    }),
    createSource: createPartnerStackSource,
  },
} as const satisfies NetworkModule<'PARTNERSTACK_KEY'>;
