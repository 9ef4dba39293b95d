import { expect, it } from 'vitest';
import { createTestConsole } from '../../../test/support/console-ledger.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { createSecretToken, hashSecretToken } from '../../server/http/secret-token.ts';
import type { ConsolePage } from '../console-page.ts';
import type { ConsoleRequest } from '../http.ts';
import { showSharedView } from './share-links.ts';

const LINK = { id: 'link-1', view: 'pages', label: '', createdBy: 'Ada', createdAt: 0 } as const;

async function createLink(parameters: string, expiresAt: number) {
  const time = { now: 0 };
  const site = await createTestConsole({ now: () => time.now });
  const token = createSecretToken();
  const tokenHash = hashSecretToken(token);
  await addOperator(site.operators.accounts, { id: 'o-1', name: 'Ada' });
  await site.operators.accounts.writeShareLink({ ...LINK, parameters, tokenHash, expiresAt });
  const pages: ConsolePage[] = [];
  const open = async (secret: string, address = '') => {
    const response = await showSharedView(site, {
      context: { req: { method: 'GET' } },
      parts: ['share', secret],
      parameters: new URLSearchParams(address),
      render: async (page: ConsolePage, status = 200) => {
        pages.push(page);
        return new Response(page.kind === 'refused' ? page.title : page.kind, { status });
      },
    } as unknown as ConsoleRequest);
    return [response.status, await response.text()];
  };
  return { time, token, pages, open };
}

it('takes the page of a long table from the address, and everything else from the link', async () => {
  const { token, pages, open } = await createLink('range=7d&partner=kit', 1);
  for (const address of ['p=3&range=all&partner=other', 'p=x&page=/secret', '']) await open(token, address);
  expect(pages.map((page) => page.kind === 'view' && page.frame.parameters)).toEqual([
    'range=7d&partner=kit&p=3',
    'range=7d&partner=kit&p=1',
    'range=7d&partner=kit&p=1',
  ]);
});

it('shows nothing from the moment on at which the link expires, as if it had never existed', async () => {
  const { time, token, open } = await createLink('', 1_000);
  time.now = 999;
  expect(await open(token)).toEqual([200, 'view']);
  time.now = 1_000;
  expect(await open(token)).toEqual([404, 'This link shows nothing']);
  expect(await open(createSecretToken())).toEqual(await open(token));
});
