import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import { getObject, getText, parseStatus } from '../../core/commissions/ledger/message-fields.ts';
import { buildReports, IGNORED_MESSAGE, type NetworkModule, parseTime } from './network-report.ts';

/** Dub: `commission.created` with `earnings` in cents; a clawback is a commission of its own with a negative amount. */
function parseDubMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage | null {
  const event = getText(fields, 'event');
  const data = getObject(fields, 'data');
  if (event === '' || Object.keys(data).length === 0) return null;
  if (!event.startsWith('commission.')) return IGNORED_MESSAGE;
  const amount = getText(data, 'earnings', 'amount');
  return buildReports({
    fields,
    terms,
    nativeId: getText(data, 'id'),
    kind: getText(data, 'type'),
    booksCorrections: true,
    status: parseStatus(getText(data, 'status'), terms),
    amount,
    saleAmount: getText(data, 'earnings') === '' ? '' : getText(data, 'amount'),
    currency: getText(data, 'currency'),
    eventTime: parseTime(getText(data, 'createdat', 'created_at'), terms),
    changeTime: parseTime(getText(fields, 'createdat'), terms),
  });
}

/** Dub, https://dub.co: signed webhooks. */
export const dub = {
  parseMessage: parseDubMessage,
  signatureHeader: 'dub-signature',
} as const satisfies NetworkModule;
