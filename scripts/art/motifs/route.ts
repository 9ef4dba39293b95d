import { drawGround } from '../ground.ts';
import { area, box, circle, HEIGHT, line, n, type Point, stroke } from '../shapes.ts';
import { type Motif, type Stage, shares } from '../stage.ts';
import { writing } from '../stationery.ts';

/** A board of a signpost, pointed to one side; `x` is the post. */
function drawBoard(x: number, y: number, length: number, height: number, side: 1 | -1, fill: string): string {
  const tip = height * 0.55;
  const back = side * -46;
  const flat = side * (length - tip);
  return area(
    `M${n(x + back)} ${n(y)}H${n(x + flat)}L${n(x + side * length)} ${n(y + height / 2)}L${n(x + flat)} ${n(y + height)}H${n(x + back)}z`,
    fill,
  );
}

/** A signpost with a board for each value, as long as the value is large. */
function drawSignpost(stage: Stage): string {
  const { values, on, palette, random } = stage;
  const parts = shares(values);
  const post = random.pick([520, 600, 680]);
  const slot = Math.min(104, 430 / parts.length);
  const height = slot * 0.72;
  const first = random.sign();
  const boards = parts.map((share, index) => {
    const side = (index % 2 === 0 ? first : -first) as 1 | -1;
    const [y, length] = [70 + slot * index, 130 + Math.sqrt(share) * 290];
    const isLast = index === parts.length - 1;
    const fill = isLast ? on.answer : index % 2 === 0 ? on.main : on.ink;
    return (
      drawBoard(post + 10, y + 10, length, height, side, palette.shade) +
      drawBoard(post, y, length, height, side, fill) +
      circle(post, y + height / 2, 6, palette.ground) +
      writing(
        side > 0 ? post + 34 : post - 34 - length * 0.4,
        y + height / 2,
        [length * 0.4],
        palette.ground,
        height * 0.13,
      )
    );
  });
  const hill = `M0 ${n(random.between(540, 600))}C260 ${n(random.between(470, 540))} 860 ${n(random.between(520, 590))} 1200 ${n(random.between(500, 570))}V630H0z`;
  return (
    drawGround(stage, ['plain', 'disc', 'dots']) +
    circle(post + first * 330, 210, 96, on.spark) +
    box(post - 15, 36, 30, 600, on.ink, 4) +
    boards.join('') +
    area(hill, on.soft)
  );
}

function windingStops(count: number, random: Stage['random']): Point[] {
  const swing = random.sign();
  return Array.from({ length: count }, (_, index) => ({
    x: 150 + (900 * index) / (count - 1),
    y: 315 + swing * (index % 2 === 0 ? 1 : -1) * 130,
  }));
}

function wind(points: readonly Point[]): string {
  const first = points[0] ?? { x: 0, y: 0 };
  const bends = points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    const middle = (from.x + to.x) / 2;
    return `C${n(middle)} ${n(from.y)} ${n(middle)} ${n(to.y)} ${n(to.x)} ${n(to.y)}`;
  });
  return `M${n(first.x)} ${n(first.y)}${bends.join('')}`;
}

/** A road with a stop for each value, as large as the value. */
function drawRoad(stage: Stage): string {
  const { values, on, palette, random } = stage;
  const stops = windingStops(values.length, random);
  const [start, end] = [stops[0], stops.at(-1)];
  if (!start || !end) return '';
  const road = wind([{ x: -80, y: 315 }, ...stops]);
  const parts = shares(values);
  const marks = stops.map(({ x, y }, index) => {
    const radius = 24 + Math.sqrt(parts[index] ?? 0) * 62;
    const isLast = index === stops.length - 1;
    return (
      circle(x + 9, y + 9, radius, palette.shade) +
      circle(x, y, radius, isLast ? on.spark : palette.paper) +
      circle(x, y, radius * 0.62, isLast ? palette.sheet.answer : palette.sheet.main)
    );
  });
  return (
    drawGround(stage, ['plain', 'desk', 'disc', 'columns']) +
    stroke(road, on.ink, 58) +
    stroke(road, palette.ground, 5, '26 26') +
    marks.join('') +
    line(end.x, end.y - 20, end.x, end.y - 150, on.ink, 9) +
    area(`M${n(end.x)} ${n(end.y - 152)}h96l-22 30l22 30h-96z`, on.answer)
  );
}

/** A transit line from which the lost ones branch off. */
function drawLine(stage: Stage): string {
  const { values, on, palette, random } = stage;
  const parts = shares(values);
  const count = parts.length;
  const up = random.sign();
  const fall = 70;
  const stops = parts.map((_, index) => ({
    x: 170 + (860 * index) / (count - 1),
    y: 315 + up * (((count - 1) / 2 - index) * fall),
  }));
  const run = stops
    .map(({ x, y }, index) => {
      const before = stops[index - 1];
      if (!before) return `M${-40} ${n(y)}H${n(x)}`;
      return `H${n(x - 60 - fall)}L${n(x - 60)} ${n(y)}H${n(x)}`;
    })
    .join('');
  const branches = stops.slice(0, -1).map(({ x, y }, index) => {
    const lost = (parts[index] ?? 0) - (parts[index + 1] ?? 0);
    return stroke(`M${n(x)} ${n(y)}V${HEIGHT + 40}`, on.soft, 8 + Math.max(0, lost) * 60);
  });
  const marks = stops.map(({ x, y }, index) => {
    const radius = 22 + Math.sqrt(parts[index] ?? 0) * 34;
    return index === count - 1
      ? circle(x, y, radius + 26, on.spark) + circle(x, y, radius, on.answer)
      : circle(x, y, radius, palette.paper, on.ink, 9);
  });
  return (
    drawGround(stage, ['plain', 'dots', 'columns']) +
    branches.join('') +
    stroke(run, on.main, 26) +
    marks.join('')
  );
}

/** A way with a stop for each value. */
export const drawRoute: Motif = (stage) => stage.random.pick([drawSignpost, drawRoad, drawLine])(stage);
