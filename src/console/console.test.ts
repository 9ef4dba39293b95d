import { expect, it } from 'vitest';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { createApp } from '../server/app.ts';
import { OperatorSessions } from '../server/http/operator-sessions.ts';
import type { AppContext } from '../server/http/route.ts';
import { createLiveContent } from '../server/pages/content-reload.ts';
import { createConsole } from './console.ts';

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

it('keeps what an operator chooses in the bar, and says it in the address of every view', async () => {
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
  expect(await open('/console/campaigns?page=%2Fa')).toContain('/console/sources?page=%2Fa');
  expect(await open('/console/sources?range=7d&clock=click&model=last&page=%2Fa&keep=1')).toBe(
    '/console/sources?range=7d&clock=click&model=last&page=%2Fa',
  );
  const kept = 'range=7d&clock=click&model=last';
  expect(await open('/console/campaigns')).toBe(`/console/campaigns?${kept}`);
  expect(await open('/console?from=2026-01-01&to=2026-01-02')).toBe(
    '/console?from=2026-01-01&to=2026-01-02&clock=click&model=last',
  );
  // What is usual is said too, so that nothing changes by itself.
  const usual = '/console/pages?range=28d&clock=booking&model=last';
  expect(await open(usual)).toContain('/console/sources?range=28d&clock=booking&model=last');
  expect(await open(`${usual}&keep=1`)).toBe('/console/pages');
  expect(await open('/console/campaigns')).toContain('/console/sources');
});
