import { drawGround } from '../ground.ts';
import { area, box, circle, line, n } from '../shapes.ts';
import { lastIsAnswer, type Motif, type Stage, shares } from '../stage.ts';

/** Shares for drawing: when the smallest would vanish, all are drawn by their square roots. */
function visible(values: readonly number[]): number[] {
  const parts = shares(values);
  return Math.min(...parts) < 0.05 ? parts.map(Math.sqrt) : parts;
}

/** Bands under one another, joined by their slopes. */
function drawStacked(stage: Stage): string {
  const { on, values } = stage;
  const parts = visible(values);
  const slot = 470 / parts.length;
  const thick = slot * 0.56;
  const fills = lastIsAnswer(parts.length, on.main, on.answer);
  const widths = parts.map((part) => Math.max(34, part * 860));
  const bands = widths.map((width, index) => {
    const y = 80 + slot * index;
    const next = widths[index + 1];
    const slope =
      next === undefined
        ? ''
        : area(
            `M${n(600 - width / 2)} ${n(y + thick)}H${n(600 + width / 2)}L${n(600 + next / 2)} ${n(y + slot)}H${n(600 - next / 2)}z`,
            on.soft,
          );
    return slope + box(600 - width / 2, y, width, thick, fills[index] ?? on.main);
  });
  const tail = 80 + slot * (parts.length - 1) + thick;
  return (
    drawGround(stage, ['ruled', 'plain', 'columns']) +
    bands.join('') +
    line(600, tail + 14, 600, 630, on.answer, 8, '1 20')
  );
}

/** A stream from left to right that loses breadth at every gate. */
function drawStream(stage: Stage): string {
  const { on, values } = stage;
  const parts = visible(values);
  const count = parts.length;
  const step = 940 / (count - 1);
  const heights = parts.map((part) => Math.max(20, part * 460));
  const gates = heights.map((height, index) => ({ x: 90 + step * index, height }));
  const streams = gates.slice(1).map((to, index) => {
    const from = gates[index] ?? to;
    const middle = (from.x + to.x) / 2;
    const [a, b] = [from.height / 2, to.height / 2];
    return area(
      `M${n(from.x)} ${n(315 - a)}C${n(middle)} ${n(315 - a)} ${n(middle)} ${n(315 - b)} ${n(to.x)} ${n(315 - b)}V${n(315 + b)}C${n(middle)} ${n(315 + b)} ${n(middle)} ${n(315 + a)} ${n(from.x)} ${n(315 + a)}z`,
      on.soft,
    );
  });
  const fills = lastIsAnswer(count, on.main, on.answer);
  const bars = gates.map(({ x, height }, index) =>
    box(x - 17, 315 - height / 2, 34, height, fills[index] ?? on.main, 4),
  );
  const end = gates.at(-1);
  return (
    drawGround(stage, ['plain', 'dots', 'ruled']) +
    (end ? circle(end.x, 315, Math.min(150, Math.max(84, end.height / 2 + 30)), on.spark) : '') +
    streams.join('') +
    bars.join('')
  );
}

/** Rows against a margin; what is lost at each step stays as an outline. */
function drawRows(stage: Stage): string {
  const { on, values, random } = stage;
  const parts = visible(values);
  const slot = 480 / parts.length;
  const thick = slot * 0.7;
  const fills = lastIsAnswer(parts.length, on.main, on.answer);
  const flip = random.sign();
  const place = (x: number, width: number) => (flip > 0 ? x : 1200 - x - width);
  const rows = parts.map((part, index) => {
    const [y, width] = [75 + slot * index, Math.max(26, part * 900)];
    const before = Math.max(26, (parts[index - 1] ?? part) * 900);
    return (
      box(place(150 + width, before - width), y, before - width, thick, on.soft) +
      box(place(150, width), y, width, thick, fills[index] ?? on.main)
    );
  });
  const margin = flip > 0 ? 150 : 1050;
  return (
    drawGround(stage, ['plain', 'columns', 'dots']) + rows.join('') + line(margin, 44, margin, 586, on.ink, 7)
  );
}

/** Narrowing bands, one for each value. */
export const drawFunnel: Motif = (stage) => stage.random.pick([drawStacked, drawStream, drawRows])(stage);
