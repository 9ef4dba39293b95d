import { drawGround } from '../ground.ts';
import { box, circle, line, n, stroke, turned } from '../shapes.ts';
import { type Motif, type Stage, shares } from '../stage.ts';
import { sheet, writing } from '../stationery.ts';

const WIDE = 300;
const TALL = 390;

/** An invoice whose total is a bar of its value's length. */
function drawInvoice(stage: Stage, x: number, y: number, share: number, isLast: boolean): string {
  const { palette, random } = stage;
  const tones = palette.sheet;
  const head = isLast ? tones.answer : random.pick([tones.main, tones.ink, tones.main]);
  const rows = Array.from({ length: 4 }, (_, row) => {
    const top = y + 138 + row * 40;
    return (
      writing(x + 30, top, [random.between(50, 110)], tones.soft) +
      writing(x + WIDE - 30 - 44, top, [44], tones.soft) +
      line(x + 30, top + 21, x + WIDE - 30, top + 21, tones.rule, 3)
    );
  });
  const total = Math.max(40, share * (WIDE - 60));
  return (
    sheet(x, y, WIDE, TALL, palette.paper, palette.shade, 10) +
    stroke(`M${n(x)} ${n(y + TALL)}V${n(y)}H${n(x + WIDE)}`, palette.shade, 4) +
    box(x + 30, y + 48, 46, 46, head, 6) +
    writing(x + 94, y + 60, [92], tones.ink) +
    writing(x + 94, y + 84, [56], tones.soft) +
    rows.join('') +
    line(x + 30, y + 312, x + WIDE - 30, y + 312, tones.ink, 5) +
    box(x + 30, y + 332, total, 30, isLast ? tones.answer : tones.main, 3)
  );
}

/** Held in a hand of bills, fanned out. */
function drawFan(stage: Stage): string {
  const parts = shares(stage.values);
  const step = Math.min(13, 44 / parts.length);
  const sheets = parts.map((share, index) => {
    const angle = (index - (parts.length - 1) / 2) * step;
    return turned(angle, 600, 1150, drawInvoice(stage, 450, 118, share, index === parts.length - 1));
  });
  return drawGround(stage, ['plain', 'disc', 'dots']) + sheets.join('');
}

/** Laid on a table one over another. */
function drawCascade(stage: Stage): string {
  const { random } = stage;
  const parts = shares(stage.values);
  const left = 120;
  const step = (1200 - 2 * left - WIDE) / (parts.length - 1);
  const sheets = parts.map((share, index) => {
    const [x, y] = [left + step * index, 120 + random.between(-34, 34)];
    const isLast = index === parts.length - 1;
    return turned(
      isLast ? 0 : random.between(-5, 5),
      x + WIDE / 2,
      315,
      drawInvoice(stage, x, y, share, isLast),
    );
  });
  return drawGround(stage, ['desk', 'plain', 'columns']) + sheets.join('');
}

/** Hung on one nail, the newest in front. */
function drawNail(stage: Stage): string {
  const { random, on, palette } = stage;
  const parts = shares(stage.values);
  const lean = random.sign();
  const sheets = parts.map((share, index) => {
    const back = parts.length - 1 - index;
    const angle = back === 0 ? lean * -3 : lean * (back % 2 === 0 ? -1 : 1) * (6 + back * 6);
    return turned(angle, 600, 104, drawInvoice(stage, 450, 76, share, back === 0));
  });
  const nail =
    circle(607, 111, 14, palette.shade) +
    circle(600, 104, 14, palette.sheet.ink) +
    circle(595, 99, 4, palette.paper);
  return (
    drawGround(stage, ['plain', 'ruled', 'columns']) +
    circle(600, 330, 270, on.spark) +
    sheets.join('') +
    nail
  );
}

/** A stack of invoices, one for each value. */
export const drawPapers: Motif = (stage) => stage.random.pick([drawFan, drawCascade, drawNail])(stage);
