import { buildCommissionAddress } from '../core/console/build-console-address.ts';
import type { CommissionRow } from '../core/console/commissions-model.ts';

/** The id of a commission, leading to its page. */
export function CommissionLink({ row }: { readonly row: Pick<CommissionRow, 'partner' | 'account' | 'id'> }) {
  return (
    <a className="commission-link" href={buildCommissionAddress(row)}>
      {row.id || '(no id)'}
    </a>
  );
}
