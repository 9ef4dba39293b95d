import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  checkTransfer,
  readTransfer,
  type TransferRow,
  writeTransfer,
} from '../scripts/commands/data/transfer-file.ts';
import { HOSTILE_VALUES } from './support/hostile-input.ts';

async function* yieldAll<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

it('reads every text as it was written, whatever ends a line elsewhere', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'data.gz');
  const separators = ['\n', '\r', '\r\n', '\u0085', '\u000b', '\u000c', '\u2028', '\u2029'];
  const values = [...separators, ...Object.values(HOSTILE_VALUES).flat(), 'é日😀'.repeat(50_000)];
  const rows = values.map((value): TransferRow => ['events.events', [value, `a${value}b`]]);
  const head = {
    signpost: 'data' as const,
    version: 1 as const,
    tables: { 'events.events': ['id', 'data'] },
  };
  await writeTransfer(file, head, yieldAll(rows));
  expect(await checkTransfer(file)).toMatchObject({ head, rows: rows.length });
  const read: TransferRow[] = [];
  for await (const row of readTransfer(file, rows.length)) read.push(row);
  expect(read).toEqual(rows);
});
