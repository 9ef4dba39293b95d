import { formatNumber } from '../figures/format-figures.ts';
import { buildMetricColumn } from './data-table.tsx';

interface CountedRow {
  readonly clicks: number;
  readonly conversions: number;
}

/** The columns of tables whose rows have both counts. */
export const COUNT_COLUMNS = [
  buildMetricColumn<CountedRow>('clicks', 'Clicks', ({ clicks }) => formatNumber(clicks)),
  buildMetricColumn<CountedRow>('conversions', 'Conversions', ({ conversions }) => formatNumber(conversions)),
];
