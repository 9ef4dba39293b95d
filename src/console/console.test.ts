import { expect, it, vi } from 'vitest';
import { buildViewRequest, createTestConsole } from '../../test/support/console-ledger.ts';
import { addOperator } from '../../test/support/operators.ts';
import { buildSampleFact } from '../../test/support/sample-commissions.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { DAY_MS } from '../core/clock.ts';
import { createApp } from '../server/app.ts';
import { OperatorSessions } from '../server/http/operator-sessions.ts';
import type { AppContext } from '../server/http/route.ts';
import { createLiveContent } from '../server/pages/content-reload.ts';
import { OperatorStoreError } from '../stores/operators.ts';
import { createConsole, createReadAhead } from './console.ts';
import { readView } from './views.ts';

it('responds with the content that a request began with, although an edit is shown while its body arrives', async () => {
  const site = await createTestSite({ settings: { SITE_URL: 'http://localhost' } });
  await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  const content = site.content.read();
  const live = createLiveContent(content);
  const console = createConsole({ ...site, content: { ...site.content, read: live.read } });
  const rename = (name: string) => live.replace({ ...content, site: { ...content.site, name } });
  const noPage = async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) });
  const app = createApp(
    {
      ...site,
      routes: [],
      console: (context) =>
        console.respond(context, async (page, _status, held) =>
          Response.json([page, held.content.read().site.name]),
        ),
    },
    { render: noPage, submit: noPage },
  );
  const signIn = async (edited: string) => {
    const body = new ReadableStream({
      pull(controller) {
        rename(edited);
        controller.enqueue(new TextEncoder().encode('name=Eve&password=wrong'));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const request = new Request('http://localhost/console/sign-in', init);
    const response = await app.fetch(request, { requestId: 'id', clientAddress: '192.0.2.1' });
    return await response.json();
  };
  rename('Before');
  expect(await signIn('Between')).toMatchObject([{ kind: 'sign-in', siteName: 'Before' }, 'Before']);
  expect(live.read().site.name).toBe('Between');
  expect(await signIn('After')).toMatchObject([{ siteName: 'Between' }, 'Between']);
});

it('keeps the range in the address of every view, and leads away from choices between two truths', async () => {
  const site = await createTestSite({ settings: { SITE_URL: 'http://localhost' } });
  await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  const [ada] = await site.operators.accounts.readOperators();
  const sessions = new OperatorSessions(site);
  const cookie = await sessions.start(new Request('http://localhost'), ada ?? expect.fail());
  const console = createConsole(site);
  const open = async (path: string) => {
    const raw = new Request(`http://localhost${path}`, { headers: { cookie: cookie?.split(';')[0] ?? '' } });
    const req = {
      raw,
      method: 'GET',
      url: raw.url,
      path: path.split('?')[0],
      header: (name: string) => raw.headers.get(name),
    };
    const context = { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } } as unknown as AppContext;
    const response = await console.respond(context, async (page) =>
      Response.json(
        page.kind === 'view'
          ? page.frame.navigation.flatMap(({ tabs }) => tabs.map(({ href }) => href))
          : page.kind,
      ),
    );
    return response?.status === 303 ? response.headers.get('location') : response?.json();
  };
  expect(await open('/console/campaigns?range=28d&model=first')).toContain('/console/sources?range=28d');
  for (const choice of ['clock=booking', 'compare=previous', 'model=linear', 'keep=1'])
    expect(await open(`/console/pages?${choice}&range=28d`)).toBe('/console/pages?range=28d');
  expect(await open('/console/pages.csv?model=first')).toBe('/console/pages.csv');
});

it.each([
  ['/console/content/new', { action: 'create', kind: 'article', title: 'What I wrote' }],
  ['/console/settings/network', { action: 'none', note: 'What I wrote' }],
])(
  'shows the text of a form of %s, or a page, to the person, whichever call of a database fails',
  async (path, fields) => {
    const site = await createTestSite({ settings: { SITE_URL: 'http://localhost' } });
    await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
    const [ada] = await site.operators.accounts.readOperators();
    const sessions = new OperatorSessions(site);
    const started = await sessions.start(new Request('http://localhost'), ada ?? expect.fail());
    const cookie = started?.split(';')[0] ?? '';
    const session = await sessions.readSession(new Request('http://localhost', { headers: { cookie } }));
    let [calls, failing] = [0, 0];
    const fail = <T extends object>(store: T): T =>
      new Proxy(store, {
        get(_, name) {
          const value: unknown = Reflect.get(store, name);
          if (typeof value !== 'function') return value;
          return (...parameters: unknown[]) => {
            calls += 1;
            if (calls === failing) throw new OperatorStoreError('unavailable', 'the disk does not respond');
            return Reflect.apply(value, store, parameters);
          };
        },
      });
    const { accounts, temporaryValues } = site.operators;
    const operators = { ...site.operators, accounts: fail(accounts), temporaryValues: fail(temporaryValues) };
    const console = createConsole({ ...site, operators });
    const send = async (mode: string, method = 'POST') => {
      const posted = { ...fields, token: session?.formToken ?? '', 'confirm-password': '' };
      const body = method === 'POST' ? new URLSearchParams(posted) : null;
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': mode };
      const raw = new Request(`http://localhost${path}`, { method, headers, body });
      const req = {
        raw,
        method,
        url: raw.url,
        path,
        header: (name: string) => raw.headers.get(name),
      };
      const context = { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } } as unknown as AppContext;
      calls = 0;
      return console.respond(context, async (page, status) =>
        Response.json(
          { text: JSON.stringify(page), isKept: page.kind === 'kept' },
          { status: status ?? 200 },
        ),
      );
    };
    const first = await send('navigate');
    const whole = calls;
    expect([whole > 1, first?.status]).toEqual([true, expect.any(Number)]);
    for (failing = 1; failing <= whole; failing += 1) {
      const response = await send('navigate');
      if (response?.status === 503)
        expect(await response.json(), `call ${failing}`).toEqual({
          text: expect.stringContaining('What I wrote'),
          isKept: true,
        });
      else expect(response?.status, `call ${failing}`).toBe(first?.status);
    }
    failing = 1;
    for (const method of ['POST', 'GET'])
      await expect(send('cors', method)).rejects.toThrow('does not respond');
    expect((await send('navigate', 'GET'))?.status).toBe(503);
  },
);

it('reads the overview ahead after a start, after each change and on a new day, so that opening it sums nothing', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const site = await createTestConsole({ now: () => now });
  const { ledger } = site.money;
  const report = (nativeId: string) =>
    ledger.append({ facts: [buildSampleFact({ nativeId, eventTime: now, changeTime: now })], journeys: [] });
  const reads = [
    vi.spyOn(ledger.sums, 'readCells'),
    vi.spyOn(ledger.sums, 'readCohorts'),
    vi.spyOn(ledger.sums, 'readDues'),
  ];
  const count = () => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const readAhead = createReadAhead(site);
  await report('c-1');
  for (const change of ['a start', 'a change', 'a new day']) {
    if (change === 'a change') await report('c-2');
    if (change === 'a new day') now += DAY_MS;
    const before = count();
    await readAhead();
    const ahead = count();
    expect(ahead, change).toBeGreaterThan(before);
    await readAhead();
    const { query: _, ...request } = buildViewRequest();
    await readView(site, { ...request, view: 'overview' }, null, null);
    expect(count(), change).toBe(ahead);
  }
  for (const read of reads) read.mockRestore();
});
