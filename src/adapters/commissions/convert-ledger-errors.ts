import { CommissionStoreError } from '../../core/commissions/commission-store.ts';
import { SqlError } from '../sql/sql-executor.ts';

/** Passes a result on, and an error of the executor as the one of the ledger's ports. */
export async function convertLedgerErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw new CommissionStoreError(error.code === 'closed' ? 'closed' : 'unavailable', error.message, {
      cause: error,
    });
  }
}
