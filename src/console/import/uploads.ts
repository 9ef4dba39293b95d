import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AD_PLATFORMS } from '../../core/commissions/cost/campaign-cost.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import {
  type FileRow,
  REPORT_COLUMNS,
  type ReportColumn,
} from '../../core/commissions/ledger/csv-columns.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { givenSettingsSchema } from '../../move-in/former-settings.ts';
import { moveInPreviewSchema } from '../../move-in/move-in-report.ts';
import type { SentFile } from '../../move-in/wordpress-export.ts';
import { findProfileProblem } from '../../server/commissions/cost-import.ts';
import {
  buildImportSummary,
  createImportContext,
  type ImportOptions,
  type ImportSummary,
  importPart,
  importStateSchema,
  startImport,
} from '../../server/commissions/csv-import.ts';
import {
  type ColumnQuestion,
  type ImportFile,
  type ImportProfile,
  importProfileSchema,
} from '../../server/commissions/detect-import-format.ts';
import type { TemporaryValues } from '../../stores/temporary-values.ts';
import type { importActions } from '../actions.ts';

/** A file that an operator has posted, and what was said about it. */
type ParsedUpload = SentFile & Partial<ImportUpload>;

export const MAX_UPLOAD_MB = 16;
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MB * 1024 * 1024;
const MAX_NAME_LENGTH = 120;

type Fields<Name extends keyof typeof importActions.actions> = z.output<
  (typeof importActions.actions)[Name]['fields']
>;

/** Parses the form of an upload. Currency and time zone are needed where no file states them. */
export async function parseUpload(
  { file, partner, ...fields }: Fields<'upload'>,
  partners: readonly string[],
): Promise<ParsedUpload | { readonly problem: string }> {
  const currency = fields.currency.toUpperCase() || undefined;
  const timeZone = fields.timeZone || undefined;
  const read = await readFile(file, 'a CSV file');
  if ('problem' in read) return read;
  if (!partners.includes(partner)) return { problem: 'Choose the partner of the file.' };
  const problem = findProfileProblem({ currency, timeZone });
  if (problem !== null) return { problem };
  const dayOrder = parseDayOrder(fields.dates);
  const decimal = parseDecimalSign(fields.decimal);
  // The headers that the operator has named, where the detection is wrong.
  const columns = REPORT_COLUMNS.map((name): [ReportColumn, string] => [
    name,
    fields[`column-${name}`] ?? '',
  ]);
  const filled = columns.filter(([, header]) => header !== '');
  const named = filled.length > 0 && { columns: Object.fromEntries(filled) };
  return {
    ...read,
    kind: 'report',
    partner,
    profile: { currency, timeZone, ...(dayOrder && { dayOrder }), ...(decimal && { decimal }), ...named },
  };
}

/** Parses the form of an upload of costs. Currency and time zone are needed where the file does not state them. */
export async function parseCostUpload(
  fields: Fields<'upload-costs'>,
): Promise<ParsedUpload | { readonly problem: string }> {
  const platform = AD_PLATFORMS.find((name) => name === fields.platform);
  const currency = fields.currency.toUpperCase() || undefined;
  const timeZone = fields.timeZone || undefined;
  const read = await readFile(fields.file, 'a CSV file');
  if ('problem' in read) return read;
  if (platform === undefined) return { problem: 'Choose the platform of the file.' };
  const dayOrder = parseDayOrder(fields.dates);
  const problem = findProfileProblem({ currency, timeZone });
  if (problem !== null) return { problem };
  return {
    ...read,
    kind: 'costs',
    platform,
    profile: { currency, timeZone, dayOrder, decimal: parseDecimalSign(fields.decimal) },
  };
}

/** Reads a posted file; `wanted`: what it should be, with its article. */
export async function readFile(
  file: File | null,
  wanted: string,
): Promise<SentFile | { readonly problem: string }> {
  if (file === null || file.size === 0) return { problem: `Choose ${wanted} that is not empty.` };
  if (file.size > MAX_UPLOAD_BYTES) return { problem: `The file is larger than ${MAX_UPLOAD_MB} MB.` };
  return { name: parseName(file.name), bytes: new Uint8Array(await file.arrayBuffer()) };
}

const parseDayOrder = (dates: string): ImportProfile['dayOrder'] =>
  dates === 'day-first' || dates === 'month-first' ? dates : undefined;

const parseDecimalSign = (text: string) => (['.', ','] as const).find((sign) => sign === text);

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
  partner: z.string(),
  /** The advertising platform of a file of costs, which is read as a whole when it is shown. */
  platform: z.enum(AD_PLATFORMS).nullable().default(null),
  /** Of a site: what was said of it, what it would bring, and the file of its link plugin, whose bytes come after those of the export. */
  site: z
    .object({
      given: givenSettingsSchema,
      preview: moveInPreviewSchema,
      exportBytes: z.int(),
      links: z.string().nullable(),
    })
    .nullable()
    .default(null),
  profile: importProfileSchema,
  /** Hash of the bytes of the file. */
  hash: z.string(),
  headers: z.array(z.string()),
  rows: z.number().int(),
  parts: z.number().int(),
  /** How far its bytes are read; null once its rows are stored. */
  preparing: z
    .object({
      bytes: z.number().int(),
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
      state: importStateSchema,
      /** The part that is imported next. */
      next: z.number().int(),
    })
    .nullable(),
});

/** A file that an operator has chosen, between its preview and the end of its import. */
export type ImportUpload = Readonly<z.output<typeof uploadSchema>>;

type NewUpload = Partial<ImportUpload> & { readonly id: string; readonly operator: string };

const EMPTY: Omit<ImportUpload, 'id' | 'operator' | 'name' | 'hash'> = {
  ...{ kind: 'report', partner: '', platform: null, site: null, profile: {}, headers: [] },
  ...{ rows: 0, parts: 0, preparing: null, running: null },
};

/** Whether the rows of a file are not stored yet, and nothing is wrong with it. */
export const isToBeRead = ({ preparing, kind }: ImportUpload): boolean =>
  kind === 'report' && preparing !== null && preparing.problem === null;

const rowSchema = z.object({
  line: z.int(),
  /** By the headers of the upload; null: the row ends before. */
  cells: z.array(z.string().nullable()),
  extra: z.array(z.string()),
});
/** Rows that an earlier version has stored are cells alone. */
const formerRowSchema = z.array(z.string()).transform((cells) => ({ line: 0, cells, extra: [] }));
const partSchema = z.array(z.union([rowSchema, formerRowSchema]));

/** How long an upload waits for the operator, and its rows for an import that was interrupted. */
const PREVIEW_MS = 30 * 60_000;
const IMPORT_MS = 24 * 3_600_000;
/** Bytes of a file in one value, as base64: 4 characters for 3 bytes. */
const CHUNK_BYTES = 600_000;
const PART_ROWS = 1_000;
/** Three bytes each at most; D1 takes 2 MB as one value. */
const PART_CHARACTERS = 300_000;
/** What a row has beside its cells. */
const ROW_CHARACTERS = 40;

/**
 * The files between upload and import, for half an hour, one of each operator: first their bytes, then their rows in
 * parts of some hundred. Every method rejects with `OperatorStoreError`.
 */
export class ImportUploads {
  readonly #store: TemporaryValues;
  readonly #now: () => number;
  readonly #partRows: number;
  readonly #chunkBytes: number;

  /** `now` is the wall clock in ms since 1970; `partRows`, `chunkBytes`: sizes of what is stored, for tests. */
  constructor(store: TemporaryValues, now: () => number, partRows = PART_ROWS, chunkBytes = CHUNK_BYTES) {
    this.#store = store;
    this.#now = now;
    this.#partRows = partRows;
    this.#chunkBytes = chunkBytes;
  }

  /** Stores the bytes of a file, whose rows `put` reads later, in this process or another. */
  async receive(upload: NewUpload, { name, bytes }: SentFile): Promise<ImportUpload> {
    const size = this.#chunkBytes;
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = Buffer.from(bytes.subarray(at, at + size)).toString('base64');
      await this.#put('upload-bytes', buildPartKey(upload.id, at / size), chunk, IMPORT_MS);
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    const preparing = { bytes: bytes.length, bytesRead: 0, problem: null };
    const stored = { ...EMPTY, ...upload, hash, name, preparing };
    await this.write(stored);
    // The rows of a report take the place of the last ones once they are read.
    if (stored.kind !== 'report') await this.removeOthers(stored);
    return stored;
  }

  /**
   * Reads the bytes of a file and stores how far they are read; calls `prolong` before each chunk. Rejects with
   * `CommissionSourceError` when the operator has discarded the file meanwhile.
   */
  async *readBytes(upload: ImportUpload, prolong: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
    const { bytes = 0 } = upload.preparing ?? {};
    for (let at = 0; at < bytes; at += this.#chunkBytes) {
      await prolong();
      const key = buildPartKey(upload.id, at / this.#chunkBytes);
      const text = await this.#store.read('upload-bytes', key, this.#now());
      if (text === null || (await this.get(upload.id, upload.operator)) === null) throw buildGoneError();
      if (at > 0) await this.write({ ...upload, preparing: { bytes, bytesRead: at, problem: null } });
      yield Buffer.from(z.string().parse(parseJson(text)), 'base64');
    }
  }

  /**
   * Stores the rows of a file, in place of the operator's last one. Rejects with `CommissionSourceError` when it cannot
   * be read to its end; then the last one stays.
   */
  async put(
    { id, operator, partner = '', profile = {} }: NewUpload,
    file: ImportFile,
  ): Promise<ImportUpload> {
    const isReceived = (await this.get(id, operator)) !== null;
    let headers: readonly string[] = [];
    let rows = 0;
    let parts = 0;
    try {
      for await (const part of readParts(file.readRows(), this.#partRows)) {
        headers = part.headers;
        rows += part.rows.length;
        await this.#put('upload-part', buildPartKey(id, parts), part.rows, IMPORT_MS);
        parts += 1;
      }
      if (isReceived && (await this.get(id, operator)) === null) throw buildGoneError();
    } catch (error) {
      await this.#store.remove('upload-part', buildPartKey(id, ''));
      throw error;
    }
    const { hash, name } = file;
    const stored = {
      ...{ ...EMPTY, id, operator, partner, profile, hash, name },
      ...{ headers: [...headers], rows, parts },
    };
    await this.write(stored);
    await this.#store.remove('upload-bytes', buildPartKey(id, ''));
    await this.removeOthers(stored);
    return stored;
  }

  /** Removes the operator's other files that are not being imported: sites that are moved in, or reports and costs. */
  async removeOthers({ id, operator, kind }: ImportUpload): Promise<void> {
    for (const other of await this.readAll())
      if (other.id !== id && other.operator === operator && other.running === null)
        if ((other.kind === 'site') === (kind === 'site')) await this.remove(other.id);
  }

  /** The operator's site that waits to be moved in; null without one. */
  async findSite(operator: string): Promise<ImportUpload | null> {
    const all = await this.readAll();
    return all.find((upload) => upload.kind === 'site' && upload.operator === operator) ?? null;
  }

  /** The bytes of a file that is read as a whole. Rejects with `CommissionSourceError` when they are gone. */
  async readFile(upload: ImportUpload): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.readBytes(upload, async () => undefined)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Stores why a file cannot be read; nothing else of it stays. */
  async refuse(upload: ImportUpload, problem: string): Promise<void> {
    await this.#store.remove('upload-bytes', buildPartKey(upload.id, ''));
    const bytes = upload.preparing?.bytes ?? 0;
    await this.write({ ...upload, preparing: { bytes, bytesRead: 0, problem } });
  }

  /** Stores how far a file has come. */
  async write(upload: ImportUpload): Promise<void> {
    const isWorkedOn = upload.running !== null || upload.kind === 'site' || isToBeRead(upload);
    await this.#put('upload', upload.id, upload, isWorkedOn ? IMPORT_MS : PREVIEW_MS);
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

  /** The rows of a part; null when it has expired. */
  async readPart({ id, headers }: ImportUpload, index: number): Promise<readonly FileRow[] | null> {
    const text = await this.#store.read('upload-part', buildPartKey(id, index), this.#now());
    const rows = partSchema.safeParse(parseJson(text ?? '')).data;
    const build = (cells: readonly (string | null)[]) =>
      Object.fromEntries(
        headers.slice(0, cells.length).map((header, at) => [header, cells[at] ?? undefined]),
      );
    return rows?.map(({ cells, ...row }) => ({ ...row, row: build(cells) })) ?? null;
  }

  /** The rows of the first parts, one after the other. */
  async *readRows(upload: ImportUpload): AsyncGenerator<FileRow> {
    for (let index = 0; index < upload.parts; index += 1) yield* (await this.readPart(upload, index)) ?? [];
  }

  async remove(id: string): Promise<void> {
    await this.#store.remove('upload', id);
    await this.#store.remove('upload-bytes', buildPartKey(id, ''));
    await this.#store.remove('upload-part', buildPartKey(id, ''));
  }

  async #put(
    kind: 'upload' | 'upload-bytes' | 'upload-part',
    key: string,
    value: unknown,
    ms: number,
  ): Promise<void> {
    const now = this.#now();
    await this.#store.put({ kind, key, value: JSON.stringify(value), expiresAt: now + ms }, { now });
  }
}

const buildGoneError = () => new CommissionSourceError('invalid-file', 'The file is no longer stored here.');

const buildPartKey = (id: string, index: number | '') => `${id}/${index}`;

/** Rows as lists of cells by the headers that were read so far; those of XML have different ones. */
async function* readParts(file: AsyncIterable<FileRow>, maxRows: number) {
  let rows: z.input<typeof rowSchema>[] = [];
  const headers = new Set<string>();
  let characters = 0;
  for await (const { row, ...own } of file) {
    for (const header of Object.keys(row)) headers.add(header);
    const cells = [...headers].map((header) => (Object.hasOwn(row, header) ? (row[header] ?? null) : ''));
    const texts = [...cells, ...own.extra];
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 1) + 3, 0) + ROW_CHARACTERS;
    if (rows.length >= maxRows || (rows.length > 0 && characters + length > PART_CHARACTERS)) {
      yield { rows, headers: [...headers] };
      rows = [];
      characters = 0;
    }
    rows.push({ ...own, cells, extra: [...own.extra] });
    characters += length;
  }
  if (rows.length > 0) yield { rows, headers: [...headers] };
}

/** What importing a report would bring, or has brought so far: the first rows of a large file are counted. */
export interface ReportPreview {
  readonly upload: ImportUpload;
  /** Null while the file is read, and when it cannot be read. */
  readonly summary: ImportSummary | null;
  /** Why it cannot be imported. */
  readonly problems: readonly string[];
  /** What is asked about a column; null without a question. */
  readonly question: Pick<ColumnQuestion, 'column' | 'headers'> | null;
}

/** Parts that a preview counts: a page has to be there within seconds. */
const MAX_PARTS = 10;

/** Counts what the first rows of an upload would bring. Rejects with `CommissionSourceError`. */
export async function previewUpload(
  upload: ImportUpload,
  uploads: ImportUploads,
  options: ImportOptions,
): Promise<ImportSummary> {
  const file = { hash: upload.hash, readRows: () => uploads.readRows(upload) };
  let state = await startImport(file, options);
  const context = await createImportContext(options.store, upload.partner);
  for (let index = 0; index < Math.min(upload.parts, MAX_PARTS); index += 1) {
    const rows = (await uploads.readPart(upload, index)) ?? [];
    state = await importPart(state, rows, context, false, options);
  }
  return buildImportSummary(state, false);
}

/** How to say something on the command line. */
const OPTION = / \(--[^)]*\)/g;

/** Builds what the console shows of an uploaded report. */
export const buildReportPreview = (
  upload: ImportUpload,
  summary: ImportSummary | null,
  problems: readonly string[] = summary?.problems ?? [],
  question: ReportPreview['question'] = null,
): ReportPreview => ({
  upload,
  summary,
  question,
  problems: problems.map((problem) => problem.replaceAll(OPTION, '')),
});
