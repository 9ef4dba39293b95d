import { buildConsoleAddress } from '../core/console/build-console-address.ts';
import type { CommissionRow } from '../core/console/commissions-model.ts';

/** The id of a commission, leading to its page. */
export function CommissionLink({ row }: { readonly row: Pick<CommissionRow, 'partner' | 'account' | 'id'> }) {
  const { partner, account, id } = row;
  const href = buildConsoleAddress('commissions', {}, { rest: [partner, id], extra: { account } });
  // A path with dot segments would lead elsewhere: such an id is found by its search.
  const isPath = id !== '.' && id !== '..' && id !== '' && !/[\\/]/.test(id);
  const search = buildConsoleAddress('commissions', {}, { extra: { q: id } });
  return (
    <a className="commission-link" href={isPath ? href : search}>
      {id || '(no id)'}
    </a>
  );
}
