import path from 'node:path';
import { Costs } from '../../src/stores/costs.ts';
import { Ledger } from '../../src/stores/ledger.ts';
import { Links } from '../../src/stores/links.ts';
import {
  CONSOLE_FILE,
  LEDGER_FILE,
  OUTBOX_FILE,
  UncreatedDatabase,
} from '../../src/stores/node-databases.ts';
import { Operators } from '../../src/stores/operators.ts';
import { AnalyticsOutbox, NotificationOutbox } from '../../src/stores/outboxes.ts';
import { NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';

type Report = (message: string) => void;

export type LedgerDatabase = ReturnType<typeof openLedgerDatabase>;

/** Opens the ledger of a data folder, and what is in its file besides, as the Node server does. */
export function openLedgerDatabase(dataDir: string, report: Report, options: { lockWaitMs?: number } = {}) {
  const file = path.join(dataDir, LEDGER_FILE);
  const settings = { file, report, ...options, migrations: 'commissions', isReplaceable: false };
  const executor = new UncreatedDatabase(file, () => new NodeSqliteExecutor(settings));
  return {
    ledger: new Ledger(executor, () => executor.exists()),
    costs: new Costs(executor),
    links: new Links(executor),
    analytics: new AnalyticsOutbox(executor),
  };
}

/** Opens the operators of a data folder. */
export function openOperatorStore(dataDir: string, report: Report): Operators {
  const file = path.join(dataDir, CONSOLE_FILE);
  return new Operators(new NodeSqliteExecutor({ file, report, migrations: 'console', isReplaceable: false }));
}

/** Opens the outbox of a data folder. */
export function openNotificationOutbox(dataDir: string, report: Report): NotificationOutbox {
  const file = path.join(dataDir, OUTBOX_FILE);
  return new NotificationOutbox(new NodeSqliteExecutor({ file, report, migrations: 'notifications' }));
}
