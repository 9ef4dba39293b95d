import { z } from 'zod';
import { buildArchiveName } from '../../core/events/event-archive.ts';
import { parseSiteEvents } from '../../core/events/site-event.schema.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { parseJson } from '../../core/text/parse-json.ts';

/** The last line of a file: how many events it has, and the SHA-256 of the lines before it. */
const endSchema = z.object({ events: z.number(), sha256: z.string() });

/** A file of archived events: a name and gzipped lines of JSON. */
export interface PackedEvents {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Packs events into a file. Runs on Node and on Workers. */
export async function packEvents(events: readonly SiteEvent[]): Promise<PackedEvents> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const sha256 = await digest(lines);
  const times = events.map(({ serverTime }) => serverTime);
  const end = JSON.stringify({ events: events.length, sha256 });
  return {
    name: buildArchiveName(
      times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY),
      times.reduce((last, time) => Math.max(last, time), 0),
      sha256,
    ),
    content: await transform(new TextEncoder().encode(`${lines}${end}\n`), new CompressionStream('gzip')),
  };
}

/** Unpacks a file. Rejects when it is damaged, cut off or has other events than its last line says. */
export async function unpackEvents(name: string, content: Uint8Array): Promise<readonly SiteEvent[]> {
  const bytes = await transform(content, new DecompressionStream('gzip')).catch((error: unknown) => {
    throw new Error(`[archive] ${name} is damaged: ${String(error)}`, { cause: error });
  });
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\n$/, '');
  const split = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, split);
  const end = endSchema.safeParse(parseJson(text.slice(split))).data;
  const events = parseSiteEvents(lines.split('\n').slice(0, -1).map(parseJson));
  if (events === null || end?.events !== events.length || end.sha256 !== (await digest(lines))) {
    throw new Error(`[archive] ${name} is damaged: its events do not match its checksum`);
  }
  return events;
}

async function transform(
  content: Uint8Array,
  stream: { readonly readable: ReadableStream; readonly writable: WritableStream },
): Promise<Uint8Array> {
  const output = new Response(new Blob([content.slice()]).stream().pipeThrough(stream));
  return new Uint8Array(await output.arrayBuffer());
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
