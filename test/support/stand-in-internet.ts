import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A site of the stand-in internet: what each of its paths responds, without the query; `*` is every other path. */
export type StandInSite = Readonly<Record<string, Handle>>;

/** Hosts on loopback, with what they were sent. */
export interface StandInInternet {
  readonly port: number;
  readonly hosts: Map<string, StandInSite>;
  /** `host/path?query` of every request, in order. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Starts a server on loopback that is every host of a list, by the Host header. */
export async function startStandInInternet(hosts: Iterable<[string, StandInSite]>): Promise<StandInInternet> {
  const sites = new Map(hosts);
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    requests.push(host + request.url);
    headers.push(request.headers);
    const site = sites.get(host) ?? {};
    const handle = site[path] ?? (path === '/robots.txt' ? respond(404) : (site['*'] ?? respond(404)));
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    port,
    hosts: sites,
    requests,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** TEST_HOSTS for some hosts. */
export const buildStandIns = (hosts: Iterable<string>, port: number) =>
  [...hosts].map((host) => `${host}=http://127.0.0.1:${port}`).join(',');

/** Responds with a status and a short page. */
export const respond =
  (status: number, headers: Readonly<Record<string, string | string[]>> = {}, body = ''): Handle =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);

/** Responds with a page. */
export const page = (body: string, title = 'Plans', head = '') =>
  respond(
    200,
    {},
    `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`,
  );

/** Redirects to another address, with the query of the request when `isPassedOn`. */
export const redirect =
  (to: string, { status = 302, isPassedOn = true, cookie = [] as string[] } = {}): Handle =>
  (request, response) => {
    const [, query = ''] = (request.url ?? '').split('?', 2);
    const location = isPassedOn && query !== '' ? `${to}${to.includes('?') ? '&' : '?'}${query}` : to;
    response.writeHead(status, { location, ...(cookie.length > 0 && { 'set-cookie': cookie }) }).end();
  };

/** A page of so many bytes, compressed. */
export const compressed = (bytes: number): Handle => {
  const body = gzipSync(Buffer.concat([Buffer.from('<title>Plans</title>'), Buffer.alloc(bytes, 'a ')]));
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(body);
};
