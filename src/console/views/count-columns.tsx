import { formatNumber } from '../../core/console/format-figures.ts';
import type { TableColumn } from '../data-table.tsx';

/** The columns of tables whose rows have both counts. */
export const COUNT_COLUMNS: readonly TableColumn<{
  readonly clicks: number;
  readonly conversions: number;
}>[] = [
  {
    key: 'clicks',
    name: 'Clicks',
    metric: 'clicks',
    isNumeric: true,
    render: ({ clicks }) => formatNumber(clicks),
  },
  {
    key: 'conversions',
    name: 'Conversions',
    metric: 'conversions',
    isNumeric: true,
    render: ({ conversions }) => formatNumber(conversions),
  },
];
