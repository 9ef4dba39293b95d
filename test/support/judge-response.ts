import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Partner } from '../../src/core/outbound/partner.ts';
import { MARK } from './hostile-values.ts';
import type { RawRequest } from './raw-http.ts';
import { parseHead } from './raw-request.ts';

/** What responses are measured against. */
export interface Judge {
  readonly origin: string;
  readonly partners: readonly Partner[];
}

/** A tag of a hostile value that a page has taken for its own. */
const TAG = new RegExp(`<[/!]?${MARK}`, 'i');
/** An attribute, or an address with a script. */
const REFLECTED = [
  new RegExp(`(?<!\\\\)" ${MARK}=`),
  new RegExp(`(?:href|src|action|content|url)=["']?\\s*(?:0;\\s*url=)?javascript:${MARK}`, 'i'),
];

/** What is wrong with a response to a hostile request; empty when it is as it has to be. */
export function findFaults({ bytes }: RawRequest, response: Buffer | null, judge: Judge): string[] {
  if (response === null) return ['no response'];
  // A tunnel is refused by hanging up; so may be, after its response, a body that is refused half-way.
  if (response.length === 0) return bytes.startsWith('CONNECT ') || bytes.length > 65_536 ? [] : ['hung up'];
  const end = response.indexOf('\r\n\r\n');
  if (end < 0 || !response.subarray(0, 9).equals(Buffer.from('HTTP/1.1 '))) return ['not an HTTP response'];
  const { status, headers } = parseHead(response.subarray(0, end + 4).toString('latin1'));
  const text = parseText(headers, response.subarray(end + 4));
  return [
    ...judgeStatus(status, headers),
    ...judgeHeaders(headers, judge),
    ...(isMarkup(headers) ? judgeMarkup(text) : []),
    ...(text.includes('<div class="spinner"') ? judgeRedirect(text, judge) : []),
  ];
}

function judgeStatus(status: number, headers: Readonly<Record<string, string>>): string[] {
  if (!(status >= 100 && status < 600)) return [`status ${status}`];
  if (status < 500) return [];
  return status === 503 && headers['retry-after'] !== undefined ? [] : [`status ${status}`];
}

function judgeHeaders(headers: Readonly<Record<string, string>>, { origin }: Judge): string[] {
  const { location } = headers;
  const faults: string[] = [];
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('no security headers');
  if (headers['set-cookie'] !== undefined) faults.push(`a cookie: ${headers['set-cookie']}`);
  if (location === undefined) return faults;
  const isOwn = location.startsWith(`${origin}/`) || /^\/(?![/\\])/.test(location);
  const resolved = URL.canParse(location, origin) ? new URL(location, origin).origin : 'nowhere';
  return isOwn && resolved === origin ? faults : [...faults, `Location: ${location}`];
}

function isMarkup(headers: Readonly<Record<string, string>>): boolean {
  return !/json|text\/plain|javascript|css/.test(headers['content-type'] ?? '');
}

function judgeMarkup(text: string): string[] {
  const show = (from: string, at: number) =>
    at < 0 ? [] : [`reflected: ${JSON.stringify(from.slice(Math.max(0, at - 40), at + 60))}`];
  // Inside quotes a tag is text: what counts there is that nothing ends the quotes.
  const bare = text.replace(/="[^"]*"/g, '=""');
  return [...show(bare, bare.search(TAG)), ...REFLECTED.flatMap((one) => show(text, text.search(one)))];
}

/** Every address of the redirect page leads to a partner with its parameter once, or asks the site itself again. */
function judgeRedirect(page: string, { partners }: Judge): string[] {
  const targets = [...page.matchAll(/(?: href="|; url=)(h[^"]*)"/g)].map(([, href = '']) =>
    decodeEntities(href),
  );
  const repeated = [...page.matchAll(/ data-repeat="([^"]*)"/g)].map(([, path = '']) => decodeEntities(path));
  return [
    ...(targets.length === 0 ? ['a redirect to nowhere'] : []),
    ...targets.flatMap((target) => (isPartners(target, partners) ? [] : [`leads to ${target}`])),
    ...repeated.flatMap((path) =>
      /^\/(go\/[a-z0-9-]+|[a-z]+-trial)\?/.test(path) ? [] : [`requests ${path}`],
    ),
  ];
}

function isPartners(target: string, partners: readonly Partner[]): boolean {
  const url = new URL(target);
  const known = partners.find(({ destinations }) =>
    [...destinations.values()].some((destination) => {
      const { origin, pathname } = new URL(destination);
      return origin === url.origin && pathname === url.pathname;
    }),
  );
  if (known === undefined || url.username !== '') return false;
  return url.searchParams.getAll(known.affiliate.parameter).join() === known.affiliate.value;
}

function decodeEntities(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function parseText(headers: Readonly<Record<string, string>>, body: Buffer): string {
  if (body.length === 0) return '';
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
}
