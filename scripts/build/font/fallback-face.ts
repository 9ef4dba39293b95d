import { fromBuffer } from '@capsizecss/unpack';

/** Vertical metrics and mean width of a font, in em; `descent` is positive downwards. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly meanAdvance: number;
}

/** A font of the visitor's system that shows headings until the display font arrives. */
interface SystemFace {
  /** Follows the name of the display font in the name of the fallback. */
  readonly suffix: string;
  /** Full and PostScript names, and those of fonts with the same widths. */
  readonly local: readonly string[];
  /** Mean width of a character in English text, in em. */
  readonly meanAdvance: number;
}

/** Widths from Capsize metrics 4.3.0 (`arial/700`, `roboto/700`), measured on the fonts, 2,048 units per em. */
const SYSTEM_FACES: readonly SystemFace[] = [
  {
    suffix: 'Fallback',
    local: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'LiberationSans-Bold', 'Arimo Bold'],
    meanAdvance: 983 / 2048,
  },
  {
    suffix: 'Fallback Roboto',
    local: ['Roboto Bold', 'Roboto-Bold'],
    meanAdvance: 926 / 2048,
  },
];

/** Reads the metrics of a static font file; characters count as often as English uses them. */
export async function readFontMetrics(font: Buffer): Promise<FontMetrics> {
  const { ascent, descent, lineGap, unitsPerEm, xWidthAvg } = await fromBuffer(font);
  return {
    ascent: ascent / unitsPerEm,
    descent: -descent / unitsPerEm,
    lineGap: lineGap / unitsPerEm,
    meanAdvance: xWidthAvg / unitsPerEm,
  };
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** Builds `@font-face` rules with which text in a system font takes the space of the display font. */
export function buildFallbackFaces(family: string, display: FontMetrics): string[] {
  return SYSTEM_FACES.map(({ suffix, local, meanAdvance }) => {
    const size = display.meanAdvance / meanAdvance;
    return `@font-face {
  font-family: "${family} ${suffix}";
  src:
    ${local.map((name) => `local("${name}")`).join(',\n    ')};
  font-weight: 400 700;
  size-adjust: ${percent(size)};
  ascent-override: ${percent(display.ascent / size)};
  descent-override: ${percent(display.descent / size)};
  line-gap-override: ${percent(display.lineGap / size)};
}
`;
  });
}
