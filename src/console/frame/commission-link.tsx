import type { CommissionRow } from '../commissions/commissions-model.ts';
import { buildCommissionAddress } from '../figures/build-console-address.ts';

/** The id of a commission, leading to its page. */
export function CommissionLink({ row }: { readonly row: Pick<CommissionRow, 'partner' | 'account' | 'id'> }) {
  return (
    <a className="commission-link" href={buildCommissionAddress(row)}>
      {row.id || '(no id)'}
    </a>
  );
}
