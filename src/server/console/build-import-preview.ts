import type { ImportPreview } from '../../core/console/import-model.ts';
import type { ImportSummary } from '../commissions/csv-import.ts';
import type { ImportUpload } from './import-uploads.ts';

/** Builds what the console shows of an uploaded file: what it would bring, or why it cannot be read. */
export function buildImportPreview(
  { id, name, partner, profile }: ImportUpload,
  result: ImportSummary | { readonly problem: string },
): ImportPreview {
  const facts = {
    upload: id,
    file: name,
    partner,
    currency: profile.currency ?? '',
    timeZone: profile.timeZone ?? '',
    dayOrder: profile.dayOrder ?? null,
  };
  return 'problem' in result
    ? { ...facts, ...NOTHING, problems: [result.problem] }
    : { ...facts, ...buildCounts(result) };
}

const NOTHING = {
  rows: 0,
  matched: 0,
  unmatched: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  sums: [],
  columns: [],
};

function buildCounts({ import: _, committed: __, sums, columns, ...counts }: ImportSummary) {
  return {
    ...counts,
    sums: Object.entries(sums).map(([currency, amount]) => ({ currency, amount })),
    columns: Object.entries(columns).flatMap(([name, header]) => (header === null ? [] : [{ name, header }])),
  };
}
