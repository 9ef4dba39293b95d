import { expect, it } from 'vitest';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import type { AppContext } from '../server/http/route.ts';
import { createSecretToken, hashSecretToken } from '../server/http/secret-token.ts';
import { PasswordHasher } from './access/password.ts';
import { createConsole } from './console.ts';
import type { ConsolePage } from './console-page.ts';

const PASSWORD = 'correct horse battery staple';
const COST = { cost: 2, blockSize: 8, parallelization: 1 };

/** A console with an operator, and what it responds: the status, and the address that it leads to or names. */
async function openConsole() {
  const site = await createTestSite();
  Object.assign(site.platform, { passwordCost: COST });
  const passwordHash = await new PasswordHasher(undefined, COST).hash(PASSWORD);
  await addOperator(site.operators.accounts, { id: 'o-1', name: 'Ada', passwordHash });
  const console = createConsole(site);
  async function send(method: string, path: string, cookie: string, body: URLSearchParams | null = null) {
    const headers = new Headers({ cookie, host: 'localhost', 'sec-fetch-site': 'same-origin' });
    const raw = new Request(`http://localhost/console${path}`, { method, headers, body });
    const header = (name: string) => headers.get(name);
    const req = { raw, method, url: raw.url, path: new URL(raw.url).pathname, header };
    const context = { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } };
    const render = async (page: ConsolePage, status = 200) =>
      new Response(page.kind === 'refused' ? `${page.message} ${page.link?.href ?? ''}` : page.kind, {
        status,
      });
    const response = await console.respond(context as unknown as AppContext, render);
    return response ?? expect.fail('the console did not respond');
  }
  const form = new URLSearchParams({ name: 'Ada', password: PASSWORD });
  const cookie = (await send('POST', '/sign-in', '', form)).headers.get('set-cookie')?.split(';')[0] ?? '';
  async function ask(path: string, method = 'GET') {
    const response = await send(method, path, cookie);
    return [response.status, response.headers.get('location') ?? (await response.text())];
  }
  return { site, ask };
}

it.each([
  ['/live?range=7d', '/console?range=7d'],
  ['/partners/dependence?partner=highlevel&currency=EUR', '/console/partners?partner=highlevel&currency=EUR'],
  ['/content/calendar', '/console/content?state=scheduled'],
  ['/journeys?by=clicks&path=home+%3E+kit', '/console/pages'],
  ['/journeys?page=%2Fpricing&by=clicks&page!=%2Fhelp', '/console/pages?page=%2Fpricing&page%21=%2Fhelp'],
])('leads from %s to %s', async (from, to) => {
  const { ask } = await openConsole();
  expect(await ask(from)).toEqual([303, to]);
  expect(await ask(from, 'HEAD')).toEqual([303, to]);
  // Nothing is posted to a view that is no more, and nothing is below it.
  expect([403, 404]).toContain((await ask(from, 'POST'))[0]);
  expect((await ask(from.replace(/(?=\?|$)/, '/x')))[0]).toBe(404);
});

it.each([
  ['/live.csv?range=7d', 'Live', '/console/placements.csv?range=7d'],
  ['/partners/dependence.csv', 'Dependence', '/console/partners.csv'],
  ['/content/calendar.ics', 'Calendar', '/console/content.csv'],
  ['/journeys.csv?by=clicks&range=7d', 'Paths', '/console/pages.csv?range=7d'],
])('says for %s where the columns of %s are: %s', async (file, name, table) => {
  const { ask } = await openConsole();
  const message = `The console has no view ${name} any more. Its columns are in ${table}. ${table}`;
  expect(await ask(file)).toEqual([410, message]);
  expect((await ask(table.slice('/console'.length)))[0]).toBe(200);
});

it.each(['lastPaid', 'linear', 'entryPage', 'linearPages'])(
  'exports no table by the model %s',
  async (model) => {
    const { site, ask } = await openConsole();
    const table = '/console/campaigns.csv?range=7d';
    expect(await ask(`/campaigns.csv?range=7d&model=${model}`)).toEqual([
      410,
      `The console has no credit model ${model} any more. The table by the model last is at ${table}. ${table}`,
    ]);
    expect((await ask('/campaigns.csv?range=7d&model=first'))[0]).toBe(200);
    expect((await ask(`/campaigns?clock=click&range=7d&model=${model}`))[0]).toBe(200);
    const token = createSecretToken();
    await site.operators.accounts.writeShareLink({
      id: 'l-1',
      label: '',
      createdBy: 'Ada',
      createdAt: 0,
      view: 'campaigns',
      parameters: `range=7d&model=${model}`,
      tokenHash: hashSecretToken(token),
      expiresAt: Number.MAX_SAFE_INTEGER,
    });
    expect(await ask(`/share/${token}.csv`)).toEqual([
      410,
      `The console has no credit model ${model} any more. Ask for another link. `,
    ]);
    expect((await ask(`/share/${token}`))[0]).toBe(200);
  },
);

it('asks who looks for a former view to sign in, and says behind a share link that it is no more', async () => {
  const { site, ask } = await openConsole();
  const token = createSecretToken();
  const link = { id: 'l-1', label: '', createdBy: 'Ada', createdAt: 0, parameters: 'range=7d' };
  await site.operators.accounts.writeShareLink({
    ...link,
    view: 'journeys',
    tokenHash: hashSecretToken(token),
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
  for (const address of [`/share/${token}`, `/share/${token}.csv`])
    expect(await ask(address)).toEqual([
      410,
      expect.stringContaining('no view Paths any more. Ask for a link'),
    ]);
  expect((await ask('/settings'))[0]).toBe(200);
});
