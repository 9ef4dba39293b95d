import { type EventArchive, parseArchiveName } from '../core/events/event-archive.ts';

/** The part of an R2 binding that the archive uses; `R2Bucket` of Cloudflare's types is one. */
export interface R2Connection {
  put(key: string, value: Uint8Array): Promise<unknown>;
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string }): Promise<{
    readonly objects: readonly { readonly key: string }[];
    readonly truncated: boolean;
    readonly cursor?: string;
  }>;
}

const PREFIX = 'events/';

/** Creates an archive in an R2 bucket, whose objects are stored as a whole or not at all. */
export function createR2EventArchive(bucket: R2Connection): EventArchive {
  return {
    async write(name, content) {
      await bucket.put(PREFIX + name, content);
    },
    async read(name) {
      const object = await bucket.get(PREFIX + name);
      return object === null ? null : new Uint8Array(await object.arrayBuffer());
    },
    async list() {
      const names: string[] = [];
      for (let cursor: string | undefined, isDone = false; !isDone; ) {
        const page = await bucket.list({ prefix: PREFIX, ...(cursor === undefined ? {} : { cursor }) });
        names.push(...page.objects.map(({ key }) => key.slice(PREFIX.length)));
        cursor = page.cursor;
        isDone = !page.truncated;
      }
      return names.filter((name) => parseArchiveName(name) !== null).sort();
    },
    async remove(name) {
      await bucket.delete(PREFIX + name);
    },
  };
}
