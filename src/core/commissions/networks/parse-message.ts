import { memoizeByKey } from '../../text/memoize-by-key.ts';
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
import { parseDate } from '../local-time.ts';
import { isCurrencyWord } from '../money.ts';
import type { Meaning, NetworkFile, NetworkRecord, Networks } from './network.schema.ts';
import {
  buildReport,
  decideKind,
  decideStatus,
  holds,
  indexFields,
  readPath,
  readRecord,
  readValue,
  type Scope,
  toAmount,
  toText,
} from './read-record.ts';

/** Begins the name of a field that repeats another one with another value. */
export const AGAIN = 'again_';
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
  const doubt =
    findOtherAmount(rule.record, scope) ??
    findTwice(fields, used) ??
    (isAdded ? findTakenBack(fields, used, true) : null) ??
    (readValue(rule.record.currency, scope) === '' ? findOtherCurrency(fields, used, report) : null);
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

/** Why a field that is read can have another value: a form or query has it twice; null when none does. */
function findTwice(fields: MessageFields, read: ReadonlySet<string>): string | null {
  const twice = Object.keys(fields).find(
    (name) => name.startsWith(AGAIN) && read.has(simplifyName(name.slice(AGAIN.length))),
  );
  return twice === undefined
    ? null
    : `the field ${showName(twice.slice(AGAIN.length))} has two values: send the one that counts`;
}

const describeTwo = (one: string, other: string) =>
  `the fields ${one} and ${other} both look like the commission: send yours as commission, and the customer's payment as sale_amount`;

const NOT_FOUND = { name: '', text: '' };

/** The names of a network's file, simplified. */
const getNames = memoizeByKey(({ names, vague }: NetworkFile) => {
  const simplify = (list: readonly string[] = []) => list.map(simplifyName);
  const entries = Object.entries(names).map(([meaning, list]) => [meaning, simplify(list)] as const);
  const byMeaning: ReadonlyMap<string, readonly string[]> = new Map(entries);
  const list = (meaning: Meaning) => byMeaning.get(meaning) ?? [];
  return {
    list,
    vague: new Set(simplify(vague)),
    all: new Set(entries.flatMap(([, own]) => own)),
    words: new Set(WORD_MEANINGS.flatMap(list)),
  };
});

/** A field that was found by its names. */
type Found = ReturnType<typeof findField>;

/** Finds the first field of some names, simplified, that is filled. */
function findField(
  fields: MessageFields,
  names: readonly string[],
  taken: ReadonlySet<string>,
  write: typeof toText,
) {
  const index = indexFields(fields);
  for (const name of names) {
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
    const found = findField(fields, getNames(file).list(meaning), taken, write);
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
      unit: 'decimal',
      decimal: null,
      currency: terms.currency,
      timeZone: terms.timeZone,
      dayOrder: file.dates,
      negative: 'refused',
      isByHand: true,
      now,
      mayLeaveOut: true,
    },
  );
  if ('problem' in report) return invalid(report.problem);
  const read = new Set([amount, sale, id, click, status, kind, currency].map(({ name }) => name));
  const other =
    findTwice(fields, taken) ??
    findOtherCurrency(fields, read, report) ??
    (report.eventTime === null ? findOtherDay(fields, terms) : null);
  return other === null ? buildReports(report) : invalid(other);
}

/** Names of days that are not those of the commission. */
const OTHER_DAY_NAME =
  /click|visit|view|lead|refer|regist|sign|join|birth|dob|expir|until|end|start|due|pay|paid|lock|valid|trial|renew|next|deliver|ship|check|updat|modif|chang/;

/** Why a message may be of another day than that of its arrival: a field that is not read has one; null when none does. */
function findOtherDay(fields: MessageFields, { timeZone }: CommissionTerms): string | null {
  const other = listFieldTexts(fields).find(
    ({ name, text }) =>
      !OTHER_DAY_NAME.test(name) &&
      /^\D*\d{1,4}\D.*\d/.test(text) &&
      parseDate(text, timeZone, 'day-first') !== null,
  );
  return other === undefined
    ? null
    : `the field ${showName(other.path)} has a day and is not read: send that of the commission as at`;
}

const NO_CURRENCY_NAME = /countr|land|pa[iy]s|region|lang|locale|geo|market|airport|coupon|voucher|code$|id$/;
const CURRENCY_NAME = /curr|ccy|devise|moned|moeda|valut|währ|waehr|валют|货币|通貨/;

/** Why a message may be in another currency than it is read in: a field that is not read names it; null when none does. */
function findOtherCurrency(
  fields: MessageFields,
  read: ReadonlySet<string>,
  { amount, currency, unstated }: ReportedFact,
): string | null {
  const isStated = unstated?.includes('currency') !== true;
  const other = listFieldTexts(fields).find(({ name, text }) => {
    if (read.has(name) || amount === 0 || text.length > 3 || !isCurrencyWord(text)) return false;
    const isNamed = CURRENCY_NAME.test(name);
    // A code in capitals says it whatever its field is called, where nothing else does.
    const isCode = text === text.toUpperCase() && !NO_CURRENCY_NAME.test(name);
    return (isNamed || (isCode && !isStated)) && text.toUpperCase() !== currency;
  });
  return other === undefined
    ? null
    : `the field ${showName(other.path)} names another currency than ${currency}: send that of the commission as currency`;
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
  const names = getNames(file);
  const hasWord = (word: RegExp, own: readonly string[]) =>
    own.some((name) => word.test(toText(index.get(name))));
  if (hasWord(/^(1|true|yes)$/i, ['test', 'istest'])) return true;
  if (hasWord(/^test$/i, ['event', 'eventtype', ...names.list('kind')])) return true;
  if (isMoney(amountText) || findOtherMoney(file, fields) !== undefined) return false;
  const values = Object.entries(fields);
  return (
    values.some(([, value]) => typeof value === 'string' && isPlaceholder(value)) ||
    values.every(([name, value]) => names.words.has(simplifyName(name)) || isEmpty(value))
  );
}

/** The text of a list nested thousands of times would take the whole stack. */
const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : ['', '0', 'null'].includes(String(value ?? '').replace(/^0*\.0*$/, ''));

/** The sign or code of a currency at an end of an amount. */
const CURRENCY = /^\s*(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})\s*$/gu;
const isMoney = (text: string) => {
  const bare = text.replace(/^\s*\((.*)\)\s*$/, '$1').replace(/^\s*[-+\u2212]\s*|\s*[-+\u2212]\s*$/g, '');
  return /^[+-]?[\d.,]*[1-9][\d.,]*$/.test(bare.replace(CURRENCY, '').trim());
};

const MAX_DEPTH = 6;
/** Names of a commission in some languages. */
export const MONEY_NAME =
  /com+is+[iã]|kom+is|provv?i[gsz]|prowiz|verg[uü]t|r[eé]mun[eé]r|payout|earning|reward|amount|fee|bounty|комисс|вознагр|佣金|報酬/i;
const hasDecimals = (text: string) => /^\d{1,3}(?:[.,]?\d{3})*[.,]\d{1,2}$/.test(text.replace(CURRENCY, ''));

type Text = ReturnType<typeof listFieldTexts>[number];

/** Every text of a message with the path and the simplified name of its field. */
export const listFieldTexts = memoizeByKey((fields: MessageFields) => {
  const texts: { readonly name: string; readonly text: string; readonly path: string }[] = [];
  const add = (value: unknown, path: string, depth: number) => {
    if (typeof value !== 'object' || value === null) {
      const name = simplifyName(path.slice(path.lastIndexOf('.') + 1));
      texts.push({ name, text: toText(value), path });
    } else if (depth <= MAX_DEPTH)
      for (const [key, item] of Object.entries(value))
        add(item, path === '' ? key : `${path}.${key}`, depth + 1);
  };
  add(fields, '', 0);
  return texts;
});

/** The path of a field that has no name of the postback and looks like money, at any depth. */
function findOtherMoney(file: NetworkFile, fields: MessageFields): string | undefined {
  const { all } = getNames(file);
  const isOther = ({ name, text, path }: Text) =>
    (MONEY_NAME.test(path) || (!NO_MONEY_NAME.test(name) && hasDecimals(text))) &&
    !all.has(simplifyName(path)) &&
    isMoney(text);
  return listFieldTexts(fields).find(isOther)?.path;
}

/** A name as it is repeated to the sender: one that no network has is not. */
const showName = (path: string) => (/^[\w.-]{1,60}$/.test(path) ? path : 'of another name');

/** Why the money of a message can be read in two ways, with what to send instead; null when it cannot. */
function findMoneyDoubt(
  file: NetworkFile,
  fields: MessageFields,
  { amount, sale, currency }: Readonly<Record<'amount' | 'sale' | 'currency', Found>>,
): string | null {
  if (!isMoney(amount.text)) return null;
  const { vague, list } = getNames(file);
  const isSame = (text: string) => Number(text) === Number(amount.text);
  if (vague.has(amount.name) && vague.has(sale.name) && isMoney(sale.text) && !isSame(sale.text))
    return describeTwo(amount.name, sale.name);
  const other = listFieldTexts(fields).find(({ name, text }) => {
    const isMoneyName =
      vague.has(name) ||
      list('amount').includes(name) ||
      (!NO_MONEY_NAME.test(name) &&
        (MONEY_NAME.test(name) || (vague.has(amount.name) && sale.text === '' && hasDecimals(text))));
    if (!isMoneyName || name === amount.name || name === sale.name || !isMoney(text)) return false;
    return !isSame(text) && Number(text) !== Number(sale.text || Number.NaN);
  });
  if (other !== undefined) return describeTwo(amount.name, showName(other.path));
  const isOtherCurrency = ({ name, text }: Text) =>
    /currency(code)?$/.test(name) &&
    /^[a-z]{3}$/i.test(text) &&
    name !== currency.name &&
    text.toUpperCase() !== currency.text.toUpperCase();
  const second = isMoney(sale.text) ? listFieldTexts(fields).find(isOtherCurrency) : undefined;
  return second === undefined
    ? null
    : `the fields ${currency.name} and ${showName(second.path)} name two currencies: send the commission alone, with currency`;
}

/** Why a message that adds money may take it back: a field that is not read says so; null when none does. */
function findTakenBack(fields: MessageFields, read: ReadonlySet<string>, hasStatus: boolean): string | null {
  for (const { name, text, path } of listFieldTexts(fields)) {
    if (read.has(name) || text === '') continue;
    if (saysTakenBack(name, text))
      return `the field ${showName(path)} says ${text.slice(0, 30)}: send status=reversed, or a negative amount with kind=adjustment`;
    const isState = STATUS_NAME.test(name) || /approved|paid/.test(parseStatus(text, { statuses: {} }));
    if (!hasStatus && isState)
      return `the field ${showName(path)} says ${text.slice(0, 30)} and is not read: send the status as status`;
  }
  return null;
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
