import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import { type ImportModel, type ImportPreview, MAX_IMPORTS } from '../../core/console/import-model.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { buildConsolePath, buildPostbackPath } from '../../core/paths.ts';
import { commitImport, type ImportOptions, previewImport, undoImport } from '../commissions/csv-import.ts';
import type { CommissionLedger } from '../commissions/ledger.ts';
import type { PostbackTokens } from '../commissions/postback-tokens.ts';
import type { SyncResult } from '../commissions/sync-network.ts';
import { buildImportPreview } from './build-import-preview.ts';
import type { LedgerReading } from './commissions-reader.ts';
import { type ImportUpload, ImportUploads, MAX_UPLOAD_MB, parseUpload } from './import-uploads.ts';
import { readSyncRows, type SyncReading } from './read-sync-rows.ts';
import type { ActionOutcome, ViewReader, ViewRequest } from './view-reader.ts';

export interface ImportReaderOptions extends LedgerReading, SyncReading {
  readonly partners: ReadonlyMap<string, Pick<Partner, 'name' | 'terms'>>;
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<CommissionStore, 'readImports' | 'readState'> | null;
  /** Opens the ledger, or creates it. */
  readonly openLedger: () => { readonly ledger: CommissionLedger; readonly store: CommissionStore };
  readonly openFile: (upload: ImportUpload) => Promise<Parameters<typeof previewImport>[0]>;
  readonly buildId: ImportOptions['buildId'];
  /** Creates a UUID. */
  readonly newId: () => string;
  /** Null while there are no postback addresses. */
  readonly readTokens: () => Promise<PostbackTokens | null>;
  readonly createTokens: () => Promise<void>;
  /** Sends a test message to the address of a partner; resolves with what the address responded. */
  readonly sendTest: (partner: string) => Promise<{ readonly isStored: boolean; readonly response: string }>;
  /** Reads the networks now; null when no network's API is set up. */
  readonly runSync: (() => Promise<readonly SyncResult[]>) | null;
  /** Origin of the site. */
  readonly siteUrl: string;
}

const PATH = buildConsolePath('import');

/** Brings in what networks report: files, postbacks, APIs. */
export class ImportReader implements ViewReader<ImportModel> {
  readonly #options: ImportReaderOptions;
  readonly #uploads: ImportUploads;

  constructor(options: ImportReaderOptions) {
    this.#options = options;
    this.#uploads = new ImportUploads(options.newId);
  }

  async read({ parameters, viewer, formToken }: ViewRequest): Promise<ImportModel> {
    const { partners, getStore, now } = this.#options;
    const canChange = viewer.kind === 'operator' && viewer.role === 'owner';
    const imports = (await getStore()?.readImports()) ?? [];
    const tokens = await this.#options.readTokens();
    const upload = canChange ? this.#uploads.get(parameters.get('upload') ?? '', viewer.id) : null;
    const shown = canChange ? parameters.get('show') : null;
    const lastMessages = await this.#readLastMessages();
    return {
      partners: [...partners].map(([key, { name, terms }]) => ({ key, name, currency: terms.currency })),
      preview: upload === null ? null : await this.#preview(upload),
      imports: [...imports].sort((one, other) => other.changedAt - one.changedAt).slice(0, MAX_IMPORTS),
      syncs: await readSyncRows(getStore(), this.#options),
      postbacks: [...partners].map(([key, { name, terms }]) => ({
        partner: key,
        name,
        network: terms.network,
        address:
          tokens !== null && shown === key
            ? this.#options.siteUrl + buildPostbackPath(key, tokens.build(key))
            : null,
        lastMessageAt: lastMessages.get(key) ?? null,
      })),
      hasPostbacks: tokens !== null,
      timeZones: Intl.supportedValuesOf('timeZone'),
      maxFileMb: MAX_UPLOAD_MB,
      canChange,
      formToken,
      now: now(),
    };
  }

  /** `action`: `upload`, `commit`, `discard`, `undo`, `create-postbacks`, `test-postback` or `sync`. */
  async post(form: FormData, { viewer }: ViewRequest): Promise<ActionOutcome> {
    const operator = viewer.id;
    switch (form.get('action')) {
      case 'upload':
        return this.#upload(form, operator);
      case 'commit':
        return this.#commit(this.#uploads.get(getText(form, 'upload'), operator));
      case 'discard':
        this.#uploads.remove(getText(form, 'upload'), operator);
        return finish('The file was discarded. Nothing was imported.');
      case 'undo':
        return this.#undo(getText(form, 'import'));
      case 'create-postbacks':
        await this.#options.createTokens();
        return finish('The postback addresses were created.', '#postbacks');
      case 'test-postback':
        return this.#test(getText(form, 'partner'));
      case 'sync':
        return this.#sync();
      default:
        return fail('The form is incomplete. Nothing was changed.');
    }
  }

  async #upload(form: FormData, operator: string): Promise<ActionOutcome> {
    const parsed = await parseUpload(form, operator, [...this.#options.partners.keys()]);
    if ('problem' in parsed) return fail(parsed.problem);
    const id = this.#uploads.put(parsed.upload);
    return finish(`${parsed.upload.name} was read. Nothing is imported yet.`, `?upload=${id}#preview`);
  }

  async #commit(upload: ImportUpload | null): Promise<ActionOutcome> {
    if (upload === null) return fail('The file is no longer in memory. Choose it again.');
    try {
      const summary = await commitImport(await this.#options.openFile(upload), this.#buildOptions(upload));
      if (!summary.committed) return fail(`Nothing was imported. ${summary.problems[0] ?? ''}`);
      this.#uploads.remove(upload.id, upload.operator);
      return finish(
        `${upload.name} was imported: ${summary.rows} rows, ${summary.matched} matched.`,
        '#imports',
      );
    } catch (error) {
      if (!(error instanceof CommissionSourceError)) throw error;
      return fail(`Nothing was imported. ${error.message}`);
    }
  }

  async #undo(id: string): Promise<ActionOutcome> {
    const { openLedger, now } = this.#options;
    const isUndone = this.#options.getStore() !== null && (await undoImport(openLedger().store, id, now()));
    return isUndone
      ? finish('The import was undone. Its commissions count no longer.', '#imports')
      : fail('There is no such import, or it is undone already.');
  }

  async #test(partner: string): Promise<ActionOutcome> {
    if (!this.#options.partners.has(partner)) return fail('There is no such partner.');
    const { isStored, response } = await this.#options.sendTest(partner);
    return isStored
      ? finish(`The address of ${partner} stored a test message. It changes no total.`, '#postbacks')
      : fail(`The address of ${partner} responded: ${response}`);
  }

  async #sync(): Promise<ActionOutcome> {
    const { runSync } = this.#options;
    if (runSync === null) return fail('No network has credentials yet.');
    const results = await runSync();
    const failed = results.find(({ state }) => state === 'failed');
    if (failed !== undefined) return fail(`${failed.network} could not be read: ${failed.problem}`);
    const stored = results.reduce((sum, result) => sum + result.stored, 0);
    return finish(`The networks were read: ${stored} new or changed reports.`, '#sync');
  }

  async #preview(upload: ImportUpload): Promise<ImportPreview> {
    try {
      const summary = await previewImport(await this.#options.openFile(upload), this.#buildOptions(upload));
      return buildImportPreview(upload, summary);
    } catch (error) {
      if (!(error instanceof CommissionSourceError)) throw error;
      return buildImportPreview(upload, { problem: error.message });
    }
  }

  #buildOptions({ partner, profile }: ImportUpload): ImportOptions {
    const { openLedger, partners, buildId, now } = this.#options;
    const terms = partners.get(partner)?.terms;
    // Checked when the file was uploaded.
    if (terms === undefined) throw new RangeError(`There is no partner ${partner}.`);
    return { ...openLedger(), partner, terms, profile, buildId, now: now() };
  }

  async #readLastMessages(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>();
    for (const { facts } of await this.#options.readEntries()) {
      for (const { partner, arrivedAt, source } of facts) {
        if (source !== 'postback' && source !== 'webhook') continue;
        times.set(partner, Math.max(arrivedAt, times.get(partner) ?? 0));
      }
    }
    return times;
  }
}

const finish = (message: string, at = ''): ActionOutcome => ({
  location: PATH + at,
  message,
  isError: false,
});
const fail = (message: string): ActionOutcome => ({ location: PATH, message, isError: true });

function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
