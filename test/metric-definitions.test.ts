import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../src/core/commissions/metric-definitions.ts';

it('docs/commissions.md defines every metric as the code does', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs/commissions.md'), 'utf8');
  const rows = Object.values(METRICS).map(
    ({ name, meaning, formula, example }) => `| ${name} | ${meaning} | ${formula} | ${example} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
