import { isPlausibleAmount } from '../money.ts';
import type { CommissionKind, CommissionStatus, ReportedFact } from './commission-fact.ts';
import type { CommissionTerms } from './commission-terms.ts';

const MAX_STRINGS = 200;
const MAX_DEPTH = 6;
const MAX_TOKEN_LENGTH = 64;

/**
 * Writes the name of a field or column without case and separators, so that names can be compared; and without what an
 * escaped `&` or a copied text has put before it.
 */
export const simplifyName = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/^(?:&?(?:amp|#38|#x26);)+|[\s_.\p{Cf}-]+/gu, '');

const isFilled = (value: unknown) =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

/** Every string and number of a message, however deep: one of them may name the click. */
export function collectStrings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const found: string[] = [];
  for (const item of Object.values(value)) {
    found.push(...collectStrings(item, depth + 1));
    if (found.length > MAX_STRINGS) break;
  }
  return found.slice(0, MAX_STRINGS);
}

const TOKEN_KEY = /^(click|fpsid|(visitor)?subid\d?|sid\d?|sharedid|click(id|ref)\d?|cid|u1)$/;

/** Finds the text of the field that carries the click, wherever it is; empty without one. */
export function findToken(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const entries = Object.entries(value);
  const own = entries.find(([key, item]) => TOKEN_KEY.test(simplifyName(key)) && isFilled(item));
  if (own !== undefined) return parseToken(String(own[1]));
  for (const [, item] of entries) {
    const inner = findToken(item, depth + 1);
    if (inner !== '') return inner;
  }
  return '';
}

/** The part of a sub-id that is stored: at most 64 characters, and no e-mail address. */
export function parseToken(text: string): string {
  const token = text.trim().slice(0, MAX_TOKEN_LENGTH);
  return token.includes('@') || isPlaceholder(token) ? '' : token;
}

/** Whether a value is a template variable that the sender has not filled in: `{{visitor.sub_id}}`, `{SubId1}`. */
export function isPlaceholder(text: string): boolean {
  return /\{\{|\}\}|^\{\w+\}$|^\[\w+\]$|^!!!\w+!!!$/.test(text.trim());
}

const PERSONAL_WORDS = [
  'e?mail',
  '(first|last|full|user|customer)?_?name',
  'ip|ip_?address|user_?agent|ua',
  'phone|mobile|address|street|city|zip|post_?code',
  String.raw`birth\w*|avatar|image`,
];
const PERSONAL_KEY = new RegExp(String.raw`(^|_|\.)(${PERSONAL_WORDS.join('|')})$`, 'i');
const PERSONAL_VALUE =
  /(?<=[^\s@])@[^\s@]+\.[a-z]{2,}|^(\d{1,3}\.){3}\d{1,3}$|^[\da-f]*:[\da-f:]{4,}$|^Mozilla\//i;

/** A copy of a message without personal fields: names, e-mail addresses, IP addresses, user agents and similar ones. */
export function removePersonalFields(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return PERSONAL_VALUE.test(value.trim()) ? '[removed]' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[removed]';
  if (Array.isArray(value)) return value.map((item) => removePersonalFields(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    isPersonalKey(key) ? '[removed]' : removePersonalFields(item, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** `customerEmail`, `customer_email`, `Customer Email` and `customer[email]` are one key. */
function isPersonalKey(key: string): boolean {
  const name = key.replace(/\]+$/, '').replace(/([a-z])([A-Z])/g, '$1_$2');
  return PERSONAL_KEY.test(name.replace(/[\s[\]-]+/g, '_'));
}

const STATUS_WORDS: Readonly<Record<Exclude<CommissionStatus, 'unknown'>, string>> = {
  pending:
    'pending new open created hold on_hold held waiting due processing processed extended modified unpaid',
  approved: 'approved accepted confirmed validated locked closed active available ready fulfilled',
  paid: 'paid cleared in_transit withdrawn paid_externally',
  reversed:
    'reversed rejected declined denied refunded refund voided void canceled cancelled deleted fraud chargeback ' +
    'paid_and_refunded duplicate expired failed invalid archived clawback',
};

const KIND_WORDS: Readonly<Record<CommissionKind, string>> = {
  lead: 'lead leads sim_lead item_lead signup sign_up lead_signup referral new_referral registration trial',
  sale: 'sale purchase conversion order customer new_customer',
  recurring: 'recurring renewal rebill subscription',
  bonus: 'bonus',
  adjustment: 'adjustment correction custom clawback refund chargeback reversal',
};

const STATUSES = buildIndex(STATUS_WORDS);
const KINDS = buildIndex(KIND_WORDS);

function buildIndex<Name extends string>(words: Readonly<Record<Name, string>>): ReadonlyMap<string, Name> {
  const names = Object.keys(words) as Name[];
  return new Map(names.flatMap((name) => words[name].split(' ').map((word) => [word, name] as const)));
}

const normalize = (word: string) => word.trim().toLowerCase();
const join = (word: string) => normalize(word).replace(/[\s-]+/g, '_');

/**
 * Parses a network's word for a status: the words of the partner's file first, then the usual ones. A missing word is
 * `pending`; one that is not listed is `unknown`, which operators see.
 */
export function parseStatus(
  word: string,
  { statuses }: { readonly statuses: CommissionTerms['statuses'] },
): CommissionStatus {
  const own = normalize(word);
  if (own === '') return 'pending';
  // A network's word may be `constructor`.
  const named = Object.hasOwn(statuses, own) ? statuses[own] : undefined;
  return named ?? STATUSES.get(join(word)) ?? 'unknown';
}

const REFUND =
  /^(?!no[nt]?[._ -])(?:[a-z]+[._ -])*(?:refund(?:ed|s)?|charged?[_ -]?back|reversal|reversed|clawback|rfnd|cgbk)(?:[._ -](?:created|completed|issued))?$/i;
const TAKEN_NAME =
  /^(?:is|was|has)?(?:refund(?:ed|s)?|chargeback|revers(?:ed|al)|cancel(?:l?ed|lation)|void(?:ed)?|declined|reject(?:ed|ion)|deleted|clawback)(?:at|on|date|time|amount|reason)?$/;

/** Whether a text says that there is nothing: `0.00`, `no`, `n/a`, `0000-00-00`. */
export const isNothing = (text: string) => /^(?:0*[.,]?0*|no?|false|n\/a|none|null|-+|0000-.*)$/i.test(text);

/** Whether a field that is not read says that money is taken back. `name`: simplified. */
export function saysTakenBack(name: string, text: string): boolean {
  return (
    (TAKEN_NAME.test(name) && !isNothing(text)) ||
    // No such word has a digit.
    (!/\d/.test(text) && (REFUND.test(text) || parseStatus(text, { statuses: {} }) === 'reversed'))
  );
}

/** What is no money although its name speaks of it: `commission_rate`, `reward id`, `payout_at`. */
export const NO_MONEY_NAME =
  /(id|rate|percent(age)?|pct|status|state|type|currency|date|time|at|count|key|code|number|no|plan|name|unit|group|method)$/;

/** Parses a network's word for a kind of commission; `sale` for a missing or unlisted word. */
export function parseKind(word: string): CommissionKind {
  return KINDS.get(join(word)) ?? 'sale';
}

/** Begins the id of a total of one click, which is the site's own. */
const TOTAL_PREFIX = 'sub:';
/** Longer ids are refused: cut off, two of them would be one commission. */
const MAX_ID_LENGTH = 512;
const REFUND_WORD = /^(refund|chargeback|reversal|clawback)/i;

/** Builds the id of what a click has earned in all, or in a period. */
export const buildTotalId = (click: string, period: string) =>
  TOTAL_PREFIX + [click, period].filter(Boolean).join(':');

/** The form in which ids are compared: without letters that have no width, and in one form of Unicode. */
export const buildIdForm = (id: string) =>
  /^[ -~]*$/.test(id)
    ? id
    : id
        .normalize('NFC')
        .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
        .trim();

/** What ids have in common that differ by zeros in front, case, spaces or signs alone. */
export const buildLooseId = (id: string) =>
  id
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^0+(?=.)/, '');

/**
 * Builds the id under which a network's own id is stored: in the form in which ids are compared, and marked where it looks like one
 * of the site's own.
 */
export function buildNativeId(id: string): string {
  const form = buildIdForm(id);
  return /^(sub|item|id):/.test(form) ? `id:${form}` : form;
}

/** An id as versions have stored it for which a long number in JSON was one that a double holds; most are the same. */
export const roundId = (id: string) =>
  id.replace(/(?<!\d)[1-9]\d{15,}(?:\.0+)?(?!\d)/g, (digits) => `${Number(digits)}`);

/**
 * Says why a report cannot count as it is, for its sender; null when it can. `word` is the network's word for its kind.
 */
export function findReportProblem(
  { nativeId, kind, status, amount, currency, saleAmount }: Omit<ReportedFact, 'eventTime' | 'changeTime'>,
  word = '',
): string | null {
  if (nativeId.length > MAX_ID_LENGTH) return `the id is longer than ${MAX_ID_LENGTH} characters`;
  if (!isPlausibleAmount(amount, currency) || !isPlausibleAmount(saleAmount ?? 0, currency))
    return 'the amount is too large to be true';
  if (status === 'reversed') return null;
  if (amount < 0 && kind !== 'adjustment') return 'a negative amount is an adjustment: send kind=adjustment';
  return amount > 0 && REFUND_WORD.test(word.trim())
    ? 'a refund has a negative amount, or the status reversed'
    : null;
}
