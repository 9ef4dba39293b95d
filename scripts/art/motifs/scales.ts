import { drawGround } from '../ground.ts';
import { area, box, circle, line, n, turned } from '../shapes.ts';
import { type Motif, type Stage, sum } from '../stage.ts';
import { slabs } from '../stationery.ts';

interface Load {
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Degrees, positive when the right side is heavier. */
  readonly tilt: number;
}

function weigh(values: readonly number[]): Load {
  const half = Math.ceil(values.length / 2);
  const [left, right] = [values.slice(0, half), values.slice(half)];
  const [a, b] = [sum(left), sum(right)];
  return { left, right, tilt: Math.max(-13, Math.min(13, ((b - a) / (a + b)) * 34)) };
}

const heights = (values: readonly number[], whole: number, room: number) =>
  values.map((value) => Math.max(16, (value / whole) * room));

/** A balance whose pans hang level from a tilted beam. */
function drawBalance(stage: Stage): string {
  const { on, palette, values } = stage;
  const { left, right, tilt } = weigh(values);
  const heavier = Math.max(sum(left), sum(right));
  const arm = 330;
  const radians = (tilt * Math.PI) / 180;
  const ends = [-1, 1].map((side) => ({
    x: 600 + side * arm * Math.cos(radians),
    y: 130 + side * arm * Math.sin(radians),
  }));
  const pans = ends.map(({ x, y }, index) => {
    const pan = y + 300;
    const load = index === 0 ? left : right;
    const fills = index === 0 ? [on.main, on.main] : [on.answer, on.answer];
    return (
      line(x, y, x - 120, pan, on.ink, 4) +
      line(x, y, x + 120, pan, on.ink, 4) +
      slabs(x - 74, pan, 148, heights(load, heavier, 216), fills) +
      area(`M${n(x - 150)} ${n(pan)}h300q-18 46 -84 46h-132q-66 0 -84 -46z`, on.ink) +
      circle(x, y, 11, on.ink)
    );
  });
  return (
    drawGround(stage, ['plain', 'ruled', 'disc', 'dots']) +
    circle(600, 130, 74, on.spark) +
    line(600, 130, 600, 560, on.ink, 14) +
    area('M470 586q10 -40 70 -40h120q60 0 70 40z', on.ink) +
    turned(tilt, 600, 130, line(600 - arm, 130, 600 + arm, 130, on.ink, 14)) +
    pans.join('') +
    circle(600, 130, 24, palette.paper, on.ink, 9)
  );
}

/** A plank over a wedge, loaded at both ends. */
function drawPlank(stage: Stage): string {
  const { on, palette, values } = stage;
  const { left, right, tilt } = weigh(values);
  const heavier = Math.max(sum(left), sum(right));
  const plank =
    slabs(180, 410, 190, heights(left, heavier, 270), [on.main]) +
    slabs(830, 410, 190, heights(right, heavier, 270), [on.answer]) +
    box(120, 410, 960, 26, on.ink, 4);
  return (
    drawGround(stage, ['plain', 'columns', 'dots']) +
    circle(600, 560, 210, on.spark) +
    box(0, 560, 1200, 70, palette.shade) +
    area('M600 428L690 562H510z', on.ink) +
    turned(tilt * 0.6, 600, 423, plank) +
    line(0, 560, 1200, 560, on.ink, 6)
  );
}

/** Two sides weighed against each other: the first half of the values against the second. */
export const drawScales: Motif = (stage) => stage.random.pick([drawBalance, drawPlank])(stage);
