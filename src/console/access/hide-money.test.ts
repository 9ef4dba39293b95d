import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { buildPartner, CONSOLE_NOW } from '../../../test/support/console-ledger.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { readEntries } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { readFolderContents } from '../../content-files/read-content.ts';
import { DAY_MS } from '../../core/clock.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { Capability } from '../../core/console/capabilities.ts';
import { CONSOLE_DOORS, CONSOLE_VIEWS } from '../../core/console/console-view.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import type { AppContext } from '../../server/http/route.ts';
import { deriveFromToken } from '../../server/http/secret-token.ts';
import { ACTION_GROUPS } from '../actions.ts';
import { createConsole } from '../console.ts';
import type { ConsolePage } from '../console-page.ts';
import { ConsoleDocument } from '../frame/frame.tsx';
import { PasswordHasher } from './password.ts';

const PASSWORD = 'correct horse battery staple';
const COST = { cost: 2, blockSize: 8, parallelization: 1 };
/** Amounts of the ledger, in cents: 12,345.67 and 76,543.21, and a cost of 4,321.98. */
const AMOUNTS = [1_234_567, 7_654_321] as const;
const COST_AMOUNT = 432_198;
/** The amounts, their sum and what is left after the cost, as cents and in every notation, whatever the currency. */
const SUMS = [...AMOUNTS, AMOUNTS[0] + AMOUNTS[1], COST_AMOUNT, AMOUNTS[0] + AMOUNTS[1] - COST_AMOUNT];
const RECOGNIZABLE = new RegExp(
  SUMS.flatMap((amount) => {
    const [units, cents] = [Math.floor(amount / 100), String(amount % 100).padStart(2, '0')];
    return [
      String(amount),
      `${units}.${cents}`,
      units.toLocaleString('en-US'),
      amount.toLocaleString('en-US'),
    ];
  })
    .map((text) => text.replaceAll('.', '\\.'))
    .join('|'),
);

const root = path.join(ROOT, 'content');
const { content } = readFolderContents(root, {});
if (content === null) throw new Error('the content of the site is invalid');
const [page = ''] = content.pages.keys();
const file = `pages/${page.slice(1)}.yaml`;

/** A console whose ledger has amounts, or nothing, and the pages that an operator with capabilities gets from it. */
async function openConsole(hasMoney: boolean, capabilities: readonly Capability[]) {
  const terms = { ...DEFAULT_TERMS, network: 'firstpromoter' } as const;
  const partners = new Map([['highlevel', buildPartner('highlevel', { terms })]]);
  const site = await createTestSite({
    clock: { now: () => CONSOLE_NOW, monotonic: () => CONSOLE_NOW },
    content: { ...content, partners },
  });
  Object.assign(site.platform, { passwordCost: COST });
  Object.assign(site.platform.content, { files: new ContentFiles(root, () => NO_IMAGES) });
  if (hasMoney) {
    const booked = CONSOLE_NOW - 3 * DAY_MS;
    const journey = buildSampleJourney({ page, clickTime: CONSOLE_NOW - 4 * DAY_MS });
    const facts = AMOUNTS.map((amount, index) =>
      buildSampleFact(
        { nativeId: `c-${index}`, status: 'approved', amount, eventTime: booked, changeTime: booked },
        { clickId: index === 0 ? journey.clickId : null },
      ),
    );
    await site.money.ledger.append({ journeys: [journey], facts });
  }
  const passwordHash = await new PasswordHasher(undefined, COST).hash(PASSWORD);
  await addOperator(site.operators.accounts, { id: 'manager', name: 'Ada', passwordHash });
  await addOperator(site.operators.accounts, { id: 'editor', name: 'Eve', passwordHash, capabilities });
  const console = createConsole(site);
  let client = 0;
  async function send(method: string, path: string, cookie: string, body?: BodyInit) {
    const headers = new Headers({ cookie, host: 'localhost', 'sec-fetch-site': 'same-origin' });
    const raw = new Request(`http://localhost/console${path}`, { method, headers, body: body ?? null });
    const req = {
      raw,
      method,
      url: raw.url,
      path: new URL(raw.url).pathname,
      header: (name: string) => headers.get(name),
    };
    client += 1;
    const context = { req, env: { requestId: 'id', clientAddress: `192.0.2.${client}` } };
    const render = async (shown: ConsolePage, status = 200) =>
      new Response(renderToStaticMarkup(createElement(ConsoleDocument, { page: shown })), { status });
    const response = await console.respond(context as unknown as AppContext, render);
    if (response === null) throw new Error('the console did not respond');
    return response;
  }
  const form = new URLSearchParams({ name: 'Eve', password: PASSWORD });
  const signedIn = await send('POST', '/sign-in', '', form);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = deriveFromToken(cookie.split('=')[1] ?? '', 'form');
  /** Everything that a response says, without what is random. */
  async function ask(method: string, path: string, fields?: Readonly<Record<string, string>>) {
    const body = fields && new URLSearchParams({ token, 'confirm-password': PASSWORD, ...fields });
    const response = await send(method, path, cookie, body);
    const text = `${[...response.headers]} ${await response.text()}`.replaceAll(token, '');
    return { status: response.status, text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '') };
  }
  return { site, ask };
}

/** Where a text begins to differ from another one; empty when they are the same. */
function findDifference(one: string, other: string): string {
  if (one === other) return '';
  const start = [...one].findIndex((letter, index) => letter !== other[index]);
  return one.slice(Math.max(0, start - 80), start + 80) || 'at the end';
}

const isMoney = (key: string) => CONSOLE_VIEWS.some((one) => one.key === key && one.showsMoney);
const PATHS = [
  '',
  ...CONSOLE_VIEWS.flatMap(({ key }) => [
    `/${key}`,
    `/${key}.csv`,
    `/${key}/x`,
    `/${key}/x.csv`,
    `/${key}?range=all&currency=USD&model=first`,
    `/${key}?q=c-0&show=highlevel`,
  ]),
  '/commissions/highlevel/main/c-0',
  '/commissions/highlevel/c-0',
  '/partners/payments.csv',
  `/pages?page=${encodeURIComponent(page)}`,
  '/partners?partner=highlevel',
  '/sources?source=unknown',
  `/content/${file}`,
  `/content/${file}?view=text`,
  `/content/${file}?view=history&version=1`,
];
/** Paths of views of money; those that no view has respond with 404. */
const isRefused = (at: string) => isMoney(/^\/(\w+)/.exec(at)?.[1] ?? '');

it('an operator who sees money finds the amounts of the ledger in views, in the list of content and in exports', async () => {
  const { ask } = await openConsole(true, ['money', 'content']);
  for (const at of ['', '/pages', '/content?kind=Page', '/commissions.csv', '/unmatched', '/overview.csv'])
    expect([at, RECOGNIZABLE.test((await ask('GET', at)).text)]).toEqual([at, true]);
  // An amount is `$1,204.50` in every view: no code before or after it, no decimals of another length.
  for (const at of PATHS.filter((path) => !path.includes('.csv'))) {
    const text = (await ask('GET', at)).text.replaceAll(/<(?:option|textarea)[\s\S]*?<\/\w+>|<[^>]*>/g, ' ');
    expect([
      at,
      text.match(/.{20}(?:\d (?:USD|EUR)\b|\b(?:USD|EUR) ?[$€]?\d|[$€][\d,]+\.\d(?:\d{2})?\b).{20}/)?.[0],
    ]).toEqual([at, undefined]);
  }
});

async function seeNoMoney(capabilities: readonly Capability[]): Promise<void> {
  const [full, empty] = [await openConsole(true, capabilities), await openConsole(false, capabilities)];
  for (const at of PATHS)
    for (const method of at.includes('.csv') ? ['GET'] : ['GET', 'HEAD']) {
      const response = await full.ask(method, at);
      expect([at, response.text.match(RECOGNIZABLE)?.[0]]).toEqual([at, undefined]);
      const other = await empty.ask(method, at);
      expect([at, response.status, findDifference(response.text, other.text)]).toEqual([
        at,
        other.status,
        '',
      ]);
      if (isRefused(at)) expect([403, 404]).toContain(response.status);
      if (isRefused(at) && /^\/(?!overview$)\w+$/.test(at)) expect([at, response.status]).toEqual([at, 403]);
    }
}

it('an editor without money sees an empty ledger at every path', () => seeNoMoney(['content', 'publish']));

it.each([
  ['an operator who manages', ['manage']],
  ['an operator who may look', []],
] as const)('%s without money sees an empty ledger at every path', { tags: ['rest'] }, (_, capabilities) =>
  seeNoMoney(capabilities),
);

it('shows eight doors whose tabs are all views, and four of them without money', async () => {
  const all = CONSOLE_DOORS.flatMap(({ tabs }) => tabs);
  for (const { key } of CONSOLE_VIEWS)
    expect([key, all.filter(({ view, rest }) => view === key && rest === undefined).length]).toEqual([
      key,
      1,
    ]);
  const list = async (capabilities: readonly Capability[]) => {
    const { ask } = await openConsole(false, capabilities);
    const { text } = await ask('GET', '/content');
    const rail = /<nav class="rail".*?<\/nav>/.exec(text)?.[0] ?? '';
    const views = [...text.matchAll(/data-go="(\w+)"/g)].map(([, view]) => view);
    return {
      doors: [...rail.matchAll(/class="rail-link" href="([^"?]*)/g)].map(([, href]) => href),
      views,
    };
  };
  const full = await list(['money', 'content']);
  expect(full.doors.length).toBe(8);
  expect(full.views.sort()).toEqual(CONSOLE_VIEWS.map(({ key }) => key).sort());
  const views = ['week', 'content', 'messages', 'settings'];
  expect((await list(['content'])).doors).toEqual(views.map((view) => `/console/${view}`));
});

it('an operator who manages without money posts no form of a view of money, and changes nothing of it', async () => {
  const { site, ask } = await openConsole(true, ['content', 'publish', 'manage']);
  const before = await readEntries(site.money.commissions);
  const posted = new Set(ACTION_GROUPS.map(({ view }) => view).filter(isMoney));
  expect(posted).toContain('unmatched');
  const fields = { partner: 'highlevel', account: 'main', id: 'c-1', action: 'dismiss', reason: 'x' };
  for (const key of posted) {
    const path = key === 'overview' ? '' : `/${key}`;
    expect([key, (await ask('POST', path, fields)).status]).toEqual([key, 403]);
  }
  for (const action of ['share', 'set-rate', 'reporting-currency']) {
    const sent = await ask('POST', '/settings', { action, address: '/console/pages', currency: 'EUR' });
    expect([action, sent.status]).toEqual([action, 403]);
  }
  expect(await site.operators.accounts.readShareLinks(CONSOLE_NOW)).toEqual([]);
  expect(await readEntries(site.money.commissions)).toEqual(before);
});

it('an operator gives and takes only what the operator may do, and no share link of money stays behind', async () => {
  const { site, ask } = await openConsole(true, ['content', 'manage']);
  const change = (fields: Readonly<Record<string, string>>) =>
    ask('POST', '/settings', { action: 'change-capabilities', id: 'manager', ...fields });
  const read = async (id: string) => (await site.operators.accounts.readOperator(id))?.capabilities;
  await ask('POST', '/settings', { action: 'invite', name: 'Mal', 'can-money': 'on', 'can-content': 'on' });
  expect((await site.operators.accounts.readSetups(CONSOLE_NOW))[0]?.capabilities).toEqual(['content']);
  await change({ 'can-content': 'on' });
  expect(await read('manager')).toEqual(['money', 'content', 'publish']);
  await ask('POST', '/settings', { action: 'change-capabilities', id: 'editor', 'can-money': 'on' });
  expect(await read('editor')).toEqual(['content', 'manage']);
  expect((await ask('GET', '/settings')).text).toContain('the last operator who manages');
});
