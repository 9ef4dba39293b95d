import type { Brand } from './brand.schema.ts';
import { computeContrast, formatOklch, type Oklch, parseHexColor } from './oklch.ts';

/** WCAG 2.2 AA for text. */
const MIN_CONTRAST = 4.5;

const LIGHT_GROUND: Oklch = { l: 0.982, c: 0.008, h: 88 };
const DARK_GROUND: Oklch = { l: 0.185, c: 0.018, h: 262 };
const INK: Oklch = { l: 0.235, c: 0.03, h: 262 };

/** The styles of a brand, or what is wrong with its colors. */
export type BrandStyles =
  | { readonly css: string; readonly problems: readonly [] }
  | { readonly css: ''; readonly problems: readonly { readonly field: string; readonly reason: string }[] };

/**
 * Builds the custom properties that a brand changes, for light and dark mode. Dark colors are derived: the same hue,
 * lighter and less saturated. Text in each color has to reach a contrast of 4.5:1.
 */
export function buildBrandStyles({ colors, radius, displayFont }: Brand): BrandStyles {
  const shared: string[] = [];
  const light: string[] = [];
  const dark: string[] = [];
  const problems: { field: string; reason: string }[] = [];
  const ground = colors.ground === undefined ? LIGHT_GROUND : parseHexColor(colors.ground);
  // Of boxes, the footer and tables: the darkest background that text in these colors has.
  const sunken = { ...ground, l: ground.l - 0.027 };
  const check = (field: string, color: Oklch, other: Oklch, what: string) => {
    const contrast = computeContrast(color, other);
    if (contrast >= MIN_CONTRAST) return;
    const reason = `has a contrast of ${contrast.toFixed(1)}:1 ${what}; text needs ${MIN_CONTRAST}:1`;
    problems.push({ field, reason });
  };
  if (colors.ground !== undefined) {
    check('colors.ground', ground, INK, 'with the ink');
    light.push(
      `--surface:${formatOklch(ground)}`,
      `--raised:${formatOklch({ ...ground, l: Math.min(1, ground.l + 0.016) })}`,
      `--sunken:${formatOklch(sunken)}`,
    );
  }
  if (colors.accent !== undefined) {
    const accent = parseHexColor(colors.accent);
    const darkAccent = { l: 0.77, c: Math.min(accent.c, 0.11), h: accent.h };
    check('colors.accent', accent, sunken, 'with the shaded background of boxes');
    check('colors.accent', accent, { l: 0.99, c: 0.005, h: 88 }, 'with the white text of buttons');
    check('colors.accent', darkAccent, DARK_GROUND, 'with the background of dark mode');
    light.push(
      `--accent:${formatOklch(accent)}`,
      `--accent-strong:${formatOklch({ ...accent, l: accent.l - 0.07 })}`,
    );
    dark.push(
      `--accent:${formatOklch(darkAccent)}`,
      `--accent-strong:${formatOklch({ ...darkAccent, l: 0.84 })}`,
    );
  }
  if (colors.positive !== undefined) {
    const positive = parseHexColor(colors.positive);
    const wash = { l: 0.95, c: 0.035, h: positive.h };
    check('colors.positive', positive, sunken, 'with the shaded background of boxes');
    check('colors.positive', positive, wash, 'with its own background');
    light.push(`--positive:${formatOklch(positive)}`, `--positive-wash:${formatOklch(wash)}`);
    dark.push(
      `--positive:${formatOklch({ l: 0.8, c: Math.min(positive.c, 0.13), h: positive.h })}`,
      `--positive-wash:${formatOklch({ l: 0.27, c: 0.045, h: positive.h })}`,
    );
  }
  if (radius !== undefined) shared.push(`--corner:${radius / 16}rem`);
  if (displayFont === 'system') shared.push('--font-display:var(--font-text)');
  if (problems.length > 0) return { css: '', problems };
  return { css: buildCss(shared, light, dark), problems: [] };
}

/** Builds the rules of custom properties for both modes, for light mode and for dark mode. */
function buildCss(shared: readonly string[], light: readonly string[], dark: readonly string[]): string {
  const css = [
    ...(shared.length > 0 ? [`:root{${shared.join(';')}}`] : []),
    // Print has colors of its own.
    ...(light.length > 0
      ? [`@media screen and (prefers-color-scheme:light){:root{${light.join(';')}}}`]
      : []),
    ...(dark.length > 0
      ? [
          `@media screen and (prefers-color-scheme:dark){:root{${dark.join(';')}}}`,
          `.section-ink{${dark.join(';')}}`,
        ]
      : []),
  ];
  return css.join('\n');
}
