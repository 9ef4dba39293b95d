import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { LEDGER_FILE } from '../src/stores/node-databases.ts';
import { migrate } from '../src/stores/sql/migrate.ts';
import { createFolder } from './support/create-folder.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleFact } from './support/sample-commissions.ts';

it('folds a ledger from before there was a table, and names each row that differs from the messages', async () => {
  const folder = createFolder();
  const file = path.join(folder, LEDGER_FILE);
  const check = () =>
    runCommand('ledger', ['check'], { DATA_DIR: folder, CONTENT_DIR: path.join(ROOT, 'content') });
  const db = new DatabaseSync(file);
  migrate(db, path.join(ROOT, 'migrations/commissions'), 9);
  db.exec(`INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency, token, event_time,
    change_time, source, is_test, arrived_at)
    VALUES ('highlevel', 'main', 'old', 'h', 'sale', 'approved', 1000, 'USD', '', 1, 1, 'postback', 0, 1)`);
  const { ledger } = openLedgerDatabase(folder, () => undefined);
  await ledger.append({ facts: [buildSampleFact({ nativeId: 'new' })] });
  await ledger.close();
  expect(await check()).toMatchObject({ code: 0, stdout: 'The table equals the messages.\n' });
  db.exec("UPDATE folded_commissions SET amount = 1 WHERE native_id = 'old'");
  db.exec("DELETE FROM folded_commissions WHERE native_id = 'new'");
  const { code, stdout } = await check();
  db.close();
  const [rows, sums] = [false, true].map((isSum) =>
    stdout.split('\n').filter((line) => line.includes('the sums are not') === isSum),
  );
  expect([code, ...(rows ?? [])]).toEqual([
    1,
    '["highlevel","main","old"] amount: the table has 1, the messages say 1000',
    '["highlevel","main","new"] is not in the table',
    `${2 + (sums?.length ?? 0)} differences.`,
    '',
  ]);
  for (const table of ['cells', 'days', 'dues']) expect(sums?.join()).toContain(`commission_${table} [`);
});
