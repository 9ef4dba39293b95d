import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import type { ArticleFigures } from './articles.ts';
import type { PageRow } from './pages.ts';
import type { ServingRow } from './serving.ts';

const count = (value: number) => Math.round(value).toLocaleString('en');
const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
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
  return table(
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
  return table(['what', ...head], rows);
}

/** Builds the tables of the bytes and the load of pages. */
export function buildPages(rows: readonly PageRow[]): string {
  const bytes = table(
    ['route', 'HTML', 'CSS', 'script', 'font', 'images'],
    rows.map(({ route, html, css, script, font, image }) => [
      route,
      ...[html, css, script, font, image].map(kilobytes),
    ]),
  );
  const loads = table(
    ['route', 'LCP ms', 'FCP ms', 'blocking ms', 'shift', 'scores', 'runs'],
    rows.flatMap(({ route, load }) =>
      load === null
        ? []
        : [
            [
              route,
              count(load.lcp),
              count(load.fcp),
              count(load.blocking),
              load.shift.toFixed(3),
              load.scores.join(' '),
              String(load.runs),
            ],
          ],
    ),
  );
  return `Kilobytes over the wire of a cold load on a phone, brotli where the browser takes it.\n\n${bytes}\n
Lighthouse, mobile, medians; scores are the least of all runs: performance, accessibility, best practices, search.\n\n${loads}`;
}

/** Builds the table of a site of 10,000 articles. */
export function buildArticles({ startMs, megabytes, rows, index }: ArticleFigures): string {
  const lines = rows.map(({ name, p50, p99 }) => [name, p50.toFixed(1), p99.toFixed(1)]);
  return `From an article service that is away, by one connection. Ready ${count(startMs)} ms after the start;
${count(megabytes)} MB resident at the end. ${index}.\n\n${table(['what', 'p50 ms', 'p99 ms'], lines)}`;
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
