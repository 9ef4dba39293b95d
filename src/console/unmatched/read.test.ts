import { beforeEach, expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  FREE_CLICK,
  postChange,
  postForm,
} from '../../../test/support/console-ledger.ts';
import { encodeClickId } from '../../core/commissions/ledger/click-token.ts';
import { writeListedCommissions } from '../../server/commissions/sync-networks.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readUnmatched } from './read.ts';

let site: ConsoleSite;
beforeEach(async () => {
  site = await createConsoleLedger();
});

const id = (nativeId: string) => ({ partner: 'highlevel', account: 'main', id: nativeId });
const post = (fields: Readonly<Record<string, string>>) => postChange(site, 'unmatched', fields);
const listWaiting = async () =>
  (await readUnmatched(site, buildViewRequest())).items.map(({ row }) => row.id);

it('lists what waits with its reason and a suggested click', async () => {
  const { items, summaries } = await readUnmatched(site, buildViewRequest());
  expect(
    items.map(({ row, suggestion }) => [row.id, row.reason, suggestion?.clickId, suggestion?.basis]),
  ).toEqual([
    ['1003', 'unknown-token', FREE_CLICK, 'text'],
    ['1004', 'no-sub-id', FREE_CLICK, 'time'],
  ]);
  expect(summaries[0]).toEqual({ currency: 'USD', unmatched: 1_600, matchRate: 4_000 / 5_600 });
});

it('assigns to a click by its token, and undoes it', async () => {
  const outcome = await post({ action: 'assign', ...id('1004'), click: encodeClickId(FREE_CLICK, 'base62') });
  expect(outcome).toMatchObject({ isError: false, location: '/console/unmatched' });
  expect(await listWaiting()).toEqual(['1003']);
  const { decided } = await readUnmatched(site, buildViewRequest());
  expect(decided.map(({ row, action }) => [row.id, row.page, action])).toEqual([
    ['1004', '/review', 'assign'],
  ]);
  await post({ action: 'reset', ...id('1004') });
  expect(await listWaiting()).toEqual(['1003', '1004']);
});

it('dismisses, and undoes it', async () => {
  await post({ action: 'dismiss', ...id('1003') });
  expect(await listWaiting()).toEqual(['1004']);
  await post({ action: 'reset', ...id('1003') });
  expect(await listWaiting()).toEqual(['1003', '1004']);
});

it('matches all that have a likely click at once, and each can be undone', async () => {
  const { likely, matches } = await readUnmatched(site, buildViewRequest());
  expect([likely, matches.length]).toEqual([2, 2]);
  const form = buildForm({ action: 'match' });
  for (const match of [...matches, 'no match', matches[0] ?? '']) form.append('match', match);
  expect(await postForm(site, 'unmatched', form)).toMatchObject({
    message: '2 commissions were matched. 2 of 4 had changed meanwhile.',
    isError: false,
  });
  expect(await listWaiting()).toEqual([]);
  expect(await postForm(site, 'unmatched', form)).toMatchObject({
    message: 'Nothing was matched. 4 of 4 had changed meanwhile.',
    isError: true,
  });
  await post({ action: 'reset', ...id('1003') });
  expect(await listWaiting()).toEqual(['1003']);
});

it.each([
  { action: 'match', match: '["highlevel","main","1003","unknown"]' },
  { action: 'assign', ...id('1003'), click: 'unknown' },
  { action: 'assign', ...id('1003') },
  { action: 'dismiss', ...id('9999') },
  { action: 'other', ...id('1003') },
  {},
])('refuses the form %j and changes nothing', async (fields) => {
  expect((await post(fields)).isError).toBe(true);
  expect(await listWaiting()).toEqual(['1003', '1004']);
});

it('only an operator who manages may decide', async () => {
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: ['money'] } as const;
  expect((await readUnmatched(site, buildViewRequest({ viewer }))).canDecide).toBe(false);
});

it('compares the ledger with the lists of the networks themselves', async () => {
  const read = async () => (await readUnmatched(site, buildViewRequest())).differences;
  const before = await read();
  const listed = { partner: 'highlevel', id: 'listed-only', amount: 123_456, currency: 'USD' };
  await writeListedCommissions(site.money.ledger, 'firstpromoter', [{ ...listed, time: CONSOLE_NOW }]);
  expect(await read()).toHaveLength(before.length + 1);
  expect((await read()).at(-1)).toMatchObject({ partner: 'highlevel', reported: 123_456 });
});
