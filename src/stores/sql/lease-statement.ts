import type { Lease } from '../../core/commissions/commission-store.ts';
import type { SqlStatement } from './sql-executor.ts';

/** No lease lasts as long: one that ends later was taken while a clock was wrong, and binds no one. */
export const MAX_LEASE_MS = 86_400_000;

const TAKE_LEASE = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE until <= ? OR until > ? OR holder = excluded.holder`;

/** Builds the statement that takes a lease; it changes one row if it is taken. */
export function buildLeaseStatement(name: string, { holder, now, until }: Lease): SqlStatement {
  return { sql: TAKE_LEASE, values: [name, holder, until, now, now + MAX_LEASE_MS] };
}
