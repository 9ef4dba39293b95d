/** One value of a chart. */
export interface ChartItem {
  readonly label: string;
  /** null: a price that is too old to be shown. */
  readonly value: number | null;
  /** `recommended`: the value that the page argues for. */
  readonly variant: 'default' | 'recommended' | 'quiet';
  /** Additional text for the tooltip. */
  readonly detail?: string | undefined;
}

type ChartUnit = '$' | '%';

/** Fill colors by variant. They are tokens, so they follow the color scheme and print. */
const FILLS: Readonly<Record<ChartItem['variant'], string>> = {
  default: 'var(--accent)',
  recommended: 'var(--positive)',
  quiet: 'var(--chart-quiet)',
};

const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** Formats a chart's value with its unit: `$1,234`, `56%`; `see price` for a price that is too old. */
export function formatChartValue(value: number | null, unit: ChartUnit): string {
  if (value === null) return 'see price';
  const text = NUMBERS.format(value);
  return unit === '$' ? `$${text}` : `${text}%`;
}

const PLOTS = {
  pie: { className: 'mx-auto size-60', Shapes: PieRing },
  bars: { className: 'h-72', Shapes: BarColumns },
  efficiency: { className: '', Shapes: BarRows },
} as const;

/** A chart of values with a tooltip for each, which `src/browser/pages/show-chart-values.ts` shows. */
export function ChartPlot(props: {
  /** `pie`: shares of a whole. `bars`: columns. `efficiency`: horizontal bars against 100 percent. */
  readonly kind: keyof typeof PLOTS;
  readonly items: readonly ChartItem[];
  readonly unit: ChartUnit;
  /** Follows each label, for example `a month`. */
  readonly per?: string | undefined;
}) {
  const { kind, items, unit, per } = props;
  const { className, Shapes } = PLOTS[kind];
  return (
    <div className={`relative ${className}`} data-chart={kind}>
      <Shapes items={items} />
      {/* Screen readers announce what appears in a status. */}
      <div
        role="status"
        className="tabular pointer-events-none absolute z-10 w-max max-w-[min(15rem,100%)] text-sm text-surface"
        data-print="hide"
      >
        {items.map(({ value, label, detail }) => (
          <p key={label} className="rounded bg-ink px-3 py-2" hidden>
            <b className="block font-semibold">{formatChartValue(value, unit)}</b>
            {label}
            {per !== undefined && `, ${per}`}
            {detail !== undefined && <span className="block">{detail}</span>}
          </p>
        ))}
      </div>
    </div>
  );
}

/** The share of a band that stays empty on each side of its bar. */
const BAR_GAP = 0.2;

/** Vertical bars without axes. All sizes are percentages, so the chart needs no measured width. */
export function BarColumns(props: { readonly items: readonly ChartItem[]; readonly className?: string }) {
  const { items, className = 'size-full' } = props;
  const band = 100 / items.length;
  const highest = Math.max(...items.map(({ value }) => value ?? 0)) || 1;
  return (
    <svg className={className} aria-hidden="true">
      {items.map(({ label, value, variant }, index) => {
        const height = ((value ?? 0) / highest) * 100;
        return (
          <g key={label}>
            <Band x={`${index * band}%`} width={`${band}%`} height="100%" />
            <rect
              x={`${(index + BAR_GAP) * band}%`}
              y={`${100 - height}%`}
              width={`${band * (1 - 2 * BAR_GAP)}%`}
              height={`${height}%`}
              fill={FILLS[variant]}
            />
          </g>
        );
      })}
    </svg>
  );
}

/** Horizontal bars, each against a track of 100 percent. */
function BarRows({ items }: { readonly items: readonly ChartItem[] }) {
  const band = 100 / items.length;
  return (
    <svg className="size-full" aria-hidden="true">
      {items.map(({ label, value, variant }, index) => {
        const box = { y: `${(index + BAR_GAP) * band}%`, height: `${band * (1 - 2 * BAR_GAP)}%` };
        return (
          <g key={label}>
            <Band y={`${index * band}%`} width="100%" height={`${band}%`} />
            <rect {...box} width="100%" fill="var(--sunken)" />
            <rect {...box} width={`${value ?? 0}%`} fill={FILLS[variant]} />
          </g>
        );
      })}
    </svg>
  );
}

/** The whole band of a bar answers to the pointer, because a bar may be low or have no height at all. */
function Band(
  props: Readonly<Record<'width' | 'height', string>> & { readonly x?: string; readonly y?: string },
) {
  return <rect {...props} fill="transparent" />;
}

/** Width and height of the ring's box in px. */
const PIE_BOX = 240;

/** Radii in px and the gap between two sectors in degrees. */
interface PieShape {
  readonly inner: number;
  readonly outer: number;
  readonly padding: number;
}

/** The shape of every ring on the site. */
export const PIE_SHAPE: PieShape = { inner: 60, outer: 100, padding: 5 };

/** A ring whose sectors are shares of the sum of all values. */
function PieRing({ items }: { readonly items: readonly ChartItem[] }) {
  const arcs = buildPieArcs(
    items.map(({ value }) => value ?? 0),
    PIE_SHAPE,
  );
  return (
    <svg
      width={PIE_BOX}
      height={PIE_BOX}
      viewBox={`${-PIE_BOX / 2} ${-PIE_BOX / 2} ${PIE_BOX} ${PIE_BOX}`}
      aria-hidden="true"
    >
      {items.map(({ label, variant }, index) => (
        <g key={label}>
          <path d={arcs[index]} fill={FILLS[variant]} />
        </g>
      ))}
    </svg>
  );
}

/** SVG paths of a ring's sectors around 0,0, clockwise from the top, with a gap after each sector. */
export function buildPieArcs(values: readonly number[], { inner, outer, padding }: PieShape): string[] {
  const sum = values.reduce((total, value) => total + value, 0) || 1;
  const available = 360 - padding * values.length;
  let angle = 0;
  return values.map((value) => {
    const from = angle;
    const to = from + (available * value) / sum;
    angle = to + padding;
    const large = to - from > 180 ? 1 : 0;
    return [
      `M${formatPoint(outer, from)}`,
      `A${outer} ${outer} 0 ${large} 1 ${formatPoint(outer, to)}`,
      `L${formatPoint(inner, to)}`,
      `A${inner} ${inner} 0 ${large} 0 ${formatPoint(inner, from)}Z`,
    ].join('');
  });
}

function formatPoint(radius: number, degrees: number): string {
  const radians = (degrees * Math.PI) / 180;
  return `${round(radius * Math.sin(radians))} ${round(-radius * Math.cos(radians))}`;
}

const round = (value: number) => Math.round(value * 100) / 100;

const COLUMN_CLASSES = {
  list: 'grid auto-cols-fr grid-flow-col border-t-2 border-line-strong text-center',
  label: 'px-1 pt-2',
};
const ROW_CLASSES = {
  list: 'grid auto-rows-fr border-r-2 border-line-strong',
  label: 'min-h-24 content-center pr-4',
};

/** The value and the label of each bar: below vertical bars, or to the left of horizontal ones. */
export function ChartLabels(props: {
  readonly items: readonly ChartItem[];
  readonly unit: ChartUnit;
  /** Follows each label, for example `a month`. */
  readonly per?: string | undefined;
  readonly isHorizontal?: boolean;
}) {
  const { items, unit, per, isHorizontal = false } = props;
  const classes = isHorizontal ? ROW_CLASSES : COLUMN_CLASSES;
  return (
    <ul className={`tabular ${classes.list}`}>
      {items.map(({ label, value, variant }) => (
        <li key={label} className={classes.label}>
          <span
            className={`block font-display text-2xl font-semibold ${variant === 'recommended' ? 'text-positive' : ''}`}
          >
            {formatChartValue(value, unit)}
          </span>
          <span className="block text-sm text-balance text-muted">
            {label}
            {per !== undefined && `, ${per}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A value's color in the chart, to show beside its label. */
export function ChartSwatch({ variant }: { readonly variant: ChartItem['variant'] }) {
  return (
    <svg viewBox="0 0 12 12" className="mr-2 inline-block size-3 align-baseline" aria-hidden="true">
      <rect width="12" height="12" rx="2" fill={FILLS[variant]} />
    </svg>
  );
}
