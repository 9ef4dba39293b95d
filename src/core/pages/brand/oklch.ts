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

/** The color as CSS. */
export function formatOklch({ l, c, h }: Oklch): string {
  return `oklch(${round(l)} ${round(c)} ${Math.round(h)})`;
}

/** The contrast of two colors as WCAG 2 defines it, from 1 to 21. Colors outside sRGB are clipped. */
export function computeContrast(one: Oklch, other: Oklch): number {
  const [dark = 0, light = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function computeLuminance({ l, c, h }: Oklch): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short;
  return 0.2126 * clip(red) + 0.7152 * clip(green) + 0.0722 * clip(blue);
}

const clip = (channel: number) => Math.min(1, Math.max(0, channel));
const round = (value: number) => Math.round(value * 1000) / 1000;

function decodeChannel(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
