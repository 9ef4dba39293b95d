import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startCommand } from '../../support/run-command.ts';

/** Measures the import of a CSV file into a new ledger. */
export async function measureImport(dir: string, rows: number, print: (text: string) => void): Promise<void> {
  const file = path.join(dir, 'report.csv');
  const line = (index: number) =>
    `a${index},${randomUUID()},"$1,${String(index % 1000).padStart(3, '0')}.50",approved,2025-11-20 10:00`;
  const lines = Array.from({ length: rows }, (_, index) => line(index));
  writeFileSync(file, ['id,sub id,commission,status,date', ...lines].join('\n'));
  const began = performance.now();
  const options = ['--partner', 'highlevel', '--currency', 'USD', '--time-zone', 'UTC', '--yes'];
  const { stdout, stderr } = await startCommand('commissions', ['import', file, ...options], {
    DATA_DIR: dir,
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  print(`import of ${rows} rows: ${seconds} s\n${stdout}${stderr}`.trimEnd());
}
