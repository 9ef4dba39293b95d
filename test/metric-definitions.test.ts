import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CONSOLE_KEYS } from '../src/console/islands/shortcuts.ts';
import { METRICS } from '../src/core/commissions/metric-definitions.ts';
import { CONSOLE_VIEWS } from '../src/core/console/console-view.ts';

const readDocs = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../docs', file), 'utf8');

it.each(['commissions.md', 'console.md'])('docs/%s defines every metric as the code does', (file) => {
  const text = readDocs(file);
  const rows = Object.values(METRICS).map(
    ({ name, meaning, formula, example }) => `| ${name} | ${meaning} | ${formula} | ${example} |`,
  );
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

it('docs/console.md lists every key of the console', () => {
  const text = readDocs('console.md');
  const views = CONSOLE_VIEWS.map(({ letter, name }) => [`G ${letter.toUpperCase()}`, name] as const);
  const rows = [...CONSOLE_KEYS, ...views].map(([keys, meaning]) => `| ${keys} | ${meaning} |`);
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});
