import { drawGround } from '../ground.ts';
import { area, box, circle, HEIGHT, line, type Point, smoothLine, stroke, WIDTH } from '../shapes.ts';
import { type Motif, type Stage, shares } from '../stage.ts';
import { sheet } from '../stationery.ts';

function place(values: readonly number[], left: number, right: number, base: number, reach: number): Point[] {
  const step = (right - left) / (values.length - 1);
  return shares(values).map((share, index) => ({ x: left + step * index, y: base - share * reach }));
}

const last = (points: readonly Point[]): Point => points.at(-1) ?? { x: 0, y: 0 };

/** Hills to the horizon: the line is the ridge in front. */
function drawHills(stage: Stage): string {
  const { values, on, random } = stage;
  const points = place(values, 170, 1030, 520, 360);
  const [first, end] = [points[0] ?? last(points), last(points)];
  const [second, previous] = [points[1] ?? first, points.at(-2) ?? end];
  const ridge = [
    { x: -40, y: first.y + (first.y - second.y) * 0.6 },
    ...points,
    { x: WIDTH + 40, y: end.y + (end.y - previous.y) * 0.6 },
  ];
  const lift = random.between(56, 84);
  const layer = (rise: number, fill: string) =>
    area(`${smoothLine(ridge.map(({ x, y }) => ({ x, y: y - rise })))}V${HEIGHT}H-40z`, fill);
  const sunX = end.y < first.y ? random.between(240, 420) : random.between(760, 940);
  const sun = circle(sunX, random.between(150, 190), 92, on.spark);
  const marks = points.map((point, index) =>
    index === points.length - 1
      ? circle(point.x, point.y, 22, on.answer, stage.palette.paper, 7)
      : circle(point.x, point.y, 14, stage.palette.paper),
  );
  const drops = points.map(({ x, y }) => line(x, y + 34, x, HEIGHT, stage.palette.ground, 3, '2 14'));
  return (
    drawGround(stage, ['plain', 'columns']) +
    sun +
    layer(lift, on.rule) +
    layer(lift / 2, on.soft) +
    layer(0, on.main) +
    drops.join('') +
    marks.join('')
  );
}

/** A plotted sheet of graph paper. */
function drawSheet(stage: Stage): string {
  const { values, palette, random } = stage;
  const tones = palette.sheet;
  const tilt = random.sign() * random.between(1.5, 3);
  const points = place(values, 250, 950, 470, 330);
  const end = last(points);
  const grid = [
    ...Array.from({ length: 13 }, (_, index) =>
      line(180 + index * 70, 75, 180 + index * 70, 555, tones.rule, 3),
    ),
    ...Array.from({ length: 7 }, (_, index) =>
      line(170, 120 + index * 70, 1030, 120 + index * 70, tones.rule, 3),
    ),
  ];
  const under = area(`${smoothLine(points)}V470H250z`, tones.soft);
  const marks = points.map(({ x, y }) => circle(x, y, 15, palette.paper, tones.ink, 6));
  return (
    drawGround(stage, ['plain', 'desk', 'disc']) +
    `<g transform="rotate(${tilt.toFixed(1)} 600 315)">` +
    sheet(170, 75, 860, 480, palette.paper, palette.shade) +
    grid.join('') +
    under +
    line(250, 470, 950, 470, tones.ink, 5) +
    circle(end.x, end.y, 46, tones.spark) +
    stroke(smoothLine(points), tones.main, 14) +
    marks.slice(0, -1).join('') +
    circle(end.x, end.y, 22, tones.answer) +
    '</g>'
  );
}

/** One broad ribbon over the ledger's lines. */
function drawRibbon(stage: Stage): string {
  const { values, on, palette } = stage;
  const points = place(values, 190, 1010, 500, 350);
  const end = last(points);
  const drops = points.map(({ x, y }) => line(x, y, x, 540, on.ink, 4, '2 14'));
  const stops = points.map(({ x, y }) => circle(x, y, 17, palette.paper, on.ink, 6));
  const ticks = points.map(({ x }) => line(x, 540, x, 562, on.ink, 5));
  return (
    drawGround(stage, ['ruled', 'plain', 'dots']) +
    circle(end.x, end.y, 84, on.spark) +
    drops.join('') +
    stroke(smoothLine(points), on.main, 34) +
    stops.slice(0, -1).join('') +
    box(end.x - 27, end.y - 27, 54, 54, on.answer, 27) +
    line(110, 540, 1090, 540, on.ink, 5) +
    ticks.join('')
  );
}

/** A line through the values. */
export const drawCurve: Motif = (stage) => stage.random.pick([drawHills, drawSheet, drawRibbon])(stage);
