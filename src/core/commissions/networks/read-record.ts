import { DAY_MS } from '../../clock.ts';
import type { CommissionKind, CommissionStatus, ReportedFact } from '../ledger/commission-fact.ts';
import type { MessageFields } from '../ledger/commission-source.ts';
import type { CommissionTerms } from '../ledger/commission-terms.ts';
import {
  buildNativeId,
  findReportProblem,
  findToken,
  isNothing,
  isPlaceholder,
  parseKind,
  parseStatus,
  parseToken,
  simplifyName,
} from '../ledger/message-fields.ts';
import { type DayOrder, findTimeProblem, isAmbiguousDay, nameDay, parseDate } from '../local-time.ts';
import {
  type DecimalSign,
  findTwoAmounts,
  formatDecimalAmount,
  isCurrency,
  parseDecimalAmount,
  parseReportAmount,
} from '../money.ts';
import type {
  NetworkCondition,
  NetworkFile,
  NetworkRecord,
  NetworkRules,
  NetworkValue,
} from './network.schema.ts';

/** Where conditions and values are read from: a message, a record of an interface, or a row of a report. */
export interface Scope {
  /** The value at a path, or in a column. */
  readonly read: (path: string) => unknown;
  /** The response around a record. */
  readonly response?: unknown;
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
  /** ms since 1970. */
  readonly now: number;
}

type Step = string | number;
const parsedPaths = new Map<string, readonly Step[]>();

/** `data.items[0].id` as steps; the paths are those of network files. */
function parsePath(path: string): readonly Step[] {
  const known = parsedPaths.get(path);
  if (known !== undefined) return known;
  const steps = [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) =>
    index === undefined ? simplifyName(name) : Number(index),
  );
  parsedPaths.set(path, steps);
  return steps;
}

const indexes = new WeakMap<object, ReadonlyMap<string, unknown>>();

/** The fields of an object by simplified name; of several with one name the first that is filled. */
export function indexFields(fields: object): ReadonlyMap<string, unknown> {
  const known = indexes.get(fields);
  if (known !== undefined) return known;
  const index = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const name = simplifyName(key);
    if (!index.has(name) || (toText(index.get(name)) === '' && toText(value) !== '')) index.set(name, value);
  }
  indexes.set(fields, index);
  return index;
}

/**
 * Reads what is at a path; names are compared without case and separators. A form has no groups of fields: a field whose
 * whole name is `data[amount]` or `data.amount` is at that path.
 */
export function readPath(value: unknown, path: string): unknown {
  let at = value;
  for (const step of parsePath(path)) {
    if (typeof at !== 'object' || at === null) at = undefined;
    else
      at = typeof step === 'number' ? (Array.isArray(at) ? at[step] : undefined) : indexFields(at).get(step);
    if (at === undefined) break;
  }
  if (at !== undefined || typeof value !== 'object' || value === null) return at;
  return Object.hasOwn(value, path) ? Reflect.get(value, path) : undefined;
}

/** The text of a value; empty for a list or a group of fields. */
export const toText = (value: unknown) =>
  typeof value === 'string'
    ? value.trim()
    : typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : '';

/** The text of an amount: a number of JSON has no groups, so that its third decimal is one. */
export const toAmount = (value: unknown) =>
  typeof value === 'number' ? `${value}`.replace(/\.\d{3}$/, '$&0') : toText(value);

/** The special words of conditions; every other word is compared with the text. */
const TESTS: Readonly<Record<string, (text: string, scope: Scope) => boolean>> = {
  filled: (text) => text !== '',
  empty: (text) => text === '',
  zero: (text) => !/[1-9]/.test(text),
  set: (text) => !/^(0|no?|false|n\/a|-|0000-.*)?$/i.test(text),
  negative: (text) => /^[-\u2212(]|-$/.test(text),
  placeholder: isPlaceholder,
  past: (text, { timeZone, dayOrder, now }) => (parseDate(text, timeZone, dayOrder) ?? Infinity) <= now,
};

function isWord(text: string, word: string): boolean {
  const [own, wanted] = [text.toLowerCase(), word.toLowerCase()];
  const inner = wanted.replace(/^\*|\*$/g, '');
  const [isOpen, isOpenEnd] = [wanted.startsWith('*'), wanted.endsWith('*')];
  if (isOpen && isOpenEnd) return own.includes(inner);
  return isOpen ? own.endsWith(inner) : isOpenEnd ? own.startsWith(inner) : own === inner;
}

/** Whether all conditions hold. */
export function holds(conditions: readonly NetworkCondition[] | undefined, scope: Scope): boolean {
  return (conditions ?? []).every(({ field, is, above }) => {
    const text = field.reduce((found, path) => found || toText(scope.read(path)), '');
    if (above !== undefined && !(Number(text) > above)) return false;
    return (is ?? (above === undefined ? ['filled'] : ['*'])).some((word) =>
      word === 'group'
        ? field.some((path) => isGroup(scope.read(path)))
        : (TESTS[word]?.(text, scope) ?? isWord(text, word)),
    );
  });
}

const isGroup = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

/** Reads a text; empty when the message has no such field, or has a variable that was not filled in. */
export function readValue(value: NetworkValue | undefined, scope: Scope, write = toText): string {
  if (value === undefined) return '';
  const read = (path: string) => {
    const text = write(scope.read(path));
    return isPlaceholder(text) ? '' : text;
  };
  if (value.response !== undefined) return toText(readPath(scope.response, value.response));
  if (value.join !== undefined) {
    const parts = value.join.map((path) => read(path).slice(0, value.longest)).filter(Boolean);
    return parts.length === 0 ? '' : value.prefix + parts.join(value.with);
  }
  for (const one of value.field ?? []) {
    const text = typeof one === 'string' ? read(one) : holds(one.when, scope) ? read(one.take) : '';
    if (text !== '') return value.prefix + text;
  }
  return value.constant ?? '';
}

/** What rules decide, with the word by which they did; undefined when none holds. */
function decide<Word extends string>(
  rules: NetworkRules<Word>,
  scope: Scope,
  parse: (word: string, words: Readonly<Record<string, Word>>) => Word,
): { readonly is: Word; readonly word: string } | undefined {
  for (const rule of rules) {
    if (!holds(rule.when, scope)) continue;
    if (rule.then !== undefined) return { is: rule.then, word: '' };
    const word = readValue(rule.field, scope);
    if (word !== '') return { is: parse(word, rule.words), word };
  }
  return undefined;
}

const own = <Word>(words: Readonly<Record<string, Word>>, word: string) => {
  const name = word.trim().toLowerCase();
  return Object.hasOwn(words, name) ? words[name] : undefined;
};

/** The status by rules: the words of the partner's file, those of the network, then the usual ones; else pending. */
export function decideStatus(
  rules: NetworkRules<CommissionStatus>,
  scope: Scope,
  terms: Pick<CommissionTerms, 'statuses'>,
) {
  const decided = decide(
    rules,
    scope,
    (word, words) => own(terms.statuses, word) ?? own(words, word) ?? parseStatus(word, { statuses: {} }),
  );
  return decided ?? { is: 'pending' as const, word: '' };
}

export const decideKind = (rules: NetworkRules<CommissionKind>, scope: Scope) =>
  decide(rules, scope, (word, words) => own(words, word) ?? parseKind(word)) ?? {
    is: 'sale' as const,
    word: '',
  };

/** What a message, record or row says of one commission, as texts. */
export interface ReportTexts {
  readonly id: string;
  readonly amount: string;
  readonly sale: string;
  readonly currency: string;
  readonly eventTime: string;
  readonly changeTime: string;
  readonly clickTime: string;
  readonly token: string;
  readonly status: CommissionStatus;
  readonly kind: { readonly is: CommissionKind; readonly word: string };
}

/** How these texts are written. */
export interface ReportForm {
  readonly unit: NetworkFile['unit'];
  /** null: amounts have a point and no groups; `unknown`: nothing says so far what their signs separate. */
  readonly decimal: DecimalSign | 'unknown' | null;
  /** Of amounts that name none; null: they have to. */
  readonly currency: string | null;
  readonly timeZone: string;
  readonly dayOrder: DayOrder;
  readonly negative: NetworkRecord['negative'];
  /** Whether people may have written it: then three digits behind the only sign of an amount are asked about. */
  readonly isByHand: boolean;
  /** When it is read, for days that cannot be; ms since 1970. null: a period may be told before its end. */
  readonly now: number | null;
  /** Whether a message may leave out what was said before; its currency and amount are then marked as unstated. */
  readonly mayLeaveOut: boolean;
}

const AMOUNT_PROBLEMS: Readonly<Record<NetworkFile['unit'], string>> = {
  decimal: 'amount must be a decimal number such as 12.50',
  minor: 'the amount of the message is not a number of whole minor units, such as 1250',
  fractions: 'the amount of the message is not a number of minor units, such as 1250',
};

/** Builds the one report that every way of a network ends in, or says why it cannot. */
export function buildReport(
  texts: ReportTexts,
  form: ReportForm,
): ReportedFact | { readonly problem: string } {
  const currency = (texts.currency || form.currency || '').toUpperCase();
  if (texts.id === '') return { problem: 'the message has no id of the commission' };
  // Nothing of a message is repeated to its sender.
  if (!isCurrency(currency))
    return {
      problem: `currency is ${currency === '' ? 'missing' : 'not known'}: send an ISO 4217 code such as USD, or set it in the partner file`,
    };
  const isLeftOut = texts.amount === '' && form.mayLeaveOut;
  const amount = isLeftOut ? 0 : parseAmount(texts.amount, currency, form);
  if (amount === null) return { problem: AMOUNT_PROBLEMS[form.unit] };
  const open = findOpenAmount(texts, currency, form);
  if (open !== null) return { problem: open };
  const hasSale = /\d/.test(texts.sale) || !isNothing(texts.sale);
  const saleAmount = hasSale ? parseAmount(texts.sale, currency, form) : null;
  if (hasSale && saleAmount === null)
    return { problem: 'the amount of the sale must be a number such as 99.00' };
  const times = readTimes(texts, form);
  if ('problem' in times) return times;
  const wrongDay = findDayProblem(times, form.now);
  if (wrongDay !== null) return { problem: wrongDay };
  const isUnnamed = form.mayLeaveOut && texts.currency === '';
  const unstated = [
    ...(isLeftOut ? (['amount'] as const) : []),
    ...(isUnnamed ? (['currency'] as const) : []),
  ];
  // The currency of an earlier message can have more digits.
  const isCut =
    isUnnamed && !isLeftOut && Number(formatDecimalAmount(amount, currency)) !== Number(texts.amount);
  const report: ReportedFact = {
    nativeId: texts.id,
    kind: form.negative === 'adjustment' && amount < 0 ? 'adjustment' : texts.kind.is,
    status: texts.status,
    amount,
    currency,
    ...(unstated.length > 0 && { unstated }),
    ...(isCut && { amountText: texts.amount }),
    saleAmount,
    token: texts.token,
    ...times,
    isTest: false,
  };
  const problem = findReportProblem(report, texts.kind.word);
  return problem === null ? report : { problem };
}

/** Whether a text tells no time. A database writes a zero day for one that it does not know: that of a booking is asked about. */
export const isTimeless = (name: keyof typeof TIMES, text: string) =>
  isNothing(text) && !(name === 'eventTime' && text.startsWith('0000-'));

const TIMES = { eventTime: 'at', changeTime: 'updated_at', clickTime: 'click_time' } as const;

function readTimes(texts: ReportTexts, { timeZone, dayOrder }: ReportForm) {
  const times: Record<keyof typeof TIMES, number | null> = {
    eventTime: null,
    changeTime: null,
    clickTime: null,
  };
  for (const name of Object.keys(TIMES) as (keyof typeof TIMES)[]) {
    const text = texts[name];
    if (isTimeless(name, text)) continue;
    times[name] = parseDate(text, timeZone, dayOrder);
    if (times[name] !== null) continue;
    const isOpen = dayOrder === 'unknown' && isAmbiguousDay(text);
    return {
      problem: isOpen
        ? `${TIMES[name]} can begin with the day or the month: send a time such as 2026-11-20T10:00:00Z`
        : `${TIMES[name]} must be a time such as 2026-11-20T10:00:00Z`,
    };
  }
  return times;
}

/** Why the day of a commission or of its change cannot be; null when both can. A change that is ahead counts from its arrival. */
function findDayProblem(
  { eventTime, changeTime }: Pick<ReportedFact, 'eventTime' | 'changeTime'>,
  now: number | null,
): string | null {
  if (now === null) return null;
  for (const time of [eventTime ?? changeTime ?? now, Math.min(changeTime ?? now, now)]) {
    const wrong = findTimeProblem(time, now);
    if (wrong !== null) return `the day ${nameDay(Math.floor(time / DAY_MS))} ${wrong}`;
  }
  return null;
}

/** Why an amount or a sale can be two amounts; null when neither can. */
function findOpenAmount(
  { amount, sale }: ReportTexts,
  currency: string,
  { unit, decimal, isByHand }: ReportForm,
): string | null {
  if (unit !== 'decimal' || !isByHand) return null;
  const [one, other] = [amount, sale].map((text) => findTwoAmounts(text, currency, decimal ?? 'unknown'));
  if (!one && !other) return null;
  const text = (one ? amount : sale).replace(/[^\d.,]/g, '');
  const ask = decimal === null ? 'send it with two decimals' : 'choose the decimal sign . or , (--decimal)';
  return `the ${one ? '' : 'sale '}amount ${text} can be ${one ?? other}: ${ask}`;
}

function parseAmount(text: string, currency: string, { unit, decimal }: ReportForm): number | null {
  if (unit === 'decimal')
    return decimal === null
      ? parseDecimalAmount(text, currency)
      : parseReportAmount(text, currency, decimal === 'unknown' ? '.' : decimal);
  // A fraction of a minor unit is refused unless the network writes them: `12.50` is more likely an amount of dollars.
  if (!(unit === 'fractions' ? /^[+-]?\d+(\.\d*)?$/ : /^[+-]?\d+(\.0*)?$/).test(text)) return null;
  const number = Number(text);
  const rounded = Math.sign(number) * Math.round(Math.abs(number));
  return Number.isSafeInteger(rounded) ? rounded + 0 : null;
}

/** Whether a text begins the ids that are the site's own, of totals. */
const isOwnPrefix = (prefix: string) => prefix === 'sub:' || prefix === 'item:';

/** Reads a record of a message or an interface. */
export function readRecord(
  record: NetworkRecord,
  scope: Scope,
  fields: MessageFields,
  file: NetworkFile,
  terms: CommissionTerms,
) {
  const read = (value: NetworkValue | undefined, write = toText) => readValue(value, scope, write);
  const id = read(record.id);
  const kind = decideKind(record.kind ?? file.kind, scope);
  const isNegated = record.negateWhen !== undefined && holds(record.negateWhen, scope);
  const sign = (text: string) =>
    isNegated && text !== '' && !/^[-0.]+$/.test(text) ? `-${text.replace(/^[+-]/, '')}` : text;
  const texts = {
    id: isOwnPrefix(record.id.prefix) ? id : buildNativeId(id),
    amount: sign(read(record.amount, toAmount)),
    sale: sign(read(record.sale, toAmount)),
    currency: read(record.currency),
    eventTime: read(record.eventTime),
    changeTime: read(record.changeTime),
    clickTime: read(record.clickTime),
    token: parseToken(read(record.click)) || findToken(fields),
    status: decideStatus(record.status ?? file.status, scope, terms).is,
    kind:
      record.repeats && terms.recurring && kind.word === '' ? { is: 'recurring' as const, word: '' } : kind,
  };
  const label = read(record.label);
  const report = buildReport(texts, {
    unit: file.unit,
    decimal: null,
    currency: terms.currency ?? file.currency ?? null,
    timeZone: scope.timeZone,
    dayOrder: scope.dayOrder,
    negative: record.negative,
    isByHand: false,
    now: scope.now,
    mayLeaveOut: false,
  });
  if ('problem' in report || label === '') return report;
  return { ...report, label: { id: label.slice(0, 100), item: '', name: '', items: 1 } };
}
