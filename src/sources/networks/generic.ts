import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildNativeId,
  findToken,
  getText,
  isPlaceholder,
  parseKind,
  parseStatus,
  parseToken,
  simplifyName,
} from '../../core/commissions/ledger/message-fields.ts';
import { parseDate } from '../../core/commissions/local-time.ts';
import { parseDecimalAmount } from '../../core/commissions/money.ts';

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX';

/** The fields of the documented postback, with the other names that networks and trackers use for them. */
const FIELD_NAMES = {
  click: 'click, sub_id, subid1, sid, fp_sid, click_id, cid, click_ref',
  id: 'id, event_id, event, txid, transaction_id, commission_id',
  status: 'status, state',
  amount: 'amount, commission, payout, commission_amount',
  saleAmount: 'sale_amount, sale',
  currency: 'currency, commission_currency',
  kind: 'kind, type, etype, et',
  time: 'at, time, timestamp',
  test: 'test, is_test',
} as const;

const KNOWN_NAMES: ReadonlySet<string> = new Set(
  Object.values(FIELD_NAMES).flatMap((names) => names.split(', ').map(simplifyName)),
);
/** Fields that say nothing alone. */
const WORD_NAMES: ReadonlySet<string> = new Set(
  (['status', 'currency', 'kind', 'time'] as const).flatMap((field) =>
    FIELD_NAMES[field].split(', ').map(simplifyName),
  ),
);
const MONEY_NAME = /commission|payout|earning|reward|amount|fee|bounty/i;

/**
 * Parses the documented postback: `click`, `id`, `status`, `amount` (decimal), `currency`, `kind` and `at`. Never null:
 * every message has this shape, or is invalid.
 */
export function parseGenericMessage(fields: MessageFields, terms: CommissionTerms): ParsedMessage {
  const read = (field: keyof typeof FIELD_NAMES) => {
    const text = getText(fields, ...FIELD_NAMES[field].split(', '));
    return isPlaceholder(text) ? '' : text;
  };
  const click = read('click');
  const id = read('id');
  const word = read('kind');
  const kind = parseKind(word);
  const status = parseStatus(read('status'), terms);
  const amountText = read('amount');
  const currency = (read('currency') || terms.currency || '').toUpperCase();
  if (isTestMessage(fields, read('test'), amountText))
    return { kind: 'reports', reports: [buildTestReport({ click, id, terms })] };
  // Leads and changes of a status may come without money, if no other field looks like money.
  const needsMoney = !(
    kind === 'lead' ||
    (id !== '' && read('status') !== '') ||
    (id === '' && click !== '' && word !== '')
  );
  const missing = [
    // Two sales of one click would be one commission.
    ...(id === '' && (click === '' || word === '' || isMoney(amountText)) ? ['id'] : []),
    ...(amountText === '' && (needsMoney || hasOtherMoney(fields)) ? ['amount'] : []),
  ];
  if (missing.length > 0)
    return invalid(
      `the ${missing.length === 1 ? 'field' : 'fields'} ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    );
  if (!/^[A-Z]{3}$/.test(currency)) {
    return invalid('currency is missing: send an ISO 4217 code such as USD, or set it in the partner file');
  }
  const amount = amountText === '' ? 0 : parseDecimalAmount(amountText, currency);
  if (amount === null) return invalid('amount must be a decimal number such as 12.50');
  const saleText = read('saleAmount');
  const at = read('time');
  const time = at === '' ? null : parseDate(at, terms.timeZone, 'month-first');
  if (at !== '' && time === null) return invalid('at must be a time such as 2026-11-20T10:00:00Z');
  const unstated = [
    ...(amountText === '' ? (['amount'] as const) : []),
    ...(read('currency') === '' ? (['currency'] as const) : []),
  ];
  const report: ReportedFact = {
    // A report of a lead may carry the click alone: one lead of a kind per click.
    nativeId: buildNativeId(id || `${word || kind}:${click}`),
    kind,
    status,
    amount,
    currency,
    ...(unstated.length > 0 && { unstated }),
    saleAmount: saleText === '' ? null : parseDecimalAmount(saleText, currency),
    token: parseToken(click) || findToken(fields),
    clickTime: null,
    eventTime: time,
    changeTime: time,
    isTest: false,
  };
  return { kind: 'reports', reports: [report] };
}

/**
 * Only a message that says so is a test: by a field, as the event, by a variable that was not filled in, or because it is
 * empty. Money is never dismissed as one.
 */
function isTestMessage(fields: MessageFields, flag: string, amountText: string): boolean {
  if (/^(1|true|yes)$/i.test(flag)) return true;
  if (/^test$/i.test(getText(fields, 'event', 'event_type', ...FIELD_NAMES.kind.split(', ')))) return true;
  if (isMoney(amountText) || hasOtherMoney(fields)) return false;
  const values = Object.entries(fields);
  return (
    values.some(([, value]) => typeof value === 'string' && isPlaceholder(value)) ||
    values.every(([name, value]) => WORD_NAMES.has(simplifyName(name)) || isEmpty(value))
  );
}

/** The text of a list nested thousands of times would take the whole stack. */
const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : ['', '0', 'null'].includes(String(value ?? '').replace(/^0*\.0*$/, ''));

const isMoney = (text: string) => /^[+-]?[\d.,]*[1-9][\d.,]*$/.test(text.trim());

/** Whether a field that is not read looks like an amount by its name and value, at any depth. */
function hasOtherMoney(value: unknown, name = '', depth = 0): boolean {
  if (typeof value === 'string' || typeof value === 'number') {
    const isKnown = KNOWN_NAMES.has(simplifyName(name));
    return MONEY_NAME.test(name) && !isKnown && isMoney(String(value));
  }
  if (typeof value !== 'object' || value === null || depth > 6) return false;
  return Object.entries(value).some(([key, item]) =>
    hasOtherMoney(item, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

/** Builds the report of a test message: it is stored and shown, and is worth nothing. */
export function buildTestReport(test: {
  readonly click: string;
  readonly id: string;
  readonly terms: CommissionTerms;
}): ReportedFact {
  return {
    nativeId: test.id === '' || isPlaceholder(test.id) ? 'test' : buildNativeId(test.id),
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
