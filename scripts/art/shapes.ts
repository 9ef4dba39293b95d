/** Size of every picture, in the units of its SVG. */
export const WIDTH = 1200;
export const HEIGHT = 630;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A number as SVG text, to a tenth of a unit. */
export const n = (value: number) => String(Math.round(value * 10) / 10);

/** `d` of a line through points. */
export const polyline = (points: readonly Point[]) =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('');

/** A filled rectangle; `radius` rounds its corners. */
export const box = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, width))}" height="${n(Math.max(0, height))}" fill="${fill}"${
    radius > 0 ? ` rx="${n(radius)}"` : ''
  }/>`;

export const circle = (x: number, y: number, radius: number, fill: string, stroke = '', width = 4) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"${
    stroke ? ` stroke="${stroke}" stroke-width="${width}"` : ''
  }/>`;

/** A filled outline. */
export const area = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;

/** An open stroke; `dash` in units, for example `4 12`. */
export const stroke = (d: string, color: string, width = 4, dash = '') =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round"${
    dash ? ` stroke-dasharray="${dash}"` : ''
  }/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, color: string, width = 4, dash = '') =>
  stroke(`M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`, color, width, dash);

/** Turns what it holds about a point, in degrees. */
export const turned = (degrees: number, x: number, y: number, body: string) =>
  `<g transform="rotate(${n(degrees)} ${n(x)} ${n(y)})">${body}</g>`;

/** An arrow whose head ends at the second point. */
export function arrow(from: Point, to: Point, color: string, width = 5, head = 16): string {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (turn: number) => ({
    x: to.x - head * Math.cos(angle + turn),
    y: to.y - head * Math.sin(angle + turn),
  });
  return stroke(polyline([from, to]) + polyline([wing(0.62), to, wing(-0.62)]), color, width);
}

/** `d` of a smooth line through points from left to right that never overshoots them (Fritsch and Carlson 1980). */
export function smoothLine(points: readonly Point[]): string {
  const slopes = tangents(points);
  return points
    .map((point, index) => {
      const before = points[index - 1];
      if (!before) return `M${n(point.x)} ${n(point.y)}`;
      const third = (point.x - before.x) / 3;
      const [from = 0, to = 0] = [slopes[index - 1], slopes[index]];
      return `C${n(before.x + third)} ${n(before.y + from * third)} ${n(point.x - third)} ${n(point.y - to * third)} ${n(point.x)} ${n(point.y)}`;
    })
    .join('');
}

function tangents(points: readonly Point[]): number[] {
  const rises = points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    return (point.y - before.y) / (point.x - before.x || 1);
  });
  return points.map((_, index) => {
    const [left, right] = [rises[index - 1], rises[index]];
    if (left === undefined || right === undefined) return left ?? right ?? 0;
    return left * right <= 0 ? 0 : (2 * left * right) / (left + right);
  });
}
