/** The databases of a site. */
export const DATABASES = ['events', 'commissions', 'console', 'notifications', 'articles'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** A table that moves with the site. */
export interface TransferTable {
  readonly database: DatabaseName;
  readonly name: string;
  /** Numbers the rows in the order of arrival; the target numbers them itself, in the same order. */
  readonly sequence?: string;
  readonly order: string;
  /**
   * What happens to a row whose key is in the target: `keep` keeps the target's, `replace` takes the new one. `add`:
   * the table has no key, a row is added unless an equal one is there.
   */
  readonly known: 'keep' | 'replace' | 'add';
  /** Which rows move; all when left out. */
  readonly where?: string;
}

/**
 * Counts of days whose events were removed, which cannot be counted again. The day of the oldest event and the next one
 * are included, because days are those of a time zone.
 */
const UNCOUNTABLE = `day <= (SELECT date(min(server_time) / 1000, 'unixepoch', '+1 day') FROM events)
  OR NOT EXISTS (SELECT 1 FROM events)`;

/**
 * The tables that move, in this order. Leases, probes, one-time addresses and temporary values of the console stay.
 */
export const TRANSFER_TABLES: readonly TransferTable[] = [
  { database: 'events', name: 'events', sequence: 'seq', order: 'seq', known: 'keep' },
  { database: 'events', name: 'contact_message_states', order: 'id', known: 'keep' },
  { database: 'events', name: 'rollups', order: 'dimension, day, key', known: 'keep', where: UNCOUNTABLE },
  { database: 'commissions', name: 'facts', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'decisions', sequence: 'sequence', order: 'sequence', known: 'add' },
  { database: 'commissions', name: 'journeys', sequence: 'sequence', order: 'sequence', known: 'keep' },
  { database: 'commissions', name: 'imports', sequence: 'sequence', order: 'sequence', known: 'add' },
  { database: 'commissions', name: 'raw_messages', order: 'id', known: 'keep' },
  { database: 'commissions', name: 'state', order: 'key', known: 'replace' },
  {
    database: 'commissions',
    name: 'analytics_messages',
    order: 'partner, account, native_id, name',
    known: 'keep',
  },
  { database: 'console', name: 'operators', order: 'id', known: 'keep' },
  { database: 'console', name: 'passkeys', order: 'id', known: 'keep' },
  { database: 'console', name: 'sessions', order: 'id', known: 'keep' },
  { database: 'console', name: 'share_links', order: 'id', known: 'keep' },
  { database: 'console', name: 'preferences', order: 'name', known: 'replace' },
  { database: 'notifications', name: 'deliveries', order: 'id, channel', known: 'keep' },
  { database: 'notifications', name: 'state', order: 'key', known: 'replace' },
  { database: 'articles', name: 'articles', order: 'slug', known: 'keep' },
  { database: 'articles', name: 'pages', order: 'rowid', known: 'keep' },
];

/** The name of a table in a transfer file. */
export function buildTableKey({ database, name }: Pick<TransferTable, 'database' | 'name'>): string {
  return `${database}.${name}`;
}

/** Lists the columns of a table that move. */
export function listColumns({ sequence }: TransferTable, columns: readonly string[]): string[] {
  return columns.filter((column) => column !== sequence);
}
