import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request that reached the provider. */
export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** A stand-in for the partners' sites on loopback that remembers who came. */
export interface Provider {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** Requests since the start or the last reset, in order. */
  requests(): readonly ProviderRequest[];
  reset(): void;
  /** Lets every response wait from now on, as a slow provider does. */
  answerAfter(milliseconds: number): void;
  stop(): Promise<void>;
}

const PAGE = '<!doctype html><html lang="en"><title>Provider</title><h1>The provider</h1></html>';

/** Starts a provider on a free port. `GET /__requests` shows what it has received, `DELETE` forgets it. */
export async function startProvider(): Promise<Provider> {
  let received: ProviderRequest[] = [];
  let delay = 0;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider.invalid');
    if (pathname === '/__requests') {
      if (request.method === 'DELETE') received = [];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(received.map((one) => ({ ...one, query: one.query.toString() }))));
      return;
    }
    if (pathname !== '/favicon.ico') {
      const { method = 'GET', headers } = request;
      received.push({ method, path: pathname, query: searchParams, headers });
    }
    if (delay > 0) await sleep(delay);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => received,
    reset() {
      received = [];
    },
    answerAfter(milliseconds) {
      delay = milliseconds;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
