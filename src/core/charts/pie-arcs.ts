/** Radii in px and the gap between two sectors in degrees. */
export interface PieShape {
  readonly inner: number;
  readonly outer: number;
  readonly padding: number;
}

/** The shape that the charts draw: inner radius 60, outer 100, padding angle 5. */
export const PIE_SHAPE: PieShape = { inner: 60, outer: 100, padding: 5 };

/** SVG paths of a ring's sectors around 0,0, clockwise from the top, gaps shared out between them. */
export function buildPieArcs(values: readonly number[], { inner, outer, padding }: PieShape): string[] {
  const sum = values.reduce((total, value) => total + value, 0);
  const room = 360 - padding * values.length;
  let angle = 0;
  return values.map((value) => {
    const from = angle;
    const to = from + (room * value) / sum;
    angle = to + padding;
    const large = to - from > 180 ? 1 : 0;
    return [
      `M${point(outer, from)}`,
      `A${outer} ${outer} 0 ${large} 1 ${point(outer, to)}`,
      `L${point(inner, to)}`,
      `A${inner} ${inner} 0 ${large} 0 ${point(inner, from)}Z`,
    ].join('');
  });
}

function point(radius: number, degrees: number): string {
  const radians = (degrees * Math.PI) / 180;
  return `${round(radius * Math.sin(radians))} ${round(-radius * Math.cos(radians))}`;
}

const round = (value: number) => Math.round(value * 100) / 100;
