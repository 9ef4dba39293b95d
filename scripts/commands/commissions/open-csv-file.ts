import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { detectCsvFormat, readCsvRows } from '../../../src/adapters/networks/csv.ts';
import type { ImportFile } from '../../../src/server/commissions/detect-import-format.ts';

/** Opens a CSV file for an import. Rejects with `CommissionSourceError`, or with the error of the file system. */
export async function openCsvFile(file: string): Promise<ImportFile> {
  const open = () => createReadStream(file);
  const hash = createHash('sha256');
  for await (const chunk of open()) hash.update(chunk);
  const format = await detectCsvFormat(open);
  return {
    hash: hash.digest('hex'),
    name: path.basename(file),
    readRows: () => readCsvRows(open, format),
  };
}
