import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import type { ReportColumn } from '../../core/commissions/csv-columns.ts';
import { isOwner } from '../../core/console/operator.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { buildPostbackPath } from '../../core/paths.ts';
import { undoImport } from '../../server/commissions/csv-import.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import type { PostbackTokens } from '../../server/commissions/postbacks.ts';
import {
  readSyncRows,
  type SyncReading,
  type SyncResult,
  type SyncRow,
} from '../../server/commissions/sync-networks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { CommissionImport } from '../../stores/ledger-rows.ts';
import { getFormText } from '../app.ts';
import type { LedgerReading } from '../commissions/read.ts';
import type { ActionOutcome, ViewReader, ViewRequest } from '../views.ts';
import { fail, finish, ImportFileActions, type ImportFileOptions } from './run-imports.ts';
import {
  buildImportPreview,
  buildProgress,
  type ImportUpload,
  MAX_UPLOAD_MB,
  previewUpload,
} from './uploads.ts';

/** What importing an uploaded file would bring, or has brought so far. Sums in minor units. */
export interface ImportPreview {
  /** Id of the upload; part of the form that imports it. */
  readonly upload: string;
  readonly file: string;
  readonly partner: string;
  readonly currency: string;
  readonly timeZone: string;
  /** Rows of the whole file. */
  readonly fileRows: number;
  /** true: the operator has confirmed, and the counts are those of the rows that are imported so far. */
  readonly isRunning: boolean;
  /** Rows that were counted: the first ones of a large file. */
  readonly rows: number;
  readonly matched: number;
  readonly unmatched: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly sums: readonly { readonly currency: string; readonly amount: number }[];
  /** Header of the file by what is read from it. */
  readonly columns: readonly { readonly column: ReportColumn; readonly header: string }[];
  /** Why the file cannot be imported; empty when it can. */
  readonly problems: readonly string[];
}

/** Where a network sends its messages. */
export interface PostbackRow {
  readonly partner: string;
  readonly name: string;
  readonly network: string;
  /** The secret address; null until it is requested. */
  readonly address: string | null;
  readonly lastMessageAt: number | null;
}

export interface ImportModel {
  readonly partners: readonly {
    readonly key: string;
    readonly name: string;
    readonly currency: string | null;
  }[];
  readonly preview: ImportPreview | null;
  /** Newest first; at most `MAX_IMPORTS`. */
  readonly imports: readonly CommissionImport[];
  readonly syncs: readonly SyncRow[];
  readonly postbacks: readonly PostbackRow[];
  /** Whether postback addresses exist. */
  readonly hasPostbacks: boolean;
  /** Time zones that the form offers. */
  readonly timeZones: readonly string[];
  readonly maxFileMb: number;
  readonly canChange: boolean;
  readonly formToken: string;
  readonly now: number;
}

export const MAX_IMPORTS = 50;

export interface ImportReaderOptions extends LedgerReading, SyncReading, ImportFileOptions {
  readonly partners: ReadonlyMap<string, Pick<Partner, 'name' | 'terms'>>;
  /** Null while there is no ledger. */
  readonly getStore: () => Pick<Ledger, 'readImports' | 'readState'> | null;
  /** Opens the ledger, or creates it. */
  readonly openLedger: () => { readonly ledger: CommissionLedger; readonly store: Ledger };
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

/** Brings in what networks report: files, postbacks, APIs. */
export class ImportReader implements ViewReader<ImportModel> {
  readonly #options: ImportReaderOptions;
  readonly #files: ImportFileActions;
  constructor(options: ImportReaderOptions) {
    this.#options = options;
    this.#files = new ImportFileActions(options);
  }

  async read({ parameters, viewer, formToken }: ViewRequest): Promise<ImportModel> {
    const { partners, getStore, now } = this.#options;
    const canChange = isOwner(viewer);
    const imports = (await getStore()?.readImports()) ?? [];
    const tokens = await this.#options.readTokens();
    const upload = canChange ? await this.#findUpload(parameters.get('upload') ?? '', viewer.id) : null;
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
        return this.#files.upload(form, operator);
      case 'commit':
        return this.#files.commit(getFormText(form, 'upload'), operator);
      case 'discard':
        return this.#files.discard(getFormText(form, 'upload'), operator);
      case 'undo':
        return this.#undo(getFormText(form, 'import'));
      case 'create-postbacks':
        await this.#options.createTokens();
        return finish('The postback addresses were created.', '#postbacks');
      case 'test-postback':
        return this.#test(getFormText(form, 'partner'));
      case 'sync':
        return this.#sync();
      default:
        return fail('The form is incomplete. Nothing was changed.');
    }
  }

  /** The upload that is asked for, else the one of the operator that is being imported. */
  async #findUpload(id: string, operator: string): Promise<ImportUpload | null> {
    const { uploads } = this.#options;
    const all = id === '' ? await uploads.readAll() : [];
    const running = all.find((upload) => upload.operator === operator && upload.running !== null);
    return running ?? (id === '' ? null : uploads.get(id, operator));
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
    const { uploads, runner } = this.#options;
    if (upload.running !== null) return buildProgress(upload, upload.running.state);
    try {
      return buildImportPreview(upload, await previewUpload(upload, uploads, runner.buildOptions(upload)));
    } catch (error) {
      if (!(error instanceof CommissionSourceError)) throw error;
      return buildImportPreview(upload, { problem: error.message });
    }
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
