import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { PageRow } from './pages.ts';
import type { ServingRow } from './serving.ts';

const count = (value: number) => Math.round(value).toLocaleString('en');
/** Builds a table in Markdown. */
export const buildTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** When and where a run was made, in one sentence. */
export function describeRun(): string {
  const [cpu] = os.cpus();
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  const machine = `${os.cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory}, Linux ${os.release()}, Node ${process.version}`;
  const [load = 0] = os.loadavg();
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}; ${load.toFixed(1)} programs were running on average.`;
}

/** Builds the table of what was served. */
export function buildServing(rows: readonly ServingRow[]): string {
  return buildTable(
    ['what', 'requests/s', 'p99 ms', 'processor µs', 'main thread µs', 'failed'],
    rows.map(({ name, perSecond, p99, processUs, mainUs, failed }) => [
      name,
      count(perSecond),
      p99.toFixed(1),
      count(processUs),
      count(mainUs),
      String(failed),
    ]),
  );
}

/** Builds the table of this checkout beside another commit. Ratios above 1: this checkout is faster. */
export function buildComparison(
  commit: string,
  own: readonly ServingRow[],
  other: readonly ServingRow[],
): string {
  const rows = own.map((row, index) => {
    const before = other[index] ?? row;
    const ratio = (one: number, two: number) => (one / two).toFixed(2);
    return [
      row.name,
      count(row.perSecond),
      count(before.perSecond),
      ratio(row.perSecond, before.perSecond),
      `${count(row.processUs)} and ${count(before.processUs)}`,
      ratio(before.processUs, row.processUs),
      ratio(before.mainUs, row.mainUs),
      `${row.failed} and ${before.failed}`,
    ];
  });
  const head = ['requests/s', commit, 'ratio', 'processor µs', 'ratio', 'ratio of main threads', 'failed'];
  return buildTable(['what', ...head], rows);
}

/** Builds the tables of the load and the bytes of pages. */
export function buildPages(rows: readonly PageRow[]): string {
  const loads = buildTable(
    ['route', 'LCP ms', 'FCP ms', 'blocking ms', 'shift', 'scores', 'runs'],
    rows.map(({ route, timings: [lcp = 0, fcp = 0, blocking = 0, shift = 0], scores, runs }) => [
      route,
      count(lcp),
      count(fcp),
      count(blocking),
      shift.toFixed(3),
      scores.join(' '),
      String(runs),
    ]),
  );
  const bytes = buildTable(
    ['route', 'HTML', 'CSS', 'script', 'font', 'images'],
    rows.map(({ route, bytes }) => [route, ...bytes.map((size) => (size / 1_000).toFixed(1))]),
  );
  return `Lighthouse, mobile, medians; scores are the least of all runs: performance, accessibility, best practices, search.
\n${loads}\n\nKilobytes over the wire of a cold load, headers included.\n\n${bytes}`;
}

/** Writes the text of a section of a Markdown file, in place of the one with the same title. */
export function writeSection(file: string, title: string, text: string): void {
  const head = `## ${title}\n`;
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '# Performance\n';
  const start = old.indexOf(`\n${head}`);
  const next = start < 0 ? -1 : old.indexOf('\n## ', start + 1);
  const before = start < 0 ? old : old.slice(0, start + 1);
  const after = next < 0 ? '' : old.slice(next);
  const separator = start < 0 ? '\n' : '';
  writeFileSync(file, `${before}${separator}${head}\n${text}\n${after}`);
}
