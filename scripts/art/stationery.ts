import { box, circle, line, polyline } from './shapes.ts';

/** Outline of a strip whose lower edge is torn into teeth. */
export function tornStrip(
  x: number,
  y: number,
  width: number,
  height: number,
  teeth = 14,
  depth = 14,
): string {
  const step = width / teeth;
  const edge = Array.from({ length: teeth * 2 + 1 }, (_, index) => ({
    x: x + width - (index * step) / 2,
    y: y + height - (index % 2 === 0 ? depth : 0),
  }));
  return `${polyline([{ x, y }, { x: x + width, y }, ...edge])}Z`;
}

/** A sheet of paper with its hard shadow. */
export function sheet(
  x: number,
  y: number,
  width: number,
  height: number,
  paper: string,
  shade: string,
  drop = 14,
): string {
  return box(x + drop, y + drop, width, height, shade, 4) + box(x, y, width, height, paper, 4);
}

/** A line of writing too small to read: words as bars of the given lengths. */
export function writing(x: number, y: number, words: readonly number[], color: string, height = 10): string {
  let at = x;
  return words
    .map((length) => {
      const word = box(at, y - height / 2, length, height, color, height / 2);
      at += length + height * 1.2;
      return word;
    })
    .join('');
}

/** Holes along a sheet's upper edge with the rings that hold it. */
export function rings(xs: readonly number[], y: number, ink: string, hole: string): string {
  return xs.map((x) => circle(x, y + 26, 9, hole) + line(x, y - 22, x, y + 26, ink, 9)).join('');
}

/** A stack of slabs, one on another, from the ground up; `heights` from bottom to top. */
export function slabs(
  x: number,
  bottom: number,
  width: number,
  heights: readonly number[],
  fills: readonly string[],
  gap = 6,
): string {
  let y = bottom;
  return heights
    .map((height, index) => {
      y -= height;
      return box(x, y, width, Math.max(3, height - gap), fills[index % fills.length] ?? '#000', 3);
    })
    .join('');
}
