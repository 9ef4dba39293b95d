import { CommissionStoreError } from '../../core/commissions/commission-store.ts';
import { convertSqlErrors } from '../sql/sql-executor.ts';

/** Passes a result on, and an error of the executor as the one of the ledger's ports. */
export function convertLedgerErrors<T>(result: Promise<T>): Promise<T> {
  return convertSqlErrors(result, (error) => {
    const code = error.code === 'closed' ? 'closed' : 'unavailable';
    return new CommissionStoreError(code, error.message, { cause: error });
  });
}
