import { drawGround } from '../ground.ts';
import { area, box, circle, line, n } from '../shapes.ts';
import { lastIsAnswer, type Motif, type Stage, shares } from '../stage.ts';

interface Column {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly fill: string;
}

const BASE = 520;
const REACH = 400;

function layOut({ values, random, on }: Stage): Column[] {
  const span = random.between(860, 960);
  const slot = span / values.length;
  const width = Math.min(150, slot * random.pick([0.62, 0.72, 0.8]));
  const left = (1200 - span) / 2 + (slot - width) / 2;
  const fills = lastIsAnswer(values.length, on.main, on.answer);
  return shares(values).map((share, index) => ({
    x: left + slot * index,
    top: BASE - Math.max(18, share * REACH),
    width,
    fill: fills[index] ?? on.main,
  }));
}

/** Columns as stacked bills, one line for each. */
function drawStacks(columns: readonly Column[], { palette }: Stage): string {
  return columns
    .map(({ x, top, width, fill }) => {
      const cuts = Math.floor((BASE - top - 10) / 26);
      const lines = Array.from({ length: cuts }, (_, index) => {
        const y = BASE - 26 * (index + 1);
        return line(x - 1, y, x + width + 1, y, palette.ground, 4);
      });
      return box(x, top, width, BASE - top, fill) + lines.join('');
    })
    .join('');
}

/** Columns that throw a flat shadow to the right. */
function drawShadowed(columns: readonly Column[], { palette }: Stage): string {
  const shadows = columns.map(({ x, top, width }) => {
    const long = Math.min(120, (BASE - top) * 0.5);
    return area(
      `M${n(x)} ${BASE}L${n(x)} ${n(top)}L${n(x + width)} ${n(top)}L${n(x + width + long)} ${n(top + long)}V${BASE}z`,
      palette.shade,
    );
  });
  return (
    shadows.join('') + columns.map(({ x, top, width, fill }) => box(x, top, width, BASE - top, fill)).join('')
  );
}

/** Columns of two tones: what is above the answer shows in full, what is equal to it pale. */
function drawDifference(columns: readonly Column[], { on }: Stage): string {
  const level = columns.at(-1)?.top ?? BASE;
  return columns
    .map(({ x, top, width, fill }, index) => {
      const isLast = index === columns.length - 1;
      const over = Math.max(0, level - top);
      return (
        box(x, top, width, BASE - top, isLast ? fill : on.soft) +
        (isLast ? '' : box(x, top, width, over, fill))
      );
    })
    .join('');
}

/** A skyline from edge to edge, without gaps. */
function drawSkyline(stage: Stage): string {
  const { values, on, palette } = stage;
  const width = 1200 / values.length;
  const tops = shares(values).map((share) => 570 - share * 470);
  const level = tops.at(-1) ?? BASE;
  const towers = tops.map((top, index) => {
    const isLast = index === values.length - 1;
    const x = width * index;
    const seam = index > 0 ? line(x, Math.max(top, tops[index - 1] ?? top), x, 640, palette.ground, 4) : '';
    return box(x, top, width, 640 - top, isLast ? on.answer : on.main) + seam;
  });
  const sun = circle(1200 - width / 2, Math.max(130, level - 120), 82, on.spark);
  return (
    drawGround(stage, ['plain', 'ruled', 'dots']) +
    sun +
    towers.join('') +
    line(0, level, 1200 - width, level, palette.ground, 5, '2 16')
  );
}

/** Columns on a base line, measured by the last. */
function drawRow(stage: Stage): string {
  const { on, random } = stage;
  const ground = drawGround(stage, ['ruled', 'plain', 'columns', 'dots']);
  const columns = layOut(stage);
  const last = columns.at(-1);
  const first = columns[0];
  if (!last || !first) return ground;
  const look = random.pick([drawStacks, drawShadowed, drawDifference]);
  const highest = Math.min(...columns.map(({ top }) => top));
  const highlight = box(last.x - 16, highest, last.width + 32, BASE - highest, on.spark);
  const level = line(first.x - 40, last.top, last.x + last.width + 20, last.top, on.ink, 4, '2 14');
  const base = line(first.x - 60, BASE, last.x + last.width + 60, BASE, on.ink, 6);
  return ground + (look === drawShadowed ? '' : highlight) + look(columns, stage) + level + base;
}

/** Columns of the values; the last one, in green, is the level that the others are measured by. */
export const drawBars: Motif = (stage) => stage.random.pick([drawRow, drawRow, drawSkyline])(stage);
