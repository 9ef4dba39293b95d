import { expect, it } from 'vitest';
import type { ConsoleRequest } from './console-app.ts';
import type { ConsoleViews, ViewTarget } from './console-views.ts';
import { createSecretToken } from './secret-token.ts';
import { createShareLinks } from './share-links.ts';

it('takes the page of a long table from the address, and everything else from the link', async () => {
  const targets: ViewTarget[] = [];
  const views = {
    findByKey: () => 'pages',
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
