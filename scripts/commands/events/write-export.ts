import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { buildCsvHead, buildCsvRow } from '../../../src/core/events/event-csv.ts';
import type { SiteEvent } from '../../../src/core/events/site-event.ts';

const CHUNK = 65_536;

/** Writes events line by line as they are read, at the pace of the reader. */
export async function writeExport(
  events: AsyncIterable<SiteEvent>,
  format: 'ndjson' | 'csv',
  output: Writable,
): Promise<void> {
  let chunk = format === 'csv' ? buildCsvHead() : '';
  for await (const event of events) {
    chunk += format === 'csv' ? buildCsvRow(event) : `${JSON.stringify(event)}\n`;
    if (chunk.length < CHUNK) continue;
    await write(output, chunk);
    chunk = '';
  }
  await write(output, chunk);
}

async function write(output: Writable, chunk: string): Promise<void> {
  if (!output.write(chunk)) await once(output, 'drain');
}
