import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import { buildConsolePath } from '../../core/paths.ts';
import type { ImportFile } from '../../server/commissions/detect-import-format.ts';
import type { ActionOutcome } from '../view-reader.ts';
import type { ImportRunner } from './import-runner.ts';
import type { ImportUploads } from './import-uploads.ts';
import { type ParsedUpload, parseUpload } from './parse-upload.ts';

export interface ImportFileOptions {
  readonly partners: ReadonlyMap<string, unknown>;
  readonly uploads: ImportUploads;
  readonly runner: ImportRunner;
  readonly openFile: (upload: Pick<ParsedUpload, 'name' | 'bytes'>) => Promise<ImportFile>;
  /** Creates a UUID. */
  readonly newId: () => string;
}

const PATH = buildConsolePath('import');
/** An operator waits this long for an import; then it goes on in the background. */
const COMMIT_MS = 5_000;
const GONE = 'The file is no longer stored here. Choose it again.';

/** What operators do with files: upload one, import it, discard it. */
export class ImportFileActions {
  readonly #options: ImportFileOptions;

  constructor(options: ImportFileOptions) {
    this.#options = options;
  }

  async upload(form: FormData, operator: string): Promise<ActionOutcome> {
    const { partners, uploads, openFile, newId } = this.#options;
    const parsed = await parseUpload(form, [...partners.keys()]);
    if ('problem' in parsed) return fail(parsed.problem);
    const { partner, profile } = parsed;
    try {
      const { id } = await uploads.put({ id: newId(), operator, partner, profile }, await openFile(parsed));
      return finish(`${parsed.name} was read. Nothing is imported yet.`, `?upload=${id}#preview`);
    } catch (error) {
      if (!(error instanceof CommissionSourceError)) throw error;
      return fail(`Nothing was imported. ${error.message}`);
    }
  }

  async commit(id: string, operator: string): Promise<ActionOutcome> {
    const upload = await this.#options.uploads.get(id, operator);
    if (upload === null) return fail(GONE);
    try {
      const outcome = await this.#options.runner.start(upload, COMMIT_MS);
      switch (outcome.kind) {
        case 'committed': {
          const { rows, matched } = outcome.summary;
          return finish(`${upload.name} was imported: ${rows} rows, ${matched} matched.`, '#imports');
        }
        case 'failed':
          return fail(`Nothing was imported. ${outcome.summary.problems[0] ?? ''}`);
        case 'running':
          return finish(`${upload.name} is being imported.`, `?upload=${upload.id}#preview`);
        case 'missing':
          return fail(GONE);
      }
    } catch (error) {
      if (!(error instanceof CommissionSourceError)) throw error;
      return fail(`Nothing was imported. ${error.message}`);
    }
  }

  async discard(id: string, operator: string): Promise<ActionOutcome> {
    const { uploads } = this.#options;
    if ((await uploads.get(id, operator)) !== null) await uploads.remove(id);
    return finish('The file was discarded. Nothing was imported.');
  }
}

/** The outcome of an action of the view Import that did something. */
export const finish = (message: string, at = ''): ActionOutcome => ({
  location: PATH + at,
  message,
  isError: false,
});

/** The outcome of one that changed nothing. */
export const fail = (message: string): ActionOutcome => ({ location: PATH, message, isError: true });
