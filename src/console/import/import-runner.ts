import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import {
  buildImportSummary,
  finishImport,
  type ImportOptions,
  type ImportSummary,
  importPart,
  readKnownStates,
  startImport,
} from '../../server/commissions/csv-import.ts';
import type { ImportUpload, ImportUploads } from './import-uploads.ts';

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
