import ipaddr from 'ipaddr.js';
import type { VisitProblem } from '../../core/outbound/link-state.ts';

/** Why a request of another site gave no response. Neither the address nor text of the response is in its message. */
export class LinkRequestError extends Error {
  readonly problem: VisitProblem;
  constructor(problem: VisitProblem, options?: ErrorOptions) {
    super(`the request failed: ${problem}`, options);
    this.name = 'LinkRequestError';
    this.problem = problem;
  }
}

/** A response whose body has at most `maxBytes` decompressed bytes: the rest was not read. */
export interface LinkResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * Sends one GET request and follows no redirect. The body of a redirect is not read. Rejects with `LinkRequestError`, or
 * with the reason of the signal.
 */
export type SendLinkRequest = (
  address: URL,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly maxBytes: number;
  },
) => Promise<LinkResponse>;

/** Whether a request may go to an IP address: to the public internet alone, also when IPv6 has an IPv4 address in it. */
export function isPublicIp(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // Of IPv6, 2000::/3 is public; what the library calls unicast has more, such as ::127.0.0.1.
  const isGlobal = !(address instanceof ipaddr.IPv6) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal && address.range() === 'unicast';
}

/** Reads at most `maxBytes` of a body. Rejects with `LinkRequestError`, or with the reason of the signal. */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new LinkRequestError('invalid', { cause: error });
  }
  const whole = new Uint8Array(Math.min(size, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/**
 * Creates the requests of Workers, over `fetch`, which decompresses bodies. Cloudflare resolves hosts and connects to the
 * public internet alone; addresses that are written as numbers are checked here. A failed connection has a status from 520
 * on. `standIns`: origins to which the requests for a host go instead.
 */
export function createLinkFetch(standIns: ReadonlyMap<string, string>): SendLinkRequest {
  return async (address, { headers, signal, maxBytes }) => {
    const literal = address.hostname.replace(/^\[(.*)\]$/, '$1');
    if (ipaddr.isValid(literal) && !isPublicIp(literal)) throw new LinkRequestError('private-address');
    const target = new URL(
      address.pathname + address.search,
      standIns.get(address.hostname) ?? address.origin,
    );
    const response = await fetch(target, { headers, signal, redirect: 'manual' }).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw new LinkRequestError('refused', { cause: error });
    });
    const isRedirect = response.status >= 300 && response.status <= 399;
    if (isRedirect) await response.body?.cancel().catch(() => undefined);
    const body = isRedirect ? new Uint8Array() : await readBytes(response.body, maxBytes, signal);
    return { status: response.status, headers: response.headers, body };
  };
}
