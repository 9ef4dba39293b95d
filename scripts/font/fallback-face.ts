import type { FontMetrics } from './font-metrics.ts';

/** A font of the visitor's system that stands in until the display face arrives. */
export interface SystemFace {
  readonly family: string;
  /** Full and PostScript names, and those of fonts cut to the same widths. */
  readonly local: readonly string[];
  /** Mean advance of English text, in em. */
  readonly meanAdvance: number;
}

/** Widths: Capsize metrics 4.3.0 (`arial/700`, `roboto/700`), measured on the fonts, 2,048 units to the em. */
export const SYSTEM_FACES: readonly SystemFace[] = [
  {
    family: 'Bricolage Fallback',
    local: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'LiberationSans-Bold', 'Arimo Bold'],
    meanAdvance: 983 / 2048,
  },
  {
    family: 'Bricolage Fallback Roboto',
    local: ['Roboto Bold', 'Roboto-Bold'],
    meanAdvance: 926 / 2048,
  },
];

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** An `@font-face` rule under which text in the system face takes the room of the display face. */
export function buildFallbackFace(face: SystemFace, display: FontMetrics): string {
  const size = display.meanAdvance / face.meanAdvance;
  return `@font-face {
  font-family: "${face.family}";
  src:
    ${face.local.map((name) => `local("${name}")`).join(',\n    ')};
  font-weight: 400 700;
  size-adjust: ${percent(size)};
  ascent-override: ${percent(display.ascent / size)};
  descent-override: ${percent(display.descent / size)};
  line-gap-override: ${percent(display.lineGap / size)};
}
`;
}
