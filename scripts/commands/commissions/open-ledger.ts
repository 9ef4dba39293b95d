import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Partner } from '../../../src/core/outbound/partner.ts';
import { CommissionLedger } from '../../../src/server/commissions/ledger.ts';
import { parseSettings, type Settings } from '../../../src/server/settings.ts';
import { ContentFolder } from '../../../src/sources/content/content-folder.ts';
import { readPartners } from '../../../src/sources/content/read-content.ts';
import { SqlClickSource } from '../../../src/stores/clicks.ts';
import type { Ledger } from '../../../src/stores/ledger.ts';
import { openLedgerDatabase } from '../../../src/stores/node-databases.ts';
import type { RollupStore } from '../../../src/stores/rollup-reader.ts';
import { SqlRollupStore } from '../../../src/stores/rollups.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
} from '../../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { report } from '../arguments/run-command.ts';

/** What the commands of the ledger work with. */
export interface OpenedLedger {
  readonly config: Settings;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly store: Ledger;
  /** Counts of clicks; null while there are no events. */
  readonly rollups: Pick<RollupStore, 'readByKey' | 'readByDay'> | null;
  readonly ledger: CommissionLedger;
  close(): Promise<void>;
}

/**
 * Opens the ledger of DATA_DIR, also while the site runs. A missing one is empty, and created by the
 * first write.
 */
export function openLedger(): OpenedLedger {
  const config = parseSettings(process.env);
  const folder = new ContentFolder(config.CONTENT_DIR);
  const { partners } = readPartners(folder);
  folder.finish();
  const { ledger: store } = openLedgerDatabase(config.DATA_DIR, report, { lockWaitMs: 5_000 });
  const events = path.join(config.DATA_DIR, DATABASE_FILE);
  const reader = existsSync(events) ? createNodeSqliteReader({ file: events, report }) : null;
  const database = reader ?? { query: async () => [] };
  const clicks = new SqlClickSource(database);
  const ledger = new CommissionLedger({
    store,
    clicks,
    terms: new Map([...partners].map(([key, { terms }]) => [key, terms])),
    now: Date.now,
    newId: randomUUID,
    log: { warn: (message, fields) => report(`${message}: ${String(fields?.['error'])}`) },
  });
  return {
    config,
    partners,
    store,
    rollups: reader && new SqlRollupStore({ ...reader, batch: refuseWrites }, config.TIME_ZONE),
    ledger,
    async close() {
      await store.close();
      await reader?.close();
    },
  };
}

/** The commands read the events only; the site counts them. */
async function refuseWrites(): Promise<never> {
  throw new Error('the events are opened for reading');
}
