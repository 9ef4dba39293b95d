import { drawGround } from '../ground.ts';
import { arrow, box, circle, line, n, type Point, stroke } from '../shapes.ts';
import { lastIsAnswer, type Motif, type Stage, shares } from '../stage.ts';
import { writing } from '../stationery.ts';

interface Station extends Point {
  readonly size: number;
  readonly share: number;
  readonly fill: string;
}

function buildStations({ values, palette }: Stage, size: number, places: readonly Point[]): Station[] {
  const fills = lastIsAnswer(values.length, palette.sheet.main, palette.sheet.answer);
  const parts = shares(values);
  return places.map((place, index) => ({
    ...place,
    size,
    share: parts[index] ?? 0,
    fill: fills[index] ?? palette.sheet.main,
  }));
}

/** A card that is filled as high as its value stands against the largest. */
function drawCard({ palette }: Stage, { x, y, size, share, fill }: Station): string {
  const tones = palette.sheet;
  const rim = Math.max(8, size * 0.05);
  const room = size - 2 * rim;
  const level = Math.max(6, share * room);
  const title = writing(x + rim * 2, y + rim + Math.max(12, room * 0.09), [room * 0.42], tones.soft);
  return (
    box(x + 10, y + 10, size, size, palette.shade, 8) +
    box(x, y, size, size, palette.paper, 8) +
    box(x + rim, y + rim + room - level, room, level, fill, 3) +
    (share < 0.82 ? title : '')
  );
}

/** Those who leave between two stations fall away as dots. */
function drawLoss({ on }: Stage, from: Station, to: Station): string {
  const lost = Math.max(0, Math.min(7, Math.round((from.share - to.share) * 18)));
  const x = (from.x + to.x + from.size) / 2;
  const y = from.y + from.size / 2;
  return Array.from({ length: lost }, (_, index) =>
    circle(x + (index % 2 === 0 ? -8 : 8), y + 46 + index * 32, 9, on.soft),
  ).join('');
}

function drawLink(stage: Stage, from: Station, to: Station): string {
  const half = from.size / 2;
  const { ink } = stage.on;
  if (from.y === to.y) {
    const side = Math.sign(to.x - from.x);
    const y = from.y + half;
    return (
      drawLoss(stage, from, to) +
      arrow(
        { x: from.x + half + side * (half + 22), y },
        { x: to.x + half - side * (half + 14), y },
        ink,
        7,
        22,
      )
    );
  }
  const end = { x: to.x + half, y: to.y - 14 };
  if (from.x === to.x) return arrow({ x: end.x, y: from.y + from.size + 24 }, end, ink, 7, 22);
  const start = { x: from.x + from.size + 22, y: from.y + half };
  return (
    stroke(
      `M${n(start.x)} ${n(start.y)}H${n(end.x - 30)}Q${n(end.x)} ${n(start.y)} ${n(end.x)} ${n(start.y + 30)}`,
      ink,
      7,
    ) + arrow({ x: end.x, y: start.y + 30 }, end, ink, 7, 22)
  );
}

function drawStations(stage: Stage, stations: readonly Station[]): string {
  const links = stations.slice(1).map((to, index) => drawLink(stage, stations[index] ?? to, to));
  return links.join('') + stations.map((station) => drawCard(stage, station)).join('');
}

/** One row, entered from the picture's edge. */
function drawRow(stage: Stage): string {
  const count = stage.values.length;
  const size = Math.min(250, 704 / count);
  const slot = Math.min(size * 1.62, (1010 - size) / (count - 1));
  const left = 600 - (slot * (count - 1) + size) / 2;
  const y = 280 - size / 2;
  const places = Array.from({ length: count }, (_, index) => ({ x: left + slot * index, y }));
  return (
    drawGround(stage, ['plain', 'desk', 'dots', 'ruled']) +
    arrow({ x: -20, y: 280 }, { x: left - 14, y: 280 }, stage.on.ink, 7, 22) +
    drawStations(stage, buildStations(stage, size, places))
  );
}

/** Down a stair. */
function drawSteps(stage: Stage): string {
  const count = stage.values.length;
  const size = count === 3 ? 210 : 150;
  const drop = size / 2 + 64;
  const slot = (1000 - size) / (count - 1);
  const top = 306 - (size + drop * (count - 1)) / 2;
  const places = Array.from({ length: count }, (_, index) => ({
    x: 100 + slot * index,
    y: top + drop * index,
  }));
  const landing = places.map(({ x, y }) =>
    line(x - 30, y + size + 10, x + size + 40, y + size + 10, stage.on.rule, 5),
  );
  return (
    drawGround(stage, ['plain', 'disc', 'dots']) +
    landing.join('') +
    drawStations(stage, buildStations(stage, size, places))
  );
}

/** There and back in two rows. */
function drawLoop(stage: Stage): string {
  const count = stage.values.length;
  const perRow = Math.ceil(count / 2);
  const slot = Math.min(352, 1070 / perRow);
  const size = Math.min(204, slot * 0.65);
  const left = 600 - (slot * (perRow - 1) + size) / 2;
  const places = Array.from({ length: count }, (_, index) => {
    const isBack = index >= perRow;
    const column = isBack ? 2 * perRow - 1 - index : index;
    return { x: left + slot * column, y: isBack ? 315 + 42 : 315 - 42 - size };
  });
  return (
    drawGround(stage, ['plain', 'desk', 'columns', 'ruled']) +
    drawStations(stage, buildStations(stage, size, places))
  );
}

/** Boxes joined by arrows, each as full as its value. */
export const drawFlow: Motif = (stage) =>
  (stage.values.length > 4 ? drawLoop : stage.random.pick([drawRow, drawSteps]))(stage);
