import type { LinkHop, LinkVisit, VisitProblem } from '../../core/outbound/link-state.ts';
import { parseRetryAfter } from '../http/json-client.ts';
import { type ReadLinkPage, readLinkPage } from './link-page.ts';
import { LinkRequestError, type LinkResponse, type SendLinkRequest } from './link-request.ts';

const MAX_HOPS = 8;
const DEADLINE_MS = 15_000;
const MAX_BYTES = 512 * 1024;
const MAX_ROBOTS_BYTES = 100 * 1024;

/** A visit with the page as it was read. */
export interface PageVisit extends LinkVisit {
  readonly page: ReadLinkPage | null;
}

/** What a visit needs. */
export interface VisitOptions {
  readonly send: SendLinkRequest;
  readonly userAgent: string;
  /** Whether a request may go to a host. */
  readonly isAllowed: (host: string) => boolean;
  /** ms since 1970. */
  readonly now: number;
  /** For the whole chain, in ms; 15 s when left out. */
  readonly deadlineMs?: number;
}

/**
 * Follows a link as a reader without scripts would: at most 8 requests and 15 s together, 512 KB of each page, with the
 * cookies that the chain itself has set. Each hop is on an allowed host and https, which replaces http. Never rejects for what
 * another site does.
 */
export async function visitLink(address: string, options: VisitOptions): Promise<PageVisit> {
  const { deadlineMs = DEADLINE_MS } = options;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new LinkRequestError('timeout')), deadlineMs);
  try {
    return await follow(new URL(address), options, abort.signal);
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

async function follow(start: URL, options: VisitOptions, signal: AbortSignal): Promise<PageVisit> {
  const { send, userAgent } = options;
  const jar = new CookieJar();
  const hops: LinkHop[] = [];
  const fail = (problem: VisitProblem, refused = ''): PageVisit => ({
    hops,
    problem,
    refused,
    page: null,
    cookies: [],
    isEmpty: false,
    isChallenge: false,
    retryAfter: null,
  });
  let current = start;
  /** The http address that `current` replaces. */
  let plain: URL | null = null;
  while (hops.length < MAX_HOPS) {
    const refusal = findRefusal(current, options);
    if (refusal !== null) return fail(refusal, current.href);
    const cookie = jar.buildHeader(current);
    const headers = {
      accept: 'text/html,application/xhtml+xml',
      'accept-language': 'en',
      'user-agent': userAgent,
      ...(cookie !== '' && { cookie }),
    };
    let response: LinkResponse;
    try {
      response = await send(current, { headers, signal, maxBytes: MAX_BYTES });
    } catch (error) {
      if (!(error instanceof LinkRequestError)) throw error;
      hops.push({ url: current.href, status: 0 });
      const isPlainOnly = plain !== null && (error.problem === 'refused' || error.problem === 'tls');
      return isPlainOnly && plain !== null ? fail('insecure', plain.href) : fail(error.problem);
    }
    hops.push({ url: current.href, status: response.status });
    jar.add(current, response.headers);
    const page = readBodyPage(response);
    const location = getRedirect(response) ?? page?.refresh ?? null;
    const next = location === null ? null : resolveTarget(location, current);
    if (next === 'invalid') return fail('invalid');
    // A page that refreshes itself is the last one.
    if (next === null || (page !== null && next.href === current.href)) {
      const { headers: given } = response;
      return {
        hops,
        problem: null,
        refused: '',
        page,
        isEmpty: response.body.every((byte) => SPACES.has(byte)),
        isChallenge: given.has('cf-mitigated') || given.get('x-amzn-waf-action') === 'challenge',
        cookies: jar.list(current),
        retryAfter: parseRetryAfter(given.get('retry-after'), options.now) ?? null,
      };
    }
    // As a browser that knows a host to be https does. A host that leads back to http would do so without end.
    const secure = upgrade(next);
    if (secure !== next && hops.some(({ url }) => url === secure.href)) return fail('insecure', next.href);
    plain = secure === next ? null : next;
    current = secure;
  }
  const isLoop = new Set(hops.map(({ url }) => url)).size < hops.length;
  return fail(isLoop ? 'loop' : 'many-redirects');
}

/** Reads robots.txt of a host; empty without a file, null when that is not known. Never rejects. */
export async function readRobots(host: string, options: VisitOptions): Promise<string | null> {
  const { send, userAgent, deadlineMs = DEADLINE_MS } = options;
  try {
    const { status, body } = await send(new URL(`https://${host}/robots.txt`), {
      headers: { accept: 'text/plain', 'user-agent': userAgent },
      signal: AbortSignal.timeout(deadlineMs),
      maxBytes: MAX_ROBOTS_BYTES,
    });
    if (status >= 200 && status <= 299) return new TextDecoder().decode(body);
    return status >= 400 && status <= 499 && status !== 429 ? '' : null;
  } catch {
    return null;
  }
}

function findRefusal(address: URL, { isAllowed }: VisitOptions): VisitProblem | null {
  if (address.protocol !== 'https:' || address.port !== '') return 'insecure';
  if (address.username !== '' || address.password !== '') return 'invalid';
  return isAllowed(address.hostname) ? null : 'foreign-host';
}

function upgrade(address: URL): URL {
  if (address.protocol !== 'http:' || address.port !== '') return address;
  return new URL(address.href.replace(/^http:/, 'https:'));
}

/** Tab, line feed, carriage return, space. */
const SPACES: ReadonlySet<number> = new Set([9, 10, 13, 32]);

const getRedirect = ({ status, headers }: LinkResponse) =>
  status >= 300 && status <= 399 ? headers.get('location') : null;

function resolveTarget(location: string, current: URL): URL | 'invalid' {
  return URL.canParse(location, current) ? new URL(location, current) : 'invalid';
}

function readBodyPage({ headers, body }: LinkResponse): ReadLinkPage | null {
  const type = headers.get('content-type') ?? '';
  if (body.length === 0 || !/^(?:text\/html|application\/xhtml\+xml)\b|^$/i.test(type)) return null;
  return readLinkPage(createDecoder(type).decode(body));
}

function createDecoder(type: string): TextDecoder {
  const [, label = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

const MAX_COOKIES = 50;
const MAX_COOKIE_LENGTH = 4_096;

/** The cookies of one chain of requests, by host. */
class CookieJar {
  readonly #cookies = new Map<string, { domain: string; name: string; value: string }>();

  add({ hostname }: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.slice(0, MAX_COOKIE_LENGTH).split(';');
      const [, name, value = ''] = /^\s*([^=\s]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || this.#cookies.size >= MAX_COOKIES) continue;
      const [, given] =
        /^\s*domain=\.?(.+)$/i.exec(attributes.find((one) => /^\s*domain=/i.test(one)) ?? '') ?? [];
      const wanted = given?.trim().toLowerCase() ?? hostname;
      // A domain of one part is a public suffix, such as com.
      const domain = wanted.includes('.') && isWithin(hostname, wanted) ? wanted : hostname;
      this.#cookies.set(`${domain} ${name}`, { domain, name, value: value.trim() });
    }
  }

  list({ hostname }: URL): readonly { readonly name: string; readonly value: string }[] {
    return [...this.#cookies.values()].filter(({ domain }) => isWithin(hostname, domain));
  }

  buildHeader(address: URL): string {
    return this.list(address)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
      .replace(/[^\x20-\x7e]/g, '');
  }
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);
