import type { SiteEvent } from '../../../src/core/events/site-event.ts';
import { EventArchiver, unpackEvents } from '../../../src/stores/archive.ts';
import type { TransferSite } from './transfer-site.ts';

/** Reads the archived events of a site, each file once however often it is called. */
export function createArchiveReader({
  databases,
  archive,
}: Pick<TransferSite, 'databases' | 'archive'>): () => AsyncGenerator<SiteEvent> {
  const done = new Set<string>();
  return async function* readNew() {
    const events = databases.get('events');
    if (events === undefined) return;
    // A database of an older version has no archive.
    const sql = "SELECT 1 FROM sqlite_master WHERE name = 'archive_state'";
    if ((await events.query({ sql })).length === 0) return;
    for (const { name } of await new EventArchiver(events, archive).list()) {
      if (done.has(name)) continue;
      done.add(name);
      const content = await archive.read(name);
      if (content === null) throw new Error(`The archived file ${name} is gone: start again.`);
      yield* await unpackEvents(name, content);
    }
  };
}

/** Reads the ids of all archived events of a site. */
export async function readArchivedIds(
  site: Pick<TransferSite, 'databases' | 'archive'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { id } of createArchiveReader(site)()) ids.add(id);
  return ids;
}
