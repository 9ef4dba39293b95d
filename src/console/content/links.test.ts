import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  CONSOLE_NOW,
  createTestConsole,
  postChange,
} from '../../../test/support/console-ledger.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { readContentView } from './read.ts';

const COUNT = 75;
const host = (index: number) => `shop-${index}.example`;

/**
 * A site with links to as many shops, one of which has no page any more; each answers when `answer` is called. `isCutOff`: it
 * reaches none of them.
 */
async function openSite({ isCutOff = false } = {}) {
  const partners = new Map(
    Array.from({ length: COUNT }, (_, index) => [
      `shop-${index}`,
      buildPartner(`shop-${index}`, {
        site: `https://${host(index)}/`,
        destinations: new Map([['pricing', `https://${host(index)}/pricing`]]),
      }),
    ]),
  );
  let answer = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked: string[] = [];
  let now = CONSOLE_NOW;
  const platform = {
    hasTimers: true,
    createLinkRequests: () => async (address: URL) => {
      asked.push(address.hostname);
      if (isCutOff || asked.length > 31) await first;
      if (isCutOff) throw new Error('no such host');
      const status = address.hostname === host(3) ? 404 : 200;
      const body = new TextEncoder().encode('<title>Plans</title><h1>Plans</h1><p>Words of the shop.</p>');
      return { status, headers: new Headers({ 'content-type': 'text/html' }), body };
    },
  };
  const site = await createTestConsole({
    content: { partners, pages: new Map(), products: new Map(), claims: new Map(), authors: new Map() },
    platform,
    now: () => now,
  });
  const read = async (search = '', change: Partial<ConsoleQuery> = {}) => {
    const request = buildViewRequest({ rest: ['links'], search });
    const model = await readContentView(site, { ...request, query: { ...request.query, ...change } });
    return model?.kind === 'links' ? model : expect.fail('these are no links');
  };
  const check = () => postChange(site, 'content', { action: 'check-links' }, { rest: ['links'] });
  const wait = (ms: number) => {
    now += ms;
  };
  return { site, read, check, asked, wait, answer: () => answer() };
}

it('checks links while an operator looks or leaves, and says how far it is', async () => {
  const { site, read, check, asked, answer, wait } = await openSite();
  expect(Object.fromEntries((await read()).counts)).toMatchObject({ unchecked: COUNT, healthy: 0 });
  expect(await check()).toMatchObject({ location: '/console/content/links', isError: false });
  expect((await read()).check).toEqual({ of: COUNT, done: 31 });
  // A second click asks nothing again.
  await check();
  answer();
  while ((await read()).check !== null) await setImmediate();
  expect([asked.length, new Set(asked).size]).toEqual([COUNT, COUNT]);
  const count = async () => Object.fromEntries((await read()).counts);
  expect(await count()).toMatchObject({ unchecked: 0, healthy: COUNT - 1, inconclusive: 1 });
  // One failure means little: the second one, hours later, is something to do.
  wait(4 * 3_600_000);
  expect(await check()).toMatchObject({ message: '75 links were checked.' });
  expect(await count()).toMatchObject({ healthy: COUNT - 1, broken: 1 });
  const [broken, ...others] = (await read('state=broken')).list.rows;
  expect([broken?.partner, others]).toEqual(['shop-3', []]);
  expect((await read('q=shop-70')).list.rows.map(({ partner }) => partner)).toEqual(['shop-70']);
  const alerts = await site.readAlerts();
  expect(alerts.map(({ text }) => text)).toContainEqual(expect.stringContaining('SHOP-3'));
});

it('says why a check ended early that nobody waited for, until the next one', async () => {
  const { read, check, answer } = await openSite({ isCutOff: true });
  expect(await check()).toMatchObject({ message: expect.stringContaining('You can leave this page') });
  answer();
  while ((await read()).check !== null) await setImmediate();
  expect((await read()).problem).toBe('no such host');
  await check();
  expect((await read()).problem).toBe('');
});

it('sorts links by each column, a page at a time', async () => {
  const { read } = await openSite();
  const by = (isDescending: boolean) => ({ sort: { column: 'where', isDescending } });
  const { list } = await read('', by(true));
  expect([list.rows.length, list.pages, list.total]).toEqual([20, 4, COUNT]);
  expect(list.rows[0]?.where).toBe('SHOP-9');
  expect((await read('p=4', by(false))).list.rows.at(-1)?.where).toBe('SHOP-9');
  expect((await read('state=x', { sort: { column: 'x', isDescending: true } })).list.total).toBe(COUNT);
});
