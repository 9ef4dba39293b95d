/** One value of a chart. */
export interface ChartItem {
  readonly label: string;
  readonly value: number;
  /** `recommended`: the value that the page argues for. */
  readonly variant: 'default' | 'recommended' | 'quiet';
  /** Additional text for the tooltip. */
  readonly detail?: string | undefined;
}

export type ChartUnit = '$' | '%';

/** A chart's values and its accessible name. */
export interface ChartProps {
  /** `pie`: shares of a whole. `bars`: columns. `efficiency`: horizontal bars against 100 percent. */
  readonly kind: 'pie' | 'bars' | 'efficiency';
  readonly items: readonly ChartItem[];
  readonly unit: ChartUnit;
  readonly caption: string;
}

/** Fill colors by variant. They are tokens, so they follow the color scheme and print. */
export const CHART_FILLS: Readonly<Record<ChartItem['variant'], string>> = {
  default: 'var(--accent)',
  recommended: 'var(--positive)',
  quiet: 'var(--chart-quiet)',
};

const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** Formats a chart's value with its unit: `$1,234`, `56%`. */
export function formatChartValue(value: number, unit: ChartUnit): string {
  const text = NUMBERS.format(value);
  return unit === '$' ? `$${text}` : `${text}%`;
}
