import { fromBuffer } from '@capsizecss/unpack';

/** All in em of the font itself; `descent` is positive downwards. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly meanAdvance: number;
}

/** Reads the metrics of a static font file. Letters weigh in `meanAdvance` as often as English uses them. */
export async function readFontMetrics(font: Buffer): Promise<FontMetrics> {
  const { ascent, descent, lineGap, unitsPerEm, xWidthAvg } = await fromBuffer(font);
  return {
    ascent: ascent / unitsPerEm,
    descent: -descent / unitsPerEm,
    lineGap: lineGap / unitsPerEm,
    meanAdvance: xWidthAvg / unitsPerEm,
  };
}
