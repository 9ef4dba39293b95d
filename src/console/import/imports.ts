import { createHash, randomUUID } from 'node:crypto';
import type { Content } from '../../core/pages/content.ts';
import type { Commissions } from '../../server/commissions/commissions.ts';
import type { ImportFile } from '../../server/commissions/detect-import-format.ts';
import type { Platform } from '../../server/platform.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { TemporaryStore } from '../../stores/temporary-values.ts';
import { ImportRunner } from './import-runner.ts';
import { ImportUploads } from './import-uploads.ts';
import type { ParsedUpload } from './parse-upload.ts';

/** What imports the files that operators upload. */
export type Imports = ReturnType<typeof createImports>;

/** Creates the imports of uploaded files over the database of the console. */
export function createImports({
  getTemporary,
  commissions,
  content,
  platform: { clock },
}: {
  readonly getTemporary: () => TemporaryStore;
  readonly commissions: Pick<Commissions, 'createLedger'>;
  readonly content: Pick<Content, 'partners'>;
  readonly platform: Pick<Platform, 'clock'>;
}) {
  const uploads = new ImportUploads(getTemporary, clock.now);
  const runner = new ImportRunner({
    uploads,
    openLedger: () => commissions.createLedger(),
    partners: content.partners,
    newId: randomUUID,
    now: clock.now,
    monotonic: clock.monotonic,
  });
  return { uploads, runner, openFile };
}

/** Opens an uploaded file, which can be read from the start any number of times. */
async function openFile({ name, bytes }: Pick<ParsedUpload, 'name' | 'bytes'>): Promise<ImportFile> {
  const open = async function* () {
    yield bytes;
  };
  const format = await detectCsvFormat(open);
  return {
    hash: createHash('sha256').update(bytes).digest('hex'),
    name,
    readRows: () => readCsvRows(open, format),
  };
}
