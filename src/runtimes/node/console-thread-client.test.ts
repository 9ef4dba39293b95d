import { Hono } from 'hono';
import { afterEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readShown } from '../../content-files/content-source.ts';
import { onProgress } from '../../core/clock.ts';
import type { AppEnv } from '../../server/http/route.ts';
import { OperatorStoreError } from '../../stores/operators.ts';
import { ConsoleThreadClient } from './console-thread-client.ts';

/** The program of a thread that replies to a request with what the body of `respond` returns. */
const buildProgram = (respond: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from 'node:worker_threads';
      let { site } = workerData;
      const live = () => Atomics.add(workerData.beat, 0, 1);
      setInterval(live, 10);
      const work = (ms, progress) => { for (const end = Date.now() + ms; Date.now() < end;) progress?.(); };
      let changes = 0;
      const send = (body, status = 200) => ({ status, headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']], body });
      const read = (body) => new Response(body).text();
      const respond = async (request, readBody) => { ${respond} };
      const bodies = new Map();
      const ask = (id) => new Promise((resolve) => { bodies.set(id, resolve); parentPort.postMessage({ id, bodyOf: id }); });
      parentPort.on('message', async ({ kind, id, request, body, site: shown }) => {
        if (kind === 'site') { site = shown; changes += 1; }
        else if (kind === 'body') bodies.get(id)(body);
        else if (kind === 'close') parentPort.postMessage({ id, response: null });
        else {
          const response = await respond(request, () => ask(id));
          parentPort.postMessage({ id, response }, response?.body instanceof ReadableStream ? [response.body] : []);
        }
      });
    `)}`,
  );

let client: ConsoleThreadClient | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await client?.close();
});

interface Changes {
  readonly hasWork?: () => boolean;
  readonly program?: URL;
  readonly readWarnings?: () => readonly string[];
  readonly watch?: { readonly everyMs: number; readonly looks: number };
}

async function open(respond: string, changes: Changes = {}) {
  let now = 0;
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const { hasWork = () => false, program = buildProgram(respond), watch, ...members } = changes;
  const site = await createTestSite({ clock: { now: Date.now, monotonic: () => now }, log, ...members });
  const duties = { hasWork, applySettings: () => undefined, createEntryPath: async () => '/console' };
  const opened = new ConsoleThreadClient(site, program, duties, watch);
  client = opened;
  const app = new Hono<AppEnv>();
  app.all('*', async (context) => {
    const response = await opened.respond(context);
    const { raw } = context.req;
    return response ?? new Response(raw.body === null ? 'no console' : `no console: ${await raw.text()}`);
  });
  app.onError((error) => new Response(error.name, { status: 503 }));
  const request = (init: RequestInit = {}) =>
    app.request('http://site.example/console/pages?range=28d', init, {
      requestId: 'id',
      clientAddress: '203.0.113.7',
    });
  return { request, site, log, wait: (ms: number) => (now += ms) };
}

it('gives the thread what the site has parsed of the content', async () => {
  const { request, site } = await open('return send(JSON.stringify([...workerData.known]));');
  const parsed = { state: '1', value: { name: 'Signpost' } };
  site.platform.content.known.set('site.yaml', parsed);
  expect(await (await request()).json()).toEqual([['site.yaml', parsed]]);
});

it('passes the request to the thread, and its response back with every cookie', async () => {
  const { request } = await open(`
    const { url, method, headers, visitor, hasBody } = request;
    return send(JSON.stringify({ url, method, visitor, hasBody, cookie: Object.fromEntries(headers).cookie }), 201);
  `);
  const response = await request({ headers: { cookie: 'operator=1' } });
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual({
    url: 'http://site.example/console/pages?range=28d',
    method: 'GET',
    visitor: { requestId: 'id', clientAddress: '203.0.113.7' },
    hasBody: false,
    cookie: 'operator=1',
  });
});

it('passes bodies as streams, in both directions', async () => {
  const { request } = await open(`
    const text = await read(await readBody());
    return send(new Blob([text.length + ' ', text.slice(0, 3)]).stream());
  `);
  const response = await request({ method: 'POST', body: 'abc'.repeat(1_000_000) });
  expect(await response.text()).toBe('3000000 abc');
});

it('leaves the request with its body to the site where the thread finds no console', async () => {
  const { request } = await open('return null;');
  expect(await (await request()).text()).toBe('no console');
  expect(await (await request({ method: 'POST', body: 'name=Ann' })).text()).toBe('no console: name=Ann');
});

it('shows the thread what the site shows, and again only after a change', async () => {
  let warnings: readonly string[] = [];
  const { request, site } = await open(
    'return send(JSON.stringify([site.content.site.name, site.warnings, changes]));',
    { readWarnings: () => [...warnings] },
  );
  const read = async () => (await request()).json();
  expect(await read()).toEqual([site.content.read().site.name, [], 0]);
  warnings = ['an edit is not shown'];
  expect(await read()).toEqual([site.content.read().site.name, warnings, 1]);
  expect(await read()).toEqual([site.content.read().site.name, warnings, 1]);
});

it('rejects requests when the thread fails, logs why, and starts it again after a pause', async () => {
  const { request, log, wait } = await open(`
    if (request.method === 'POST') throw new Error('fault');
    return send('fine');
  `);
  const failed = await Promise.all([request({ method: 'POST' }), request({ method: 'POST' })]);
  expect(failed.map(({ status }) => status)).toEqual([503, 503]);
  expect(await failed[0]?.text()).toBe(OperatorStoreError.name);
  expect(log.error).toHaveBeenCalledExactlyOnceWith('the console failed', {
    error: expect.objectContaining({ message: 'fault' }),
  });
  wait(1_999);
  expect((await request()).status).toBe(503);
  wait(1);
  expect(await (await request()).text()).toBe('fine');
});

it('ends a thread that is stuck, tells the operators, and starts it again', async () => {
  const { request, site, log, wait } = await open(
    `if (request.method === 'POST') work(60_000);
    return send(JSON.stringify(site.noted));`,
    { watch: { everyMs: 20, looks: 100 } },
  );
  expect(await (await request()).json()).toEqual([]);
  const stuck = await Promise.all([request({ method: 'POST' }), request()]);
  expect(stuck.map(({ status }) => status)).toEqual([503, 503]);
  const problem = {
    key: 'console-thread',
    title: 'The console was ended and starts again',
    detail:
      'It was stuck for a minute, and what it did then was not finished. Requests waited for: /console/pages.',
  };
  expect(await site.dataHealth.read()).toContainEqual(problem);
  expect(log.error).toHaveBeenCalledWith(`data: ${problem.title}`, { reason: problem.detail });
  wait(2_000);
  // The thread tells it in the overview and by the channels of the alerts.
  expect(await (await request()).json()).toEqual([{ problem, until: expect.any(Number) }]);
});

it('leaves a long job alone that reports progress', async () => {
  const { request, log } = await open(`work(2_000, live); return send('done');`, {
    watch: { everyMs: 50, looks: 20 },
  });
  expect(await (await request()).text()).toBe('done');
  expect(log.error).not.toHaveBeenCalled();
});

it('reading content is such a job: each file is a sign', () => {
  let signs = 0;
  onProgress(() => (signs += 1));
  try {
    const { content } = readShown('content');
    expect(signs).toBeGreaterThan(content.pages.size + content.products.size);
  } finally {
    onProgress(() => undefined);
  }
});

it.each([true, false])('starts the thread by itself while there is work: %s', async (hasWork) => {
  vi.useFakeTimers();
  const { log } = await open('', {
    hasWork: () => hasWork,
    program: buildProgram('}; throw new Error("started"); {'),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  if (hasWork) await expect.poll(() => log.error.mock.calls.length).toBe(1);
  await client?.close();
  expect(log.error).toHaveBeenCalledTimes(hasWork ? 1 : 0);
});

it('is closed once the thread has closed its databases, and does not start it again', async () => {
  const { request } = await open('return send("fine");');
  expect((await request()).status).toBe(200);
  await client?.close();
  expect((await request()).status).toBe(503);
});
