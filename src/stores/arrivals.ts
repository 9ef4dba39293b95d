import { type ArrivedPayment, arrivedPaymentSchema } from '../core/commissions/ledger/stored-money.schema.ts';
import { withLedgerErrors } from './ledger.ts';
import { createRowParser } from './ledger-rows.ts';
import type { Database, SqlExecutor } from './sql/sql-executor.ts';

const parseArrivalRow = createRowParser('arrivals', arrivedPaymentSchema);

/** Payments that arrived on the operator's account, in the database of the ledger. Every method rejects with `LedgerError`. */
export class Arrivals {
  readonly #database: Database;

  /** The executor is that of the ledger, which closes it. */
  constructor(executor: SqlExecutor) {
    this.#database = withLedgerErrors(executor);
  }

  /** All that arrived, the newest first. */
  async read(): Promise<readonly ArrivedPayment[]> {
    const rows = await this.#database.read(
      'SELECT * FROM arrivals ORDER BY arrived_day DESC, partner, due_day',
    );
    return rows.map(parseArrivalRow);
  }

  /** Stores that a payment arrived, in place of what was known of the same payment. `now`: ms since 1970. */
  async write(arrival: ArrivedPayment, now: number): Promise<void> {
    const { partner, account, currency, dueDay, covers, arrivedDay, amount, arrivedCurrency } = arrival;
    const values = [partner, account, currency, dueDay, covers, arrivedDay, amount, arrivedCurrency, now];
    await this.#database.change(
      `INSERT OR REPLACE INTO arrivals (partner, account, currency, due_day, covers, arrived_day, amount, arrived_currency,
        changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...values,
    );
  }

  /** Takes back that a payment arrived; does nothing where it is not known. */
  async remove({
    partner,
    account,
    currency,
    dueDay,
  }: Omit<ArrivedPayment, 'covers' | 'arrivedDay' | 'amount' | 'arrivedCurrency'>) {
    const sql = 'DELETE FROM arrivals WHERE partner = ? AND account = ? AND currency = ? AND due_day = ?';
    await this.#database.change(sql, partner, account, currency, dueDay);
  }
}
