import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENTS_API_PATH, REDIRECT_PREFIX } from '../../core/paths.ts';
import { RequestBodyError, readBody } from '../../server/http/request-body.ts';
import type { Handler, Route } from '../../server/http/route.ts';
import { createFastPath, installLightResponse } from './fast-path.ts';

// Hono replaces the global one.
const StandardResponse = (await fetch('data:,')).constructor as typeof Response;
const security = { api: { 'x-kind': 'api' }, bare: { 'x-kind': 'bare' } };
let server: Server;
let errors: unknown[];

beforeEach(() => {
  errors = [];
  installLightResponse();
});
afterEach(async () => {
  globalThis.Response = StandardResponse;
  await new Promise((resolve) => server?.close(resolve));
});

/** Serves one route by the fast path; every request that it leaves to the application gets 418. */
async function serve(method: Route['method'], path: string, handle: Handler): Promise<string> {
  const log = { error: (_: string, fields?: object) => errors.push(fields) };
  const route = { method, path, handle };
  const send = createFastPath(security, log);
  server = createServer((request, response) => {
    const visitor = { requestId: 'request-1', clientAddress: '192.0.2.1' };
    const isRoute = request.url?.split('?')[0] === path;
    if (!isRoute || !send(request, response, route, visitor)) response.writeHead(418).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const GO = `${REDIRECT_PREFIX}x`;
const post = (body: string, headers = {}) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

describe('the fast path', () => {
  it('shows a handler the request that Hono shows it', async () => {
    const origin = await serve('GET', GO, ({ req, env }) => {
      const { method, url, path, raw } = req;
      const seen = [method, url, path, req.header('x-one'), req.header('x-two'), raw.headers.get('X-One')];
      return new Response(JSON.stringify([...seen, raw.headers.has('x-two'), env.clientAddress]));
    });
    const response = await fetch(`${origin}${GO}?page=a%2Fb`, { headers: { 'x-one': '1' } });
    const url = `${origin}${GO}?page=a%2Fb`;
    expect(await response.json()).toEqual(['GET', url, GO, '1', null, '1', false, '192.0.2.1']);
    expect(response.headers.get('x-request-id')).toBe('request-1');
  });

  it('reads a posted body and sends the status, headers and length of the response', async () => {
    const origin = await serve('POST', EVENTS_API_PATH, async ({ req }) => {
      const body = Buffer.from(await readBody(req.raw, 100)).toString();
      return new Response(`é${body}`, { status: 202, headers: { 'x-own': 'yes' } });
    });
    const response = await fetch(origin + EVENTS_API_PATH, post('{"é":1}'));
    const { headers } = response;
    expect([response.status, headers.get('x-own'), headers.get('x-kind')]).toEqual([202, 'yes', 'api']);
    expect([headers.get('content-length'), await response.text()]).toEqual(['10', 'é{"é":1}']);
  });

  it('keeps the content security policy of a response', async () => {
    const headers = { 'content-security-policy': "default-src 'none'" };
    const origin = await serve('GET', GO, () => new Response('page', { headers }));
    const response = await fetch(origin + GO);
    expect(response.headers.get('x-kind')).toBe('bare');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
  });

  it('responds with a problem to an error, and logs an unexpected one', async () => {
    const thrown = [new RequestBodyError('too-large', 'long'), new Error('broken')];
    const origin = await serve('GET', GO, () => {
      throw thrown.shift();
    });
    expect([(await fetch(origin + GO)).status, (await fetch(origin + GO)).status]).toEqual([413, 500]);
    expect(errors).toMatchObject([{ requestId: 'request-1', path: GO, error: { message: 'broken' } }]);
  });

  it.each([
    ['another path', 'GET', '/elsewhere'],
    ['another method', 'HEAD', GO],
    ['a target with unusual characters', 'GET', `${GO}?a=b|c`],
    ['a path with a slash at its end', 'GET', `${GO}/`],
  ])('leaves %s to the application', async (_, method, target) => {
    const origin = await serve('GET', GO, () => new Response('fast'));
    expect((await fetch(origin + target, { method })).status).toBe(418);
  });

  it('leaves a body of unknown or too great a length to the application', async () => {
    const origin = await serve('POST', EVENTS_API_PATH, () => new Response('fast'));
    const long = await fetch(origin + EVENTS_API_PATH, post('x'.repeat(70_000)));
    const body = new Blob(['{}']).stream();
    const init = { ...post(''), body, duplex: 'half' };
    const streamed = await fetch(origin + EVENTS_API_PATH, init);
    expect([long.status, streamed.status]).toEqual([418, 418]);
  });
});

describe('the response of the process', () => {
  it.each([
    ['text', 'é', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['bytes', new Uint8Array([195, 169]), {}],
  ])('has the values of the standard one for %s', async (_, body, headers) => {
    for (const read of ['text', 'arrayBuffer', 'blob'] as const) {
      const [light, standard] = [
        new Response(body, { status: 201 }),
        new StandardResponse(body, { status: 201 }),
      ];
      expect([light.status, light.ok, Object.fromEntries(light.headers)]).toEqual([201, true, headers]);
      expect(await light[read]()).toEqual(await standard[read]());
      expect(light.bodyUsed).toBe(true);
      await expect(light[read]()).rejects.toThrow(TypeError);
    }
    const stream = new Response(new Response(body).body);
    expect(await stream.text()).toBe('é');
    expect(new Response(body)).toBeInstanceOf(StandardResponse);
  });

  it('has headers as the standard one has', () => {
    const init = {
      headers: new Headers([
        ['X-A', '1'],
        ['x-a', '2'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]),
    };
    const [light, standard] = [new Response(null, init), new StandardResponse(null, init)];
    for (const { headers } of [light, standard]) {
      headers.set('X-B', '3');
      headers.append('x-b', '4');
      headers.append('set-cookie', 'c=3');
      headers.delete('x-none');
    }
    expect([...light.headers]).toEqual([...standard.headers]);
    expect([...new Headers(light.headers)]).toEqual([...standard.headers]);
    expect(light.headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3']);
    expect([light.headers.get('X-A'), light.headers.has('X-None')]).toEqual(['1, 2', false]);
  });
});
