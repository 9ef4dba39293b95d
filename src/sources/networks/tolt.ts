import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { getObject, getText, parseStatus } from '../../core/commissions/ledger/message-fields.ts';
import { buildReports, IGNORED_MESSAGE, type NetworkModule, parseTime } from './network-report.ts';

/**
 * Tolt: `{ type, data, created_at }` with amounts as texts of cents. The refund of a paid commission is a commission of its
 * own with a negative amount.
 */
function parseToltMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const type = getText(fields, 'type');
  const data = getObject(fields, 'data');
  if (!/^(commission|transaction|customer|link|partner)\.\w+$/.test(type) || Object.keys(data).length === 0)
    return null;
  if (!type.startsWith('commission.')) return IGNORED_MESSAGE;
  return buildReports({
    fields,
    terms,
    nativeId: getText(data, 'id'),
    kind: getText(data, 'type'),
    booksCorrections: true,
    status: parseStatus(getText(data, 'status'), terms),
    amount: getText(data, 'amount'),
    saleAmount: getText(data, 'revenue'),
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'created_at'), terms),
    // Deliveries have no order; the network asks to use the time of the commission's last change.
    changeTime: parseTime(getText(data, 'updated_at') || getText(fields, 'created_at'), terms),
  });
}

/** Tolt, https://tolt.com: webhooks, whose signature is not one that is checked here. */
export const tolt = {
  parseMessage: parseToltMessage,
  signatureHeader: null,
} as const satisfies NetworkModule;
