import { z } from 'zod';

const syncLogSchema = z.strictObject({
  /** When the run ended; ms since 1970. */
  at: z.int(),
  state: z.enum(['done', 'busy', 'failed']),
  /** Reports that were new or had changed. */
  stored: z.int(),
  matched: z.int(),
  /** Why it failed; empty otherwise. */
  problem: z.string(),
});

/** The last run of a network's API. */
export type SyncLogEntry = z.infer<typeof syncLogSchema>;

/** The key of a network's last run among the values that the ledger remembers. */
export function buildSyncLogKey(network: string): string {
  return `sync-log ${network}`;
}

/** Parses a stored run; null for one that cannot be read. */
export function parseSyncLog(value: unknown): SyncLogEntry | null {
  return syncLogSchema.safeParse(value).data ?? null;
}
