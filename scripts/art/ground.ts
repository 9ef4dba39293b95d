import { box, circle, HEIGHT, line, WIDTH } from './shapes.ts';
import type { Stage } from './stage.ts';

type Ground = (stage: Stage) => string;

const plain: Ground = () => '';

/** The rules of a ledger page, with its double margin. */
const ruled: Ground = ({ on, random }) => {
  const margin = random.pick([96, 1104]);
  const rules = Array.from({ length: 13 }, (_, index) =>
    line(0, 45 + index * 45, WIDTH, 45 + index * 45, on.rule, 3),
  );
  const margins = [0, 10].map((offset) => line(margin + offset, 0, margin + offset, HEIGHT, on.rule, 3));
  return rules.join('') + margins.join('');
};

/** The columns of an account book. */
const columns: Ground = ({ on }) =>
  Array.from({ length: 11 }, (_, index) =>
    line(100 * (index + 1), 0, 100 * (index + 1), HEIGHT, on.rule, 3),
  ).join('');

const dots: Ground = ({ on }) => {
  const rows = Array.from({ length: 10 }, (_, row) =>
    Array.from({ length: 20 }, (_, column) => circle(30 + column * 60, 45 + row * 60, 3.5, on.rule)).join(''),
  );
  return rows.join('');
};

/** One large disc, cut by the frame. */
const disc: Ground = ({ on, random }) =>
  circle(random.between(180, 1020), random.between(40, 590), random.between(230, 320), on.rule);

/** A desk: the lower part of the picture a shade deeper. */
const desk: Ground = ({ palette, random }) => {
  const edge = random.between(380, 460);
  return box(0, edge, WIDTH, HEIGHT - edge, palette.shade);
};

const GROUNDS = { plain, ruled, columns, dots, disc, desk };

export type GroundName = keyof typeof GROUNDS;

/** The background of a picture, one of the kinds that the motif can stand on. */
export function drawGround(stage: Stage, kinds: readonly [GroundName, ...GroundName[]]): string {
  return box(0, 0, WIDTH, HEIGHT, stage.palette.ground) + GROUNDS[stage.random.pick(kinds)](stage);
}
