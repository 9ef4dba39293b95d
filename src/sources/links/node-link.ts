import { lookup as lookupHost } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { VisitProblem } from '../../core/outbound/link-state.ts';
import { buildHeaders, openBody } from '../http/guarded-http.ts';
import { isPublicIp, LinkRequestError, readBytes, type SendLinkRequest } from './link-request.ts';

/** Resolves a host to its addresses. */
export type ResolveHost = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveAll: ResolveHost = (host) => lookupHost(host, { all: true });

/**
 * Creates the requests of Node: a host is resolved once, all of its addresses have to be public, and the connection is made
 * to the first of them. No proxy is used. `standIns`: origins to which the requests for a host go instead.
 */
export function createLinkRequests(
  standIns: ReadonlyMap<string, string>,
  resolve: ResolveHost = resolveAll,
): SendLinkRequest {
  return async (address, { headers, signal, maxBytes }) => {
    const host = address.hostname;
    const standIn = standIns.get(host);
    const ip = standIn === undefined ? await findPublicIp(host, resolve) : null;
    signal.throwIfAborted();
    const target = new URL(address.pathname + address.search, standIn ?? address.origin);
    const response = await send(target, { ...headers, host: address.host }, signal, ip);
    try {
      const status = response.statusCode ?? 0;
      const isRedirect = status >= 300 && status <= 399;
      const given = buildHeaders(response);
      if (isRedirect) return { status, headers: given, body: new Uint8Array() };
      const body = openBody(response);
      if (body === null) throw new LinkRequestError('invalid');
      return { status, headers: given, body: await readBytes(body, maxBytes, signal) };
    } finally {
      // Ends a response that was not read to its end.
      response.destroy();
    }
  };
}

interface CheckedIp {
  readonly address: string;
  readonly family: number;
}

async function findPublicIp(host: string, resolve: ResolveHost): Promise<CheckedIp> {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const found = ipaddr.isValid(literal)
    ? [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
    : await resolve(host).catch((error: unknown) => {
        throw new LinkRequestError(describeFailure(error), { cause: error });
      });
  const [first] = found;
  if (first === undefined) throw new LinkRequestError('unknown-host');
  // A host with one private address could be asked again until that one is chosen.
  if (!found.every(({ address }) => isPublicIp(address))) throw new LinkRequestError('private-address');
  return first;
}

function send(
  target: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  ip: CheckedIp | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const create = target.protocol === 'https:' ? requestHttps : requestHttp;
    const host = (headers['host'] ?? target.host).replace(/:\d+$/, '');
    const options = {
      headers: { ...headers, 'accept-encoding': 'gzip' },
      // Without an agent of its own, a request could get a connection that was made for another one.
      agent: false as const,
      ...(ip !== null && { lookup: pin(ip) }),
      ...(target.protocol === 'https:' && !ipaddr.isValid(host) && { servername: host }),
    };
    const request = create(target, options, resolve);
    const stop = () => request.destroy();
    signal.addEventListener('abort', stop, { once: true });
    const fail = (problem: VisitProblem, cause?: unknown) =>
      reject(signal.aborted ? signal.reason : new LinkRequestError(problem, { cause }));
    request.on('error', (error) => fail(describeFailure(error), error));
    request.on('close', () => {
      signal.removeEventListener('abort', stop);
      fail('refused');
    });
    request.end();
  });
}

/** The lookup of a connection that goes to the address that was checked, whatever the name means by now. */
function pin({ address, family }: CheckedIp): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

const PROBLEMS: ReadonlyMap<string, VisitProblem> = new Map([
  ['ENOTFOUND', 'unknown-host'],
  ['ENODATA', 'unknown-host'],
  ['EAI_AGAIN', 'network'],
  ['EAI_FAIL', 'network'],
  ['ETIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['ENETUNREACH', 'network'],
  ['ENETDOWN', 'network'],
  ['EHOSTUNREACH', 'network'],
  ['EADDRNOTAVAIL', 'network'],
  ['EMFILE', 'network'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'refused'],
  ['EPIPE', 'refused'],
  ['EPROTO', 'tls'],
]);

function describeFailure(error: unknown): VisitProblem {
  const code = String(Object(error).code ?? '');
  const known = PROBLEMS.get(code);
  if (known !== undefined) return known;
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code)) return 'tls';
  return 'invalid';
}
