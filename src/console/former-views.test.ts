import { expect, it } from 'vitest';
import { addOperator } from '../../test/support/operators.ts';
import { createTestSite } from '../../test/support/test-site.ts';
import { CONSOLE_DOORS, CONSOLE_VIEWS } from '../core/console/console-view.ts';
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
  const shown: ConsolePage[] = [];
  async function send(method: string, path: string, cookie: string, body: URLSearchParams | null = null) {
    const headers = new Headers({ cookie, host: 'localhost', 'sec-fetch-site': 'same-origin' });
    const raw = new Request(`http://localhost/console${path}`, { method, headers, body });
    const header = (name: string) => headers.get(name);
    const req = { raw, method, url: raw.url, path: new URL(raw.url).pathname, header };
    const context = { req, env: { requestId: 'id', clientAddress: '192.0.2.1' } };
    const render = async (page: ConsolePage, status = 200) => {
      shown.push(page);
      const text = page.kind === 'refused' ? `${page.message} ${page.link?.href ?? ''}` : page.kind;
      return new Response(text, { status });
    };
    const response = await console.respond(context as unknown as AppContext, render);
    return response ?? expect.fail('the console did not respond');
  }
  const form = new URLSearchParams({ name: 'Ada', password: PASSWORD });
  const cookie = (await send('POST', '/sign-in', '', form)).headers.get('set-cookie')?.split(';')[0] ?? '';
  async function ask(path: string, method = 'GET') {
    const response = await send(method, path, cookie);
    return [response.status, response.headers.get('location') ?? (await response.text())];
  }
  return { site, ask, shown };
}

it.each([
  ['/live?range=28d', '/console?range=28d'],
  ['/expected', '/console/money'],
  [
    '/partners/dependence?partner=highlevel&currency=EUR&clock=click',
    '/console/partners?partner=highlevel&currency=EUR',
  ],
  ['/import?range=28d&model=first', '/console/partners?range=28d'],
  ['/import/networks', '/console/partners/networks'],
  ['/import/networks/awin', '/console/partners/networks/awin'],
  ['/import/new-network?message=m-1', '/console/partners/new-network?message=m-1'],
  ['/import/costs', '/console/campaigns/costs'],
  ['/import/move-in', '/console/settings/move-in'],
  ['/placements?page=%2Fpricing&range=30d&sort=-rpm', '/console/pages?page=%2Fpricing&range=30d'],
  ['/journeys?by=clicks&path=home+%3E+kit', '/console/pages'],
  ['/journeys?page=%2Fpricing&by=clicks&page!=%2Fhelp', '/console/pages?page=%2Fpricing&page%21=%2Fhelp'],
  ['/assessment?range=28d&page=%2F', '/console/pages?page=%2Fassessment&range=28d'],
  ['/content/attention', '/console/content?state=to-do'],
  ['/content/calendar', '/console/content?state=scheduled'],
  ['/content/missing', '/console/content/links?state=missing'],
  ['/activity?about=content', '/console/week?about=content'],
])('leads from %s to %s, for good', async (from, to) => {
  const { ask } = await openConsole();
  expect(await ask(from)).toEqual([301, to]);
  expect(await ask(from, 'HEAD')).toEqual([301, to]);
  const [status] = await ask(to.slice('/console'.length));
  // There are no such networks and messages here; every other address is a view.
  expect([200, ...(/networks\/|message/.test(to) ? [404] : [])]).toContain(status);
  // Nothing is posted to a view that is no more, and nothing is below it.
  expect([403, 404]).toContain((await ask(from, 'POST'))[0]);
  expect((await ask(from.replace(/(?=\?|$)/, '/x/y')))[0]).toBe(404);
});

it.each(['', ...CONSOLE_VIEWS.map(({ key }) => `/${key}`).filter((path) => path !== '/overview')])(
  'keeps the address of the view at /console%s',
  async (path) => expect((await (await openConsole()).ask(path))[0]).toBe(200),
);

it.each([
  ['/live.csv?range=28d', 'Live', '/console/pages.csv?range=28d'],
  ['/expected.csv', 'Expected', '/console/money.csv'],
  ['/partners/dependence.csv', 'Dependence', '/console/partners.csv'],
  ['/content/calendar.ics', 'Calendar', '/console/content.csv?state=scheduled'],
  ['/journeys.csv?by=clicks&range=28d', 'Paths', '/console/pages.csv?range=28d'],
  ['/placements.csv?range=28d&clock=click', 'Places', '/console/pages.csv?range=28d'],
  ['/assessment.csv?range=28d', 'Assessment', '/console/pages.csv?page=%2Fassessment&range=28d'],
  ['/activity.csv', 'Activity', '/console/week.csv'],
])('says for %s where the columns of %s are: %s', async (file, name, table) => {
  const { ask } = await openConsole();
  const message = `The console has no view ${name} any more. Its columns are in ${table}. ${table}`;
  expect(await ask(file)).toEqual([410, message]);
  expect((await ask(table.slice('/console'.length)))[0]).toBe(200);
});

it('has 8 doors in three groups that reach 16 views, at most 4 at a door', () => {
  expect(CONSOLE_DOORS.map(({ group, tabs }) => [group, tabs.length])).toEqual([
    ['money', 2],
    ['money', 3],
    ['earners', 1],
    ['earners', 2],
    ['earners', 1],
    ['work', 4],
    ['work', 1],
    ['work', 2],
  ]);
  const tabs = CONSOLE_DOORS.flatMap((door) => door.tabs);
  expect(new Set(tabs.map(({ view, rest }) => `${view} ${rest}`)).size).toBe(16);
  expect(CONSOLE_VIEWS.filter(({ key }) => !tabs.some(({ view }) => view === key))).toEqual([]);
});

it.each([
  ['placements', 'range=28d&page=%2Fpricing&clock=click', 'pages', { page: '/pricing', range: '28d' }],
  ['journeys', 'range=28d&by=clicks', 'pages', { range: '28d' }],
  ['assessment', 'range=28d&page=%2Fother', 'pages', { page: '/assessment', range: '28d' }],
])('shows behind a link to %s what %s asks for in %s, and no more', async (from, parameters, view, asked) => {
  const { site, ask, shown } = await openConsole();
  const token = createSecretToken();
  const link = { id: 'l-1', label: '', createdBy: 'Ada', createdAt: 0, view: from, parameters };
  await site.operators.accounts.writeShareLink({
    ...link,
    tokenHash: hashSecretToken(token),
    expiresAt: Number.MAX_SAFE_INTEGER,
  });
  expect((await ask(`/share/${token}?page=%2F`))[0]).toBe(200);
  const [page] = shown.splice(-1);
  if (page?.kind !== 'view') return expect.fail('no view');
  expect([page.frame.view, page.frame.viewer.kind, page.frame.navigation]).toEqual([view, 'share', []]);
  expect(page.frame.query.range).toBe('28d');
  const { p: _, ...own } = Object.fromEntries(new URLSearchParams(page.frame.parameters));
  expect(own).toEqual(asked);
  expect((await ask(`/share/${token}.csv`))[0]).toBe(200);
});
