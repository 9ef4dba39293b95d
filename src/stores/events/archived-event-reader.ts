import type { CountFilter, EventFilter, EventStore } from '../../core/events/event-store.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import type { EventArchiver } from './event-archiver.ts';

/** Reads and counts the events of the archive and of the database as one. */
export class ArchivedEventReader implements Pick<EventStore, 'read' | 'count'> {
  readonly #archiver: Pick<EventArchiver, 'list' | 'read'>;
  readonly #database: Pick<EventStore, 'read' | 'count'>;

  constructor(archiver: Pick<EventArchiver, 'list' | 'read'>, database: Pick<EventStore, 'read' | 'count'>) {
    this.#archiver = archiver;
    this.#database = database;
  }

  /** Archived events first. Rejects at the end when events were archived meanwhile, because those may be missing. */
  async *read(filter: EventFilter): AsyncGenerator<SiteEvent> {
    const before = await this.#archiver.list();
    yield* this.#archiver.read(filter);
    yield* this.#database.read(filter);
    const after = await this.#archiver.list();
    if (after.map(({ name }) => name).join() !== before.map(({ name }) => name).join()) {
      throw new Error(
        'Events were archived while they were read: some may be missing. Run the command again.',
      );
    }
  }

  async count(filter: CountFilter): Promise<number> {
    let count = await this.#database.count(filter);
    for await (const event of this.#archiver.read(filter)) if (filter.all || isCounted(event)) count++;
    return count;
  }
}
