import { CHART_FILLS, type ChartItem } from './chart-item.ts';

/** Width and height of the ring's box in px. */
export const PIE_BOX = 240;

/** Radii in px and the gap between two sectors in degrees. */
interface PieShape {
  readonly inner: number;
  readonly outer: number;
  readonly padding: number;
}

/** The shape of every ring on the site. */
export const PIE_SHAPE: PieShape = { inner: 60, outer: 100, padding: 5 };

/** A ring whose sectors are shares of the sum of all values. */
export function PieRing({ items }: { readonly items: readonly ChartItem[] }) {
  const arcs = buildPieArcs(
    items.map(({ value }) => value),
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
        <path key={label} d={arcs[index]} fill={CHART_FILLS[variant]} />
      ))}
    </svg>
  );
}

/** SVG paths of a ring's sectors around 0,0, clockwise from the top, with a gap after each sector. */
export function buildPieArcs(values: readonly number[], { inner, outer, padding }: PieShape): string[] {
  const sum = values.reduce((total, value) => total + value, 0);
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
