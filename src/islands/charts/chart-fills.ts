import type { ChartItem } from './chart-item.ts';

/** The paint of each look, from the tokens, so that it follows light, dark and print. */
export const CHART_FILLS: Readonly<Record<ChartItem['look'], string>> = {
  ink: 'var(--accent)',
  answer: 'var(--positive)',
  quiet: 'var(--chart-quiet)',
};
