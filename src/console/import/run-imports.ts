import { createHash, randomUUID } from 'node:crypto';
import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildConsolePath } from '../../core/paths.ts';
import type { Commissions } from '../../server/commissions/commissions.ts';
import {
  buildImportSummary,
  finishImport,
  type ImportOptions,
  type ImportSummary,
  importPart,
  readKnownStates,
  startImport,
} from '../../server/commissions/csv-import.ts';
import type { ImportFile } from '../../server/commissions/detect-import-format.ts';
import type { Platform } from '../../server/platform.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import type { ActionOutcome } from '../views.ts';
import { type ImportUpload, ImportUploads, type ParsedUpload, parseUpload } from './uploads.ts';

type OpenedLedger = Pick<ImportOptions, 'ledger' | 'store'>;

export interface ImportRunnerOptions {
  readonly uploads: ImportUploads;
  /** Opens the ledger, or creates it. */
  readonly openLedger: () => OpenedLedger;
  readonly partners: ReadonlyMap<string, { readonly terms: CommissionTerms }>;
  /** Creates a UUID. */
  readonly newId: () => string;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
  /** Monotonic clock in ms. */
  readonly monotonic: () => number;
}

/** How far an import has come. */
export type ImportOutcome =
  | { readonly kind: 'committed' | 'failed'; readonly summary: ImportSummary }
  | { readonly kind: 'running'; readonly rows: number }
  /** Its file is gone: it was discarded or imported meanwhile, or has expired. */
  | { readonly kind: 'missing' };

const LEASE = 'csv-import';
/** A part takes less; after that, another process continues what was interrupted. */
const LEASE_MS = 60_000;
/** An import that is continued in the background stops after this time, for the next run to continue. */
const BACKGROUND_MS = 15_000;

/**
 * Imports uploaded files part by part. After each part the position is stored, so that an import may be interrupted at
 * any moment and continued by any process; a part that is repeated stores nothing twice. One import runs at a time.
 */
export class ImportRunner {
  readonly #options: ImportRunnerOptions;

  constructor(options: ImportRunnerOptions) {
    this.#options = options;
  }

  /** Begins to import an upload, for at most `budgetMs`. Rejects with `CommissionSourceError` if it cannot be read. */
  async start(
    { id, operator }: Pick<ImportUpload, 'id' | 'operator'>,
    budgetMs: number,
  ): Promise<ImportOutcome> {
    const { uploads } = this.#options;
    const upload = await uploads.get(id, operator);
    if (upload === null) return { kind: 'missing' };
    if (upload.running === null) {
      const file = { hash: upload.hash, readRows: () => uploads.readRows(upload) };
      const state = await startImport(file, this.buildOptions(upload));
      await uploads.write({ ...upload, running: { state, next: 0 } });
    }
    return this.#run(upload, budgetMs);
  }

  /** Continues the imports that were interrupted. */
  async runDue(): Promise<void> {
    for (const upload of await this.#options.uploads.readAll())
      if (upload.running !== null && upload.running.state.problems.length === 0)
        await this.#run(upload, BACKGROUND_MS);
  }

  /** The options of an upload's import. */
  buildOptions({ partner, profile }: Pick<ImportUpload, 'partner' | 'profile'>): ImportOptions {
    const { openLedger, partners, now } = this.#options;
    const terms = partners.get(partner)?.terms;
    // Checked when the file was uploaded.
    if (terms === undefined) throw new RangeError(`There is no partner ${partner}.`);
    return { ...openLedger(), partner, terms, profile, now: now() };
  }

  async #run({ id, operator }: ImportUpload, budgetMs: number): Promise<ImportOutcome> {
    const { uploads, newId, openLedger, now } = this.#options;
    const { store } = openLedger();
    const holder = newId();
    const lease = (ms: number) => store.takeLease(LEASE, { holder, now: now(), until: now() + ms });
    if (!(await lease(LEASE_MS))) return { kind: 'running', rows: 0 };
    try {
      // Read again: another process may have come further before it gave the lease back.
      const upload = await uploads.get(id, operator);
      return upload === null
        ? { kind: 'missing' }
        : await this.#runParts(upload, budgetMs, () => lease(LEASE_MS));
    } finally {
      await lease(0).catch(() => false);
    }
  }

  async #runParts(
    upload: ImportUpload,
    budgetMs: number,
    prolong: () => Promise<boolean>,
  ): Promise<ImportOutcome> {
    const { uploads, monotonic } = this.#options;
    if (upload.running === null) return { kind: 'missing' };
    const end = monotonic() + budgetMs;
    const options = this.buildOptions(upload);
    const known = await readKnownStates(options.store, upload.partner);
    let { state, next } = upload.running;
    while (next < upload.parts && state.problems.length === 0) {
      if (monotonic() >= end || !(await prolong())) return { kind: 'running', rows: state.line };
      const rows = await uploads.readPart(upload, next);
      if (rows === null) {
        await uploads.remove(upload.id);
        return { kind: 'missing' };
      }
      state = await importPart(state, rows, { ...options, known, isCommit: true });
      next += 1;
      await uploads.write({ ...upload, running: { state, next } });
    }
    if (state.problems.length > 0) return { kind: 'failed', summary: buildImportSummary(state, false) };
    const isFinished = (await options.store.readImports()).some(
      (other) => other.id === state.id && other.changedAt >= state.format.now,
    );
    // It may have been interrupted right after this, and the operator may have undone it since.
    if (!isFinished) await finishImport(state, upload.name, options);
    await uploads.remove(upload.id);
    return { kind: 'committed', summary: buildImportSummary(state, true) };
  }
}

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

/** What imports the files that operators upload. */
export type Imports = ReturnType<typeof createImports>;

/** Creates the imports of uploaded files over the database of the console. */
export function createImports({
  getTemporary,
  commissions,
  content,
  platform: { clock },
}: {
  readonly getTemporary: () => TemporaryValues;
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
