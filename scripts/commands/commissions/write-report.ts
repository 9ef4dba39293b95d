import type { CommissionReport, ReportRow } from '../../../src/core/commissions/commission-report.ts';
import { getEpc } from '../../../src/core/commissions/metric-definitions.ts';
import { formatDecimalAmount } from '../../../src/core/commissions/money.ts';
import { buildTextCell } from '../../../src/core/events/event-csv.ts';
import { formatTable } from '../arguments/format-table.ts';

const HEAD = ['clicks', 'conversions', 'currency', 'approved', 'pending', 'reversed', 'epc'] as const;

/** How a command prints its result. */
export type OutputFormat = 'table' | 'csv' | 'json';

/** Formats a report; amounts are minor units in JSON and decimals elsewhere. */
export function formatReport(report: CommissionReport, by: string, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(report, null, 2)}\n`;
  const lines = report.rows.flatMap(buildLines);
  if (format === 'csv') {
    return [[by, ...HEAD], ...lines].map((cells) => `${cells.map(buildTextCell).join(',')}\r\n`).join('');
  }
  return formatTable([by, ...HEAD], [...lines, ...buildLines(report.unmatched), ...buildLines(report.total)]);
}

/** One line for each currency of a row; one without money when it has none. */
function buildLines({ key, clicks, conversions, currencies }: ReportRow): string[][] {
  const counts = [key, String(clicks), String(conversions)];
  const entries = Object.entries(currencies);
  if (entries.length === 0) return [[...counts, '', '', '', '', '']];
  return entries.map(([currency, totals]) => {
    const money = [totals.approved, totals.pending, totals.reversed].map((amount) =>
      formatDecimalAmount(amount, currency),
    );
    const epc = getEpc(totals, clicks);
    return [
      ...counts,
      currency,
      ...money,
      epc === null ? '' : formatDecimalAmount(Math.round(epc), currency),
    ];
  });
}
