import { drawNumber } from '../digits.ts';
import { drawGround } from '../ground.ts';
import { box, circle, line, type Point, polyline, stroke, turned } from '../shapes.ts';
import type { Motif, Stage } from '../stage.ts';
import { rings, sheet } from '../stationery.ts';

interface Grid {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
  readonly height: number;
}

const days = (values: readonly number[]) => [
  ...new Set(values.map((value) => Math.min(35, Math.max(1, Math.round(value))))),
];

const corner = ({ left, top, cell, height }: Grid, day: number): Point => ({
  x: left + ((day - 1) % 7) * cell,
  y: top + Math.floor((day - 1) / 7) * height,
});

const center = (grid: Grid, day: number): Point => {
  const { x, y } = corner(grid, day);
  return { x: x + grid.cell / 2, y: y + grid.height / 2 };
};

/** The whole picture is the month; marked days are filled. */
function drawWall(stage: Stage): string {
  const { values, on, palette } = stage;
  const grid = { left: 0, top: 0, cell: 1200 / 7, height: 126 };
  const marked = days(values);
  const cells = marked.map((day, index) => {
    const { x, y } = corner(grid, day);
    const isLast = index === marked.length - 1;
    return (
      box(x, y, grid.cell, grid.height, isLast ? on.answer : on.main) +
      drawNumber(day, x + grid.cell / 2, y + grid.height / 2, 62, palette.ground)
    );
  });
  const quiet = Array.from({ length: 35 }, (_, index) => index + 1)
    .filter((day) => !marked.includes(day) && day <= 31)
    .map((day) => {
      const { x, y } = center(grid, day);
      return drawNumber(day, x, y, 62, on.rule);
    });
  const rules = [
    ...[1, 2, 3, 4, 5, 6].map((index) => line(grid.cell * index, 0, grid.cell * index, 630, on.rule, 4)),
    ...[1, 2, 3, 4].map((index) => line(0, 126 * index, 1200, 126 * index, on.rule, 4)),
  ];
  return drawGround(stage, ['plain']) + rules.join('') + quiet.join('') + cells.join('');
}

function drawMonthSheet(stage: Stage, mark: (grid: Grid, day: number, isLast: boolean) => string): string {
  const { values, palette, on } = stage;
  const tones = palette.sheet;
  const [left, top, width, height] = [260, 92, 680, 490];
  const grid = { left: left + 40, top: top + 100, cell: (width - 80) / 7, height: (height - 130) / 5 };
  const head = palette.ground === tones.main ? tones.ink : tones.main;
  const marked = days(values);
  const quiet = Array.from({ length: 31 }, (_, index) => index + 1)
    .filter((day) => !marked.includes(day))
    .map((day) => {
      const { x, y } = center(grid, day);
      return circle(x, y, 7, tones.soft);
    });
  const rules = [1, 2, 3, 4].map((index) =>
    line(
      grid.left,
      grid.top + grid.height * index,
      grid.left + grid.cell * 7,
      grid.top + grid.height * index,
      tones.rule,
      3,
    ),
  );
  return (
    sheet(left, top, width, height, palette.paper, palette.shade, 16) +
    box(left, top, width, 66, head, 4) +
    box(left, top + 40, width, 26, head) +
    rings([left + 130, left + width / 2, left + width - 130], top, on.ink, palette.shade) +
    rules.join('') +
    quiet.join('') +
    marked.map((day, index) => mark(grid, day, index === marked.length - 1)).join('')
  );
}

/** A sheet of the wall calendar, its days in filled discs. */
function drawDiscs(stage: Stage): string {
  const { palette, random } = stage;
  const tones = palette.sheet;
  const body = drawMonthSheet(stage, (grid, day, isLast) => {
    const { x, y } = center(grid, day);
    return circle(x, y, 33, isLast ? tones.answer : tones.main) + drawNumber(day, x, y, 34, palette.paper);
  });
  return (
    drawGround(stage, ['plain', 'disc', 'desk', 'ruled']) +
    turned(random.sign() * random.between(1, 3), 600, 340, body)
  );
}

/** A way as writing runs: out at the end of a row, on from the start of the next. */
function readingPath(way: readonly Point[], grid: Grid): Point[][] {
  const right = grid.left + grid.cell * 7;
  return way.slice(1).flatMap((to, index) => {
    const from = way[index] ?? to;
    if (Math.abs(from.y - to.y) < 1) return [[from, to]];
    const between = Math.round((to.y - from.y) / grid.height) - 1;
    const rows = Array.from({ length: Math.max(0, between) }, (_, row) => {
      const y = from.y + grid.height * (row + 1);
      return [
        { x: grid.left, y },
        { x: right, y },
      ];
    });
    return [[from, { x: right, y: from.y }], ...rows, [{ x: grid.left, y: to.y }, to]];
  });
}

/** A sheet on which a line leads from day to day. */
function drawPath(stage: Stage): string {
  const { palette, random, values } = stage;
  const tones = palette.sheet;
  const [left, top, width, height] = [260, 92, 680, 490];
  const grid = { left: left + 40, top: top + 100, cell: (width - 80) / 7, height: (height - 130) / 5 };
  const way = days(values).map((day) => center(grid, day));
  const body = drawMonthSheet(stage, () => '');
  const marks = days(values).map((day, index) => {
    const { x, y } = center(grid, day);
    const isLast = index === way.length - 1;
    return (
      box(
        x - grid.cell / 2 + 6,
        y - grid.height / 2 + 6,
        grid.cell - 12,
        grid.height - 12,
        isLast ? tones.answer : tones.spark,
        6,
      ) + drawNumber(day, x, y, 36, isLast ? palette.paper : tones.ink)
    );
  });
  const path = readingPath(way, grid).map((points) => stroke(polyline(points), tones.ink, 5, '1 13'));
  return (
    drawGround(stage, ['plain', 'dots', 'columns']) +
    turned(random.sign() * random.between(1, 3), 600, 340, body + path.join('') + marks.join(''))
  );
}

/** A month in which the days given by the values are marked. */
export const drawCalendar: Motif = (stage) => stage.random.pick([drawWall, drawDiscs, drawPath])(stage);
