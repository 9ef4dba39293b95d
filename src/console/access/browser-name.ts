/** Browsers by a product of their user agent. Most name those before them too, so the first that is found counts. */
const BROWSERS: readonly (readonly [product: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['EdgA', 'Edge'],
  ['EdgiOS', 'Edge'],
  ['OPR', 'Opera'],
  ['OPT', 'Opera'],
  ['Vivaldi', 'Vivaldi'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['HeadlessChrome', 'Headless Chrome'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  // Every other browser calls itself Safari as well; Safari alone gives its version apart from that of its engine.
  ['Version', 'Safari'],
];

const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** What a list of sessions calls a browser: `Firefox on Linux`. */
export function buildBrowserName(userAgent: string): string {
  const comments = [...userAgent.matchAll(/\(([^)]*)\)/g)].map(([, text = '']) => text).join(' ');
  const products = new Set(
    [...userAgent.replaceAll(/\([^)]*\)/g, ' ').matchAll(/(?:^|\s)([\w.-]+)\/\d/g)].map(([, name]) => name),
  );
  const browser = BROWSERS.find(([product]) => products.has(product))?.[1] ?? 'A browser';
  const system = SYSTEMS.find(([pattern]) => pattern.test(comments))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
