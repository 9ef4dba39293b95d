import type { IncomingMessage, ServerResponse } from 'node:http';
import { EVENT_LIMITS } from '../../core/events/site-event.ts';
import { EVENTS_API_PATH, REDIRECT_PREFIX } from '../../core/paths.ts';
import { respondToError } from '../../server/app.ts';
import type { AppContext, Route, Visitor } from '../../server/http/route.ts';
import { chooseSecurityHeaders, type SecurityHeaders } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';

const StandardHeaders = globalThis.Headers;
const StandardResponse = globalThis.Response;

/** Header fields by lower-case name, as Node sends them; a list for `set-cookie`. */
type Fields = Record<string, string | string[]>;

/** The headers of a `LightResponse`: a plain object, which Node checks when it sends them. */
class LightHeaders {
  fields: Fields;

  constructor(fields: Fields) {
    this.fields = fields;
  }

  /** Sets fields whose names are in lower case, all at once. */
  setAll(added: Readonly<Record<string, string>>): void {
    this.fields = { ...this.fields, ...added };
  }

  get(name: string): string | null {
    const value = this.fields[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  has(name: string): boolean {
    return this.fields[name.toLowerCase()] !== undefined;
  }

  set(name: string, value: string): void {
    this.fields[name.toLowerCase()] = String(value);
  }

  append(name: string, value: string): void {
    const key = name.toLowerCase();
    const known = this.fields[key];
    if (key === 'set-cookie') this.fields[key] = [...this.getSetCookie(), value];
    else this.fields[key] = known === undefined ? String(value) : `${known}, ${value}`;
  }

  delete(name: string): void {
    delete this.fields[name.toLowerCase()];
  }

  getSetCookie(): string[] {
    const cookies = this.fields['set-cookie'] ?? [];
    return typeof cookies === 'string' ? [cookies] : cookies;
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.fields).sort()) {
      if (name !== 'set-cookie') yield [name, String(this.fields[name])];
      else for (const cookie of this.getSetCookie()) yield [name, cookie];
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(visit: (value: string, name: string, headers: LightHeaders) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
Object.setPrototypeOf(LightHeaders.prototype, StandardHeaders.prototype);

/**
 * A `Response` whose status, headers and body stay plain values until they are sent: Node's own builds a `Headers`
 * object and a stream and copies the body, which takes longer than all else that a short response costs. A body that is
 * neither text nor bytes is left to Node's own.
 */
class LightResponse {
  readonly status: number;
  readonly headers: LightHeaders;
  readonly #body: string | Uint8Array<ArrayBuffer> | null;
  readonly #statusText: string | undefined;
  #standard: Response | null = null;
  #isRead = false;

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    const { status = 200, statusText, headers } = init;
    this.status = status;
    this.#statusText = statusText;
    this.headers = new LightHeaders(readFields(headers));
    const isLight = body === undefined || body === null || typeof body === 'string' || isBytes(body);
    this.#body = isLight ? (body ?? null) : null;
    if (isLight) {
      if (typeof body === 'string' && !this.headers.has('content-type'))
        this.headers.set('content-type', 'text/plain;charset=UTF-8');
      return;
    }
    this.#standard = new StandardResponse(body, init);
    const type = this.#standard.headers.get('content-type');
    if (type !== null) this.headers.set('content-type', type);
  }

  /** The body as it was given; undefined when it is a stream or was read. */
  get plainBody(): string | Uint8Array<ArrayBuffer> | null | undefined {
    return this.#standard === null && !this.#isRead ? this.#body : undefined;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get bodyUsed(): boolean {
    return this.#isRead || (this.#standard?.bodyUsed ?? false);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const body = this.plainBody;
    if (body === undefined) return this.#getStandard().arrayBuffer();
    this.#isRead = body !== null;
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array());
    const { buffer, byteOffset, byteLength } = bytes;
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
  }

  async text(): Promise<string> {
    const body = this.plainBody;
    if (typeof body !== 'string') return this.#getStandard().text();
    this.#isRead = true;
    return body;
  }

  clone(): Response {
    return this.#getStandard().clone();
  }

  /** What Node's own builds of the same values, for everything that is rare. */
  #getStandard(): Response {
    if (this.#isRead) throw new TypeError('Body is unusable: the body has already been read');
    this.#standard ??= new StandardResponse(this.#body, {
      status: this.status,
      ...(this.#statusText === undefined ? {} : { statusText: this.#statusText }),
      headers: [...this.headers],
    });
    return this.#standard;
  }

  static {
    for (const name of ['body', 'redirected', 'statusText', 'type', 'url'] as const)
      Object.defineProperty(LightResponse.prototype, name, {
        get(this: LightResponse) {
          return this.#getStandard()[name];
        },
      });
    for (const name of ['blob', 'bytes', 'formData', 'json'] as const)
      Object.defineProperty(LightResponse.prototype, name, {
        async value(this: LightResponse) {
          return this.#getStandard()[name]();
        },
      });
    Object.setPrototypeOf(LightResponse, StandardResponse);
    Object.setPrototypeOf(LightResponse.prototype, StandardResponse.prototype);
  }
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array;

function readFields(headers: HeadersInit | undefined): Fields {
  if (headers === undefined) return {};
  const fields: Fields = {};
  if (Array.isArray(headers) || headers instanceof StandardHeaders) {
    const copy = new LightHeaders(fields);
    for (const [name = '', value = ''] of headers) copy.append(name, value);
  } else for (const name in headers) fields[name.toLowerCase()] = String(headers[name]);
  return fields;
}

/** Replaces the `Response` of the process by one that costs little to build and to send. */
export function installLightResponse(): void {
  Object.defineProperty(globalThis, 'Response', { value: LightResponse, writable: true, configurable: true });
}

/** Sends a response whose body is in memory; false: it has another one, so nothing was sent. */
export function sendLightResponse(
  request: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): boolean {
  if (!(response instanceof LightResponse)) return false;
  const body = response.plainBody;
  if (body === undefined) return false;
  const { fields } = response.headers;
  const { status } = response;
  const hasLength = body !== null || (request.method !== 'HEAD' && status !== 204 && status !== 304);
  if (hasLength && fields['content-length'] === undefined)
    fields['content-length'] = String(body === null ? 0 : Buffer.byteLength(body));
  outgoing.writeHead(status, fields);
  outgoing.end(request.method === 'HEAD' || body === null ? undefined : body);
  return true;
}

class LightRequestHeaders {
  readonly #fields: IncomingMessage['headers'];

  constructor(fields: IncomingMessage['headers']) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/** A request as handlers read it, both Hono's and the standard one; what it does not have, they do not use. */
class LightRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: LightRequestHeaders;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage, method: string, url: string, path: string) {
    this.#incoming = incoming;
    this.method = method;
    this.url = url;
    this.path = path;
    this.headers = new LightRequestHeaders(incoming.headers);
  }

  header(name: string): string | undefined {
    return this.headers.get(name) ?? undefined;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer) => chunks.push(chunk);
      const finish = () => {
        incoming.off('close', fail);
        const [first = Buffer.alloc(0), ...others] = chunks;
        const { buffer, byteOffset, byteLength } = others.length === 0 ? first : Buffer.concat(chunks);
        resolve(new Uint8Array(buffer, byteOffset, byteLength).slice().buffer);
      };
      const fail = () => reject(new Error('the client disconnected'));
      if (incoming.destroyed) fail();
      else incoming.on('data', take).on('end', finish).on('close', fail);
    });
  }
}

/** Hosts and targets that are the same in a URL; others are left to the parser of URLs. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d{1,5})?$/;
const PLAIN_TARGET = /^\/[\w!$%&()*+,./:;=?@~-]*$/;

/**
 * Creates what calls the handlers of clicks and events without Hono and `@hono/node-server`: on these two routes, their
 * objects take more than the bound allows (docs/decisions/serving.md). It returns false for every
 * request that is not a plain one to one of them, which then takes the way of all others.
 */
export function createFastPath(security: Pick<SecurityHeaders, 'api' | 'bare'>, log: Pick<Log, 'error'>) {
  return (incoming: IncomingMessage, outgoing: ServerResponse, route: Route, visitor: Visitor): boolean => {
    const { path } = route;
    const { method = '', url = '', headers } = incoming;
    const { host = '' } = headers;
    if (path !== EVENTS_API_PATH && !path.startsWith(REDIRECT_PREFIX)) return false;
    if (method !== route.method) return false;
    if (!PLAIN_HOST.test(host) || !PLAIN_TARGET.test(url)) return false;
    if (method === 'POST' && !(Number(headers['content-length']) <= EVENT_LIMITS.bodyBytes)) return false;
    const request = new LightRequest(incoming, method, `http://${host}${url}`, path);
    // The handlers of these routes read nothing else of a request; the tests send the same requests both ways.
    const context = { req: Object.assign(request, { raw: request }), env: visitor } as unknown as AppContext;
    void respond(route, context, log)
      .then((response) => {
        if (!(response instanceof LightResponse)) throw new Error('the response is not one of this process');
        const added = chooseSecurityHeaders(response, security);
        response.headers.setAll({ ...added, 'x-request-id': visitor.requestId });
        if (!sendLightResponse(incoming, outgoing, response)) throw new Error('the body is a stream');
      })
      .catch((error: unknown) => {
        log.error('a response could not be sent', { requestId: visitor.requestId, error });
        outgoing.destroy();
      });
    return true;
  };
}

async function respond({ handle }: Route, context: AppContext, log: Pick<Log, 'error'>): Promise<Response> {
  try {
    return await handle(context);
  } catch (error) {
    return respondToError(error, context, log);
  }
}
