/** Headers of every response of the console, whatever it is. */
export const CONSOLE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  // Forms of the console have to carry their origin, which `no-referrer` would take from them.
  'referrer-policy': 'same-origin',
} as const;

/** Builds a redirect within the console. */
export function buildConsoleRedirect(location: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(null, { status: 303, headers: { ...CONSOLE_HEADERS, location, ...headers } });
}
