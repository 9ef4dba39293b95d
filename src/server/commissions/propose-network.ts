import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import type { MessageFields } from '../../core/commissions/ledger/commission-source.ts';
import {
  MESSAGE_MEANINGS,
  type MessageMeaning,
  proposeMapping,
} from '../../core/commissions/ledger/message-mapping.ts';
import { type NetworkFile, networkSchema } from '../../core/commissions/networks/network.schema.ts';
import { readPath, toText } from '../../core/commissions/networks/read-record.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import { parseForm } from './postbacks.ts';

/** How the messages of a network are read, as a person has said it or as it is proposed. */
export interface PushChoice {
  /** The meaning of fields by their paths; of several with one meaning the first that is filled counts. */
  readonly means: ReadonlyMap<string, MessageMeaning>;
  /** The network's words of status; the usual ones are known without. */
  readonly words: Readonly<Record<string, CommissionStatus>>;
  readonly unit: NetworkFile['unit'];
  readonly dates?: NetworkFile['dates'];
  /** Of amounts that name none; left out: that of the partner's file. */
  readonly currency?: string;
}

/** Proposes what the fields of a message mean. */
export function proposeChoice(fields: MessageFields): PushChoice {
  const { fields: found, unit } = proposeMapping(fields);
  const means = MESSAGE_MEANINGS.flatMap((meaning) =>
    found[meaning] === undefined ? [] : [[found[meaning], meaning] as const],
  );
  return { means: new Map(means), words: {}, unit };
}

/** What stands where no field of a sample looks like the id or the amount: no network has a field of this name. */
export const UNFOUND = { id: 'FIELD_OF_THE_ID', amount: 'FIELD_OF_THE_AMOUNT' };

/** The parts of a network's file that say how its messages are read. */
export function buildPush({ means, words, unit, dates, currency }: PushChoice) {
  const find = (meaning: MessageMeaning) => {
    const paths = [...means].flatMap(([path, one]) => (one === meaning ? [path] : []));
    return paths.length > 1 ? paths : paths[0];
  };
  const [id = UNFOUND.id, amount = UNFOUND.amount, status, kind] = [
    find('id'),
    find('amount'),
    find('status'),
    find('kind'),
  ];
  const record = {
    id,
    click: find('click'),
    amount,
    sale: find('saleAmount'),
    currency: find('currency'),
    eventTime: find('time'),
  };
  return {
    unit,
    ...(currency !== undefined && { currency }),
    ...(dates !== undefined && { dates }),
    ...(status !== undefined && { status: [{ field: status, words }] }),
    ...(kind !== undefined && { kind: [{ field: kind }] }),
    // Of one list in two places YAML would make an anchor.
    push: { own: [{ field: structuredClone(id) }, { field: structuredClone(amount) }], rules: [{ record }] },
  };
}

/** So many characters name one click: they are hidden in longer texts too. */
const MIN_UNIQUE = 16;

/** A message without the click that it names, which is nobody's business. */
export function hideClick<Message>(message: Message, { means }: PushChoice, fields: MessageFields): Message {
  const clicks = [...means].flatMap(([path, meaning]) =>
    meaning === 'click' ? [toText(readPath(fields, path))] : [],
  );
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string')
      return clicks.reduce(
        (text, click) =>
          click !== '' && (text === click || click.length >= MIN_UNIQUE)
            ? text.replaceAll(click, 'CLICK')
            : text,
        value,
      );
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(inner)]));
  };
  return hide(message) as Message;
}

/** The source of what nobody has documented. `now`: ms since 1970. */
const buildSource = (now: number) => ({
  text: 'a sample of your account; name the page that documents it',
  day: new Date(now).toISOString().slice(0, 10),
});

/** What a file has that nobody has completed yet. */
export const beginFile = (title: string, now: number) => ({
  format: 1,
  title,
  sources: [buildSource(now)],
  reversal: 'unknown',
});

/** Proposes how messages such as this one are read: query, form or JSON. */
export function proposePush(text: string) {
  const json = parseSentJson(text);
  const isJson = typeof json === 'object' && json !== null;
  const fields: MessageFields = isJson ? { ...json } : parseForm(text);
  const choice = proposeChoice(fields);
  const sent = isJson
    ? { json: hideClick<unknown>(json, choice, fields) }
    : { query: String(new URLSearchParams(hideClick([...new URLSearchParams(text)], choice, fields))) };
  return {
    ...buildPush(choice),
    messages: [{ name: 'the sample', is: 'quoted', ...sent, becomes: 'unconfirmed' as const }],
  };
}

/** What is wrong with a file that is proposed, as a text; else the file. */
export function parseProposal(proposal: unknown): NetworkFile | string {
  const parsed = networkSchema.safeParse(proposal);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}
