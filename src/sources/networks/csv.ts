import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';

/** A row of a CSV file by column name. */
export type CsvRow = Readonly<Record<string, string>>;

/** What is known of a CSV file after its first bytes. */
export interface CsvFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** `<`: the file is XML. */
  readonly delimiter: ',' | ';' | '\t' | '|' | '<';
  /** Lines before the one with the names of the columns. */
  readonly titleLines: number;
}

/** A row with the number of its line in the file, from 1; that of its last line if it has several. */
export interface NumberedRow {
  readonly line: number;
  readonly row: CsvRow;
}

/**
 * The bytes of a file, read from the start each time; a file is read once to detect its format and once to import it.
 */
export type OpenBytes = () => AsyncIterable<Uint8Array>;

const SAMPLE_BYTES = 65_536;
const MAX_ROW_CHARACTERS = 100_000;
/** Reports have up to a hundred; each row takes time and memory for each of them. */
const MAX_COLUMNS = 500;
/** What is parsed before requests that have arrived get a turn. */
const SLICE_BYTES = 32_768;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Lines that are searched for the one with the names of the columns. */
const MAX_TITLE_LINES = 20;

/**
 * Detects the encoding (byte order mark, else UTF-8 if the sample is valid, else Windows-1252), the lines of a title, and the
 * delimiter (the candidate that divides the line after them outside quotes most often). Rejects with `CommissionSourceError` for an empty
 * file and for one with hundreds of columns.
 */
export async function detectCsvFormat(open: OpenBytes): Promise<CsvFormat> {
  const sample = await readSample(open);
  if (sample.length === 0) throw new CommissionSourceError('invalid-file', 'The file is empty.');
  const encoding = detectEncoding(sample);
  const text = new TextDecoder(encoding).decode(sample);
  if (/^\s*</.test(text.replace(/^\ufeff/, ''))) return { encoding, delimiter: '<', titleLines: 0 };
  const lines = text.replace(/"(?:[^"]|"")*"/g, '""').split(/\r\n|\n|\r/, MAX_TITLE_LINES + 1);
  const candidates = DELIMITERS.map((delimiter) => {
    const titleLines = countTitleLines(lines, delimiter);
    return { delimiter, titleLines, cells: (lines[titleLines] ?? '').split(delimiter).length };
  });
  const [best] = candidates.sort(
    (one, other) => other.cells - one.cells || one.titleLines - other.titleLines,
  );
  checkColumns(best?.cells ?? 1);
  return { encoding, delimiter: best?.delimiter ?? ',', titleLines: best?.titleLines ?? 0 };
}

/** Lines that name no columns: one cell, as in several lines of a title, or far fewer than the next line has. */
function countTitleLines(lines: readonly string[], delimiter: string): number {
  const cells = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
  const filled = cells.map((line) => line.filter((cell) => cell !== '').length);
  for (const [index, own] of filled.entries()) {
    const following = filled.slice(index + 1).filter((count) => count > 0);
    const next = following[0] ?? 0;
    const isTitle = own < 2 ? following.some((count) => count >= 2) : next >= 4 && next >= 2 * own;
    if (!isTitle) return index;
  }
  return 0;
}

async function readSample(open: OpenBytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of open()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

function detectEncoding(sample: Uint8Array): CsvFormat['encoding'] {
  const [first, second, third] = sample;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  // Text in UTF-16 without a mark has a zero byte in every character of the basic Latin alphabet.
  if (first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== 0) return 'utf-16be';
  try {
    // The sample may end within a character, which `stream` allows.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Reads the lines of a title, without quotes, the empty cells behind them, and empty lines. */
export async function readTitleLines(
  open: OpenBytes,
  { encoding, titleLines }: CsvFormat,
): Promise<readonly string[]> {
  const text = new TextDecoder(encoding).decode(await readSample(open));
  const lines = text.split(/\r\n|\n|\r/, titleLines).map((line) =>
    line
      .replace(/[,;\t|\s]+$/, '')
      .trim()
      .replace(/^"|"$/g, '')
      .trim(),
  );
  return lines.filter((line) => line !== '');
}

/** Reads the rows as `readNumberedRows` does, without their numbers. */
export async function* readCsvRows(open: OpenBytes, format: CsvFormat): AsyncGenerator<CsvRow> {
  for await (const { row } of readNumberedRows(open, format)) yield row;
}

/**
 * Reads the rows one after the other, so that memory does not grow with the file. Quoted line breaks and doubled
 * quotes are read as RFC 4180 describes; empty lines are skipped. Rejects with `CommissionSourceError` and the line
 * number for a file without a header, with two columns of one name, or with a broken quote.
 */
export async function* readNumberedRows(
  open: OpenBytes,
  { encoding, delimiter, titleLines }: CsvFormat,
): AsyncGenerator<NumberedRow> {
  if (delimiter === '<') {
    yield* readXmlRows(open, encoding);
    return;
  }
  let period =
    titleLines === 0 ? {} : readPeriod(await readTitleLines(open, { encoding, delimiter, titleLines }));
  // A row may leave out its last cells, the first one too.
  let blank: CsvRow = {};
  const parser = parse({
    delimiter,
    bom: true,
    from_line: titleLines + 1,
    columns: (names: readonly string[]) => {
      // Its rows say their days themselves.
      if (names.some((name) => /date|day|time/i.test(name))) period = {};
      const headings = checkHeader(names);
      blank = Object.fromEntries(headings.map((name) => [name, '']));
      return headings;
    },
    skip_empty_lines: true,
    info: true,
    trim: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // An error of either stream ends the loop below, and leaving the loop ends both.
  pipeline(decodeSlices(open, encoding), parser, () => undefined);
  try {
    for await (const { record, info } of parser)
      yield { line: info.lines, row: { ...blank, ...period, ...record } };
  } catch (error) {
    throw toSourceError(error);
  } finally {
    parser.destroy();
  }
}

/** The days of `… from 11-01-2025 to 11-30-2025` in a title, as columns of every row: some reports have no others. */
function readPeriod(lines: readonly string[]): CsvRow {
  for (const line of lines) {
    const [, from, to] = /\bfrom\s+([\d/.-]{8,10})\s+to\s+([\d/.-]{8,10})/i.exec(line) ?? [];
    if (from !== undefined && to !== undefined) return { 'Report from': from, 'Report to': to };
  }
  return {};
}

/** Fewer attributes and fields do not make an element a row. */
const MIN_CELLS = 3;

/**
 * Reads rows of an XML file: elements whose attributes and fields (elements with a text alone) are three or more. Days of the
 * elements around them are columns too. Declarations of entities are not followed.
 */
async function* readXmlRows(open: OpenBytes, encoding: CsvFormat['encoding']): AsyncGenerator<NumberedRow> {
  const parser = new SaxesParser();
  const rows: NumberedRow[] = [];
  const path: { name: string; cells: Record<string, string>; text: string; hasRows: boolean }[] = [];
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const cells = Object.fromEntries(
      Object.entries(attributes).map(([key, value]: [string, string | SaxesAttributePlain]) => [
        key,
        String(value),
      ]),
    );
    path.push({ name, cells, text: '', hasRows: false });
    if (path.length > MAX_XML_DEPTH) failure ??= new Error('too deep');
  });
  const addText = (text: string) => {
    const last = path.at(-1);
    if (last === undefined) return;
    last.text += text;
    if (last.text.length > MAX_ROW_CHARACTERS) failure ??= new Error('too long');
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const own = path.pop();
    const parent = path.at(-1);
    if (own === undefined) return;
    const count = Object.keys(own.cells).length;
    if (count > MAX_COLUMNS) failure ??= new Error('too many columns');
    if (own.hasRows || count >= MIN_CELLS) {
      if (parent !== undefined) parent.hasRows = true;
      if (own.hasRows) return;
      const around = Object.assign({}, ...path.map(({ cells }) => cells));
      rows.push({ line: parser.line, row: { ...readXmlPeriod(around), ...own.cells } });
    } else if (parent !== undefined && count === 0) parent.cells[own.name] = own.text.trim();
    else if (parent !== undefined) Object.assign(parent.cells, own.cells);
  });
  for await (const text of decodeSlices(open, encoding)) {
    parser.write(text.replace(/^\ufeff/, ''));
    if (failure !== undefined) break;
    yield* rows.splice(0);
  }
  if (failure === undefined) parser.close();
  if (failure !== undefined)
    throw new CommissionSourceError(
      'invalid-file',
      `Line ${parser.line}: the XML cannot be read (${failure.message.slice(0, 100)}).`,
    );
  yield* rows;
}

const MAX_XML_DEPTH = 20;

/** The days of a report from what its outer elements have. */
function readXmlPeriod(cells: Readonly<Record<string, string>>): CsvRow {
  const find = (name: RegExp) => Object.entries(cells).find(([key]) => name.test(key))?.[1];
  const [from, to] = [find(/^(?:start|from)_?(?:date)?$/i), find(/^(?:end|to)_?(?:date)?$/i)];
  return from === undefined || to === undefined ? {} : { 'Report from': from, 'Report to': to };
}

async function* decodeSlices(open: OpenBytes, encoding: CsvFormat['encoding']): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of open()) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      await setImmediate();
      yield decoder.decode(chunk.subarray(at, at + SLICE_BYTES), { stream: true });
    }
  }
  yield decoder.decode();
}

function checkColumns(count: number): void {
  if (count <= MAX_COLUMNS) return;
  throw new CommissionSourceError('invalid-file', `Line 1: the file has more than ${MAX_COLUMNS} columns.`);
}

function checkHeader(names: readonly string[]): string[] {
  checkColumns(names.length);
  const columns = names.map((name) => name.trim());
  if (columns.filter((name) => name !== '').length < 2) {
    throw new CommissionSourceError('invalid-file', 'Line 1: expected a header with at least two columns.');
  }
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) {
    const detail = `Line 1: two columns are called "${twice.slice(0, 60)}".`;
    throw new CommissionSourceError('invalid-file', detail);
  }
  return columns.map((name, index) => name || `column ${index + 1}`);
}

function toSourceError(error: unknown): CommissionSourceError {
  if (error instanceof CommissionSourceError) return error;
  const line = error instanceof Error && 'lines' in error ? `Line ${error.lines}: ` : '';
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  return new CommissionSourceError('invalid-file', `${line}the row cannot be read (${reason}).`, {
    cause: error,
  });
}
