/** One value of a chart. */
export interface ChartItem {
  readonly label: string;
  /** null: a price that is too old to be shown. */
  readonly value: number | null;
  /** `recommended`: the value that the page argues for. */
  readonly variant: 'default' | 'recommended' | 'quiet' | 'unsourced';
  /** Of lying bars: the value is lost, so its bar goes left of the zero line. */
  readonly loss?: boolean;
  /** Additional text for the tooltip. */
  readonly detail?: string | undefined;
}

type ChartUnit = '$' | '%';

/** Fill colors by variant. They are tokens, so they follow the color scheme and print. */
const FILLS: Readonly<Record<ChartItem['variant'] | 'base', string>> = {
  default: 'var(--accent)',
  recommended: 'var(--positive)',
  quiet: 'var(--chart-quiet)',
  unsourced: 'var(--muted)',
  base: 'var(--chart-base)',
};

const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const DOLLARS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 20,
  trailingZeroDisplay: 'stripIfInteger',
});

/** Formats a chart's value with its unit: `$1,234`, `56%`; `see price` for a price that is too old. */
export function formatChartValue(value: number | null, unit: ChartUnit): string {
  if (value === null) return 'see price';
  return unit === '$' ? `$${DOLLARS.format(value)}` : `${NUMBERS.format(value)}%`;
}

/** Formats a value of a chart with the sign of a loss. */
export function formatChartItem({ value, loss }: ChartItem, unit: ChartUnit): string {
  return `${loss ? '\u2212' : ''}${formatChartValue(value, unit)}`;
}

const PLOTS = {
  pie: { className: 'mx-auto aspect-square w-60 max-w-full', Shapes: PieRing },
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
        {items.map((item) => (
          <p key={item.label} className="rounded bg-ink px-3 py-2" hidden>
            <b className="block font-semibold">{formatChartItem(item, unit)}</b>
            {item.label}
            {per !== undefined && `, ${per}`}
            {item.detail !== undefined && <span className="block">{item.detail}</span>}
          </p>
        ))}
      </div>
    </div>
  );
}

/** The share of a band that stays empty on each side of its bar. */
const BAR_GAP = 0.2;

/** Vertical bars without axes. All sizes are percentages, so the chart needs no measured width. */
export function BarColumns({ items }: { readonly items: readonly ChartItem[] }) {
  const band = 100 / items.length;
  const highest = Math.max(...items.map(({ value }) => value ?? 0)) || 1;
  return (
    <svg className="size-full" aria-hidden="true">
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

/** Horizontal bars: each against a track of 100 percent, or losses to the left and gains to the right of a zero line. */
function BarRows({ items }: { readonly items: readonly ChartItem[] }) {
  const band = 100 / items.length;
  const findLargest = (lost: boolean) =>
    Math.max(0, ...items.map(({ value, loss = false }) => (loss === lost ? (value ?? 0) : 0)));
  const lost = findLargest(true);
  const scale = lost === 0 ? 1 : 100 / (lost + findLargest(false));
  const zero = lost * scale;
  return (
    <svg className="size-full" aria-hidden="true">
      {items.map(({ label, value, variant, loss = false }, index) => {
        const box = { y: `${(index + BAR_GAP) * band}%`, height: `${band * (1 - 2 * BAR_GAP)}%` };
        const width = (value ?? 0) * scale;
        return (
          <g key={label}>
            <Band y={`${index * band}%`} width="100%" height={`${band}%`} />
            {lost === 0 && <rect {...box} width="100%" fill="var(--sunken)" />}
            <rect {...box} x={`${loss ? zero - width : zero}%`} width={`${width}%`} fill={FILLS[variant]} />
          </g>
        );
      })}
      {lost > 0 && <rect x={`${zero}%`} width="2" height="100%" fill="var(--line-strong)" />}
    </svg>
  );
}

/** What bars of one scale share: a part that is the same in each, and an amount that they are compared with. */
export interface ChartReference {
  readonly label: string;
  readonly value: number | null;
}

/** Lying bars of one scale under or beside their values, each with its constant part and the line that it is compared with. */
export function ChartRows(props: {
  readonly items: readonly ChartItem[];
  readonly unit: ChartUnit;
  /** Of the labels and of the values. */
  readonly headings: readonly [string, string];
  readonly base: ChartReference | undefined;
  /** What the part above the base is. */
  readonly rest?: string | undefined;
  readonly line: ChartReference | undefined;
}) {
  const { items, unit, headings, base, rest, line } = props;
  const highest = Math.max(...items.map(({ value }) => value ?? 0)) || 1;
  const findShare = (value: number | null | undefined) => `${(100 * (value ?? 0)) / highest}%`;
  return (
    <>
      <p className="grid border-b-2 border-line-strong pb-2 text-sm text-muted sm:grid-cols-[18rem_1fr]">
        <span className="flex justify-between gap-4">
          <span>{headings[0]}</span>
          <span>{headings[1]}</span>
        </span>
      </p>
      <ul className="tabular">
        {items.map((item) => (
          <li key={item.label} className="grid items-center gap-x-8 sm:grid-cols-[18rem_minmax(0,1fr)]">
            <p className="flex items-baseline justify-between gap-4 max-sm:pt-3">
              <span>
                {item.label}
                {item.detail !== undefined && <span className="ml-2 text-sm text-muted">{item.detail}</span>}
              </span>
              <b className="font-display text-2xl font-semibold">
                {item.variant === 'recommended' ? (
                  <mark>{formatChartItem(item, unit)}</mark>
                ) : (
                  formatChartItem(item, unit)
                )}
              </b>
            </p>
            <svg className="h-10 w-full sm:h-16" aria-hidden="true">
              <rect y="14%" width={findShare(item.value)} height="72%" fill="var(--accent)" />
              <rect y="14%" width={findShare(base?.value)} height="72%" fill="var(--chart-base)" />
              {line && <rect x={findShare(line.value)} width="4" height="100%" fill="var(--positive)" />}
            </svg>
          </li>
        ))}
      </ul>
      <p className="tabular mt-3 flex flex-wrap gap-x-8 border-t border-line pt-3">
        {base && (
          <span>
            <ChartSwatch variant="base" /> {base.label}: {formatChartValue(base.value, unit)}
          </span>
        )}
        {rest && (
          <span>
            <ChartSwatch variant="default" /> {rest}
          </span>
        )}
        {line && (
          <b className="font-semibold text-positive">
            <ChartSwatch variant="recommended" /> {line.label}: {formatChartValue(line.value, unit)}
          </b>
        )}
      </p>
    </>
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
  list: 'grid auto-rows-fr',
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
  // Losses have a zero line of their own.
  const axisClass = isHorizontal && !items.some(({ loss }) => loss) ? 'border-r-2 border-line-strong' : '';
  return (
    <ul className={`tabular ${classes.list} ${axisClass}`.trim()}>
      {items.map((item) => (
        <li key={item.label} className={classes.label}>
          <span
            className={`block font-display text-2xl font-semibold ${item.variant === 'recommended' ? 'text-positive' : ''}`}
          >
            {formatChartItem(item, unit)}
          </span>
          <span className="block text-sm text-balance text-muted">
            {item.label}
            {per !== undefined && `, ${per}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A value's color in the chart, to show beside its label. */
export function ChartSwatch({ variant }: { readonly variant: keyof typeof FILLS }) {
  return (
    <svg viewBox="0 0 12 12" className="mr-2 inline-block size-3 align-baseline" aria-hidden="true">
      <rect width="12" height="12" rx="2" fill={FILLS[variant]} />
    </svg>
  );
}
