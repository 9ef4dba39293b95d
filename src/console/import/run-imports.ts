import { setTimeout as sleep } from 'node:timers/promises';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { buildConsolePath } from '../../core/paths.ts';
import {
  buildImportSummary,
  createImportContext,
  finishImport,
  type ImportOptions,
  type ImportSummary,
  importPart,
  NO_ROWS,
  readPartRows,
  startImport,
} from '../../server/commissions/csv-import.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { ActionOutcome, ConsoleSite } from '../console-site.ts';
import { type ImportUpload, ImportUploads, isToBeRead, parseUpload } from './uploads.ts';

/** How far an import has come. */
export type ImportOutcome =
  | { readonly kind: 'committed' | 'failed'; readonly summary: ImportSummary }
  | { readonly kind: 'running'; readonly rows: number }
  /** Its file is gone: it was discarded or imported meanwhile, or has expired. */
  | { readonly kind: 'missing' };

const LEASE = 'csv-import';
/** One file is read at a time, so that memory does not grow with their number. */
const READING_LEASE = 'csv-reading';
/** A part takes less; after that, another process continues what was interrupted. */
const LEASE_MS = 60_000;
const READING_LEASE_MS = 15_000;
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
  async start({ id, operator }: ImportUpload, budgetMs: number): Promise<ImportOutcome> {
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

  /**
   * Reads the rows of an uploaded file, which takes a minute for a large one on a slow disk. Does nothing while another
   * one is read. What was interrupted begins again. A file that cannot be read says why.
   */
  async prepare({ id, operator }: ImportUpload): Promise<void> {
    const { newId } = this.#site;
    const uploads = this.#uploads;
    const holder = newId();
    if (!(await this.#takeLease(READING_LEASE, holder, READING_LEASE_MS))) return;
    try {
      const upload = await uploads.get(id, operator);
      if (upload === null || !isToBeRead(upload)) return;
      const open = () =>
        uploads.readBytes(upload, () => this.#takeLease(READING_LEASE, holder, READING_LEASE_MS));
      try {
        const format = await detectCsvFormat(open);
        const { hash, name } = upload;
        await uploads.put(upload, { hash, name, readRows: () => readCsvRows(open, format) });
      } catch (error) {
        if (!(error instanceof CommissionSourceError)) throw error;
        // Not when it was discarded meanwhile.
        if ((await uploads.get(id, operator)) !== null) await uploads.refuse(upload, error.message);
      }
    } finally {
      await this.#takeLease(READING_LEASE, holder, 0).catch(() => false);
    }
  }

  /** Reads the files and continues the imports that were interrupted. */
  async runDue(): Promise<void> {
    const uploads = await this.#uploads.readAll();
    for (const upload of uploads) if (isToBeRead(upload)) await this.prepare(upload);
    for (const upload of uploads)
      if (upload.running !== null && upload.running.state.problems.length === 0)
        await this.#run(upload, BACKGROUND_MS);
  }

  /** The options of an upload's import. */
  buildOptions({ partner, profile }: ImportUpload): ImportOptions {
    const { clock } = this.#site;
    const { commissions, ledger } = this.#site.money;
    const content = this.#site.content.read();
    const terms = content.partners.get(partner)?.terms;
    // Checked when the file was uploaded.
    if (terms === undefined) throw new RangeError(`There is no partner ${partner}.`);
    const { networks } = content;
    return { ledger: commissions, store: ledger, partner, terms, networks, profile, now: clock.now() };
  }

  async #run({ id, operator }: ImportUpload, budgetMs: number): Promise<ImportOutcome> {
    const holder = this.#site.newId();
    const lease = (ms: number) => this.#takeLease(LEASE, holder, ms);
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

  #takeLease(name: string, holder: string, ms: number): Promise<boolean> {
    const { clock } = this.#site;
    const { ledger } = this.#site.money;
    return ledger.takeLease(name, { holder, now: clock.now(), until: clock.now() + ms });
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
    let before = { ...state, line: 0, counts: NO_ROWS };
    for (let index = 0; index < next; index += 1) {
      const rows = (await uploads.readPart(upload, index)) ?? [];
      const { totals, all } = readPartRows(before, rows, context, options);
      before = { ...before, line: before.line + rows.length, counts: { ...NO_ROWS, totals, all } };
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
/** An operator waits so long for the preview; then the page shows how far the file is read. */
const READING_MS = 3_000;
/** Why an upload cannot be imported that is not there any more. */
export const GONE = 'The file is no longer stored here. Choose it again.';
const UNREAD = 'The file is still being read. Import it when its preview is here.';

/** The files that wait between preview and import. */
export const openUploads = ({ clock, operators: { temporaryValues } }: ConsoleSite) =>
  new ImportUploads(temporaryValues, clock.now);

/** Stores a file that an operator has chosen, for a preview, and waits `readingMs` for its rows to be read. */
export async function uploadFile(
  site: ConsoleSite,
  fields: Parameters<typeof parseUpload>[0],
  operator: string,
  readingMs = READING_MS,
): Promise<ActionOutcome> {
  const parsed = await parseUpload(fields, [...site.content.read().partners.keys()]);
  if ('problem' in parsed) return fail(parsed.problem);
  const { bytes: _, ...about } = parsed;
  const { name } = parsed;
  const uploads = openUploads(site);
  const upload = await uploads.receive({ ...about, id: site.newId(), operator }, parsed);
  // Goes on after the response; what ends with this process, `runDue` begins again.
  const reading = new ImportRunner(site, uploads).prepare(upload).catch((error: unknown) => {
    site.log.warn('an uploaded file could not be read yet', { error });
  });
  await Promise.race([reading, sleep(readingMs, null, { ref: false })]);
  const { preparing = null } = (await uploads.get(upload.id, operator)) ?? {};
  const at = `?upload=${upload.id}#preview`;
  if (preparing === null) return finish(`${name} was read. Nothing is imported yet.`, at);
  if (preparing.problem === null) return finish(`${name} was uploaded. Nothing is imported yet.`, at);
  await uploads.remove(upload.id);
  return fail(`Nothing was imported. ${preparing.problem}`);
}

/** Imports a file that was uploaded. An operator waits for 5 s; then it goes on in the background. */
export async function commitFile(site: ConsoleSite, upload: ImportUpload): Promise<ActionOutcome> {
  if (upload.preparing !== null) return fail(UNREAD);
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

/** The outcome of an action of the view Import that did something. */
export const finish = (message: string, at = ''): ActionOutcome => ({
  location: PATH + at,
  message,
  isError: false,
});

/** The outcome of one that changed nothing. */
export const fail = (message: string): ActionOutcome => ({ location: PATH, message, isError: true });
