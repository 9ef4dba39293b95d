import { createHash } from 'node:crypto';
import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import { buildConsolePath } from '../../core/paths.ts';
import {
  buildImportSummary,
  createImportContext,
  finishImport,
  type ImportOptions,
  type ImportSummary,
  importPart,
  readPartRows,
  startImport,
} from '../../server/commissions/csv-import.ts';
import type { ImportFile } from '../../server/commissions/detect-import-format.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { type ImportUpload, ImportUploads, type ParsedUpload, parseUpload } from './uploads.ts';

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
  readonly #site: ConsoleSite;
  readonly #uploads: ImportUploads;

  constructor(site: ConsoleSite, uploads = openUploads(site)) {
    this.#site = site;
    this.#uploads = uploads;
  }

  /** Begins to import an upload, for at most `budgetMs`. Rejects with `CommissionSourceError` if it cannot be read. */
  async start(
    { id, operator }: Pick<ImportUpload, 'id' | 'operator'>,
    budgetMs: number,
  ): Promise<ImportOutcome> {
    const uploads = this.#uploads;
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
    for (const upload of await this.#uploads.readAll())
      if (upload.running !== null && upload.running.state.problems.length === 0)
        await this.#run(upload, BACKGROUND_MS);
  }

  /** The options of an upload's import. */
  buildOptions({ partner, profile }: Pick<ImportUpload, 'partner' | 'profile'>): ImportOptions {
    const { commissions, ledger, content, clock } = this.#site;
    const terms = content.partners.get(partner)?.terms;
    // Checked when the file was uploaded.
    if (terms === undefined) throw new RangeError(`There is no partner ${partner}.`);
    return { ledger: commissions, store: ledger, partner, terms, profile, now: clock.now() };
  }

  async #run({ id, operator }: ImportUpload, budgetMs: number): Promise<ImportOutcome> {
    const { ledger, newId, clock } = this.#site;
    const holder = newId();
    const lease = (ms: number) =>
      ledger.takeLease(LEASE, { holder, now: clock.now(), until: clock.now() + ms });
    if (!(await lease(LEASE_MS))) return { kind: 'running', rows: 0 };
    try {
      // Read again: another process may have come further before it gave the lease back.
      const upload = await this.#uploads.get(id, operator);
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
    const uploads = this.#uploads;
    const { monotonic } = this.#site.clock;
    if (upload.running === null) return { kind: 'missing' };
    const end = monotonic() + budgetMs;
    const options = this.buildOptions(upload);
    const context = await createImportContext(options.store, upload.partner);
    let { state, next } = upload.running;
    let line = 0;
    for (let index = 0; index < next; index += 1) {
      const rows = (await uploads.readPart(upload, index)) ?? [];
      readPartRows({ format: state.format, line }, rows, context, options);
      line += rows.length;
    }
    while (next < upload.parts && state.problems.length === 0) {
      if (monotonic() >= end || !(await prolong())) return { kind: 'running', rows: state.line };
      const rows = await uploads.readPart(upload, next);
      if (rows === null) {
        await uploads.remove(upload.id);
        return { kind: 'missing' };
      }
      state = await importPart(state, rows, context, true, options);
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

const PATH = buildConsolePath('import');
const COMMIT_MS = 5_000;
const GONE = 'The file is no longer stored here. Choose it again.';

/** The files that wait between preview and import. */
export const openUploads = ({ temporaryValues, clock }: ConsoleSite) =>
  new ImportUploads(temporaryValues, clock.now);

/** Stores a file that an operator has chosen, for a preview. */
export async function uploadFile(
  site: ConsoleSite,
  form: FormData,
  operator: string,
): Promise<ActionOutcome> {
  const parsed = await parseUpload(form, [...site.content.partners.keys()]);
  if ('problem' in parsed) return fail(parsed.problem);
  const { partner, profile } = parsed;
  try {
    const upload = { id: site.newId(), operator, partner, profile };
    const { id } = await openUploads(site).put(upload, await openFile(parsed));
    return finish(`${parsed.name} was read. Nothing is imported yet.`, `?upload=${id}#preview`);
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return fail(`Nothing was imported. ${error.message}`);
  }
}

/** Imports a file that was uploaded. An operator waits for 5 s; then it goes on in the background. */
export async function commitFile(site: ConsoleSite, id: string, operator: string): Promise<ActionOutcome> {
  const upload = await openUploads(site).get(id, operator);
  if (upload === null) return fail(GONE);
  try {
    const outcome = await new ImportRunner(site).start(upload, COMMIT_MS);
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

/** Removes a file that was uploaded. */
export async function discardFile(site: ConsoleSite, id: string, operator: string): Promise<ActionOutcome> {
  const uploads = openUploads(site);
  if ((await uploads.get(id, operator)) !== null) await uploads.remove(id);
  return finish('The file was discarded. Nothing was imported.');
}

/** The outcome of an action of the view Import that did something. */
export const finish = (message: string, at = ''): ActionOutcome => ({
  location: PATH + at,
  message,
  isError: false,
});

/** The outcome of one that changed nothing. */
export const fail = (message: string): ActionOutcome => ({ location: PATH, message, isError: true });

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
