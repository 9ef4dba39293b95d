import { parseDate } from '../local-time.ts';
import { formatDecimalAmount } from '../money.ts';
import { listFieldTexts } from '../networks/parse-message.ts';
import { findTokenCandidates } from './click-token.ts';
import type { MessageFields } from './commission-source.ts';
import { isPlaceholder, parseStatus, simplifyName } from './message-fields.ts';
import type { MessageMapping } from './stored-money.schema.ts';

/** What a field of a message can mean, in the order in which fields are proposed. */
export const MESSAGE_MEANINGS = [
  'click',
  'currency',
  'amount',
  'saleAmount',
  'id',
  'status',
  'kind',
  'time',
] as const;
export type MessageMeaning = (typeof MESSAGE_MEANINGS)[number];

/** How the amounts of a message are written: `12.50`, or `1250` as minor units of the currency. */
export const AMOUNT_UNITS = ['decimal', 'minor'] as const;

/** A field of a message that has a text or number. `path`: names from the outside to the inside, joined by dots. */
export type MessageField = ReturnType<typeof listMessageFields>[number];

const MAX_FIELDS = 100;

/** Lists the fields of a message that have a text or number, at any depth; at most 100. */
export const listMessageFields = (fields: MessageFields) =>
  listFieldTexts(fields)
    .filter(({ text }) => text !== '')
    .slice(0, MAX_FIELDS);

/** Names of each meaning, the most specific one first, without case and separators. */
const NAMES: Readonly<Record<MessageMeaning, RegExp>> = {
  click: /click(id|ref)?\d?$|sub(id)?\d?$|^sid\d?$|^u1$|visitor|tracking|^(pub|aff)\w*ref\d?$/,
  currency: /currency|^cur|^ccy$/,
  amount: /commission|payout|earn|reward|bounty|amount|value|fee/,
  saleAmount: /sale|order|revenue|transaction|conversion|total|price|amount|value/,
  id: /(id|key|no|nr|number|ref|reference|code|uuid)$/,
  status: /stat(us|ut|e)|stage|zustand|verdict|outcome/,
  kind: /type|kind|event/,
  time: /date|time|created|updated|at$|^ts$|unix|epoch/,
};

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
/** Names of what is no state, although its word may be `order` or `active`. */
const MEANT = /type|kind|event|name|category|method/;
const isAmount = (text: string) => /^[+-]?\d+([.,]\d+)?$/.test(text);

/** Proposes what the fields of messages mean, by their names and by the values of the first message. */
export function proposeMapping(fields: MessageFields): MessageMapping {
  const all = listMessageFields(fields).filter(({ text }) => text !== '[removed]' && !isPlaceholder(text));
  const found: Partial<Record<MessageMeaning, string>> = {};
  for (const meaning of MESSAGE_MEANINGS) {
    const free = all.filter(({ path }) => !Object.values(found).includes(path));
    const [best] = free
      .map((field) => ({ field, score: rate(meaning, field) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score);
    if (best !== undefined) found[meaning] = best.field.path;
  }
  return { fields: found, unit: /cents|minor/i.test(found.amount ?? '') ? 'minor' : 'decimal' };
}

/** Names of what a partner pays, and not the customer. */
const EARNED = /commission|payout|earn|reward|bounty/;
const nearMoney = (name: string) =>
  EARNED.test(name) ? 0.5 : /sale|order|customer|cart/.test(name) ? -0.5 : 0;

/** How well a field fits a meaning; 0: not at all. */
function rate(meaning: MessageMeaning, { path, text }: MessageField): number {
  // The last name of `data.id`, and of the field of a form `data[id]`.
  const name = simplifyName(path.split(/[.[\]]+/).findLast(Boolean) ?? '');
  const whole = simplifyName(path);
  const isNamed = NAMES[meaning].test(name) || NAMES[meaning].test(whole);
  const named = NAMES[meaning].test(name) ? 2 : isNamed ? 1 : 0;
  switch (meaning) {
    case 'click':
      return (findTokenCandidates(text).length > 0 ? 4 : 0) + (isNamed && !isAmount(text) ? named : 0);
    case 'currency':
      // A code may stand in a field of any name.
      return /^[a-z]{3}$/i.test(text)
        ? (named || (CURRENCIES.has(text) ? 0.5 : 0)) + (named > 0 ? nearMoney(whole) : 0)
        : 0;
    case 'amount':
      // A field of the commission goes before the one of the sale, whose name is as general.
      return isAmount(text) && !/id$|rate|percent/.test(name)
        ? named * (EARNED.test(whole) ? 3 : 1) - (/sale|order|transaction|customer/.test(name) ? 1 : 0)
        : 0;
    case 'saleAmount':
      return isAmount(text) && !/id$|number|rate|percent/.test(name) ? named : 0;
    case 'status':
      // A word of a status may stand in a field of any name, and one of `status` may be in any language.
      return /\d/.test(text) || (!isNamed && MEANT.test(name))
        ? 0
        : parseStatus(text, { statuses: {} }) !== 'unknown'
          ? named || 0.5
          : /stat(us|ut)|stage/.test(name)
            ? 0.25
            : 0;
    case 'time':
      // The time of the sale goes before the one of the click.
      return isNamed && parseDate(text, 'UTC', 'month-first') !== null
        ? named - (/click|visit/.test(whole) ? 0.75 : 0)
        : 0;
    case 'id':
      // The network's id of the commission, not those of the parties.
      return /customer|user|merchant|advertiser|affiliate|publisher|partner|campaign|program|promo|group|banner/.test(
        whole,
      )
        ? 0
        : named +
            (/^(\w*data)?id$|commission|transaction|action|conversion|event|reward/.test(whole) ? 1 : 0);
    case 'kind':
      return named;
  }
}

/**
 * Writes a message with the names of the documented postback; null when it has no id and amount in the fields that the
 * mapping names. `currency` is that of messages without one.
 */
export function applyMapping(
  fields: MessageFields,
  { fields: paths, unit }: MessageMapping,
  currency: string | null,
): MessageFields | null {
  const texts = new Map(listMessageFields(fields).map(({ path, text }) => [path, text]));
  const read = (meaning: MessageMeaning) => {
    const path = paths[meaning];
    return path === undefined ? '' : (texts.get(path) ?? '');
  };
  if (read('id') === '' || read('amount') === '') return null;
  const code = (read('currency') || currency || '').toUpperCase();
  const toDecimal = (text: string) =>
    unit === 'minor' && /^[+-]?\d{1,15}$/.test(text) ? formatDecimalAmount(Number(text), code) : text;
  // Minor units with decimals contradict the mapping: the message stays unread.
  if (unit === 'minor' && !/^[+-]?\d{1,15}$/.test(read('amount'))) return null;
  return {
    click: read('click'),
    id: read('id'),
    status: read('status'),
    amount: toDecimal(read('amount')),
    sale_amount: toDecimal(read('saleAmount')),
    currency: code,
    kind: read('kind'),
    at: read('time'),
  };
}
