import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../../core/text/parse-text.ts';
import { openWhole } from '../../stores/disk.ts';

/** The first line of a transfer file: its tables with their columns. */
const headSchema = z.object({
  signpost: z.literal('data'),
  version: z.literal(1),
  tables: z.record(z.string(), z.array(z.string())),
});
export type TransferHead = z.infer<typeof headSchema>;

const value = z.union([z.string(), z.number(), z.null()]);
const rowSchema = z.tuple([z.string(), z.array(value)]);
/** A row of a table: the name of the table and the values in the order of its columns. */
export type TransferRow = z.infer<typeof rowSchema>;
export type TransferValues = TransferRow[1];

/** The last line: how many rows there are, and the SHA-256 of all lines before it. */
const endSchema = z.object({ rows: z.number(), sha256: z.string() });

const CHUNK_LENGTH = 65_536;

/** Writes a transfer file, gzipped lines of JSON, under its name only when it is complete. Returns its last line. */
export async function writeTransfer(
  file: string,
  head: TransferHead,
  rows: AsyncIterable<TransferRow>,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  let end = { rows: 0, sha256: '' };
  async function* buildChunks(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    let count = 0;
    let chunk = `${JSON.stringify(head)}\n`;
    for await (const row of rows) {
      count++;
      chunk += `${JSON.stringify(row)}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      hash.update(chunk);
      yield chunk;
      chunk = '';
    }
    hash.update(chunk);
    end = { rows: count, sha256: hash.digest('hex') };
    yield `${chunk}${JSON.stringify(end)}\n`;
  }
  const output = await openWhole(file);
  try {
    await pipeline(Readable.from(buildChunks()), createGzip(), async (parts) => {
      for await (const part of parts) await output.write(part);
    });
  } catch (error) {
    await output.discard();
    throw error;
  }
  await output.finish();
  return end;
}

/** The content of a transfer file, without its rows. */
export interface TransferContent {
  readonly head: TransferHead;
  readonly rows: number;
  /** Names of the tables that have rows. */
  readonly tables: ReadonlySet<string>;
}

/** Checks a whole transfer file against its checksum. Throws when it is damaged, cut off or of another program. */
export async function checkTransfer(file: string): Promise<TransferContent> {
  const hash = createHash('sha256');
  let head: TransferHead | null = null;
  let last: string | null = null;
  let lines = 0;
  const tables = new Set<string>();
  for await (const line of readLines(file)) {
    head ??= parseHead(file, line);
    if (last !== null) hash.update(`${last}\n`);
    last = line;
    lines++;
    // A row begins with the name of its table: ["events.events",…
    if (line.startsWith('["')) tables.add(line.slice(2, line.indexOf('"', 2)));
  }
  const end = endSchema.safeParse(parseJson(last ?? '')).data;
  if (head === null || end === undefined || end.rows !== lines - 2) {
    throw new Error(`${file} is cut off: its last line is missing. Export the data again.`);
  }
  if (hash.digest('hex') !== end.sha256) {
    throw new Error(`${file} is damaged: its checksum does not match. Export the data again.`);
  }
  return { head, rows: end.rows, tables };
}

/** Reads the rows of a file that `checkTransfer` has checked. */
export async function* readTransfer(file: string, rows: number): AsyncGenerator<TransferRow> {
  let index = -1;
  for await (const line of readLines(file)) {
    if (index >= 0 && index < rows) yield rowSchema.parse(parseJson(line));
    index++;
  }
}

/** A row is an event, a message of a network or an article, of a few MB at most. */
const MAX_LINE_LENGTH = 32 * 1024 * 1024;

/**
 * Reads lines of at most 32 million characters; throws with the number of a longer one. Only a newline ends a line:
 * node:readline would also split at U+2028 and U+2029, which JSON does not escape.
 */
async function* readLines(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const text = createGunzip().setEncoding('utf8');
  // An error of either stream has to reach the reader of the lines.
  input.on('error', (error) => text.destroy(error));
  let count = 0;
  let rest = '';
  try {
    for await (const chunk of input.pipe(text)) {
      const [first = '', ...others] = String(chunk).split('\n');
      // Not searched again: a line that comes in many chunks would take a time that grows with the square of its length.
      rest += first;
      if (rest.length > MAX_LINE_LENGTH)
        throw new Error(`line ${count + 1} is longer than ${MAX_LINE_LENGTH} characters`);
      for (const next of others) {
        yield rest;
        count++;
        rest = next;
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be read: ${reason}`, { cause: error });
  } finally {
    input.destroy();
  }
  if (rest !== '') yield rest;
}

function parseHead(file: string, line: string): TransferHead {
  const head = headSchema.safeParse(parseJson(line)).data;
  if (head === undefined)
    throw new Error(`${file} is not a file that this version of "data -- export" has written.`);
  return head;
}
