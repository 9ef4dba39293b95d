import { expect, it } from 'vitest';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { createApp } from '../server/app.ts';
import { createLiveContent } from '../server/pages/content-reload.ts';
import { createConsole } from './console.ts';

it('responds with the content that a request began with, although an edit is shown while its body arrives', async () => {
  const site = await createTestSite({ settings: { SITE_URL: 'http://localhost' } });
  await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  const content = site.content.read();
  const live = createLiveContent(content);
  const console = createConsole({ ...site, content: { ...site.content, read: live.read } });
  const rename = (name: string) => live.replace({ ...content, site: { ...content.site, name } });
  const noPage = async () => new Response(null, { status: 404 });
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
