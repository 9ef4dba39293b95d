import type { ReportedFact } from '../../core/commissions/commission-fact.ts';
import type { MessageFields, ParsedMessage } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import {
  getText,
  isPlaceholder,
  parseKind,
  parseStatus,
  parseToken,
} from '../../core/commissions/message-fields.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX';
const MAX_ID_LENGTH = 128;

/**
 * Parses the documented postback: `click`, `id`, `status`, `amount` (decimal), `currency`, `kind` and `at`, with the
 * other names that networks and trackers use for them. Never null: every message has this shape.
 */
export function parseGenericMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage {
  const read = (...names: readonly string[]) => getText(fields, ...names);
  const click = read(
    'click',
    'sub_id',
    'subid',
    'subid1',
    'sub_id1',
    'sid',
    'fp_sid',
    'click_id',
    'clickid',
    'cid',
  );
  const id = read('id', 'event_id', 'event', 'txid', 'transaction_id');
  const word = read('kind', 'type', 'etype', 'et');
  const kind = parseKind(word);
  const amountText = read('amount', 'commission', 'payout');
  const currency = (read('currency') || terms.currency || '').toUpperCase();
  const isTest = isTestMessage(fields, { click, id, amountText });
  if (isTest) return { kind: 'reports', reports: [buildTestReport({ click, id, terms })] };
  if (!/^[A-Z]{3}$/.test(currency)) {
    return invalid('currency is missing: send an ISO 4217 code such as USD, or set it in the partner file');
  }
  const amount = amountText === '' ? 0 : parseDecimalAmount(amountText, currency);
  if (amount === null) return invalid('amount must be a decimal number such as 12.50');
  const saleText = read('sale_amount', 'sale');
  const at = read('at', 'time', 'timestamp');
  const time = at === '' ? null : parseDate(at, terms.timeZone, 'month-first');
  if (at !== '' && time === null) return invalid('at must be a time such as 2026-11-20T10:00:00Z');
  const report: ReportedFact = {
    // A report of a lead may carry the click alone: one lead of a kind per click.
    nativeId: (id || `${word || kind}:${click}`).slice(0, MAX_ID_LENGTH),
    kind,
    status: parseStatus(read('status', 'state'), terms),
    amount,
    currency,
    saleAmount: saleText === '' ? null : parseDecimalAmount(saleText, currency),
    token: parseToken(click),
    clickTime: null,
    eventTime: time,
    changeTime: time,
    isTest: false,
  };
  return { kind: 'reports', reports: [report] };
}

function isTestMessage(
  fields: MessageFields,
  { click, id, amountText }: { readonly click: string; readonly id: string; readonly amountText: string },
): boolean {
  const test = getText(fields, 'test', 'is_test').toLowerCase();
  if (test === '1' || test === 'true') return true;
  if ([click, id, amountText].some(isPlaceholder)) return true;
  // Test buttons leave the click empty. Money with an id is never dismissed as a test.
  return click === '' && (id === '' || /^0*(\.0*)?$/.test(amountText));
}

/** Builds the report of a test message: it is stored and shown, and is worth nothing. */
export function buildTestReport(test: {
  readonly click: string;
  readonly id: string;
  readonly terms: CommissionTerms;
}): ReportedFact {
  return {
    nativeId: test.id === '' || isPlaceholder(test.id) ? 'test' : test.id.slice(0, MAX_ID_LENGTH),
    kind: 'sale',
    status: 'pending',
    amount: 0,
    currency: test.terms.currency ?? NO_CURRENCY,
    saleAmount: null,
    token: parseToken(test.click),
    clickTime: null,
    eventTime: null,
    changeTime: null,
    isTest: true,
  };
}

const invalid = (detail: string): ParsedMessage => ({ kind: 'invalid', detail });
