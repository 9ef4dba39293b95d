import { drawGround } from '../ground.ts';
import { area, box, circle, line, turned } from '../shapes.ts';
import { type Motif, type Stage, shares } from '../stage.ts';
import { sheet, tornStrip, writing } from '../stationery.ts';

interface Strip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly row: number;
}

/** A row for each value, its amount as a bar, then the double line and the total. */
function drawRows(stage: Stage, { x, y, width, row }: Strip): string {
  const { palette, random, values } = stage;
  const tones = palette.sheet;
  const rows = shares(values).map((share, index) => {
    const middle = y + row * (index + 0.5);
    const amount = Math.max(14, share * width * 0.42);
    return (
      writing(
        x,
        middle,
        [random.between(0.2, 0.36) * width, random.between(0.06, 0.12) * width].slice(0, random.pick([1, 2])),
        tones.soft,
        12,
      ) +
      box(x + width - amount, middle - row * 0.2, amount, row * 0.4, tones.main, 3) +
      line(x, y + row * (index + 1), x + width, y + row * (index + 1), tones.rule, 3)
    );
  });
  const foot = y + row * values.length + 14;
  return (
    rows.join('') +
    line(x, foot, x + width, foot, tones.ink, 6) +
    writing(x, foot + 44, [width * 0.24], tones.ink, 14) +
    box(x + width * 0.5 - 12, foot + 18, width * 0.5 + 24, 52, tones.spark) +
    box(x + width * 0.5, foot + 28, width * 0.5, 32, tones.answer, 3)
  );
}

const rowHeight = (values: readonly number[], room: number) => Math.min(62, room / values.length);

/** Out of a slot at the top of the picture. */
function drawTill(stage: Stage): string {
  const { palette, random, values, on } = stage;
  const center = random.pick([430, 600, 770]);
  const side = center === 600 ? random.sign() : Math.sign(600 - center);
  const row = rowHeight(values, 330);
  const bottom = 96 + 54 + row * values.length + 14 + 70 + 40;
  const strip = { x: center - 185, y: 96 + 54, width: 370, row };
  return (
    drawGround(stage, ['plain', 'ruled', 'disc', 'desk']) +
    circle(center + side * 300, 360, 150, on.spark) +
    area(tornStrip(center - 225 + 14, 96, 450, bottom - 96 + 12), palette.shade) +
    area(tornStrip(center - 225, 80, 450, bottom - 80), palette.paper) +
    drawRows(stage, strip) +
    box(center - 330, 56, 660, 44, on.ink, 22) +
    box(center - 240, 74, 480, 8, palette.shade, 4) +
    circle(center + 290, 78, 8, on.spark)
  );
}

/** Torn off and laid down at an angle, longer than the picture. */
function drawTorn(stage: Stage): string {
  const { palette, random, values, on } = stage;
  const side = random.sign();
  const row = rowHeight(values, 320);
  const bottom = 90 + row * values.length + 14 + 70 + 44;
  const body =
    area(tornStrip(600 - 240 + 16, -160, 480, bottom + 160 + 14), palette.shade) +
    area(tornStrip(600 - 240, -160, 480, bottom + 160), palette.paper) +
    drawRows(stage, { x: 600 - 196, y: 76, width: 392, row }) +
    line(404, 60, 796, 60, palette.sheet.ink, 6) +
    writing(404, 30, [120, 60], palette.sheet.ink, 14);
  const coins = [0, 1, 2].map((index) => {
    const x = 600 - side * (400 + index * 30);
    const y = 500 - index * 118;
    return (
      circle(x + 10, y + 10, 54, palette.shade) +
      circle(x, y, 54, on.spark) +
      circle(x, y, 36, 'none', on.main, 6)
    );
  });
  return (
    drawGround(stage, ['plain', 'columns', 'desk', 'dots']) +
    coins.join('') +
    turned(side * 4, 600, 315, body)
  );
}

/** Two pages of an account book. */
function drawBook(stage: Stage): string {
  const { palette, random, values } = stage;
  const tones = palette.sheet;
  const row = rowHeight(values, 300);
  const lines = Array.from({ length: 8 }, (_, index) => {
    const y = 150 + index * 46;
    return (
      line(166, y, 560, y, tones.rule, 3) +
      (index < 7 ? writing(186, y + 23, [random.between(90, 200)], tones.soft, 11) : '')
    );
  });
  const dates = [246, 470].map((x) => line(x + 40, 100, x + 40, 520, tones.rule, 3));
  return (
    drawGround(stage, ['plain', 'desk', 'disc']) +
    sheet(120, 64, 960, 492, palette.paper, palette.shade, 16) +
    lines.join('') +
    dates.slice(1).join('') +
    area('M600 64C590 64 584 70 570 70V550C584 550 590 556 600 556z', tones.rule) +
    line(600, 64, 600, 556, tones.ink, 4) +
    line(166, 104, 560, 104, tones.ink, 5) +
    line(640, 104, 1034, 104, tones.ink, 5) +
    drawRows(stage, { x: 644, y: 112, width: 386, row }) +
    area('M498 64h36v110l-18-20l-18 20z', tones.spark)
  );
}

/** A receipt with a row for each value. */
export const drawLedger: Motif = (stage) => stage.random.pick([drawTill, drawTorn, drawBook])(stage);
