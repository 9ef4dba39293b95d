import { z } from 'zod';
import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type {
  MessageFields,
  ParsedMessage,
  RefusedRecord,
  SourceReport,
} from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  collectStrings,
  parseStatus,
  removePersonalFields,
  roundId,
} from '../../core/commissions/ledger/message-fields.ts';
import { applyMapping, listMessageFields } from '../../core/commissions/ledger/message-mapping.ts';
import { type MessageMapping, mappingSchema } from '../../core/commissions/ledger/stored-money.schema.ts';
import { isCurrencyWord } from '../../core/commissions/money.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import { parseRecord } from '../../sources/networks/network-api.ts';
import { buildUnreadId, type Ledger } from '../../stores/ledger.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { Site } from '../site.ts';

const buildMappingsKey = (partner: string) => `message-mappings ${partner}`;

/** Reads the confirmed mappings of a partner's messages, the newest one first. Rejects with `LedgerError`. */
async function readMappings(ledger: Ledger, partner: string): Promise<readonly MessageMapping[]> {
  return parseMappings((await ledger.readState(buildMappingsKey(partner))) ?? '');
}

const parseMappings = (text: string): readonly MessageMapping[] =>
  z.array(mappingSchema).safeParse(parseSentJson(text)).data ?? [];

/** What reading a message needs of a site. */
interface ReadingSite {
  readonly money: Pick<Site['money'], 'ledger' | 'parseMessage'>;
}

/** Parses a message by a mapping; null when it has other fields. */
export function parseMappedMessage(
  { money: { parseMessage } }: ReadingSite,
  fields: MessageFields,
  terms: CommissionTerms,
  mapping: MessageMapping,
): ParsedMessage | null {
  const mapped = applyMapping(fields, mapping, terms.currency);
  return mapped === null ? null : parseMessage(mapped, { ...terms, network: 'generic' });
}

/** The fields of a message that stands for a record of an interface: what arrives has no such field alone. */
const buildRecordFields = (record: MessageFields): MessageFields => ({ interface: record });
const recordFieldsSchema = z.strictObject({ interface: z.record(z.string(), z.unknown()) });

/** Parses what networks send to the addresses of postbacks, and records of interfaces that wait. `now`: ms since 1970. */
export function parseSentMessage(
  fields: MessageFields,
  terms: CommissionTerms,
  networks: Networks,
  now: number,
): ParsedMessage {
  const { data } = recordFieldsSchema.safeParse(fields);
  return data === undefined
    ? parseNetworkMessage(fields, terms, networks, now)
    : parseRecord(networks.get(terms.network), data.interface, terms, now);
}

/** Finds what confirmed mappings make of records that an interface's file cannot read. Rejects with `LedgerError`. */
export async function parseMappedRecords(
  site: ReadingSite,
  partner: string,
  records: readonly RefusedRecord[],
  terms: CommissionTerms,
) {
  const mappings = records.length === 0 ? [] : await readMappings(site.money.ledger, partner);
  const parsed = records.map(({ record, strings }) => {
    const message = parseByMappings(site, buildRecordFields(record), terms, mappings);
    return message?.kind !== 'reports'
      ? null
      : message.reports.map((reported) => ({ reported, strings, record }));
  });
  return {
    reports: parsed.flatMap((reports) => reports ?? []),
    refused: records.filter((_, index) => parsed[index] === null),
  };
}

const DISCARDED = 'discarded-records';
const MAX_DISCARDED = 1_000;
const parseDiscarded = (text: string) => z.array(z.string()).parse(JSON.parse(text));

/**
 * Keeps records of interfaces among the messages that could not be read, but for those that the operator has discarded: the network
 * sends them again. `kept`: their problems by id, `lost`: what was not kept, because too many wait. Rejects with `LedgerError`.
 */
export async function keepRecords(
  ledger: Ledger,
  records: readonly RefusedRecord[],
  arrival: Pick<UnreadMessage, 'partner' | 'arrivedAt'>,
) {
  const kept = new Map<string, string>();
  const discarded = parseDiscarded((await ledger.readState(DISCARDED)) ?? '[]');
  for (const { record, problem } of records) {
    const content = JSON.stringify(removePersonalFields(buildRecordFields(record)));
    // Versions that know no records of interfaces read these rows too.
    const message = { ...arrival, source: 'webhook' as const, problem, content };
    const id = buildUnreadId(message);
    if (discarded.includes(id)) continue;
    if (!(await ledger.addUnread(message))) {
      const reason = `A record of ${arrival.partner} was not stored, because too many wait to be read: ${problem}`;
      return { kept, lost: [reason] };
    }
    kept.set(id, problem);
  }
  return { kept, lost: [] };
}

/** Removes messages that an operator does not want to be read. Rejects with `LedgerError`. */
export async function discardMessages(ledger: Ledger, messages: readonly UnreadMessage[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const isRecord = (message: UnreadMessage) =>
    recordFieldsSchema.safeParse(parseStoredFields(message)).success;
  if (messages.some(isRecord))
    await ledger.changeState(DISCARDED, '[]', (before) =>
      JSON.stringify([...new Set([...ids, ...parseDiscarded(before)])].slice(0, MAX_DISCARDED)),
    );
  await ledger.removeUnread(ids);
}

/**
 * Parses a message of a partner: in the shape of its network, else by the first confirmed mapping that fits. Rejects with
 * `LedgerError`.
 */
export async function parsePartnerMessage(
  site: ReadingSite,
  partner: string,
  fields: MessageFields,
  terms: CommissionTerms,
): Promise<ParsedMessage> {
  const message = site.money.parseMessage(fields, terms);
  if (message.kind !== 'invalid') return message;
  return parseByMappings(site, fields, terms, await readMappings(site.money.ledger, partner)) ?? message;
}

/** Parses a message by the first mapping that fits; null when none does. */
function parseByMappings(
  site: ReadingSite,
  fields: MessageFields,
  terms: CommissionTerms,
  mappings: readonly MessageMapping[],
): ParsedMessage | null {
  for (const mapping of mappings) {
    const mapped = parseMappedMessage(site, fields, terms, mapping);
    if (mapped !== null && mapped.kind !== 'invalid') return mapped;
  }
  return null;
}

/** The fields of a stored message; none of one that cannot be parsed. */
export function parseStoredFields({ content }: UnreadMessage): MessageFields {
  return z.record(z.string(), z.unknown()).safeParse(parseSentJson(content)).data ?? {};
}

/**
 * Packs a message for somebody else: its fields by name, with the signs of their texts and the words of states and currencies, and
 * with x and 9 for every other letter and digit. Neither partner nor network is named.
 */
export function packMessage(message: UnreadMessage): string {
  const hide = (text: string) =>
    parseStatus(text, { statuses: {} }) !== 'unknown' || isCurrencyWord(text)
      ? text
      : text.replace(/\p{L}/gu, 'x').replace(/\p{N}/gu, '9').slice(0, 100);
  const fields = listMessageFields(parseStoredFields(message));
  return JSON.stringify(Object.fromEntries(fields.map(({ path, text }) => [path, hide(text)])), null, 1);
}

const ID_QUESTION = /^its id .+ is new, and may be that of /;

/** Asks whether the long id of a report is that of a commission which was stored with rounded digits. */
export const askAboutId = ({ reported: { nativeId } }: SourceReport) =>
  `its id ${nativeId} is new, and may be that of ${roundId(nativeId)}, whose digits were rounded`;

/** Whether a message waits for what `askAboutId` asks. */
export const isIdQuestion = ({ problem }: Pick<UnreadMessage, 'problem'>) => ID_QUESTION.test(problem);

/** Groups messages of one partner whose fields have the same names, in the order of arrival; those about an id by that id. */
export function groupByShape(messages: readonly UnreadMessage[]): readonly (readonly UnreadMessage[])[] {
  const groups = Map.groupBy(messages, (message) =>
    JSON.stringify([
      message.partner,
      isIdQuestion(message) && message.problem,
      ...listMessageFields(parseStoredFields(message))
        .map(({ path }) => path)
        .toSorted(),
    ]),
  );
  return [...groups.values()];
}

/** What reading messages again has brought: how many were read and still cannot be; `matched`: reports with a known click. */
export type RereadResult = Awaited<ReturnType<typeof rereadMessages>>;

/** Stores what the fields of a partner's messages mean, and reads the stored ones again. Rejects with `LedgerError`. */
export async function confirmMapping(
  site: Site,
  partner: string,
  mapping: MessageMapping,
): Promise<RereadResult> {
  const { ledger } = site.money;
  const isOther = (known: MessageMapping) => JSON.stringify(known.fields) !== JSON.stringify(mapping.fields);
  await ledger.changeState(buildMappingsKey(partner), '[]', (before) =>
    JSON.stringify([mapping, ...parseMappings(before).filter(isOther)]),
  );
  return rereadMessages(site, partner);
}

/** A message tells of a change before its arrival, also when what other sources told since is in the ledger already. */
const addTimes = (reported: ReportedFact, { arrivedAt }: UnreadMessage): ReportedFact => ({
  ...reported,
  eventTime: reported.eventTime ?? reported.changeTime ?? arrivedAt,
  changeTime: reported.changeTime ?? arrivedAt,
});

/**
 * Reads the unread messages of a partner again: its file or a mapping may say more now. A change without a time has that
 * of the message's arrival. A message is removed once its facts are on disk: a run that is interrupted can be repeated, because
 * a fact is stored once. Rejects with `LedgerError`.
 */
export async function rereadMessages(site: Site, partner: string) {
  const { ledger, commissions } = site.money;
  const content = site.content.read();
  const terms = content.partners.get(partner)?.terms ?? DEFAULT_TERMS;
  const result = { read: 0, matched: 0, unread: 0 };
  for (const stored of await ledger.readUnread()) {
    if (stored.partner !== partner) continue;
    const fields = parseStoredFields(stored);
    const message = await parsePartnerMessage(site, partner, fields, terms);
    if (message.kind === 'invalid') {
      result.unread += 1;
      continue;
    }
    if (message.kind === 'reports') {
      const strings = collectStrings(fields);
      const sent = message.reports.map((reported) => ({ reported: addTimes(reported, stored), strings }));
      const { settled: reports, open } = await commissions.settleIds({ partner, terms, reports: sent });
      if (open[0] !== undefined) {
        await ledger.addUnread({ ...stored, problem: askAboutId(open[0]) });
        result.unread += 1;
        continue;
      }
      const source = recordFieldsSchema.safeParse(fields).success ? 'api' : stored.source;
      const raw = stored.content;
      const { matched } = await commissions.record({ partner, terms, source, reports, raw });
      result.matched += matched;
    }
    await ledger.removeUnread([stored.id]);
    result.read += 1;
  }
  return result;
}

/** Says whether the long id that a message is asked about is that of the commission with rounded digits, and reads the messages again. */
export async function answerId(site: Site, stored: UnreadMessage, isSame: boolean): Promise<RereadResult> {
  const { commissions } = site.money;
  const { partner } = stored;
  const terms = site.content.read().partners.get(partner)?.terms ?? DEFAULT_TERMS;
  const fields = parseStoredFields(stored);
  const message = await parsePartnerMessage(site, partner, fields, terms);
  const strings = collectStrings(fields);
  const reports = message.kind === 'reports' ? message.reports : [];
  const sent = reports.map((reported) => ({ reported, strings }));
  const [open] = (await commissions.settleIds({ partner, terms, reports: sent })).open;
  if (open !== undefined) {
    const { nativeId } = open.reported;
    await commissions.settleId(
      { partner, account: terms.account, nativeId },
      isSame ? roundId(nativeId) : nativeId,
    );
  }
  return rereadMessages(site, partner);
}
