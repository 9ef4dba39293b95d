import type { ContactMessages } from '../../core/contact/contact-messages.ts';
import type { ClickReader } from '../../core/events/click-reader.ts';
import type { EventFeed } from '../../core/events/event-feed.ts';
import type { RollupStore } from '../../core/events/rollup-store.ts';
import { SqlContactMessages } from '../../stores/contact/sql-contact-messages.ts';
import { SqlClickReader } from '../../stores/events/sql-click-reader.ts';
import { SqlEventFeed } from '../../stores/events/sql-event-feed.ts';
import { SqlRollupStore } from '../../stores/events/sql-rollup-store.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';

/** What reads the database of events. */
export interface EventReaders {
  /** Counts by day, in TIME_ZONE. */
  readonly rollups: RollupStore;
  /** What happens now. */
  readonly feed: EventFeed;
  readonly clicks: ClickReader;
  readonly messages: ContactMessages;
  /** Reads the database, and writes what is not an event. */
  readonly database: Pick<SqlExecutor, 'query' | 'batch'>;
  /** The time by which stored data may be deleted; null while nothing confirms the clock. */
  readTrustedTime(): Promise<number | null>;
}

/** Creates the readers of the database of events. */
export function createEventReaders(
  database: SqlExecutor,
  time: { read(): Promise<number | null> },
  timeZone: string,
): EventReaders {
  return {
    rollups: new SqlRollupStore(database, timeZone),
    feed: new SqlEventFeed(database),
    clicks: new SqlClickReader(database),
    messages: new SqlContactMessages(database),
    database,
    readTrustedTime: () => time.read(),
  };
}
