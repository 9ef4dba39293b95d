import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FrozenJourney } from '../core/commissions/credit/credit.ts';
import { isRate } from '../core/commissions/exchange-rates.ts';
import {
  buildCommissionKey,
  COMMISSION_KINDS,
  COMMISSION_STATUSES,
  FACT_SOURCES,
  type NewFact,
  type StoredFact,
  UNSTATED_FIELDS,
} from '../core/commissions/ledger/commission-fact.ts';
import {
  decisionSchema,
  type LabelDay,
  labelDaySchema,
  type RateDay,
  rateDaySchema,
} from '../core/commissions/ledger/stored-money.schema.ts';
import { parseJson } from '../core/text/parse-text.ts';
import type { SqlRow, SqlStatement } from './sql/sql-executor.ts';
import { buildListStatements, renameColumns } from './sql/statements.ts';

const rawMessage = z.object({
  /** Unique; facts refer to it. */
  id: z.string(),
  partner: z.string(),
  /** ms since 1970. */
  arrivedAt: z.number(),
  /** JSON. */
  content: z.string(),
});
/** A message as it arrived, without personal fields. It is removed after 30 days. */
export type RawMessage = Readonly<z.output<typeof rawMessage>>;

const unreadMessage = rawMessage.extend({
  source: z.enum(['postback', 'webhook']),
  /** Why it could not be read. */
  problem: z.string(),
});
/** A message that could not be read, as it arrived, without personal fields. It stays until it is read or discarded. */
export type UnreadMessage = Readonly<z.output<typeof unreadMessage>>;

const commissionImport = z.object({
  /** Hash of the file and of how it was read. */
  id: z.string(),
  partner: z.string(),
  /** Name of the file, without folders. */
  file: z.string(),
  state: z.enum(['committed', 'undone']),
  rows: z.number(),
  /** ms since 1970. */
  changedAt: z.number(),
});
/** An import of a file. Its facts count only while its newest state is `committed`. */
export type CommissionImport = Readonly<z.output<typeof commissionImport>>;

/** Why the ledger could not be read or written. */
export class LedgerError extends Error {
  /** `unavailable`: full, locked, damaged or read-only. `closed`: shutting down. */
  readonly code: 'unavailable' | 'closed';
  constructor(code: LedgerError['code'], message: string, options?: ErrorOptions) {
    super(`[commissions] ${message}`, options);
    this.name = 'LedgerError';
    this.code = code;
  }
}

export const KINDS: ReadonlySet<unknown> = new Set(COMMISSION_KINDS);
export const STATUSES: ReadonlySet<unknown> = new Set(COMMISSION_STATUSES);
const SOURCES: ReadonlySet<unknown> = new Set(FACT_SOURCES);

/** Facts that count at a position of the imports, which is a parameter of the statement. */
export const IS_COUNTED_FACT = `(import_id IS NULL OR import_id IN (SELECT import_id FROM imports WHERE state = 'committed'
  AND sequence IN (SELECT max(sequence) FROM imports GROUP BY import_id)))`;

/** The columns of `facts`, in the order of `parseFactItem`. */
export const FACT_ITEM = `json_array(sequence, partner, account, native_id, kind, status, amount, currency, sale_amount, token, click_id,
  click_time, event_time, change_time, source, is_test, raw_id, import_id, arrived_at, unstated, label)`;

/** Parses the columns of a fact. Throws `LedgerError` for one that this program cannot have written. */
export function parseFactItem(item: unknown): StoredFact {
  const [sequence, partner, account, nativeId, kind, status, amount, currency, saleAmount, ...rest] =
    Array.isArray(item) ? (item as readonly unknown[]) : [];
  const [
    token,
    clickId,
    clickTime,
    eventTime,
    changeTime,
    source,
    isTest,
    rawId,
    importId,
    arrivedAt,
    unstated,
    label,
  ] = rest;
  if (!KINDS.has(kind) || !STATUSES.has(status) || !SOURCES.has(source)) {
    throw buildRowError('facts', sequence);
  }
  return {
    sequence: Number(sequence),
    partner: String(partner),
    account: String(account),
    nativeId: String(nativeId),
    kind: kind as StoredFact['kind'],
    status: status as StoredFact['status'],
    amount: Number(amount),
    currency: String(currency),
    saleAmount: parseNumberCell(saleAmount),
    token: String(token),
    clickId: parseTextCell(clickId),
    clickTime: parseNumberCell(clickTime),
    eventTime: Number(eventTime),
    changeTime: Number(changeTime),
    source: source as StoredFact['source'],
    isTest: isTest === 1,
    rawId: parseTextCell(rawId),
    importId: parseTextCell(importId),
    arrivedAt: Number(arrivedAt),
    // Few facts have any: a list for each would take more memory than the rest of a small fact.
    ...(unstated !== '' && parseUnstated(String(unstated))),
    ...(label !== '' && { label: parseLabel(label, sequence) }),
  };
}

/** `amount,currency`, or `currency 64.36` with the amount as it was written. */
function parseUnstated(text: string) {
  const [names = '', amountText] = text.split(' ');
  const unstated = UNSTATED_FIELDS.filter((field) => names.includes(field));
  return { unstated, ...(amountText !== undefined && { amountText }) };
}

const labelSchema = z.tuple([z.string(), z.string(), z.string(), z.number()]);

export function parseLabel(text: unknown, sequence: unknown): StoredFact['label'] {
  const { data } = labelSchema.safeParse(parseJson(String(text)));
  if (data === undefined) throw buildRowError('facts', sequence);
  const [id, item, name, items] = data;
  return { id, item, name, items };
}

export const parseNumberCell = (value: unknown) => (typeof value === 'number' ? value : null);
export const parseTextCell = (value: unknown) => (typeof value === 'string' ? value : null);

/** Parsers of rows by their tables. They throw `LedgerError`. */
export const parseDecisionRow = createRowParser('decisions', decisionSchema);
export const parseImportRow = createRowParser('imports', commissionImport);
export const parseRawRow = createRowParser('raw_messages', rawMessage);
export const parseUnreadRow = createRowParser('unread_messages', unreadMessage);

/** A rate that was taken back is null. */
const ratesSchema = z.record(z.string(), z.string().refine(isRate).nullable());

const parseStoredRates = createRowParser('exchange_rates', rateDaySchema.extend({ rates: z.string() }));

/** Parses a row of `exchange_rates`. Throws `LedgerError`. */
export function parseRateRow(row: SqlRow): RateDay {
  const { rates, ...rest } = parseStoredRates(row);
  const parsed = ratesSchema.safeParse(parseJson(rates));
  if (!parsed.success) throw buildRowError('exchange_rates', rest.day);
  const stated = Object.entries(parsed.data).flatMap(([quote, rate]) =>
    rate === null ? [] : [[quote, rate] as const],
  );
  return { ...rest, rates: Object.fromEntries(stated) };
}

/** Reads what `parseLabelDayItem` parses. */
export const LABEL_DAYS = 'SELECT sequence, json_array(partner, label, day, weights) AS item FROM label_days';

/** Parses a row of `label_days`. Throws `LedgerError`. */
export function parseLabelDayItem(item: unknown): LabelDay {
  const [partner, label, day, weights] = Array.isArray(item) ? (item as readonly unknown[]) : [];
  const { data } = labelWeights.safeParse(parseJson(String(weights)));
  if (data === undefined) throw buildRowError('label_days', `${partner} ${label} ${day}`);
  return { partner: String(partner), label: String(label), day: String(day), ...data };
}

const labelWeights = labelDaySchema.omit({ partner: true, label: true, day: true });

/** Parses the column `journey`. Throws `LedgerError`. */
export function parseJourneyRow({ journey }: SqlRow): FrozenJourney {
  return parseJourneyItem(parseJson(journey));
}

/** Checks a journey, which `Ledger` wrote as JSON. Throws `LedgerError`. */
export function parseJourneyItem(value: unknown): FrozenJourney {
  if (typeof value === 'object' && value !== null && 'clickId' in value) return value as FrozenJourney;
  throw buildRowError('journeys', JSON.stringify(value));
}

/** Creates the parser of a table whose columns have the names of the fields. It throws `LedgerError`. */
export function createRowParser<T>(table: string, schema: z.ZodType<T>): (row: SqlRow) => T {
  return (row) => {
    const result = schema.safeParse(renameColumns(row));
    if (!result.success) throw buildRowError(table, row['sequence']);
    return result.data;
  };
}

function buildRowError(table: string, row: unknown): LedgerError {
  const name = String(row).slice(0, 80);
  return new LedgerError('unavailable', `the table ${table} has an unreadable row (${name})`);
}

const FACT_COLUMNS =
  `partner account native_id kind status amount currency sale_amount token click_id click_time event_time change_time
  source is_test raw_id import_id arrived_at unstated label`.split(/\s+/);
/** Between a content hash and how often the commission had the content before. */
const HASH_COUNT = '~';
const SAME_COMMISSION = 'partner = own_partner AND account = own_account AND native_id = own_id';
/**
 * Each row has the columns, then the hash of its content, and 1 if it is dated. What is compared is read from the row
 * once: read in the comparisons, it took a third of the time of an import.
 */
const INSERT_FACTS = `INSERT INTO facts (${FACT_COLUMNS.join(', ')}, content_hash)
  WITH given AS MATERIALIZED (SELECT key, value, value ->> 0 AS own_partner, value ->> 1 AS own_account,
    value ->> 2 AS own_id, value ->> 12 AS own_time, value ->> 20 AS hash, value ->> 21 AS is_dated FROM json_each(?))
  SELECT ${FACT_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')}, hash || iif(known = 0, '', '${HASH_COUNT}' || known)
  FROM (SELECT key, value, hash,
      (SELECT count(*) FROM facts WHERE ${SAME_COMMISSION}
        AND (content_hash = hash OR content_hash GLOB hash || '${HASH_COUNT}*')) AS known,
      (SELECT content_hash FROM facts WHERE ${SAME_COMMISSION} AND (is_dated = 0 OR change_time = own_time)
        ORDER BY sequence DESC LIMIT 1) AS newest
    FROM given)
  WHERE newest IS NULL OR (newest <> hash AND newest NOT GLOB hash || '${HASH_COUNT}*')
  ORDER BY key`;

/**
 * Builds the INSERTs of facts: one for thousands of them. A fact that repeats the newest one of its commission is left
 * out; a dated one is compared with the newest of its time, because an older time changes nothing. One that repeats an
 * earlier fact is stored: the commission has returned to what it was.
 */
export function buildFactStatements(facts: readonly NewFact[]): readonly SqlStatement[] {
  // A statement does not see the rows that it stores itself: each has at most one fact of a commission.
  const parts: NewFact[][] = [];
  let keys = new Set<string>();
  for (const fact of facts) {
    const key = buildCommissionKey(fact);
    if (keys.has(key) || parts.length === 0) {
      keys = new Set();
      parts.push([]);
    }
    keys.add(key);
    parts.at(-1)?.push(fact);
  }
  return parts.flatMap((part) => buildListStatements(INSERT_FACTS, part.map(buildFactValues)));
}

function buildFactValues(fact: NewFact): readonly unknown[] {
  return [
    fact.partner,
    fact.account,
    fact.nativeId,
    fact.kind,
    fact.status,
    fact.amount,
    fact.currency,
    fact.saleAmount,
    fact.token,
    fact.clickId,
    fact.clickTime,
    fact.eventTime,
    fact.changeTime,
    fact.source,
    Number(fact.isTest),
    fact.rawId,
    fact.importId,
    fact.arrivedAt,
    [(fact.unstated ?? []).join(), fact.amountText ?? ''].join(' ').trim(),
    fact.label === undefined
      ? ''
      : JSON.stringify([fact.label.id, fact.label.item, fact.label.name, fact.label.items]),
    createHash('sha256').update(fact.content).digest('base64url').slice(0, 24),
    Number(fact.isDated),
  ];
}
