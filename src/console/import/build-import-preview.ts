import { REPORT_COLUMNS } from '../../core/commissions/csv-columns.ts';
import {
  buildImportSummary,
  type ImportState,
  type ImportSummary,
  NO_ROWS,
} from '../../server/commissions/csv-import.ts';
import type { ImportPreview } from './import-model.ts';
import type { ImportUpload } from './import-uploads.ts';

/** How to say something on the command line. */
const OPTION = / \(--[^)]*\)/;

/** Builds what the console shows of an uploaded file: what it would bring, or why it cannot be read. */
export function buildImportPreview(
  upload: ImportUpload,
  result: ImportSummary | { readonly problem: string },
): ImportPreview {
  const facts = { ...buildFacts(upload), isRunning: false };
  return 'problem' in result
    ? { ...facts, ...NO_ROWS, sums: [], columns: [], problems: [result.problem.replace(OPTION, '')] }
    : { ...facts, ...buildCounts(result) };
}

/** Builds what the console shows of a file that is being imported. */
export function buildProgress(upload: ImportUpload, state: ImportState): ImportPreview {
  const isRunning = state.problems.length === 0;
  return { ...buildFacts(upload), isRunning, ...buildCounts(buildImportSummary(state, false)) };
}

function buildFacts({ id, name, partner, profile, rows }: ImportUpload) {
  return {
    upload: id,
    file: name,
    partner,
    currency: profile.currency ?? '',
    timeZone: profile.timeZone ?? '',
    fileRows: rows,
  };
}

function buildCounts({ import: _, committed: __, sums, columns, ...counts }: ImportSummary) {
  return {
    ...counts,
    sums: Object.entries(sums).map(([currency, amount]) => ({ currency, amount })),
    columns: REPORT_COLUMNS.flatMap((column) => {
      const header = columns[column];
      return header === null ? [] : [{ column, header }];
    }),
  };
}
