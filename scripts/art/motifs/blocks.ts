import { drawGround } from '../ground.ts';
import { arrow, box, n, stroke } from '../shapes.ts';
import { type Motif, type Stage, sum } from '../stage.ts';

interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Sides of squares whose areas are the values; the square of their sum has side `whole`. */
const sides = (values: readonly number[], whole: number) => {
  const total = sum(values);
  return values.map((value) => Math.max(30, Math.sqrt(value / total) * whole));
};

function drawSquare({ palette }: Stage, { x, y, side }: Square, fill: string): string {
  return box(x + 10, y + 10, side, side, palette.shade, 6) + box(x, y, side, side, fill, 6);
}

/** Rows of squares in a loose heap at the left. */
function heap(values: readonly number[], whole: number, gap: number): Square[] {
  const natural = sides(values, whole).sort((a, b) => b - a);
  const perRow = Math.ceil(natural.length / 2);
  const widest = sum(natural.slice(0, perRow)) + gap * (perRow - 1);
  const sizes = natural.map((side) => side * Math.min(1, 470 / widest));
  const rows = [sizes.slice(0, perRow), sizes.slice(perRow)];
  const tallest = rows.map((row) => Math.max(0, ...row));
  const top = 315 - (sum(tallest) + gap) / 2;
  return rows.flatMap((row, index) => {
    let x = 330 - (sum(row) + gap * (row.length - 1)) / 2;
    const floor = index === 0 ? top + (tallest[0] ?? 0) : top + (tallest[0] ?? 0) + gap;
    return row.map((side) => {
      const square = { x, y: index === 0 ? floor - side : floor, side };
      x += side + gap;
      return square;
    });
  });
}

function drawMerge(stage: Stage): string {
  const { on, values, random } = stage;
  const whole = 330;
  const squares = heap(values, whole, 18);
  const fills = squares.map(() => random.pick([on.main, on.main, on.soft, on.ink]));
  const goal = { x: 790, y: 315 - whole / 2, side: whole };
  return (
    drawGround(stage, ['plain', 'dots', 'ruled', 'columns']) +
    squares.map((square, index) => drawSquare(stage, square, fills[index] ?? on.main)).join('') +
    box(goal.x - 34, goal.y - 34, whole + 68, whole + 68, on.spark) +
    box(goal.x, goal.y, whole, whole, on.answer, 6) +
    arrow({ x: 610, y: 315 }, { x: 716, y: 315 }, on.ink, 10, 34)
  );
}

/** Squares in a column, each with its line into the one. */
function drawConverge(stage: Stage): string {
  const { on, values } = stage;
  const whole = 300;
  const sizes = sides(values, 250);
  const gap = Math.max(8, (500 - sum(sizes)) / Math.max(1, sizes.length - 1));
  const scale = Math.min(1, 500 / (sum(sizes) + gap * (sizes.length - 1)));
  let y = 315 - ((sum(sizes) + gap * (sizes.length - 1)) * scale) / 2;
  const parts = sizes.map((size, index) => {
    const side = size * scale;
    const middle = y + side / 2;
    const target = 315 + ((index + 0.5) / sizes.length - 0.5) * whole * 0.7;
    const wire = stroke(
      `M${n(260 + side / 2)} ${n(middle)}C560 ${n(middle)} 560 ${n(target)} 800 ${n(target)}`,
      on.ink,
      6,
    );
    const square = drawSquare(stage, { x: 260 - side / 2, y, side }, index % 2 === 0 ? on.main : on.soft);
    y += side + gap * scale;
    return wire + square;
  });
  return (
    drawGround(stage, ['plain', 'disc', 'dots']) +
    parts.join('') +
    drawSquare(stage, { x: 790, y: 315 - whole / 2, side: whole }, on.answer) +
    stroke(`M${790 + 90} 318l42 44l86 -96`, on.spark, 22)
  );
}

/** Squares that merge into one of their common area. */
export const drawBlocks: Motif = (stage) => stage.random.pick([drawMerge, drawConverge])(stage);
