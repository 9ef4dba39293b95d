import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  getObject,
  getText,
  isPlaceholder,
  parseStatus,
} from '../../core/commissions/ledger/message-fields.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';
import { buildReports, buildTest, type NetworkModule, parseTime } from './network-report.ts';

/** Without one of these, `transactionId` is another network's. */
const OWN_FIELDS = ['transactionCurrency', 'clickRef', 'merchantId', 'affiliateId', 'commissionGroups'];

/**
 * Awin's transaction notification: as query with Awin's own names, as JSON, or as JSON in the form field
 * `AwinTransactionPush`. Amounts are decimal, times are UTC.
 */
function parseAwinMessage(message: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const push = getObject(message, 'AwinTransactionPush');
  const fields = Object.keys(push).length > 0 ? push : message;
  const nativeId = getText(fields, 'transactionId');
  if (nativeId === '' || OWN_FIELDS.every((name) => getText(fields, name) === '')) return null;
  const commission = getText(fields, 'commission', 'commissionAmount');
  if (isPlaceholder(nativeId) && !/[1-9]/.test(commission)) return buildTest(terms);
  const currency = (getText(fields, 'transactionCurrency', 'currency') || terms.currency || '').toUpperCase();
  const toMinor = (text: string) => (text === '' ? '' : String(parseDecimalAmount(text, currency)));
  const inUtc = { ...terms, timeZone: 'UTC' };
  return buildReports({
    fields,
    terms,
    nativeId: isPlaceholder(nativeId) ? '' : nativeId,
    status: parseStatus(getText(fields, 'commissionStatus', 'status'), terms),
    amount: toMinor(commission),
    saleAmount: toMinor(getText(fields, 'transactionAmount', 'saleAmount')),
    currency,
    clickTime: parseTime(getText(fields, 'clickTime', 'clickThroughTime'), inUtc),
    eventTime: parseTime(getText(fields, 'transactionDate'), inUtc),
  });
}

/** Awin, https://www.awin.com: notifications without a signature. */
export const awin = {
  parseMessage: parseAwinMessage,
  signatureHeader: null,
} as const satisfies NetworkModule;
