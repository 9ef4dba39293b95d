import { createHash } from 'node:crypto';
import type { NewDecision, NewFact } from '../../core/commissions/commission-fact.ts';
import type { CommissionImport, RawMessage } from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import { buildJsonLists } from '../sql/build-json-lists.ts';
import type { SqlStatement } from '../sql/sql-executor.ts';

const FACT_COLUMNS =
  `partner account native_id content_hash kind status amount currency sale_amount token click_id
  click_time event_time change_time source is_test raw_id import_id arrived_at`.split(/\s+/);
const INSERT_FACTS = `INSERT INTO facts (${FACT_COLUMNS.join(', ')})
  SELECT ${FACT_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(?)
  WHERE true ON CONFLICT (partner, account, native_id, content_hash) DO NOTHING`;
const INSERT_RAW = 'INSERT INTO raw_messages (id, partner, arrived_at, content) VALUES (?, ?, ?, ?)';
const INSERT_JOURNEYS = `INSERT INTO journeys (click_id, journey) SELECT value ->> 0, value ->> 1 FROM json_each(?)
  WHERE true ON CONFLICT (click_id) DO NOTHING`;
const INSERT_DECISION = `INSERT INTO decisions (partner, account, native_id, action, click_id, origin, decided_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const INSERT_IMPORT = `INSERT INTO imports (import_id, partner, file, state, rows, changed_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

/** Builds the INSERTs of facts: one for thousands of them. A fact that is stored already is left as it is. */
export function buildFactStatements(facts: readonly NewFact[]): readonly SqlStatement[] {
  return buildJsonLists(facts.map(buildFactValues)).map((list) => ({ sql: INSERT_FACTS, values: [list] }));
}

function buildFactValues(fact: NewFact): readonly unknown[] {
  return [
    fact.partner,
    fact.account,
    fact.nativeId,
    createHash('sha256').update(fact.content).digest('base64url').slice(0, 24),
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
  ];
}

/** Builds the INSERT of a decision. */
export function buildDecisionStatement(decision: NewDecision): SqlStatement {
  const { partner, account, nativeId, action, clickId, origin, decidedAt } = decision;
  return { sql: INSERT_DECISION, values: [partner, account, nativeId, action, clickId, origin, decidedAt] };
}

/** Builds the INSERTs of journeys. A click that has one keeps it. */
export function buildJourneyStatements(journeys: readonly FrozenJourney[]): readonly SqlStatement[] {
  const rows = journeys.map((journey) => [journey.clickId, JSON.stringify(journey)]);
  return buildJsonLists(rows).map((list) => ({ sql: INSERT_JOURNEYS, values: [list] }));
}

/** Builds the INSERT of a message. */
export function buildRawStatement({ id, partner, arrivedAt, content }: RawMessage): SqlStatement {
  return { sql: INSERT_RAW, values: [id, partner, arrivedAt, content] };
}

/** Builds the INSERT of a state of an import. */
export function buildImportStatement(change: CommissionImport): SqlStatement {
  const { id, partner, file, state, rows, changedAt } = change;
  return { sql: INSERT_IMPORT, values: [id, partner, file, state, rows, changedAt] };
}
