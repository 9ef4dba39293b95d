import { buildTextCell } from '../../../src/core/events/event-csv.ts';
import type { RollupGroup, RollupStore } from '../../../src/stores/rollup-reader.ts';
import { formatTable } from '../arguments/format-table.ts';
import type { ReportRequest } from './parse-command.ts';

const COUNTERS = ['views', 'sessions', 'actions', 'clicks'] as const;

/** Reads the counts of a report and builds its text. */
export async function buildCountReport(
  store: Pick<RollupStore, 'readByKey' | 'readByDay'>,
  { by, format, from, to }: ReportRequest,
): Promise<string> {
  const groups =
    by === 'day'
      ? await store.readByDay({ dimension: 'page', from, to })
      : sortByClicks(await store.readByKey({ dimension: by, from, to }));
  if (format === 'json') return `${JSON.stringify({ rows: groups.map(buildJsonRow) })}\n`;
  const head = [by, ...COUNTERS];
  const rows = groups.map((group) => [
    group.key.filter(Boolean).join(' ') || '(none)',
    ...COUNTERS.map((name) => String(group[name])),
  ]);
  return format === 'csv' ? buildCsv(head, rows) : formatTable(head, rows);
}

/** Counts the stored events again; resolves with how many. */
export async function rebuildCounts(store: Pick<RollupStore, 'rebuild' | 'advance'>): Promise<number> {
  await store.rebuild();
  let total = 0;
  for (let count = -1; count !== 0; total += Math.max(0, count)) count = await store.advance();
  return total;
}

function buildJsonRow({ key, ...counts }: RollupGroup) {
  return { key: key.join(' ').trim(), parts: key, ...counts };
}

/** Most clicks first, then most views. */
function sortByClicks(groups: readonly RollupGroup[]): RollupGroup[] {
  return [...groups].sort((one, other) => other.clicks - one.clicks || other.views - one.views);
}

function buildCsv(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => `${row.map(buildTextCell).join(',')}\r\n`).join('');
}
