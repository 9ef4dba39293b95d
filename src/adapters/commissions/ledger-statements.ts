import { createHash } from 'node:crypto';
import type { NewDecision, NewFact } from '../../core/commissions/commission-fact.ts';
import type { CommissionImport, RawMessage } from '../../core/commissions/commission-store.ts';
import type { FrozenJourney } from '../../core/commissions/credit.ts';
import type { SqlStatement } from '../sql/sql-executor.ts';

const INSERT_FACT = `INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency,
  sale_amount, token, click_id, click_time, event_time, change_time, source, is_test, raw_id, import_id, arrived_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (partner, account, native_id, content_hash) DO NOTHING`;
const INSERT_RAW = 'INSERT INTO raw_messages (id, partner, arrived_at, content) VALUES (?, ?, ?, ?)';
const INSERT_JOURNEY =
  'INSERT INTO journeys (click_id, journey) VALUES (?, ?) ON CONFLICT (click_id) DO NOTHING';
const INSERT_DECISION = `INSERT INTO decisions (partner, account, native_id, action, click_id, origin, decided_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const INSERT_IMPORT = `INSERT INTO imports (import_id, partner, file, state, rows, changed_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

/** Builds the INSERT of a fact; it changes nothing when the fact is stored. */
export function buildFactStatement(fact: NewFact): SqlStatement {
  return {
    sql: INSERT_FACT,
    values: [
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
    ],
  };
}

/** Builds the INSERT of a decision. */
export function buildDecisionStatement(decision: NewDecision): SqlStatement {
  const { partner, account, nativeId, action, clickId, origin, decidedAt } = decision;
  return { sql: INSERT_DECISION, values: [partner, account, nativeId, action, clickId, origin, decidedAt] };
}

/** Builds the INSERT of a journey; it changes nothing when the click has one. */
export function buildJourneyStatement(journey: FrozenJourney): SqlStatement {
  return { sql: INSERT_JOURNEY, values: [journey.clickId, JSON.stringify(journey)] };
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
