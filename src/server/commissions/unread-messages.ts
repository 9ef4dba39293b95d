import { z } from 'zod';
import type { ReportedFact } from '../../core/commissions/ledger/commission-fact.ts';
import type { MessageFields, ParsedMessage } from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { collectStrings, parseStatus } from '../../core/commissions/ledger/message-fields.ts';
import { applyMapping, listMessageFields } from '../../core/commissions/ledger/message-mapping.ts';
import { type MessageMapping, mappingSchema } from '../../core/commissions/ledger/stored-money.schema.ts';
import { isCurrencyWord } from '../../core/commissions/money.ts';
import { parseJson, parseSentJson } from '../../core/text/parse-text.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { UnreadMessage } from '../../stores/ledger-rows.ts';
import type { Site } from '../site.ts';

const buildMappingsKey = (partner: string) => `message-mappings ${partner}`;

/** Reads the confirmed mappings of a partner's messages, the newest one first. Rejects with `LedgerError`. */
async function readMappings(ledger: Ledger, partner: string): Promise<readonly MessageMapping[]> {
  return parseMappings((await ledger.readState(buildMappingsKey(partner))) ?? '');
}

const parseMappings = (text: string): readonly MessageMapping[] =>
  z.array(mappingSchema).safeParse(parseJson(text)).data ?? [];

/** Parses a message by a mapping; null when it has other fields. */
export function parseMappedMessage(
  { money: { parseMessage } }: Site,
  fields: MessageFields,
  terms: CommissionTerms,
  mapping: MessageMapping,
): ParsedMessage | null {
  const mapped = applyMapping(fields, mapping, terms.currency);
  return mapped === null ? null : parseMessage(mapped, { ...terms, network: 'generic' });
}

/**
 * Parses a message of a partner: in the shape of its network, else by the first confirmed mapping that fits. Rejects with
 * `LedgerError`.
 */
export async function parsePartnerMessage(
  site: Site,
  partner: string,
  fields: MessageFields,
  terms: CommissionTerms,
): Promise<ParsedMessage> {
  const message = site.money.parseMessage(fields, terms);
  if (message.kind !== 'invalid') return message;
  for (const mapping of await readMappings(site.money.ledger, partner)) {
    const mapped = parseMappedMessage(site, fields, terms, mapping);
    if (mapped !== null && mapped.kind !== 'invalid') return mapped;
  }
  return message;
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

/** Groups messages of one partner whose fields have the same names, in the order of arrival. */
export function groupByShape(messages: readonly UnreadMessage[]): readonly (readonly UnreadMessage[])[] {
  const groups = Map.groupBy(messages, (message) =>
    JSON.stringify([
      message.partner,
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
      const { matched } = await commissions.record({
        partner,
        terms,
        source: stored.source,
        reports: message.reports.map((reported) => ({ reported: addTimes(reported, stored), strings })),
        raw: stored.content,
      });
      result.matched += matched;
    }
    await ledger.removeUnread([stored.id]);
    result.read += 1;
  }
  return result;
}
