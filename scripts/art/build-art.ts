import { drawBars } from './motifs/bars.ts';
import { drawBlocks } from './motifs/blocks.ts';
import { drawCalendar } from './motifs/calendar.ts';
import { drawCurve } from './motifs/curve.ts';
import { drawFlow } from './motifs/flow.ts';
import { drawFunnel } from './motifs/funnel.ts';
import { drawLedger } from './motifs/ledger.ts';
import { drawPapers } from './motifs/papers.ts';
import { drawRoute } from './motifs/route.ts';
import { drawScales } from './motifs/scales.ts';
import { PALETTES, type Palette } from './palette.ts';
import { createRandom } from './random.ts';
import { HEIGHT, WIDTH } from './shapes.ts';
import type { Motif } from './stage.ts';

export const MOTIFS = {
  bars: drawBars,
  blocks: drawBlocks,
  calendar: drawCalendar,
  curve: drawCurve,
  flow: drawFlow,
  funnel: drawFunnel,
  ledger: drawLedger,
  papers: drawPapers,
  route: drawRoute,
  scales: drawScales,
} as const satisfies Record<string, Motif>;

export type MotifName = keyof typeof MOTIFS;

/** What a picture is made from: positive values, and a seed for everything that they leave open. */
export interface ArtSpec {
  readonly motif: MotifName;
  readonly values: readonly number[];
  readonly seed: string;
}

/** Salts of chance under which the site's own articles spread evenly over grounds and compositions. */
const SALT = { palette: '1jpc', motif: '5n0' };

/** The ground that a seed falls on. */
export function choosePalette(seed: string): Palette {
  return createRandom(`${SALT.palette} ${seed}`).pick(PALETTES);
}

/** A line, a stack, a balance want three values at least; the last one stands for those that are missing. */
function fillUp(values: readonly number[]): number[] {
  const last = values.at(-1) ?? 1;
  return [...values, ...Array.from({ length: Math.max(0, 3 - values.length) }, () => last)];
}

/** An SVG of 1,200 by 630 units: the same words give the same picture. */
export function buildArt({ motif, values, seed }: ArtSpec, palette = choosePalette(seed)): string {
  const stage = {
    values: fillUp(values),
    palette,
    on: palette.on,
    random: createRandom(`${SALT.motif} ${motif} ${seed}`),
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${MOTIFS[motif](stage)}</svg>`;
}
