import type { ReportedFact } from '../ledger/commission-fact.ts';
import type { MessageFields, ParsedMessage } from '../ledger/commission-source.ts';
import type { CommissionTerms } from '../ledger/commission-terms.ts';
import {
  buildNativeId,
  findToken,
  isPlaceholder,
  NO_MONEY_NAME,
  parseStatus,
  parseToken,
  saysTakenBack,
  simplifyName,
} from '../ledger/message-fields.ts';
import type { Meaning, NetworkFile, NetworkRecord, Networks } from './network.schema.ts';
import {
  buildReport,
  decideKind,
  decideStatus,
  holds,
  indexFields,
  readPath,
  readRecord,
  type Scope,
  toAmount,
  toText,
} from './read-record.ts';

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX';

/** The network whose file has the names of the documented postback. */
const DOCUMENTED = 'generic';

/**
 * Parses a message of a partner's network: in the network's own shape, in one that tells its network, else as the
 * documented postback. A report that cannot count as it is makes the message invalid. `now`: ms since 1970.
 */
export function parseNetworkMessage(
  fields: MessageFields,
  terms: CommissionTerms,
  networks: Networks,
  now: number,
): ParsedMessage {
  const file = networks.get(terms.network);
  const shaped = file === undefined ? null : parseShape(file, fields, terms, now);
  if (shaped !== null) return shaped;
  if (terms.network === DOCUMENTED) {
    for (const other of networks.values()) {
      const message = other.push?.alone ? parseShape(other, fields, terms, now) : null;
      if (message?.kind === 'reports') return message;
    }
  }
  return parseDocumented(getDocumented(networks), fields, terms, now);
}

/** The file with the usual names, which every site has. */
export function getDocumented(networks: Networks): NetworkFile {
  const file = networks.get(DOCUMENTED);
  if (file === undefined) throw new RangeError('There is no networks/generic.yaml.');
  return file;
}

const invalid = (detail: string): ParsedMessage => ({ kind: 'invalid', detail });
const buildReports = (report: ReportedFact): ParsedMessage => ({ kind: 'reports', reports: [report] });

/** Parses a message in the shape of a network's file; null for another shape. */
function parseShape(
  file: NetworkFile,
  message: MessageFields,
  terms: CommissionTerms,
  now: number,
): ParsedMessage | null {
  const { push } = file;
  if (push === undefined) return null;
  const inner = push.unwrap === undefined ? undefined : readPath(message, push.unwrap);
  const fields: MessageFields = typeof inner === 'object' && inner !== null ? { ...inner } : message;
  const used = new Set<string>();
  const scope = {
    read: (path: string) => {
      used.add(simplifyName(path.slice(path.lastIndexOf('.') + 1)));
      return readPath(fields, path);
    },
    timeZone: file.timeZone ?? terms.timeZone,
    dayOrder: file.dates,
    now,
  };
  if (!holds(push.own, scope)) return null;
  const rule = push.rules.find(({ when }) => holds(when, scope));
  if (rule === undefined) return null;
  if (rule.then === 'test') return buildReports(buildTest('', '', terms));
  if (rule.record === undefined) return { kind: 'ignored' };
  const report = readRecord(rule.record, scope, fields, file, terms);
  if ('problem' in report) return invalid(report.problem);
  const isAdded = report.amount > 0 && report.status !== 'reversed';
  const doubt = findOtherAmount(rule.record, scope) ?? (isAdded ? findTakenBack(fields, used, true) : null);
  return doubt === null ? buildReports(report) : invalid(doubt);
}

/** Why two fields that a network's file names can both be the amount; null when they agree. */
function findOtherAmount({ amount, sale }: NetworkRecord, { read }: Scope): string | null {
  const sales = sale?.field?.map((one) => (typeof one === 'string' ? one : one.take));
  const filled = (amount.field ?? []).flatMap((name) =>
    typeof name === 'string' && !sales?.includes(name) && isMoney(toText(read(name)))
      ? [{ name, text: toText(read(name)) }]
      : [],
  );
  const [first] = filled;
  const other = filled.find(({ text }) => Number(text) !== Number(first?.text));
  return first === undefined || other === undefined ? null : describeTwo(first.name, other.name);
}

const describeTwo = (one: string, other: string) =>
  `the fields ${one} and ${other} both look like the commission: send yours as commission, and the customer's payment as sale_amount`;

/** A field that was found by its names. */
interface Found {
  /** The name, simplified. */
  readonly name: string;
  readonly text: string;
}

const NOT_FOUND: Found = { name: '', text: '' };

function findField(
  fields: MessageFields,
  names: readonly string[],
  taken: ReadonlySet<string>,
  write: typeof toText,
): Found {
  const index = indexFields(fields);
  for (const one of names) {
    const name = simplifyName(one);
    const text = taken.has(name) ? '' : write(index.get(name));
    if (text !== '') return { name, text: isPlaceholder(text) ? '' : text };
  }
  return NOT_FOUND;
}

/**
 * Parses the documented postback: `click`, `id`, `status`, `amount` (decimal), `currency`, `kind` and `at`, with the other
 * names that the file has. Never null: every message has this shape, or is invalid. What could be read in two ways is
 * invalid with a proposal.
 */
function parseDocumented(
  file: NetworkFile,
  fields: MessageFields,
  terms: CommissionTerms,
  now: number,
): ParsedMessage {
  const taken = new Set<string>();
  const find = (meaning: Meaning, write = toText) => {
    const found = findField(fields, file.names[meaning] ?? [], taken, write);
    if (found.name !== '') taken.add(found.name);
    return found;
  };
  const [amount, sale] = [find('amount', toAmount), find('saleAmount', toAmount)];
  const [id, click] = [find('id'), find('subId')];
  const [status, kind, currency, time] = [find('status'), find('kind'), find('currency'), find('eventTime')];
  const isChange = CHANGE_NAMES.includes(time.name);
  const texts = { status: status.text, kind: kind.text };
  const scope: Scope = {
    read: (path) => texts[path as keyof typeof texts] ?? readPath(fields, path),
    timeZone: terms.timeZone,
    dayOrder: file.dates,
    now,
  };
  if (isTestMessage(file, fields, amount.text)) return buildReports(buildTest(click.text, id.text, terms));
  const decided = decideKind(file.kind, scope);
  const otherMoney = amount.text === '' ? findOtherMoney(file, fields) : undefined;
  const missing = listMissing({ id, click, amount, status, kind }, decided.is === 'lead', otherMoney);
  if (missing.length > 0)
    return invalid(
      `the ${missing.length === 1 ? 'field' : 'fields'} ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    );
  const state = decideStatus(file.status, scope, terms).is;
  const doubt =
    findMoneyDoubt(file, fields, { amount, sale, currency }) ??
    (state === 'reversed' || amount.text.startsWith('-')
      ? null
      : findTakenBack(fields, new Set([status.name, kind.name, click.name]), status.name !== ''));
  if (doubt !== null) return invalid(doubt);
  const report = buildReport(
    {
      // A report of a lead may carry the click alone: one lead of a kind per click.
      id: buildNativeId(id.text || `${kind.text || decided.is}:${click.text}`),
      amount: amount.text,
      sale: sale.text,
      currency: currency.text,
      eventTime: time.text,
      changeTime: isChange ? time.text : find('changeTime').text,
      clickTime: '',
      token: parseToken(click.text) || findToken(fields),
      status: state,
      kind: { is: decided.is, word: kind.text },
    },
    {
      ...{ unit: 'decimal', decimal: null, currency: terms.currency },
      ...{ timeZone: terms.timeZone, dayOrder: file.dates },
      ...{ negative: 'refused', mayLeaveOut: true },
    },
  );
  return 'problem' in report ? invalid(report.problem) : buildReports(report);
}

/** The fields without which a message is no commission. */
function listMissing(
  { id, click, amount, status, kind }: Readonly<Record<'id' | 'click' | 'amount' | 'status' | 'kind', Found>>,
  isLead: boolean,
  otherMoney: string | undefined,
): readonly string[] {
  // Leads and changes of a status may come without money, if no other field looks like money.
  const needsMoney =
    !isLead &&
    !(id.text !== '' && status.text !== '') &&
    !(id.text === '' && click.text !== '' && kind.text !== '');
  return [
    // Two sales of one click would be one commission.
    ...(id.text === '' && (click.text === '' || kind.text === '' || isMoney(amount.text)) ? ['id'] : []),
    ...(amount.text === '' && (needsMoney || otherMoney !== undefined) ? ['amount'] : []),
  ];
}

/** The documented time, which is that of the change too. */
const CHANGE_NAMES: readonly string[] = ['at', 'time', 'timestamp'];

/** Fields that say nothing alone. */
const WORD_MEANINGS: readonly Meaning[] = ['status', 'currency', 'kind', 'eventTime'];

/**
 * Only a message that says so is a test: by a field, as the event, by a variable that was not filled in, or because it is
 * empty. Money is never dismissed as one.
 */
function isTestMessage(file: NetworkFile, fields: MessageFields, amountText: string): boolean {
  const index = indexFields(fields);
  const hasWord = (word: RegExp, names: readonly string[]) =>
    names.some((name) => word.test(toText(index.get(simplifyName(name)))));
  if (hasWord(/^(1|true|yes)$/i, ['test', 'is_test'])) return true;
  if (hasWord(/^test$/i, ['event', 'event_type', ...(file.names.kind ?? [])])) return true;
  if (isMoney(amountText) || findOtherMoney(file, fields) !== undefined) return false;
  const words = new Set(WORD_MEANINGS.flatMap((meaning) => (file.names[meaning] ?? []).map(simplifyName)));
  const values = Object.entries(fields);
  return (
    values.some(([, value]) => typeof value === 'string' && isPlaceholder(value)) ||
    values.every(([name, value]) => words.has(simplifyName(name)) || isEmpty(value))
  );
}

/** The text of a list nested thousands of times would take the whole stack. */
const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : ['', '0', 'null'].includes(String(value ?? '').replace(/^0*\.0*$/, ''));

/** The sign or code of a currency at an end of an amount. */
const CURRENCY = /^\s*(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})\s*$/gu;
const isMoney = (text: string) => /^[+-]?[\d.,]*[1-9][\d.,]*$/.test(text.replace(CURRENCY, '').trim());

const MAX_DEPTH = 6;
/** Names of a commission in some languages. */
export const MONEY_NAME =
  /com+is+[iã]|kom+is|provv?i[gsz]|prowiz|verg[uü]t|r[eé]mun[eé]r|payout|earning|reward|amount|fee|bounty|комисс|вознагр|佣金|報酬/i;
const hasDecimals = (text: string) => /^\d{1,3}(?:[.,]?\d{3})*[.,]\d{1,2}$/.test(text.replace(CURRENCY, ''));

/** Calls `visit` with every text of a message until it returns something. */
function search<Result>(
  value: unknown,
  visit: (name: string, text: string, path: string) => Result | undefined,
  path = '',
  depth = 0,
): Result | undefined {
  if (typeof value !== 'object' || value === null) {
    return visit(simplifyName(path.slice(path.lastIndexOf('.') + 1)), toText(value), path);
  }
  if (depth > MAX_DEPTH) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = search(item, visit, path === '' ? key : `${path}.${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a field that has no name of the postback and looks like money, at any depth. */
function findOtherMoney(file: NetworkFile, fields: MessageFields): string | undefined {
  const known = new Set(Object.values(file.names).flatMap((names) => names.map(simplifyName)));
  return search(fields, (name, text, path) => {
    const isNamed = MONEY_NAME.test(path) || (!NO_MONEY_NAME.test(name) && hasDecimals(text));
    return isNamed && !known.has(simplifyName(path)) && isMoney(text) ? path : undefined;
  });
}

/** A name as it is repeated to the sender: one that no network has is not. */
const showName = (path: string) => (/^[\w.-]{1,60}$/.test(path) ? path : 'of another name');

/** Why the money of a message can be read in two ways, with what to send instead; null when it cannot. */
function findMoneyDoubt(
  file: NetworkFile,
  fields: MessageFields,
  { amount, sale, currency }: Readonly<Record<'amount' | 'sale' | 'currency', Found>>,
): string | null {
  const vague = new Set(file.vague.map(simplifyName));
  const own = new Set((file.names.amount ?? []).map(simplifyName));
  if (!isMoney(amount.text)) return null;
  const isSame = (text: string) => Number(text) === Number(amount.text);
  if (vague.has(amount.name) && vague.has(sale.name) && isMoney(sale.text) && !isSame(sale.text))
    return describeTwo(amount.name, sale.name);
  const other = search(fields, (name, text, path) => {
    const isMoneyName =
      vague.has(name) ||
      own.has(name) ||
      (!NO_MONEY_NAME.test(name) &&
        (MONEY_NAME.test(name) || (vague.has(amount.name) && sale.text === '' && hasDecimals(text))));
    if (!isMoneyName || name === amount.name || name === sale.name || !isMoney(text)) return undefined;
    return isSame(text) || Number(text) === Number(sale.text || Number.NaN) ? undefined : path;
  });
  if (other !== undefined) return describeTwo(amount.name, showName(other));
  const second = search(fields, (name, text, path) =>
    isMoney(sale.text) &&
    /currency(code)?$/.test(name) &&
    /^[a-z]{3}$/i.test(text) &&
    name !== currency.name &&
    text.toUpperCase() !== currency.text.toUpperCase()
      ? path
      : undefined,
  );
  return second === undefined
    ? null
    : `the fields ${currency.name} and ${showName(second)} name two currencies: send the commission alone, with currency`;
}

/** Why a message that adds money may take it back: a field that is not read says so; null when none does. */
function findTakenBack(fields: MessageFields, read: ReadonlySet<string>, hasStatus: boolean): string | null {
  const found = search(fields, (name, text, path) => {
    if (read.has(name) || text === '') return undefined;
    if (saysTakenBack(name, text))
      return `the field ${showName(path)} says ${text.slice(0, 30)}: send status=reversed, or a negative amount with kind=adjustment`;
    const isState = STATUS_NAME.test(name) || /approved|paid/.test(parseStatus(text, { statuses: {} }));
    return !hasStatus && isState
      ? `the field ${showName(path)} says ${text.slice(0, 30)} and is not read: send the status as status`
      : undefined;
  });
  return found ?? null;
}

/** The end of names that tell a state: `payment_status`, `Bestellstatus`. */
export const STATUS_NAME = /stat(?:us|ut)$/;

/** Builds the report of a test message: it is stored and shown, and is worth nothing. */
function buildTest(click: string, id: string, terms: CommissionTerms): ReportedFact {
  return {
    nativeId: id === '' ? 'test' : buildNativeId(id),
    kind: 'sale',
    status: 'pending',
    amount: 0,
    currency: terms.currency ?? NO_CURRENCY,
    saleAmount: null,
    token: parseToken(click),
    clickTime: null,
    eventTime: null,
    changeTime: null,
    isTest: true,
  };
}
