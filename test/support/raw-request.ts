import { connect } from 'node:net';

/** Sends bytes as they are to the site and resolves to the whole response; for requests that no client would send. */
export function sendRaw(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let response = '';
    socket.setTimeout(20_000, () => socket.destroy(new Error('no response within 20 s')));
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

/** Status and headers (lower-case names) of a raw response. */
export function parseHead(response: string): { status: number; headers: Record<string, string> } {
  const [start = '', ...lines] = (response.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(start.split(' ')[1]), headers: Object.fromEntries(headers) };
}

/** What every response carries, whatever it is. */
const EVERYWHERE: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  // Of images alone: readers of feeds and previews of the console show them.
  'cross-origin-resource-policy': /^(same-(site|origin)|cross-origin)$/,
  'origin-agent-cluster': /^\?1$/,
  'permissions-policy': /camera=\(\), microphone=\(\), geolocation=\(\)/,
  'content-security-policy': /^default-src 'none';(?!.*'unsafe-).*frame-ancestors 'none'/,
};

/** What a page's policy says beyond that. */
export const PAGE_POLICY = [
  /script-src 'self'( 'sha256-[\w+/=]+')*;/,
  /script-src-attr 'none'/,
  /style-src 'self'( 'sha256-[\w+/=]+')*;/,
  /style-src-attr 'none'/,
  /object-src 'none'/,
  /base-uri 'none'/,
  /form-action 'self'/,
  /require-trusted-types-for 'script'/,
];

/** The headers (lower-case names) of a response that are missing, wrong, or reveal what is no business of a visitor. */
export function findWrongHeaders(headers: Readonly<Record<string, string>>): string[] {
  const wrong = Object.entries(EVERYWHERE)
    .filter(([name, form]) => !form.test(headers[name] ?? ''))
    .map(([name]) => `${name}: ${headers[name]}`);
  const type = headers['content-type'] ?? 'image/';
  if (headers['cross-origin-resource-policy'] === 'cross-origin' && !type.startsWith('image/'))
    wrong.push(`cross-origin-resource-policy of ${type}`);
  const telling = [
    'server',
    'x-powered-by',
    ...(type.startsWith('font/') ? [] : ['access-control-allow-origin']),
  ].filter((name) => name in headers);
  return [...wrong, ...telling];
}
