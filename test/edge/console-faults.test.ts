import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { createSetup } from '../../src/console/access/setup.ts';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { Operators } from '../../src/stores/operators.ts';
import { D1Executor } from '../../src/stores/sql/d1-executor.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { postConsoleForm, setUpOperator } from '../support/console-access.ts';
import { CONSOLE_VIEW_PATHS } from '../support/console-view-paths.ts';
import { PERSON } from '../support/visit.ts';

/**
 * The worker over databases and a queue of which a request can have a call fail: `x-fail: 3`, the first that says what number 3
 * says, which is a statement, a batch or a message. It responds with the numbers of what its calls said. `x-queue: 2`: its
 * events take the queue, whose consumer has its second call fail.
 */
const ENTRY = `
import site from './main.mjs';
let [failing, consumed, failingConsumer, takesQueue] = [0, 0, 0, false];
const known = [];
let said = new Set();
const lost = () => Promise.reject(new Error('Network connection lost.'));
const call = (text, run) => {
  if (!known.includes(text)) known.push(text);
  const number = known.indexOf(text) + 1;
  const isFirst = !said.has(number);
  said.add(number);
  return isFirst && number === failing ? lost() : run();
};
const callConsumer = (_text, run) => (++consumed === failingConsumer ? lost() : run());
const wrap = (name, database, call) => {
  const prepare = (sql) => {
    const statement = database.prepare(sql);
    return {
      bind(...values) {
        const bound = statement.bind(...values);
        return { sql, bound, all: () => call(name + sql, () => bound.all()) };
      },
    };
  };
  const batch = (list) =>
    call(name + [...new Set(list.map(({ sql }) => sql))].join(), () => database.batch(list.map(({ bound }) => bound)));
  return { prepare, batch };
};
const NAMES = ['EVENTS', 'COMMISSIONS', 'CONSOLE', 'NOTIFICATIONS', 'ARTICLES'];
let bindings;
export default {
  ...site,
  queue: (batch, env) => site.queue(batch, { ...env, EVENTS: wrap('EVENTS', env.EVENTS, callConsumer) }),
  async fetch(request, env) {
    said = new Set();
    failing = Number(request.headers.get('x-fail') ?? 0);
    takesQueue = request.headers.has('x-queue');
    if (takesQueue) [consumed, failingConsumer] = [0, Number(request.headers.get('x-queue'))];
    bindings ??= {
      ...Object.fromEntries(NAMES.map((name) => [name, wrap(name, env[name], call)])),
      EVENTS: wrap('EVENTS', env.EVENTS, (text, run) => (takesQueue ? lost() : call(text, run))),
      EVENT_QUEUE: { send: (body) => call('queue', () => env.EVENT_QUEUE.send(body)) },
    };
    const response = await site.fetch(request, { ...env, ...bindings });
    const body = await response.arrayBuffer();
    const headers = new Headers(response.headers);
    headers.set('x-calls', [...said].join());
    return new Response(body, { status: response.status, headers });
  },
};`;

let worker: Awaited<ReturnType<typeof startLocalWorker>>;
let url: string;
let cookie: string;
const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-console-'));

beforeAll(async () => {
  worker = await startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    contentDir: path.join(ROOT, 'content'),
    settings: { EVENT_RATE: '0', CLICK_RATE: '0' },
    entry: ENTRY,
  });
  url = (await worker.ready).origin;
  const store = new Operators(new D1Executor(await worker.getD1Database('CONSOLE')));
  cookie = await setUpOperator(url + (await createSetup(store, { kind: 'first' }, Date.now())));
  await addMoney();
});
afterAll(async () => {
  await worker.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A commission that the next view has to fold. */
async function addMoney(): Promise<void> {
  const values = [crypto.randomUUID(), Date.now(), Date.now(), Date.now()];
  const sql = `INSERT INTO facts (partner, account, native_id, content_hash, kind, status, amount, currency, token, event_time,
    change_time, source, is_test, arrived_at) VALUES ('highlevel', 'main', 'c-0', ?, 'sale', 'approved', 4000, 'USD', '', ?, ?,
    'postback', 0, ?)`;
  await new D1Executor(await worker.getD1Database('COMMISSIONS')).batch([{ sql, values }]);
}

const readCalls = ({ headers }: Response): readonly number[] =>
  (headers.get('x-calls') ?? '').split(',').filter(Boolean).map(Number);

const view = async (address: string, fail = 0) => {
  const headers = { cookie, 'x-fail': String(fail), 'sec-fetch-site': 'same-origin' };
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(url + address, { headers, signal, redirect: 'manual' });
  await response.arrayBuffer();
  return { status: response.status, calls: readCalls(response) };
};

/** How many calls fail, one in each request, before the view has to respond: what one has spoiled is spoiled then. */
const AT_ONCE = 6;
/** What this view asks, each view asks. */
const FRAME = '/console/messages';
let frame: readonly number[];

it.each(CONSOLE_VIEW_PATHS)(
  '%s responds again after any one call of a database has failed',
  async (address) => {
    const first = await view(address);
    expect([200, 302, 303, 404]).toContain(first.status);
    const usual = (await view(address)).calls;
    await addMoney();
    frame ??= [...(await view(FRAME)).calls, ...(await view(FRAME)).calls];
    await addMoney();
    const isAll = IS_FULL_LENGTH || address === FRAME;
    const calls = [...new Set([...first.calls, ...(await view(address)).calls])].filter(
      (call) => isAll || !frame.includes(call),
    );
    const after: string[] = [];
    for (let from = 0; from < calls.length; from += AT_ONCE) {
      const failed = calls.slice(from, from + AT_ONCE);
      for (const call of failed) {
        if (!usual.includes(call)) await addMoney();
        await view(address, call);
      }
      const { status } = await view(address);
      if (status !== first.status) after.push(`${status} after ${failed}`);
    }
    expect(after).toEqual([]);
  },
);

it('redirects and loses nothing that it has acknowledged, whichever call fails', async () => {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const read = async (address: string) => (await fetch(url + address, { headers })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await read('/console/partners/import')) ?? [];
  await postConsoleForm(`${url}/console/partners/import`, { token, action: 'create-postbacks' }, { cookie });
  const shown = await read('/console/partners/import?show=highlevel');
  const [, postback = ''] = /class="secret-address"[^>]*>([^<?]+)/.exec(shown) ?? [];
  const [events, reports]: [string[], string[]] = [[], []];
  let clicks = 0;
  const ask = (address: string, more: Readonly<Record<string, string>>, body?: string) => {
    const kind = body?.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
    const sent = { 'user-agent': PERSON, origin: url, 'content-type': kind, ...more };
    const init = body === undefined ? {} : { method: 'POST', body };
    return fetch(new URL(new URL(address, url).pathname, url), {
      headers: sent,
      signal: AbortSignal.timeout(30_000),
      ...init,
    });
  };
  const VISITS = {
    async click(more: Readonly<Record<string, string>>) {
      const response = await ask(`${url}/go/highlevel`, more);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('gohighlevel')]);
      clicks += 1;
      return response;
    },
    async event(more: Readonly<Record<string, string>>) {
      const id = crypto.randomUUID();
      const event = { id, name: 'page_view', session: 's', page: '/', time: Date.now() };
      const response = await ask(`${url}/api/journey`, more, JSON.stringify({ events: [event] }));
      if (response.ok) events.push(id);
      else expect(response.status).toBe(503);
      return response;
    },
    async postback(more: Readonly<Record<string, string>>) {
      const id = crypto.randomUUID();
      const values = { id, status: 'approved', amount: '1.00', currency: 'USD' };
      const response = await ask(postback, more, new URLSearchParams(values).toString());
      if (response.ok) reports.push(id);
      else expect(response.status).toBe(503);
      return response;
    },
  };
  for (const [name, visit] of Object.entries(VISITS)) {
    const first = await visit({});
    const calls = readCalls(first);
    expect(calls, name).not.toEqual([]);
    for (const call of calls) {
      await visit({ 'x-fail': String(call) });
      expect((await visit({})).status, `${name} after call ${call}`).toBe(first.status);
    }
  }
  for (const call of [1, 2, 3]) {
    expect((await VISITS.event({ 'x-queue': String(call) })).status).toBe(202);
    await VISITS.click({ 'x-queue': String(call) });
    // The queue delivers after a second, and again after two.
    await expect
      .poll(() => listStored('EVENTS', 'SELECT id FROM events'), { timeout: 30_000 })
      .toContain(events.at(-1));
  }
  const stored = await listStored('EVENTS', "SELECT id FROM events WHERE name = 'page_view'");
  expect(stored.toSorted()).toEqual(events.toSorted());
  const redirects = "SELECT id FROM events WHERE name = 'affiliate_redirect'";
  await expect
    .poll(async () => (await listStored('EVENTS', redirects)).length, { timeout: 30_000 })
    .toBe(clicks);
  const known = await listStored('COMMISSIONS', "SELECT native_id AS id FROM facts WHERE native_id <> 'c-0'");
  expect(known.toSorted()).toEqual(reports.toSorted());
});

async function listStored(name: 'EVENTS' | 'COMMISSIONS', sql: string): Promise<readonly string[]> {
  const rows = await new D1Executor(await worker.getD1Database(name)).query({ sql, values: [] });
  return rows.map(({ id }) => String(id));
}
