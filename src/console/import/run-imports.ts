import { setTimeout as sleep } from 'node:timers/promises';
import { JournalError } from '../../content-files/journal.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { type FileRow, isByLabel } from '../../core/commissions/ledger/csv-columns.ts';
import { buildConsolePath } from '../../core/paths.ts';
import { MoveInError } from '../../move-in/former-item.ts';
import type { MoveIn } from '../../move-in/move-in.ts';
import {
  buildImportSummary,
  createImportContext,
  finishImport,
  type ImportOptions,
  type ImportState,
  type ImportSummary,
  importPart,
  NO_ROWS,
  readPartRows,
  rememberFormat,
  startImport,
} from '../../server/commissions/csv-import.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import {
  addAnswers,
  countRows,
  getMaxUploadMb,
  type ImportUpload,
  ImportUploads,
  isToBeRead,
  parseUpload,
  type SentUpload,
  UploadGoneError,
} from './uploads.ts';

/** How far an import has come. */
export type ImportOutcome =
  | { readonly kind: 'committed' | 'failed'; readonly summary: ImportSummary }
  | { readonly kind: 'running'; readonly rows: number }
  /** Its file is gone: it was discarded or imported meanwhile, or has expired. */
  | { readonly kind: 'missing' };

const LEASE = 'csv-import';
/** One report is read at a time, and one site, so that memory does not grow with their number. */
const READING_LEASES = { report: 'csv-reading', site: 'site-reading' } as const;
/** A batch takes less; after that, another process continues what was interrupted. */
const LEASE_MS = 60_000;
const READING_LEASE_MS = 15_000;
const PROLONGING_MS = 5_000;
/** An import that is continued in the background stops after this time, for the next run to continue. */
const BACKGROUND_MS = 15_000;

/**
 * Imports uploaded files batch by batch. After each the position is stored, so that an import may be interrupted at
 * any moment and continued by any process; a batch that is repeated stores nothing twice. One import runs at a time.
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
      const whole = await this.#runWhole(upload, state);
      if (whole !== null) return whole;
      await uploads.write({ ...upload, running: { state } });
    }
    return this.#run(upload, budgetMs);
  }

  /**
   * Counts the rows of an uploaded file, which takes a minute for a large one on a slow disk, or previews a site, which takes
   * many minutes for a large one. Does nothing while another one is read. What was interrupted begins again. A file that
   * cannot be read says why.
   */
  async prepare({ id, operator, kind }: ImportUpload): Promise<void> {
    const { newId, moveIn } = this.#site;
    const uploads = this.#uploads;
    const holder = newId();
    const lease = READING_LEASES[kind === 'site' ? 'site' : 'report'];
    const prolong = (ms = READING_LEASE_MS) => this.#takeLease(lease, holder, ms);
    if (!(await prolong())) return;
    try {
      const upload = await uploads.get(id, operator);
      if (upload === null || !isToBeRead(upload)) return;
      try {
        if (upload.site !== null && moveIn !== null)
          await this.#previewSite(upload, upload.site, moveIn, prolong);
        else await this.#countRows(upload, prolong);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // Not when it was discarded meanwhile.
        if ((await uploads.get(id, operator)) !== null)
          await uploads.refuse(upload, error.message.replace(/\s+/g, ' '));
      }
    } finally {
      await prolong(0).catch(() => false);
    }
  }

  async #countRows(upload: ImportUpload, prolong: () => Promise<unknown>): Promise<void> {
    const open = () => this.#uploads.readFirst(upload, prolong);
    await this.#uploads.finishReading({ ...upload, rows: await countRows(open) });
  }

  async #previewSite(
    upload: ImportUpload,
    about: NonNullable<ImportUpload['site']>,
    moveIn: MoveIn,
    prolong: () => Promise<unknown>,
  ): Promise<void> {
    const timer = setInterval(() => void prolong().catch(() => false), PROLONGING_MS);
    try {
      const files = this.#uploads.locateSite(upload);
      const preview = await moveIn.preview({ ...files, given: about.given, keepsSample: false });
      await this.#uploads.finishReading({ ...upload, site: { ...about, preview } });
    } finally {
      clearInterval(timer);
    }
  }

  /** Reads the files and continues the imports that were interrupted, and removes what waits for nobody. */
  async runDue(): Promise<void> {
    await this.#uploads.removeLeftovers();
    const uploads = await this.#uploads.readAll();
    for (const upload of uploads) {
      if (!isToBeRead(upload)) continue;
      const reading = this.prepare(upload);
      // Imports do not wait for a site.
      if (upload.kind === 'report') await reading;
      else void this.#report(reading);
    }
    for (const upload of uploads)
      if (upload.running !== null && upload.running.state.problems.length === 0)
        await this.#run(upload, BACKGROUND_MS);
  }

  /** Logs why what goes on in the background has failed; `runDue` begins it again. */
  #report(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => {
      this.#site.log.warn('an uploaded file could not be read yet', { error });
    });
  }

  /** Reads an upload, and waits at most `ms` for it. */
  async prepareFor(upload: ImportUpload, ms: number): Promise<void> {
    await Promise.race([this.#report(this.prepare(upload)), sleep(ms, null, { ref: false })]);
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
    // The button of a preview says so.
    const checked = { ...profile, isChecked: true };
    return {
      ledger: commissions,
      store: ledger,
      partner,
      terms,
      networks,
      profile: checked,
      now: clock.now(),
    };
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
        : await this.#runBatches(upload, budgetMs, () => lease(LEASE_MS));
    } finally {
      await lease(0).catch(() => false);
    }
  }

  /**
   * Imports an upload of one batch in one transaction, of which a second try stores nothing twice; null: it has several. Its
   * file is left to the caller.
   */
  async #runWhole(upload: ImportUpload, state: ImportState): Promise<ImportOutcome | null> {
    const batches: (readonly FileRow[])[] = [];
    for await (const rows of this.#uploads.readBatches(upload)) if (batches.push(rows) > 1) return null;
    const [rows] = batches;
    if (rows === undefined) return null;
    const options = this.buildOptions(upload);
    const context = await createImportContext(options);
    const done = await importPart(state, rows, context, true, options, upload.name);
    if (done.problems.length > 0) return { kind: 'failed', summary: buildImportSummary(done, false) };
    await rememberFormat(done, options);
    return { kind: 'committed', summary: buildImportSummary(done, true) };
  }

  #takeLease(name: string, holder: string, ms: number): Promise<boolean> {
    const { clock } = this.#site;
    const { ledger } = this.#site.money;
    return ledger.takeLease(name, { holder, now: clock.now(), until: clock.now() + ms });
  }

  async #runBatches(
    upload: ImportUpload,
    budgetMs: number,
    prolong: () => Promise<boolean>,
  ): Promise<ImportOutcome> {
    const uploads = this.#uploads;
    const { monotonic } = this.#site.clock;
    if (upload.running === null) return { kind: 'missing' };
    const options = this.buildOptions(upload);
    const context = await createImportContext(options);
    let { state } = upload.running;
    let before = { ...state, line: 0, counts: NO_ROWS };
    let end = Number.NaN;
    try {
      for await (const rows of uploads.readBatches(upload)) {
        if (state.problems.length > 0) break;
        // Reading again what is imported may take longer than the budget.
        if (before.line === state.line && Number.isNaN(end)) end = monotonic() + budgetMs;
        if (monotonic() >= end || !(await prolong())) return { kind: 'running', rows: state.line };
        if (before.line < state.line) {
          const { totals, all } = readPartRows(before, rows, context, options);
          before = { ...before, line: before.line + rows.length, counts: { ...NO_ROWS, totals, all } };
          continue;
        }
        state = await importPart(state, rows, context, true, options);
        before = { ...before, line: state.line };
        await uploads.write({ ...upload, running: { state } });
      }
    } catch (error) {
      if (!(error instanceof UploadGoneError)) throw error;
      await uploads.remove(upload.id);
      return { kind: 'missing' };
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

const COMMIT_MS = 5_000;
/** An operator waits so long for the preview; then the page shows how far the file is read. */
const READING_MS = 3_000;
/** Why an upload cannot be imported that is not there any more. */
export const GONE = 'The file is no longer stored here. Choose it again.';
export const UNREAD = 'The file is still being read. Import it when its preview is here.';

/** The files that wait between preview and import. */
export const openUploads = ({ clock, platform, operators: { temporaryValues } }: ConsoleSite) =>
  new ImportUploads(temporaryValues, platform.uploads, clock.now);

/** Stores a file that an operator has chosen, for a preview, and waits `readingMs` for its rows to be read. */
export async function uploadFile(
  site: ConsoleSite,
  sent: SentUpload,
  operator: string,
  lead = leadTo('partners', 'import'),
  readingMs = READING_MS,
): Promise<ActionOutcome> {
  const parsed = parseUpload(sent, getMaxUploadMb(site.platform.uploads).report);
  if ('problem' in parsed) return lead.fail(parsed.problem);
  const { file: _, ...known } = parsed;
  try {
    const upload = await openUploads(site).receive({ ...known, id: site.newId(), operator }, parsed);
    return await readUploaded(site, upload, lead, `?upload=${upload.id}#preview`, readingMs);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return lead.fail(`Nothing was imported. ${error.message.replace(/\s+/g, ' ')}`);
  }
}

/** Removes a file that was uploaded and not imported. */
export async function discardUpload(
  site: ConsoleSite,
  id: string,
  operator: string,
  lead = leadTo('partners', 'import'),
): Promise<ActionOutcome> {
  const uploads = openUploads(site);
  if ((await uploads.get(id, operator)) === null) return lead.fail(GONE);
  await uploads.remove(id);
  return lead.finish('The file was discarded. Nothing was imported.');
}

/** Waits `readingMs` for an upload to be read, and removes one that cannot be; `at`: where on its page its preview is. */
export async function readUploaded(
  site: ConsoleSite,
  upload: ImportUpload,
  { finish, fail }: ReturnType<typeof leadTo>,
  at: string,
  readingMs: number,
): Promise<ActionOutcome> {
  const { name } = upload;
  const uploads = openUploads(site);
  // Goes on after the response.
  if (isToBeRead(upload)) await new ImportRunner(site, uploads).prepareFor(upload, readingMs);
  const { preparing = null } = (await uploads.get(upload.id, upload.operator)) ?? {};
  if (preparing === null) return finish(`${name} was read. Nothing is imported yet.`, at);
  if (preparing.problem === null) return finish(`${name} was uploaded. Nothing is imported yet.`, at);
  await uploads.remove(upload.id);
  return fail(`Nothing was imported. ${preparing.problem}`);
}

/** Keeps what an operator has said of an uploaded file, which is read again by it. */
export async function answerUpload(
  site: ConsoleSite,
  { id, kind, operator }: Pick<ImportUpload, 'id' | 'kind' | 'operator'>,
  answers: Readonly<Record<string, string>>,
  { finish, fail }: ReturnType<typeof leadTo>,
): Promise<ActionOutcome> {
  const uploads = openUploads(site);
  const upload = await uploads.get(id, operator);
  if (upload?.kind !== kind || upload.running !== null) return fail(GONE);
  const profile = addAnswers(upload.profile, answers);
  if ('problem' in profile) return fail(profile.problem);
  await uploads.write({ ...upload, profile });
  return finish(`${upload.name} is read as you said. Nothing is imported yet.`, `?upload=${id}#preview`);
}

/** Why a file of an operator is not taken; other errors are faults. */
export const isRefusal = (error: unknown): error is Error =>
  [MoveInError, JournalError, CommissionSourceError].some((kind) => error instanceof kind);

/** Imports a file that was uploaded. An operator waits for 5 s; then it goes on in the background. */
export async function commitFile(site: ConsoleSite, upload: ImportUpload): Promise<ActionOutcome> {
  if (upload.preparing !== null) return fail(UNREAD);
  try {
    const outcome = await new ImportRunner(site).start(upload, COMMIT_MS);
    switch (outcome.kind) {
      case 'committed': {
        const { rows, matched } = outcome.summary;
        const found = isByLabel(outcome.summary) ? 'by ids of pages' : `${matched} matched`;
        const done = finish(
          `${upload.name} was imported: ${formatCount(rows, 'row')}, ${found}.`,
          '#imports',
        );
        return { ...done, store: () => openUploads(site).remove(upload.id) };
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

/** Builds the outcomes of the actions of a page: of one that did something, and of one that changed nothing. */
export const leadTo = (...path: Parameters<typeof buildConsolePath>) => ({
  finish: (message: string, at = ''): ActionOutcome => ({
    location: buildConsolePath(...path) + at,
    message,
    isError: false,
  }),
  fail: (message: string): ActionOutcome => buildFailure(buildConsolePath(...path), message),
});
/** Outcomes of what brings commissions. */
export const { finish, fail } = leadTo('partners', 'import');
