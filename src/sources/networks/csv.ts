import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import type { FileRow } from '../../core/commissions/ledger/csv-columns.ts';

/** What is known of a CSV file after its first bytes. */
export interface CsvFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** `<`: the file is XML. */
  readonly delimiter: ',' | ';' | '\t' | '|' | '<';
  /** Lines before the one with the names of the columns. */
  readonly titleLines: number;
  /** Whether quotation marks are characters as others are, as in reports with tabs that write inches. */
  readonly isUnquoted?: boolean;
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
 * file, for one with hundreds of columns, and for what is no text: a workbook, a web page, a PDF.
 */
export async function detectCsvFormat(open: OpenBytes): Promise<CsvFormat> {
  const sample = await readSample(open);
  if (sample.length === 0) throw new CommissionSourceError('invalid-file', 'The file is empty.');
  const encoding = detectEncoding(sample);
  const text = new TextDecoder(encoding).decode(sample);
  if (NO_TEXT.test(text) || WEB_PAGE.test(text)) throw new CommissionSourceError('invalid-file', NO_ROWS);
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
  const { delimiter = ',', titleLines = 0 } = best ?? {};
  // With tabs, where a cell begins with a mark that does not end it.
  const isUnquoted = delimiter === '\t' && /(?<![^\t\r\n])"/.test(text.replace(QUOTED_WITH_TABS, ''));
  return { encoding, delimiter, titleLines, ...(isUnquoted && { isUnquoted }) };
}

/** How workbooks, archives and PDFs begin; and web pages, which some networks call `.xls`. */
const NO_TEXT = /^(?:%PDF-|.{0,7}(?!\s)\p{Cc})/u;
const WEB_PAGE = /^\s*<(?:!doctype\s+html|html|head|body|meta|style|div|table)\b/i;
const NO_ROWS =
  'The file has no rows that can be read, as a workbook (.xlsx, .xls), a web page or a PDF has none: open it in a ' +
  'spreadsheet and save it as CSV.';

const QUOTED_WITH_TABS = /(?<![^\t\r\n])"(?:[^"\t]|"")*"(?![^\t\r\n])/g;

/** Lines that name no columns: one cell, as in several lines of a title, or far fewer than lines below have. */
function countTitleLines(lines: readonly string[], delimiter: string): number {
  const cells = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
  const filled = cells.map((line) => line.filter((cell) => cell !== '').length);
  for (const [index, own] of filled.entries()) {
    const following = filled.slice(index + 1).filter((count) => count > 0);
    const isWide = (count = 0) => count >= 4 && count >= 2 * own;
    const isTitle =
      own < 2
        ? following.some((count) => count >= 2)
        : isWide(following[0]) || following.filter(isWide).length >= 2;
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

/**
 * Reads the rows one after the other, so that memory does not grow with the file. Quoted line breaks, which become `\n`, and
 * doubled quotes are read as RFC 4180 describes, and a quotation mark within a cell is a character; empty lines are skipped.
 * CRLF, LF and CR end rows, also in one file. What spreadsheets write to keep a text as it is goes: `="007"`, `'007`. Rejects
 * with `CommissionSourceError` and the line number for a file without a header, or where a quotation mark is not closed.
 */
export async function* readCsvRows(
  open: OpenBytes,
  { encoding, delimiter, titleLines, isUnquoted = false }: CsvFormat,
): AsyncGenerator<FileRow> {
  if (delimiter === '<') {
    yield* readXmlRows(open, encoding);
    return;
  }
  let period =
    titleLines === 0 ? {} : readPeriod(await readTitleLines(open, { encoding, delimiter, titleLines }));
  const lineEnds = new Map<number, string>();
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    bom: true,
    from_line: titleLines + 1,
    skip_empty_lines: true,
    info: true,
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    quote: isUnquoted ? null : '"',
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // An error of either stream ends the loop below, and leaving the loop ends both.
  pipeline(unifyLineEnds(decodeSlices(open, encoding), lineEnds), parser, () => undefined);
  try {
    let headings: readonly string[] | undefined;
    let former: Line | undefined;
    let end = '';
    for await (const { record, info } of parser) {
      const before = end;
      for (const [line, other] of lineEnds) {
        if (line > info.lines) break;
        end = other;
        lineEnds.delete(line);
      }
      if (headings === undefined) {
        headings = checkHeader(record.map(undress));
        // Its rows say their days themselves.
        if (headings.some((name) => /date|day|time/i.test(name))) period = {};
        continue;
      }
      const line = info.lines - countLineEnds(record);
      checkQuotes(record, line, headings.length, delimiter);
      const own: Line = { cells: record.map(undress), line, before, end };
      const joined = former && joinLines(former, own, headings.length);
      if (former !== undefined && joined === null) yield buildRow(former, headings, period);
      const next: Line = joined ?? own;
      former = next.cells.length < headings.length ? next : undefined;
      if (former === undefined) yield buildRow(next, headings, period);
    }
    if (former !== undefined && headings !== undefined) yield buildRow(former, headings, period);
  } catch (error) {
    throw toSourceError(error);
  } finally {
    parser.destroy();
  }
}

/** A line, or several with quoted line ends, with the line ends before and behind it. */
interface Line {
  readonly cells: readonly string[];
  readonly line: number;
  readonly before: string;
  readonly end: string;
}

/** A cell without what a spreadsheet has put around a text that looks like a number. */
function undress(cell: string): string {
  if (cell.startsWith('=')) return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
  return /^'[\d=+@-]/.test(cell) ? cell.slice(1) : cell;
}

/** Throws `CommissionSourceError` for a row with a cell that goes on into the next row, because its quotation mark is not closed. */
function checkQuotes(cells: readonly string[], line: number, columns: number, delimiter: string): void {
  const found = cells.find((cell, index) => {
    const counts = cell.includes('\n') ? cell.split('\n').map((part) => part.split(delimiter).length) : [];
    const isWhole = counts.slice(1, -1).every((count) => count === columns);
    return isWhole && counts[0] === columns - index && counts.at(-1) === index + 1;
  });
  if (found === undefined) return;
  const text = found.replace(/\n.*/s, '').slice(0, 20);
  throw new CommissionSourceError(
    'invalid-file',
    `Line ${line}: the quotation mark before "${text}" is not closed where the cell ends.`,
  );
}

const countLineEnds = (cells: readonly string[]) => cells.join('').split('\n').length - 1;

/**
 * The row of which two lines are halves, because the line end between them is text in a cell: both lack cells, and the line ends
 * around them are of another kind. null: they are two rows.
 */
function joinLines(first: Line, second: Line, columns: number): Line | null {
  const isText = first.end !== second.end && first.before === second.end;
  if (!isText || first.cells.length + second.cells.length - 1 !== columns) return null;
  const [rest = '', ...others] = second.cells;
  const divided = `${first.cells.at(-1)}\r${rest}`.trim();
  return { ...second, line: first.line, cells: [...first.cells.slice(0, -1), divided, ...others] };
}

/** `period`: columns that every row has. */
const buildRow = ({ line, cells }: Line, headings: readonly string[], period: FileRow['row']): FileRow => ({
  line,
  row: { ...Object.fromEntries(headings.map((name, index) => [name, cells[index]])), ...period },
  extra: cells.slice(headings.length).filter((cell) => cell !== ''),
});

/** Writes every line end as `\n`; `lineEnds` gets the numbers of the lines that end otherwise than the one before, and how. */
async function* unifyLineEnds(texts: AsyncIterable<string>, lineEnds: Map<number, string>) {
  let line = 0;
  let last = '';
  let rest = '';
  const unify = (text: string) =>
    text.replace(/\r\n|\n|\r/g, (end) => {
      line += 1;
      if (end !== last) lineEnds.set(line, end);
      last = end;
      return '\n';
    });
  for await (const part of texts) {
    const text = rest + part;
    // The other half of a CRLF may follow.
    rest = text.endsWith('\r') ? '\r' : '';
    yield unify(text.slice(0, text.length - rest.length));
  }
  yield unify(rest);
}

/** The days of `… from 11-01-2025 to 11-30-2025` in a title, as columns of every row: some reports have no others. */
function readPeriod(lines: readonly string[]): FileRow['row'] {
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
async function* readXmlRows(open: OpenBytes, encoding: CsvFormat['encoding']): AsyncGenerator<FileRow> {
  const parser = new SaxesParser();
  const rows: FileRow[] = [];
  let hasRows = false;
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
      rows.push({ line: parser.line, row: { ...readXmlPeriod(around), ...own.cells }, extra: [] });
    } else if (parent !== undefined && count === 0) parent.cells[own.name] = own.text.trim();
    else if (parent !== undefined) Object.assign(parent.cells, own.cells);
  });
  for await (const text of decodeSlices(open, encoding)) {
    parser.write(text.replace(/^\ufeff/, ''));
    if (failure !== undefined) break;
    hasRows ||= rows.length > 0;
    yield* rows.splice(0);
  }
  if (failure === undefined) parser.close();
  if (failure !== undefined)
    throw new CommissionSourceError(
      'invalid-file',
      `Line ${parser.line}: the XML cannot be read (${failure.message.slice(0, 100)}).`,
    );
  if (!hasRows && rows.length === 0) throw new CommissionSourceError('invalid-file', NO_ROWS);
  yield* rows;
}

const MAX_XML_DEPTH = 20;

/** The days of a report from what its outer elements have. */
function readXmlPeriod(cells: Readonly<Record<string, string>>): FileRow['row'] {
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
  const taken = new Set<string>();
  return columns.map((name, index) => {
    const base = name || `column ${index + 1}`;
    let own = base;
    for (let number = 2; taken.has(own); number += 1) own = `${base} (${number})`;
    taken.add(own);
    return own;
  });
}

function toSourceError(error: unknown): CommissionSourceError {
  if (error instanceof CommissionSourceError) return error;
  const line = error instanceof Error && 'lines' in error ? `Line ${error.lines}: ` : '';
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  const what = reason.includes('QUOTE') ? 'a quotation mark is not closed where its cell ends' : reason;
  return new CommissionSourceError('invalid-file', `${line}the row cannot be read (${what}).`, {
    cause: error,
  });
}
