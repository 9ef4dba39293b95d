import { expect, it } from 'vitest';
import { createMemoryConsole } from '../../../test/support/memory-stores.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import type { ConsoleRequest } from '../app.ts';
import type { ConsoleViews, ViewTarget } from '../views.ts';
import { createShareLinks } from './share-links.ts';

it('takes the page of a long table from the address, and everything else from the link', async () => {
  const targets: ViewTarget[] = [];
  const views = {
    read: async (target: ViewTarget) => {
      targets.push(target);
      return {};
    },
  } as unknown as ConsoleViews;
  const link = { id: 'link-1', view: 'pages', parameters: 'range=7d&partner=kit', expiresAt: 1 };
  const respond = createShareLinks({
    getStore: () => ({ findShareLink: async () => link }) as never,
    views,
    siteName: 'Site',
    now: () => 0,
  });
  const open = (address: string) =>
    respond({
      context: { req: { method: 'GET' } },
      parts: ['share', createSecretToken()],
      parameters: new URLSearchParams(address),
      render: async () => new Response(''),
    } as unknown as ConsoleRequest);
  for (const address of ['p=3&range=all&partner=other', 'p=x&page=/secret', '']) await open(address);
  expect(targets.map(({ parameters }) => parameters.toString())).toEqual([
    'range=7d&partner=kit&p=3',
    'range=7d&partner=kit&p=1',
    'range=7d&partner=kit&p=1',
  ]);
});

it('shows nothing from the moment on at which the link expires, as if it had never existed', async () => {
  const { operators: store } = createMemoryConsole();
  const [token, unknown] = [createSecretToken(), createSecretToken()];
  const link = { id: 'link-1', view: 'pages', parameters: '', label: '', createdBy: 'o-1' } as const;
  await store.writeShareLink({ ...link, tokenHash: hashSecretToken(token), createdAt: 0, expiresAt: 1_000 });
  let now = 0;
  const respond = createShareLinks({
    getStore: () => store,
    views: { read: async () => ({}) } as unknown as ConsoleViews,
    siteName: 'Site',
    now: () => now,
  });
  const open = async (secret: string) => {
    const response = await respond({
      context: { req: { method: 'GET' } },
      parts: ['share', secret],
      parameters: new URLSearchParams(),
      render: async ({ title = 'Pages' }: { title?: string }, status = 200) =>
        new Response(title, { status }),
    } as unknown as ConsoleRequest);
    return [response?.status, await response?.text()];
  };
  now = 999;
  expect(await open(token)).toEqual([200, 'Pages']);
  now = 1_000;
  expect(await open(token)).toEqual([404, 'This link shows nothing']);
  expect(await open(unknown)).toEqual(await open(token));
});
