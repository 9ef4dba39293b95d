import {
  buildImportSummary,
  type ImportOptions,
  type ImportSummary,
  importPart,
  readKnownStates,
  startImport,
} from '../../server/commissions/csv-import.ts';
import type { ImportUpload, ImportUploads } from './import-uploads.ts';

/** Parts that a preview counts: a page has to be there within seconds. */
const MAX_PARTS = 10;

/** Counts what the first rows of an upload would bring. Rejects with `CommissionSourceError`. */
export async function previewUpload(
  upload: ImportUpload,
  uploads: ImportUploads,
  options: ImportOptions,
): Promise<ImportSummary> {
  const file = { hash: upload.hash, readRows: () => uploads.readRows(upload) };
  let state = await startImport(file, options);
  const known = await readKnownStates(options.store, upload.partner);
  for (let index = 0; index < Math.min(upload.parts, MAX_PARTS); index += 1) {
    const rows = (await uploads.readPart(upload, index)) ?? [];
    state = await importPart(state, rows, { ...options, known, isCommit: false });
  }
  return buildImportSummary(state, false);
}
