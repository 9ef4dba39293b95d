import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AD_PLATFORMS } from '../../core/commissions/cost/campaign-cost.ts';
import { FILE_COLUMNS } from '../../core/commissions/cost/cost-columns.ts';
import { ANSWERED_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { type FileRow, ImportQuestions } from '../../core/commissions/ledger/csv-columns.ts';
import {
  type ImportProfile,
  importProfileSchema,
} from '../../core/commissions/ledger/stored-money.schema.ts';
import { DAY_ORDERS } from '../../core/commissions/local-time.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { givenSettingsSchema } from '../../move-in/former-settings.ts';
import { moveInPreviewSchema } from '../../move-in/move-in-report.ts';
import { findProfileProblem } from '../../server/commissions/cost-import.ts';
import {
  divideRows,
  type ImportOptions,
  type ImportSummary,
  importStateSchema,
  previewImport,
} from '../../server/commissions/csv-import.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import type { UploadFolder } from '../../stores/upload-folder.ts';

/** A file that an operator has posted. */
export interface SentFile {
  /** Without folders. */
  readonly name: string;
  readonly file: File;
}

const MEGABYTE = 1024 * 1024;

/** How much the files of a form may have, in MB. Without a folder they are in memory and then in values of 2 MB. */
export const getMaxUploadMb = (folder: UploadFolder | null) =>
  folder === null ? { report: 16, site: 16 } : { report: 64, site: 500 };

/** How much the files of a form may have that goes to a folder; 0 for one that has none. */
export function getMaxUploadBytes(folder: UploadFolder, action: string): number {
  const { report, site } = getMaxUploadMb(folder);
  if (action === 'upload-site') return site * MEGABYTE;
  return action === 'upload' || action === 'upload-costs' ? report * MEGABYTE : 0;
}

const MAX_NAME_LENGTH = 120;

/** What the form of an upload has: what it says of the file beside whose it is, is as the answers of a preview. */
export interface SentUpload {
  readonly file: File | null;
  readonly answers: Readonly<Record<string, string>>;
  readonly about: Pick<ImportUpload, 'kind'> & Partial<ImportUpload>;
}

/** Parses the form of an upload of a report or of costs. */
export function parseUpload(
  { file, answers, about }: SentUpload,
  maxMb: number,
): (SentFile & Partial<ImportUpload>) | { readonly problem: string } {
  const read = checkFile(file, 'a CSV file', maxMb);
  if ('problem' in read) return read;
  const profile = addAnswers({}, answers);
  return 'problem' in profile ? profile : { ...read, ...about, profile };
}

/**
 * Adds to a profile what was answered in a preview: `is HEADER` is the meaning of a column, or `not used`; `column NAME` the
 * heading of what is missing, or `none`; `word WORD` the meaning of a word of the status.
 */
export function addAnswers(
  { columns, unused = [], statuses, ...profile }: ImportProfile,
  answers: Readonly<Record<string, string>>,
): ImportProfile | { readonly problem: string } {
  const read = (prefix: string) =>
    Object.entries(answers).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  const meant = [
    ...read('is ').map(([header, name]) => [name, header] as const),
    ...read('column ').map(([name, header]) => [name, header === 'none' ? '' : header] as const),
  ];
  const isLeftOut = (name: string, header: string) => header === '' && answers[`column ${name}`] === '';
  const named = meant.filter(([name, header]) => FILE_COLUMNS.includes(name) && !isLeftOut(name, header));
  const twice = named.find(([column], index) => named.findIndex(([other]) => other === column) !== index);
  if (twice !== undefined) return { problem: 'Two columns cannot be the same: choose one of them.' };
  const words = read('word ').flatMap(([word, value]) => {
    const status = ANSWERED_STATUSES.find((name) => name === value);
    return status === undefined ? [] : [[word.toLowerCase(), status] as const];
  });
  const { timeZone } = answers;
  const currency = answers.currency?.toUpperCase();
  const stated = { ...(currency && { currency }), ...(timeZone && { timeZone }) };
  const problem = findProfileProblem(stated);
  if (problem !== null) return { problem };
  const dayOrder = DAY_ORDERS.find((order) => order === answers.dates);
  const decimal = (['.', ','] as const).find((sign) => sign === answers.decimal);
  const [alike, repeated] = [answers.alike, answers.repeated].map((answer) =>
    (['same', 'other'] as const).find((one) => one === answer),
  );
  return {
    ...profile,
    ...stated,
    ...(dayOrder && { dayOrder }),
    ...(decimal && { decimal }),
    ...(alike && { alike }),
    ...(repeated && { repeated }),
    columns: { ...columns, ...Object.fromEntries(named) },
    unused: [...unused, ...read('is ').flatMap(([header, value]) => (value === 'not used' ? [header] : []))],
    statuses: { ...statuses, ...Object.fromEntries(words) },
  };
}

/** Checks a posted file; `wanted`: what it should be, with its article. */
export function checkFile(
  file: File | null,
  wanted: string,
  maxMb: number,
): SentFile | { readonly problem: string } {
  if (file === null || file.size === 0) return { problem: `Choose ${wanted} that is not empty.` };
  if (file.size > maxMb * MEGABYTE) return { problem: `The file is larger than ${maxMb} MB.` };
  return { name: parseName(file.name), file };
}

/** A name is shown and stored: no folders, no control characters. */
function parseName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, MAX_NAME_LENGTH) || 'file.csv';
}

const uploadSchema = z.object({
  id: z.string(),
  /** Commissions, costs, or a site to be moved in. */
  kind: z.enum(['report', 'costs', 'site']).default('report'),
  /** Id of the operator who chose it; others do not see it. */
  operator: z.string(),
  /** Name of the file, without folders; shown only. */
  name: z.string(),
  /** Empty but for a report. */
  partner: z.string().default(''),
  /** The advertising platform of a file of costs, which is read as a whole when it is shown. */
  platform: z.enum(AD_PLATFORMS).nullable().default(null),
  /** Of a site: what was said of it, what it would bring, and the name of the file of its link plugin. */
  site: z
    .object({
      given: givenSettingsSchema,
      /** Null until the export is read. */
      preview: moveInPreviewSchema.nullable(),
      links: z.string().nullable(),
    })
    .nullable()
    .default(null),
  profile: importProfileSchema.default({}),
  /** Hash of the bytes of the file. */
  hash: z.string(),
  /** Length of the file; an earlier version has not stored it. */
  bytes: z.int().default(0),
  rows: z.number().int().default(0),
  /** How far its bytes are read; null once its rows are counted, or its site is previewed. */
  preparing: z
    .object({
      bytesRead: z.number().int(),
      /** Why the file cannot be read. */
      problem: z.string().nullable(),
    })
    .nullable()
    // Files from before an upgrade have none.
    .default(null),
  /** Null until the operator has confirmed the import. */
  running: z
    .object({
      /** Its rows are those that are imported. */
      state: importStateSchema,
    })
    .nullable()
    .default(null),
});

/** A file that an operator has chosen, between its preview and the end of its import. */
export type ImportUpload = Readonly<z.output<typeof uploadSchema>>;

type NewUpload = Partial<ImportUpload> & { readonly id: string; readonly operator: string };

/** Whether a report or a site is not read yet, and nothing is wrong with it. */
export const isToBeRead = ({ preparing }: ImportUpload): boolean =>
  preparing !== null && preparing.problem === null;

/** How long an upload waits for the operator, and for an import that was interrupted. */
const PREVIEW_MS = 30 * 60_000;
const IMPORT_MS = 24 * 3_600_000;
/** Bytes of a file in one value, as base64: 4 characters for 3 bytes. */
const CHUNK_BYTES = 600_000;

/** The bytes of an upload are not stored here. */
export class UploadGoneError extends CommissionSourceError {
  constructor() {
    super('invalid-file', 'The file is no longer stored here.');
    this.name = 'UploadGoneError';
  }
}

/**
 * Keeps the newest file that each operator has uploaded until it is imported, for half an hour: in a folder, or as values of
 * 600 KB on a runtime without a disk. Every method rejects with `OperatorStoreError`, or with the error of the file system.
 */
export class ImportUploads {
  readonly #store: TemporaryValues;
  readonly #folder: UploadFolder | null;
  readonly #now: () => number;
  readonly #batchRows: number | undefined;
  readonly #chunkBytes: number;

  /** `now` is the wall clock in ms since 1970; `batchRows`, `chunkBytes`: how much one step handles, for tests. */
  constructor(
    store: TemporaryValues,
    folder: UploadFolder | null,
    now: () => number,
    batchRows?: number,
    chunkBytes = CHUNK_BYTES,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#now = now;
    this.#batchRows = batchRows;
    this.#chunkBytes = chunkBytes;
  }

  /**
   * Stores a file, whose rows are counted later, in this process or another, unless it is a small report in a folder; `links`: that of a
   * plugin, of a site. Rejects with `CommissionSourceError` for such a report that cannot be read.
   */
  async receive(upload: NewUpload, { name, file }: SentFile, links?: File): Promise<ImportUpload> {
    const { id } = upload;
    const hash = createHash('sha256');
    for (const one of [file, links]) for await (const chunk of one?.stream() ?? []) hash.update(chunk);
    if (this.#folder === null) await this.#writeChunks(id, file);
    else await this.#folder.keep(file, id);
    if (links !== undefined) await this.#folder?.keep(links, nameLinks(id));
    // Costs are read when they are shown.
    const preparing = upload.kind === 'costs' ? null : { bytesRead: 0, problem: null };
    const bytes = file.size;
    const stored = uploadSchema.parse({ ...upload, hash: hash.digest('hex'), name, bytes, preparing });
    if (stored.kind !== 'report') await this.#replaceOthers(stored);
    // A report takes the place of the last one once it is read.
    else if (this.#folder === null || bytes > this.#chunkBytes) await this.write(stored);
    else
      try {
        const rows = await countRows(() => this.read(stored));
        const read = { ...stored, rows, preparing: null };
        await this.#replaceOthers(read);
        return read;
      } catch (error) {
        await this.#removeBytes(id);
        throw error;
      }
    return stored;
  }

  async #writeChunks(id: string, file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const [size, expiresAt] = [this.#chunkBytes, this.#now() + IMPORT_MS];
    for (let at = 0; at < bytes.length; at += size) {
      const value = JSON.stringify(Buffer.from(bytes.subarray(at, at + size)).toString('base64'));
      const chunk = { kind: 'upload-bytes', key: `${id}/${at / size}`, value, expiresAt } as const;
      await this.#store.put(chunk, { now: this.#now() });
    }
  }

  /** The bytes of a file. Rejects with `UploadGoneError` when they are gone, also while they are read. */
  async *read({ id, name, bytes }: ImportUpload): AsyncGenerator<Uint8Array> {
    if (this.#folder !== null) {
      if (!this.#folder.has(id, name)) throw new UploadGoneError();
      for await (const chunk of this.#folder.read(id, name)) {
        // What is open outlasts its removal.
        if (!this.#folder.has(id, name)) throw new UploadGoneError();
        yield chunk;
      }
      return;
    }
    if (bytes === 0) throw new UploadGoneError();
    for (let at = 0; at < bytes; at += this.#chunkBytes) {
      const text = await this.#store.read('upload-bytes', `${id}/${at / this.#chunkBytes}`, this.#now());
      if (text === null) throw new UploadGoneError();
      yield Buffer.from(z.string().parse(parseJson(text)), 'base64');
    }
  }

  /**
   * As `read`, and stores how far it is; calls `prolong` before each chunk. Rejects with `UploadGoneError` also when the
   * operator has discarded the file meanwhile.
   */
  async *readFirst(upload: ImportUpload, prolong: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
    let bytesRead = 0;
    for await (const chunk of this.read(upload)) {
      await prolong();
      if ((await this.get(upload.id, upload.operator)) === null) throw new UploadGoneError();
      if (bytesRead > 0) await this.write({ ...upload, preparing: { bytesRead, problem: null } });
      yield chunk;
      bytesRead += chunk.length;
    }
  }

  /** Stores an upload that was read, and removes the operator's last one. Rejects with `UploadGoneError`. */
  async finishReading(upload: ImportUpload): Promise<void> {
    if ((await this.get(upload.id, upload.operator)) === null) throw new UploadGoneError();
    await this.#replaceOthers({ ...upload, preparing: null });
  }

  /** The rows of a report. Rejects with `CommissionSourceError`. */
  async *readRows(upload: ImportUpload): AsyncGenerator<FileRow> {
    const open = () => this.read(upload);
    yield* readCsvRows(open, await detectCsvFormat(open));
  }

  /** The rows of a report in parts, which are the same each time. */
  readBatches(upload: ImportUpload): AsyncGenerator<readonly FileRow[]> {
    return divideRows(this.readRows(upload), this.#batchRows);
  }

  /**
   * Stores a file in the place of the operator's other ones that are not being imported: sites that are moved in, or reports
   * and costs.
   */
  async #replaceOthers(upload: ImportUpload): Promise<void> {
    const others = await this.#listOthers(upload);
    // What is asked for in one turn is one commit.
    await Promise.all([this.write(upload), ...others.map(({ id }) => this.remove(id))]);
    // Of two at once, neither of which has seen the other, one stays.
    const unseen = await this.#listOthers(upload);
    if ((await this.get(upload.id, upload.operator)) === null) return;
    const ids = [upload, ...unseen].map(({ id }) => id).sort();
    await Promise.all(ids.slice(0, -1).map((id) => this.remove(id)));
  }

  async #listOthers({ id, operator, kind }: ImportUpload): Promise<readonly ImportUpload[]> {
    return (await this.readAll()).filter(
      (other) =>
        other.id !== id &&
        other.operator === operator &&
        other.running === null &&
        (other.kind === 'site') === (kind === 'site'),
    );
  }

  /** The operator's site that waits to be moved in; null without one. */
  async findSite(operator: string): Promise<ImportUpload | null> {
    const all = await this.readAll();
    return all.find((upload) => upload.kind === 'site' && upload.operator === operator) ?? null;
  }

  /** Where the files of a site are that waits to be moved in. Throws `UploadGoneError`. */
  locateSite({ id, name, site }: ImportUpload): { readonly export: string; readonly links: string | null } {
    if (!this.#folder?.has(id, name)) throw new UploadGoneError();
    const links = site?.links ?? null;
    return {
      export: this.#folder.locate(id, name),
      links: links && this.#folder.locate(nameLinks(id), links),
    };
  }

  /** Stores why a file cannot be read; nothing else of it stays. */
  async refuse(upload: ImportUpload, problem: string): Promise<void> {
    await this.#removeBytes(upload.id);
    await this.write({ ...upload, preparing: { bytesRead: 0, problem } });
  }

  /** Stores how far a file has come. */
  async write(upload: ImportUpload): Promise<void> {
    const isWorkedOn = upload.running !== null || upload.kind === 'site' || isToBeRead(upload);
    const now = this.#now();
    const expiresAt = now + (isWorkedOn ? IMPORT_MS : PREVIEW_MS);
    const value = JSON.stringify(upload);
    await this.#store.put({ kind: 'upload', key: upload.id, value, expiresAt }, { now });
  }

  async readAll(): Promise<readonly ImportUpload[]> {
    const values = await this.#store.readAll('upload', this.#now());
    return values.flatMap((value) => uploadSchema.safeParse(parseJson(value)).data ?? []);
  }

  /** Null for an unknown or old one, and for that of another operator. */
  async get(id: string, operator: string): Promise<ImportUpload | null> {
    const upload = uploadSchema.safeParse(
      parseJson((await this.#store.read('upload', id, this.#now())) ?? ''),
    );
    return upload.data?.operator === operator ? upload.data : null;
  }

  async remove(id: string): Promise<void> {
    await Promise.all([this.#store.remove('upload', id), this.#removeBytes(id)]);
  }

  /** Removes the files of the folder that wait for nobody: of uploads that have expired, or of a process that has ended. */
  async removeLeftovers(): Promise<void> {
    await this.#folder?.removeOthers(
      async () => new Set((await this.readAll()).flatMap(({ id }) => [id, nameLinks(id)])),
    );
  }

  async #removeBytes(id: string): Promise<void> {
    if (this.#folder === null) await this.#store.remove('upload-bytes', `${id}/`);
    await this.#folder?.remove(id);
    await this.#folder?.remove(nameLinks(id));
  }
}

/** Counts the rows of a report. Rejects with `CommissionSourceError`. */
export async function countRows(open: () => AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0;
  for await (const _ of readCsvRows(open, await detectCsvFormat(open))) rows += 1;
  return rows;
}

/** The key of the file of a link plugin that belongs to an upload. */
const nameLinks = (id: string) => `${id}-links`;

/** What importing a file would bring. */
export interface FilePreview<Summary> {
  /** Null while the file is read, and when it cannot be read. */
  readonly summary: Summary | null;
  /** Why it cannot be imported. */
  readonly problems: readonly string[];
  /** What is asked about the file; null without a question. */
  readonly question: Pick<ImportQuestions, 'columns' | 'needs'> | null;
}

/** Of a report, or what it has brought so far: the first rows of a large file are counted. */
export interface ReportPreview extends FilePreview<ImportSummary> {
  readonly upload: ImportUpload;
}

/** Reads what importing a file would bring, or why it cannot be imported. */
export async function tryPreview<Summary extends Pick<FilePreview<unknown>, 'problems'>>(
  read: () => Promise<Summary>,
): Promise<FilePreview<Summary>> {
  // How to say something on the command line is of no use here.
  const write = (problems: readonly string[]) => problems.map((text) => text.replaceAll(/ \(--[^)]*\)/g, ''));
  try {
    const summary = await read();
    return { summary, problems: write(summary.problems), question: null };
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    const question = error instanceof ImportQuestions ? error : null;
    return { summary: null, problems: write([error.message]), question };
  }
}

/** What a preview counts: a page has to be there within seconds. */
const MAX_BATCHES = 10;

/** Counts what the first rows of an upload would bring. Rejects with `CommissionSourceError`. */
export const previewUpload = (upload: ImportUpload, uploads: ImportUploads, options: ImportOptions) =>
  previewImport({ hash: upload.hash, readRows: () => uploads.readRows(upload) }, options, MAX_BATCHES);
