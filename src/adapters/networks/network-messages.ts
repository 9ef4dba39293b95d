import type { CommissionStatus } from '../../core/commissions/commission-fact.ts';
import type { MessageFields, ParsedMessage, ParseMessage } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import { getObject, getText, isPlaceholder } from '../../core/commissions/message-fields.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';
import { parseStatus } from '../../core/commissions/status-words.ts';
import { parseGenericMessage } from './generic.ts';
import { buildReports, buildTest, parseTime } from './network-report.ts';

const IGNORED: ParsedMessage = { kind: 'ignored' };

/** Parses a message of a partner's network: in the network's own shape, else as the documented postback. */
export const parseNetworkMessage = (fields: MessageFields, terms: CommissionTerms): ParsedMessage =>
  PARSERS[terms.network](fields, terms) ?? parseGenericMessage(fields, terms);

const PARSERS: Readonly<Record<Network, ParseMessage>> = {
  generic: () => null,
  firstpromoter: parseFirstPromoterWebhook,
  partnerstack: parsePartnerStackMessage,
  impact: parseImpactMessage,
  rewardful: parseRewardfulWebhook,
  dub: parseDubMessage,
};

/** FirstPromoter webhooks v2, forwarded by the merchant. Its postbacks have the generic shape. */
function parseFirstPromoterWebhook(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const type = getText(fields, 'event_type');
  const data = getObject(fields, 'data');
  if (!type.includes('.') || Object.keys(data).length === 0) return null;
  const id = getText(data, 'id') || getText(fields, 'entity_id');
  const changeTime = parseTime(getText(fields, 'timestamp'), terms);
  if (type.startsWith('referral.')) {
    return buildReports({ fields, terms, nativeId: `referral:${id}`, kind: 'lead', amount: '0', changeTime });
  }
  if (!type.startsWith('commission.') || !['', 'cash'].includes(getText(data, 'unit'))) return IGNORED;
  return buildReports({
    fields,
    terms,
    nativeId: id,
    kind: getText(data, 'commission_type'),
    status: type === 'commission.deleted' ? 'reversed' : parseStatus(getText(data, 'status'), terms),
    amount: getText(data, 'amount'),
    saleAmount: getText(data, 'sale_amount'),
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'created_at'), terms),
    changeTime,
  });
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
  if (!/reward|commission/.test(event) && !nativeId.startsWith('rew_')) return IGNORED;
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

/** impact.com: macros of the action, `Payout` is the commission and `Amount` the sale, both decimal. */
function parseImpactMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const nativeId = getText(fields, 'actionid');
  if (nativeId === '') return null;
  const payout = getText(fields, 'payout');
  if ([nativeId, payout].some(isPlaceholder)) return buildTest(terms);
  const currency = (getText(fields, 'currency') || terms.currency || '').toUpperCase();
  const toMinor = (text: string) => (text === '' ? '' : String(parseDecimalAmount(text, currency) ?? text));
  return buildReports({
    fields,
    terms,
    nativeId,
    kind: getText(fields, 'kind'),
    status: parseStatus(getText(fields, 'status', 'state'), terms),
    amount: toMinor(payout),
    saleAmount: toMinor(getText(fields, 'amount')),
    currency,
    clickTime: parseTime(getText(fields, 'referringdate'), terms),
    eventTime: parseTime(getText(fields, 'eventdate', 'actiondate'), terms),
    changeTime: parseTime(getText(fields, 'updatedate', 'at'), terms),
  });
}

const REWARDFUL_STATUSES: Readonly<Record<string, CommissionStatus>> = {
  'commission.created': 'pending',
  'commission.paid': 'paid',
  'commission.voided': 'reversed',
  'commission.deleted': 'reversed',
};

/** Rewardful webhooks: `{ object, event }`, amounts in cents. */
function parseRewardfulWebhook(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getObject(fields, 'event');
  const object = getObject(fields, 'object');
  const type = getText(event, 'type');
  if (type === '') return null;
  if (!type.startsWith('commission.')) return IGNORED;
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

/** Dub: `commission.created` with `earnings` in cents; a clawback is a commission of its own with a negative amount. */
function parseDubMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getText(fields, 'event');
  const data = getObject(fields, 'data');
  if (event === '' || Object.keys(data).length === 0) return null;
  if (!event.startsWith('commission.')) return IGNORED;
  const amount = getText(data, 'earnings', 'amount');
  return buildReports({
    fields,
    terms,
    nativeId: getText(data, 'id'),
    kind: amount.startsWith('-') ? 'adjustment' : getText(data, 'type'),
    status: parseStatus(getText(data, 'status'), terms),
    amount,
    saleAmount: getText(data, 'earnings') === '' ? '' : getText(data, 'amount'),
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'createdat', 'created_at'), terms),
    changeTime: parseTime(getText(fields, 'createdat'), terms),
  });
}
