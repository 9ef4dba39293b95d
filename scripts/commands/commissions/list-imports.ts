import type { CommissionImport } from '../../../src/stores/ledger.ts';
import { formatTable } from '../arguments/format-table.ts';

type ListedImport = Omit<CommissionImport, 'changedAt'> & {
  /** ISO 8601. */
  readonly changed: string;
};

/** The imported files, each with the time of its last change. */
export function listImports(imports: readonly CommissionImport[]): readonly ListedImport[] {
  return imports.map(({ changedAt, ...rest }) => ({ ...rest, changed: new Date(changedAt).toISOString() }));
}

/** Formats them for a terminal. */
export function formatImports(imports: readonly ListedImport[]): string {
  const rows = imports.map(({ id, partner, file, state, rows: count, changed }) => [
    id,
    partner,
    file,
    state,
    String(count),
    changed,
  ]);
  return formatTable(['import', 'partner', 'file', 'state', 'rows', 'changed'], rows);
}
