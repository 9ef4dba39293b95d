import type { Brand, Look } from './brand.schema.ts';

/** WCAG 2.2 AA for text. */
const MIN_CONTRAST = 4.5;

const LIGHT_GROUND: Oklch = { l: 0.982, c: 0.008, h: 88 };
const DARK_GROUND: Oklch = { l: 0.185, c: 0.018, h: 262 };
const INK: Oklch = { l: 0.235, c: 0.03, h: 262 };

/** How well text in a color of a brand can be read. */
export interface BrandContrast {
  /** `colors.accent` */
  readonly field: string;
  readonly ratio: number;
  /** With what: `with the white text of buttons`. */
  readonly what: string;
  readonly isEnough: boolean;
}

/** The styles of a brand, or what is wrong with its colors. */
export type BrandStyles = { readonly contrasts: readonly BrandContrast[] } & (
  | { readonly css: string; readonly problems: readonly [] }
  | { readonly css: ''; readonly problems: readonly { readonly field: string; readonly reason: string }[] }
);

/**
 * Builds the custom properties that a brand changes, for light and dark mode. Dark colors are derived: the same hue,
 * lighter and less saturated. Text in each color has to reach a contrast of 4.5:1.
 */
export function buildBrandStyles({ look, colors, radius, displayFont }: Brand): BrandStyles {
  const shared: string[] = [];
  const light: string[] = [];
  const dark: string[] = [];
  const contrasts: BrandContrast[] = [];
  const style = LOOK_STYLES[look];
  const groundColor = colors.ground ?? style.ground;
  const ground = groundColor === undefined ? LIGHT_GROUND : parseHexColor(groundColor);
  // Of boxes, the footer and tables: the darkest background that text in these colors has.
  const sunken = { ...ground, l: ground.l - 0.027 };
  const check = (field: string, color: Oklch, other: Oklch, what: string) => {
    const ratio = computeContrast(color, other);
    contrasts.push({ field, ratio, what, isEnough: ratio >= MIN_CONTRAST });
  };
  if (groundColor !== undefined) {
    check('colors.ground', ground, INK, 'with the ink');
    light.push(
      `--surface:${formatHex(ground)}`,
      `--raised:${formatHex({ ...ground, l: Math.min(1, ground.l + 0.016) })}`,
      `--sunken:${formatHex(sunken)}`,
    );
  }
  if (colors.accent !== undefined) {
    const accent = parseHexColor(colors.accent);
    const darkAccent = { l: 0.77, c: Math.min(accent.c, 0.11), h: accent.h };
    check('colors.accent', accent, sunken, 'with the shaded background of boxes');
    check('colors.accent', accent, { l: 0.99, c: 0.005, h: 88 }, 'with the white text of buttons');
    check('colors.accent', darkAccent, DARK_GROUND, 'with the background of dark mode');
    light.push(
      `--accent:${formatHex(accent)}`,
      `--accent-strong:${formatHex({ ...accent, l: accent.l - 0.07 })}`,
    );
    dark.push(
      `--accent:${formatHex(darkAccent)}`,
      `--accent-strong:${formatHex({ ...darkAccent, l: 0.84 })}`,
    );
  }
  if (colors.positive !== undefined) {
    const positive = parseHexColor(colors.positive);
    const wash = { l: 0.95, c: 0.035, h: positive.h };
    check('colors.positive', positive, sunken, 'with the shaded background of boxes');
    check('colors.positive', positive, wash, 'with its own background');
    light.push(`--positive:${formatHex(positive)}`, `--positive-wash:${formatHex(wash)}`);
    dark.push(
      `--positive:${formatHex({ l: 0.8, c: Math.min(positive.c, 0.13), h: positive.h })}`,
      `--positive-wash:${formatHex({ l: 0.27, c: 0.045, h: positive.h })}`,
    );
  }
  const corner = radius ?? style.radius;
  if (corner !== undefined) shared.push(`--corner:${corner / 16}rem`);
  if (displayFont === 'bricolage') shared.push(...style.fonts);
  if (displayFont === 'system')
    shared.push('--font-text:system-ui,sans-serif', '--font-display:var(--font-text)');
  const problems = contrasts
    .filter(({ isEnough }) => !isEnough)
    .map(({ field, ratio, what }) => ({
      field,
      reason: `has a contrast of ${ratio.toFixed(1)}:1 ${what}; text needs ${MIN_CONTRAST}:1`,
    }));
  if (problems.length > 0) return { css: '', problems, contrasts };
  return {
    css: [buildCss(shared, light, dark), style.css].filter(Boolean).join('\n'),
    problems: [],
    contrasts,
  };
}

/** What a look is made of; fonts are those of the reader's system, so that none has to be loaded. */
interface LookStyle {
  readonly ground?: string;
  /** Corners in px. */
  readonly radius?: number;
  readonly fonts: readonly string[];
  readonly css: string;
}

/** Boxes with a frame of their own share no line. */
const BOXES_APART = 'li+li>[data-product]{margin-top:2rem}';

const LOOK_STYLES: Readonly<Record<Look, LookStyle>> = {
  signpost: { fonts: [], css: '' },
  journal: {
    ground: '#fdfcf8',
    fonts: [
      '--font-text:"Iowan Old Style","Palatino Linotype",Palatino,P052,Georgia,serif',
      '--font-display:var(--font-text)',
    ],
    css:
      'body{line-height:1.72}main :is(h1,h2,h3){font-weight:400}.sign strong{font-weight:700}' +
      '[data-hero]>div{grid-template-columns:minmax(0,1fr);max-width:46rem}' +
      '.signpost{max-width:none;gap:0;background:none}.sign{padding-inline:0;border-top:1px solid var(--line)}' +
      '.sign::before,.sign::after{display:none}.card{padding-block:1.7rem}' +
      '[data-product]{border:0;border-left:3px solid var(--accent);padding:0 0 0 1.5rem}' +
      BOXES_APART,
  },
  catalog: {
    ground: '#ffffff',
    radius: 4,
    fonts: ['--font-display:var(--font-text)'],
    css:
      'body{font-size:1rem;line-height:1.5}main h1{font-size:clamp(1.9rem,1.5rem + 1.6vw,2.8rem)}' +
      '[data-hero]{padding-block:1.75rem}[data-hero]>div{grid-template-columns:minmax(0,1fr);gap:0}' +
      '.signpost{max-width:none;background:none}.sign::before,.sign::after{clip-path:none}.card{padding-block:.75rem}' +
      '@media (min-width:46rem){.signpost{grid-template-columns:repeat(3,minmax(0,1fr))}}' +
      '[data-product]{border:1px solid var(--line);border-radius:var(--corner);padding:1.25rem;background:var(--raised)}' +
      BOXES_APART,
  },
  bench: {
    ground: '#f4f5f6',
    radius: 0,
    fonts: ['--font-display:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace'],
    css:
      'main h1{font-size:clamp(1.7rem,1.2rem + 2.2vw,3rem);letter-spacing:-.04em;overflow-wrap:anywhere}' +
      '@media (min-width:46rem){[data-hero]>div>:last-child{order:-1}}' +
      '.sign::before,.sign::after{clip-path:none}.card{border-top:2px solid var(--line-strong)}' +
      '[data-product]{border:2px solid var(--line-strong);padding:1.25rem}' +
      BOXES_APART,
  },
};

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

/** A color by lightness (0 to 1), chroma (0 to about 0.4) and hue (degrees). */
export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** Converts `#rrggbb` to OKLCH (Björn Ottosson's matrices). */
export function parseHexColor(hex: string): Oklch {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) =>
    decodeChannel(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  const [l = 0, m = 0, s = 0] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt);
  const [light = 0, a = 0, y = 0] = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  const c = Math.hypot(a, y);
  const hue = (Math.atan2(y, a) * 180) / Math.PI;
  return { l: light, c, h: (hue + 360) % 360 };
}

/** The color as CSS that every browser knows. Colors outside sRGB are clipped. */
function formatHex(color: Oklch): string {
  const channels = computeLight(color).map((light) => {
    const value = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** The contrast of two colors as WCAG 2 defines it, from 1 to 21. Colors outside sRGB are clipped. */
export function computeContrast(one: Oklch, other: Oklch): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function computeLuminance(color: Oklch): number {
  const [red = 0, green = 0, blue = 0] = computeLight(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Linear light of red, green and blue, from 0 to 1. */
function computeLight({ l, c, h }: Oklch): number[] {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short;
  return [red, green, blue].map(clip);
}

const clip = (channel: number) => Math.min(1, Math.max(0, channel));

function decodeChannel(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
