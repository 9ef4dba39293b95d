import { readFileSync, writeFileSync } from 'node:fs';
import type { PeriodPair } from '../../src/core/commissions/ranges/compare-periods.ts';
import { AMOUNTS, type Coverage, calibrate, countCalledReal, TRAFFIC } from '../support/calibration.ts';

const CLICKS = [100, 500, 3_000] as const;
const LENGTHS: readonly PeriodPair[] = [7, 14, 28, 90].map((days) => ({ now: days, before: days }));

const percent = (share: number) => String(Math.round(100 * share));
const describe = (coverage: Coverage) => {
  const conversions = Math.round(coverage.conversions / coverage.shown);
  const width = conversions < 30 ? ` ±${percent(coverage.width / coverage.shown / 2)}` : '';
  return `${percent(coverage.share)} (${conversions}${width})`;
};

/** A table with a space less in each cell: the words of the documentation are counted. */
const buildTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `|${row.join('|')}|`).join('\n');

/** Simulates sites and traffic; the tables of how often ranges hold and how often a change is called real. */
export function measureCalibration(isQuick: boolean, show: (line: string) => void): string {
  const rows = Object.keys(AMOUNTS).flatMap((amounts, kind) =>
    [false, true].map((isBursty) => {
      const cells = CLICKS.map((clicks) => {
        const sites = isQuick ? 10 : clicks === 3_000 ? 200 : 400;
        const { year, young, coming } = calibrate(
          { amounts, isBursty, clicks },
          sites,
          100 * clicks + 2 * kind + Number(isBursty),
        );
        return [year, young, coming].map(describe);
      });
      const row = [
        `${amounts}, ${isBursty ? 'bursty' : 'quiet'}`,
        ...[0, 1, 2].flatMap((figure) => cells.map((cell) => cell[figure] ?? '')),
      ];
      show(row.join(' | '));
      return row;
    }),
  );
  const figures = ['a year', '28 days', 'to come'].flatMap((figure) =>
    CLICKS.map((clicks) => `${figure}, ${clicks}`),
  );
  const real = Object.keys(TRAFFIC).map((traffic) => {
    const cells = LENGTHS.map((lengths) => {
      const { counts, money } = countCalledReal(traffic, lengths, isQuick ? 100 : 2_000, lengths.now);
      return `${(100 * counts).toFixed(1)} / ${(100 * money).toFixed(1)}`;
    });
    show([traffic, ...cells].join(' | '));
    return [traffic, ...cells];
  });
  const chance = buildTable(['', ...LENGTHS.map(({ now }) => `${now} days`)], real);
  return `${buildTable(['', ...figures], rows)}\n\n${chance}`;
}

/** Replaces the tables between the marks of a file. */
export function writeCalibration(file: string, tables: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/(<!-- calibration -->\n)[\s\S]*?(\n<!-- \/calibration -->)/, `$1\n${tables}\n$2`),
  );
}
