import { createApp, type Delivery } from '../../src/server/app.ts';
import { PostbackAddresses } from '../../src/server/commissions/postbacks.ts';
import type { Route } from '../../src/server/http/route.ts';
import { NO_LOG } from './no-log.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** What a test may change about a request besides its body and headers. */
interface RequestChanges {
  readonly method?: string;
  /** Path and query, when they are not those of the route. */
  readonly target?: string;
  readonly clientAddress?: string;
}

/** Sends one request; a body that is an `Error` breaks off with it. */
export type RouteClient = (
  body?: string | Uint8Array<ArrayBuffer> | Error | null,
  headers?: Readonly<Record<string, string>>,
  changes?: RequestChanges,
) => Promise<Response>;

/**
 * Creates a client for one route of the application. It sends the method of the route with the headers of a page of
 * the site itself; other requests get 404. Unexpected errors of the handler are thrown.
 */
export function createRouteClient(route: Route, delivery?: Partial<Delivery>): RouteClient {
  const errors: unknown[] = [];
  const site = {
    routes: [route],
    console: async () => null,
    content: { read: () => ({ site: { aliases: {} }, redirects: new Map() }), pageParameters: new Map() },
    security: { api: { 'x-kind': 'api' } },
    visitors: { renderLimiter: { take: () => 0 }, crawlers: { count: () => undefined } },
    log: {
      ...NO_LOG,
      error: (_: string, fields?: Readonly<Record<string, unknown>>) => void errors.push(fields?.['error']),
    },
  };
  const noPage = async () => ({ status: 404, headers: {}, body: Buffer.from('no page') });
  const app = createApp(site, { render: noPage, submit: noPage }, delivery);
  return async (body, headers = {}, { method = route.method, target = route.path, clientAddress } = {}) => {
    const request = new Request(`http://localhost${target}`, {
      method: method === 'TRACE' ? 'POST' : method,
      headers: { ...HEADERS, ...headers },
      ...buildBody(method, body),
    });
    // The standard constructor takes no TRACE; Node's server does.
    if (method === 'TRACE') Object.defineProperty(request, 'method', { value: 'TRACE' });
    const visitor = { requestId: 'request-1', clientAddress: clientAddress ?? '192.0.2.1' };
    const response = await app.fetch(request, visitor);
    if (errors.length > 0) throw errors.pop();
    return response;
  };
}

function buildBody(method: string, body: Parameters<RouteClient>[0]): RequestInit {
  if (body === undefined || body === null || method === 'GET' || method === 'HEAD') return {};
  if (!(body instanceof Error)) return { body };
  const broken = new ReadableStream({ start: (controller) => controller.error(body) });
  const init = { body: broken, duplex: 'half' };
  return init;
}

/** The addresses of postbacks by the key `key`. */
export const createPostbackAddresses = () =>
  new PostbackAddresses(
    {
      readState: async (name) => (name === 'postback-key' ? 'key' : null),
      createState: async () => 'key',
      changeState: async () => undefined,
    },
    () => 0,
  );
