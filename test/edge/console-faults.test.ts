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
import { setUpOperator } from '../support/console-access.ts';
import { CONSOLE_VIEW_PATHS } from '../support/console-view-paths.ts';

/** The worker over databases of which a request can have one call fail: `x-fail: 3`. It responds with how many calls it made. */
const ENTRY = `
import site from './main.mjs';
const wrap = (database, count) => {
  const call = (run) => (count() ? Promise.reject(new Error('Network connection lost.')) : run());
  const prepare = (sql) => {
    const statement = database.prepare(sql);
    return {
      bind(...values) {
        const bound = statement.bind(...values);
        return { bound, all: () => call(() => bound.all()) };
      },
    };
  };
  return { prepare, batch: (list) => call(() => database.batch(list.map(({ bound }) => bound))) };
};
let counted = 0;
let failing = 0;
const wrapped = new Map();
export default {
  ...site,
  async fetch(request, env) {
    counted = 0;
    failing = Number(request.headers.get('x-fail') ?? 0);
    const names = ['EVENTS', 'COMMISSIONS', 'CONSOLE', 'NOTIFICATIONS', 'ARTICLES'];
    for (const name of names)
      if (!wrapped.has(name)) wrapped.set(name, wrap(env[name], () => ++counted === failing));
    const response = await site.fetch(request, { ...env, ...Object.fromEntries(wrapped) });
    const body = await response.arrayBuffer();
    const headers = new Headers(response.headers);
    headers.set('x-calls', String(counted));
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
    settings: {},
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

const view = async (address: string, fail = 0) => {
  const headers = { cookie, 'x-fail': String(fail), 'sec-fetch-site': 'same-origin' };
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(url + address, { headers, signal, redirect: 'manual' });
  await response.arrayBuffer();
  return { status: response.status, calls: Number(response.headers.get('x-calls')) };
};

/** The calls that fail, of those that a view makes: each, or three that are far apart. */
const chooseCalls = (calls: number, index: number) =>
  IS_FULL_LENGTH
    ? Array.from({ length: calls }, (_, call) => call + 1)
    : [0, 1, 2].map((part) => Math.floor((calls * (part + (index % 5) / 5)) / 3) + 1);

it.each(CONSOLE_VIEW_PATHS.map((address, index) => [address, index] as const))(
  '%s responds again after any one call of a database has failed',
  async (address, index) => {
    const first = await view(address);
    expect([200, 302, 303, 404]).toContain(first.status);
    const after: string[] = [];
    for (const call of chooseCalls(first.calls, index)) {
      await addMoney();
      const failed = await view(address, call);
      const { status } = await view(address);
      if (status !== first.status) after.push(`call ${call} ${failed.status}, then ${status}`);
    }
    expect(after).toEqual([]);
  },
  IS_FULL_LENGTH ? 3_600_000 : 120_000,
);
