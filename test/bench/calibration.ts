import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import {
  AMOUNTS,
  type Coverage,
  CUSTOMERS,
  calibrate,
  calibrateOutlook,
  countCalledReal,
  TRAFFIC,
} from '../support/calibration.ts';

const CLICKS = [100, 500, 3_000] as const;
const LENGTHS = [7, 14, 28, 90] as const;
/** Ranges from fewer customers are wide: their width is part of the table. */
const MANY = 30;

const percent = (share: number) => String(Math.round(100 * share));
const countConversions = ({ conversions, shown }: Coverage) => conversions / shown;

function describe(coverage: Coverage): string {
  const half = coverage.width / coverage.shown / 2;
  return percent(coverage.share) + (countConversions(coverage) < MANY ? ` ±${percent(half)}` : '');
}

/** Without spaces around its cells, as each would be a word of the documentation. */
const buildTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `|${row.join('|')}|`).join('\n');

/**
 * Simulates sites and traffic, and writes into docs/attribution.md how often ranges hold and how often a change is called
 * real where nothing changed. False where that is outside of what is promised; two percent are added for a quick run.
 */
export function measureCalibration(isQuick: boolean): boolean {
  const show = (row: readonly string[]) => process.stdout.write(`${row.join(' | ')}\n`);
  const [found, wrong]: [number[][], string[]] = [[], []];
  const ranges = Object.keys(AMOUNTS).flatMap((amounts, kind) =>
    [false, true].map((isBursty) => {
      const name = `${amounts}, ${isBursty ? 'bursty' : 'quiet'}`;
      const all = CLICKS.map((clicks) => {
        const sites = (clicks > 1_000 ? 100 : 200) / (isQuick ? 10 : 1);
        const seed = 100 * clicks + 2 * kind + Number(isBursty);
        const { year, young, coming } = calibrate({ amounts, isBursty, clicks }, sites, seed);
        return [year, young, coming];
      });
      const cells = [0, 1, 2].flatMap((figure) => all.flatMap((one) => one[figure] ?? []));
      found.push(cells.map(countConversions));
      const isWrong = (cell: Coverage) =>
        cell.share < 0.755 || (countConversions(cell) >= MANY && cell.share > 0.845);
      if (!isQuick && cells.some(isWrong)) wrong.push(name);
      const row = [name, ...cells.map(describe)];
      show([...row, cells.map((cell) => countConversions(cell).toFixed(0)).join(' ')]);
      return row;
    }),
  );
  const chance = Object.keys(TRAFFIC).map((traffic) => {
    const cells = LENGTHS.map((days) =>
      countCalledReal(traffic, { now: days, before: days }, isQuick ? 100 : 1_000, days),
    );
    if (!isQuick && cells.some(({ counts, money }) => Math.max(counts, money) > 0.0705)) wrong.push(traffic);
    const row = [
      traffic,
      ...cells.map(({ counts, money }) => `${(100 * counts).toFixed(1)}/${(100 * money).toFixed(1)}`),
    ];
    show(row);
    return row;
  });
  for (const customers of Object.keys(CUSTOMERS)) {
    const held = Object.values(calibrateOutlook(customers, isQuick ? 100 : 2_000, 1));
    show([`${customers} customers`, ...held.map(describe)]);
    const isWrong = (cell: Coverage) => cell.shown > 0 && (cell.share < 0.755 || cell.share > 0.87);
    if (!isQuick && held.some(isWrong)) wrong.push(`${customers} customers`);
  }
  const mean = (column: number) =>
    Math.round(found.reduce((sum, row) => sum + (row[column] ?? 0), 0) / found.length).toLocaleString('en');
  const names = ['year', '28 days', 'to come'].flatMap((figure, index) =>
    CLICKS.map((_, size) => `${size === 0 ? `${figure}: ` : ''}${mean(3 * index + size)}`),
  );
  const tables = [
    buildTable(['customers of a page', ...names], ranges),
    buildTable(['called real', ...LENGTHS.map((days) => `${days} days`)], chance),
  ].join('\n\n');
  if (isQuick) process.stdout.write(`${tables}\n`);
  else writeTables(path.join(ROOT, 'docs/attribution.md'), tables);
  for (const name of wrong) console.error(`Outside of what is promised: ${name}`);
  return wrong.length === 0;
}

function writeTables(file: string, tables: string): void {
  const mark = 'measured: calibration';
  const text = readFileSync(file, 'utf8');
  const [before = '', rest = ''] = text.split(`<!-- ${mark} -->`);
  const after = rest.slice(rest.indexOf('<!-- /measured -->'));
  writeFileSync(file, `${before}<!-- ${mark} -->\n\n${tables}\n\n${after}`);
}
