import { z } from 'zod';
import {
  COMMISSION_KINDS,
  COMMISSION_STATUSES,
  type CommissionDecision,
  FACT_SOURCES,
  type StoredFact,
} from '../../core/commissions/commission-fact.ts';
import {
  type CommissionImport,
  CommissionStoreError,
  type RawMessage,
} from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { SqlRow } from '../sql/sql-executor.ts';

const KINDS: ReadonlySet<unknown> = new Set(COMMISSION_KINDS);
const STATUSES: ReadonlySet<unknown> = new Set(COMMISSION_STATUSES);
const SOURCES: ReadonlySet<unknown> = new Set(FACT_SOURCES);

/** The columns of `facts`, in the order of `parseFactItem`. */
export const LEDGER_FACT_COLUMNS = `sequence, partner, account, native_id, kind, status, amount, currency, sale_amount, token, click_id,
  click_time, event_time, change_time, source, is_test, raw_id, import_id, arrived_at`;

/** Parses the columns of a fact. Throws `CommissionStoreError` for one that this program cannot have written. */
export function parseFactItem(item: unknown): StoredFact {
  const [sequence, partner, account, nativeId, kind, status, amount, currency, saleAmount, ...rest] =
    Array.isArray(item) ? (item as readonly unknown[]) : [];
  const [token, clickId, clickTime, eventTime, changeTime, source, isTest, rawId, importId, arrivedAt] = rest;
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
    saleAmount: parseNumber(saleAmount),
    token: String(token),
    clickId: parseText(clickId),
    clickTime: parseNumber(clickTime),
    eventTime: Number(eventTime),
    changeTime: Number(changeTime),
    source: source as StoredFact['source'],
    isTest: isTest === 1,
    rawId: parseText(rawId),
    importId: parseText(importId),
    arrivedAt: Number(arrivedAt),
  };
}

const parseNumber = (value: unknown) => (typeof value === 'number' ? value : null);
const parseText = (value: unknown) => (typeof value === 'string' ? value : null);

const decisionRow = z.object({
  sequence: z.number(),
  partner: z.string(),
  account: z.string(),
  native_id: z.string(),
  action: z.enum(['assign', 'dismiss', 'reset']),
  click_id: z.string().nullable(),
  origin: z.enum(['operator', 'match']),
  decided_at: z.number(),
});

/** Parses a row of `decisions`. Throws `CommissionStoreError`. */
export function parseDecisionRow(row: SqlRow): CommissionDecision {
  const {
    native_id: nativeId,
    click_id: clickId,
    decided_at: decidedAt,
    ...rest
  } = parseRow('decisions', decisionRow, row);
  return { ...rest, nativeId, clickId, decidedAt };
}

const importRow = z.object({
  import_id: z.string(),
  partner: z.string(),
  file: z.string(),
  state: z.enum(['committed', 'undone']),
  rows: z.number(),
  changed_at: z.number(),
});

/** Parses a row of `imports`. Throws `CommissionStoreError`. */
export function parseImportRow(row: SqlRow): CommissionImport {
  const { import_id: id, changed_at: changedAt, ...rest } = parseRow('imports', importRow, row);
  return { id, changedAt, ...rest };
}

/** Parses a row of `raw_messages`. */
export function parseRawRow(row: SqlRow): RawMessage {
  return {
    id: String(row['id']),
    partner: String(row['partner']),
    arrivedAt: Number(row['arrived_at']),
    content: String(row['content']),
  };
}

/** Parses the column `journey`. Throws `CommissionStoreError`. */
export function parseJourneyRow({ journey }: SqlRow): FrozenJourney {
  return parseJourneyItem(parseJson(journey));
}

/** Checks a journey, which `SqlCommissionStore` wrote as JSON. Throws `CommissionStoreError`. */
export function parseJourneyItem(value: unknown): FrozenJourney {
  if (typeof value === 'object' && value !== null && 'clickId' in value) return value as FrozenJourney;
  throw buildRowError('journeys', JSON.stringify(value));
}

function parseRow<T>(table: string, schema: z.ZodType<T>, row: SqlRow): T {
  const result = schema.safeParse(row);
  if (!result.success) throw buildRowError(table, row['sequence']);
  return result.data;
}

function buildRowError(table: string, row: unknown): CommissionStoreError {
  const name = String(row).slice(0, 80);
  return new CommissionStoreError('unavailable', `the table ${table} has an unreadable row (${name})`);
}
