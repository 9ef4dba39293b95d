import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { getObject, getText, parseStatus } from '../../core/commissions/ledger/message-fields.ts';
import { buildReports, IGNORED_MESSAGE, type NetworkModule, parseTime } from './network-report.ts';

const REWARDFUL_STATUSES: Readonly<Record<string, CommissionStatus>> = {
  'commission.created': 'pending',
  'commission.paid': 'paid',
  'commission.voided': 'reversed',
  'commission.deleted': 'reversed',
};

/** Rewardful webhooks: `{ object, event }`, amounts in cents. */
function parseRewardfulMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getObject(fields, 'event');
  const object = getObject(fields, 'object');
  const type = getText(event, 'type');
  if (type === '') return null;
  if (!type.startsWith('commission.')) return IGNORED_MESSAGE;
  const sale = getObject(object, 'sale');
  return buildReports({
    fields,
    terms,
    nativeId: getText(object, 'id'),
    status: REWARDFUL_STATUSES[type] ?? parseStatus(getText(object, 'state', 'status'), terms),
    amount: getText(object, 'amount'),
    saleAmount: getText(sale, 'sale_amount_cents', 'charge_amount_cents'),
    currency: getText(object, 'currency') || getText(sale, 'currency'),
    eventTime: parseTime(getText(object, 'created_at'), terms),
    changeTime: parseTime(getText(event, 'created_at'), terms),
  });
}

/** Rewardful, https://www.rewardful.com: signed webhooks. */
export const rewardful = {
  parseMessage: parseRewardfulMessage,
  signatureHeader: 'x-rewardful-signature',
} as const satisfies NetworkModule;
