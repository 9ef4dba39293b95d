import { beforeEach, expect, it } from 'vitest';
import {
  buildForm,
  buildPartner,
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  FREE_CLICK,
  postChange,
} from '../../../test/support/console-ledger.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { buildSampleReport } from '../../../test/support/sample-commissions.ts';
import { readEntries } from '../../../test/support/test-ledger.ts';
import { DAY_MS } from '../../core/clock.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { createPostbacks } from '../../server/commissions/postbacks.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readConnection } from './networks.ts';
import { readImport } from './read.ts';

const FILE = `id,sub id,amount,status,date\n2001,${FREE_CLICK},12.50,approved,2025-11-25\n2002,,3.00,pending,2025-11-26\n`;

let site: ConsoleSite;
let now = CONSOLE_NOW;
beforeEach(async () => {
  now = CONSOLE_NOW;
  site = await createConsoleLedger({ settings: { SITE_URL: 'https://signpost.example' }, now: () => now });
});

const upload = (change: Readonly<Record<string, string | File>> = {}) => {
  const form = buildForm({ action: 'upload', partner: 'highlevel', currency: 'usd', timeZone: 'UTC' });
  form.set('file', new File([FILE], '../../etc/<i>report.csv'));
  for (const [name, value] of Object.entries(change)) form.set(name, value);
  return postChange(site, 'partners', form);
};
const open = (location: string) =>
  readImport(site, buildViewRequest({ search: new URL(location, 'http://x').search }));

it('previews a file, imports it and takes it back', async () => {
  const uploaded = await upload();
  const { preview, imports } = await open(uploaded.location);
  expect(imports).toEqual([]);
  expect(preview).toMatchObject({
    upload: { name: '<i>report.csv' },
    summary: { rows: 2, matched: 1, unmatched: 1, new: 2, sums: { USD: 1_550 } },
    problems: [],
  });
  const commit = { action: 'commit', upload: preview?.upload.id ?? '' };
  expect(await postChange(site, 'partners', commit)).toMatchObject({ isError: false });
  const committed = (await open('/console/partners/import')).imports[0];
  expect(committed).toMatchObject({ file: '<i>report.csv', state: 'committed', rows: 2 });
  expect((await postChange(site, 'partners', commit)).isError).toBe(true);
  const undo = { action: 'undo', import: committed?.id ?? '' };
  expect((await postChange(site, 'partners', undo)).isError).toBe(false);
  expect((await open('/console/partners/import')).imports[0]).toMatchObject({ state: 'undone' });
  expect((await postChange(site, 'partners', undo)).isError).toBe(true);
});

it.each([
  ['currency', 'US'],
  ['timeZone', 'Mars/Base'],
  ['partner', 'unknown'],
  ['file', new File([], 'empty.csv')],
  ['file', 'text'],
])('refuses an upload whose %s is wrong', async (name, value) => {
  expect(await upload({ [name]: value })).toMatchObject({
    isError: true,
    location: '/console/partners/import',
  });
});

it.each([
  ['timeZone', 'time zone'],
  ['currency', 'currency'],
])('asks for the %s that no file states', async (field, name) => {
  const { preview } = await open((await upload({ [field]: '' })).location);
  expect(preview?.problems).toEqual([`Nobody states the ${name}: name it.`]);
});

it('shows what is wrong with a file instead of counts', async () => {
  const { location } = await upload({ file: new File(['a,b\n1,2\n'], 'a.csv') });
  const { preview } = await open(location);
  // Without the option of the command line.
  expect(preview?.problems).toEqual([
    expect.stringContaining('No column has the commission: name it among a, b.'),
  ]);
});

it('shows an upload only to the operator who chose it', async () => {
  const { location } = await upload();
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: CAPABILITIES } as const;
  const search = new URL(location, 'http://x').search;
  expect((await readImport(site, buildViewRequest({ viewer, search }))).preview).toBeNull();
});

it('shows the secret address of a postback on request, and only to operators who manage', async () => {
  expect((await open('/console/partners/import?show=highlevel')).hasPostbacks).toBe(false);
  await postChange(site, 'partners', { action: 'create-postbacks' });
  expect((await open('/console/partners/import')).postbacks[0]?.address).toBeNull();
  expect((await open('/console/partners/import?show=highlevel')).postbacks[0]?.address).toMatch(
    /^https:\/\/signpost\.example\/api\/postbacks\/highlevel\/[\w-]{32}$/,
  );
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: ['money'] } as const;
  const model = await readImport(site, buildViewRequest({ viewer, search: 'show=highlevel' }));
  expect([model.postbacks[0]?.address, model.canChange]).toEqual([null, false]);
});

it('the connection of a partner has the same line on every page, and its test leads back there', async () => {
  await postChange(site, 'partners', { action: 'create-postbacks' });
  const content = site.content.read();
  const partners = new Map([['kit', buildPartner('kit')], ...content.partners]);
  Object.assign(site.content, { read: () => ({ ...content, partners }) });
  const own = await readConnection(site, 'highlevel', buildViewRequest({ search: 'show=highlevel' }));
  const listed = (await open('/console/partners/import?show=highlevel')).postbacks;
  expect(own?.postbacks).toEqual(listed.filter(({ partner }) => partner === 'highlevel'));
  expect([own?.network, listed.length]).toEqual(['firstpromoter', 2]);
  const test = (from: string) =>
    postChange(site, 'partners', { action: 'test-postback', partner: 'highlevel', from });
  const page = '/console/partners?partner=highlevel';
  expect(await test(page)).toMatchObject({ isError: false, location: `${page}#postbacks` });
  for (const from of ['', '//evil.example/', 'https://evil.example/console/'])
    expect(await test(from)).toMatchObject({ location: '/console/partners/import#postbacks' });
  const viewer = { kind: 'operator', id: 'o-3', name: 'Eve', capabilities: ['content'] } as const;
  expect(await readConnection(site, 'highlevel', buildViewRequest({ viewer }))).toBeNull();
});

/** What a network sends whose names are its own, with the click of the sample. */
const ODD = (reference: string, total: string) => ({
  data: { reference_no: reference, network: { clickid: FREE_CLICK } },
  earning: { total, currencyCode: 'usd' },
  meta: { created: '2025-11-20 10:00:00', state: 'approved' },
});

async function postMessage(message: object): Promise<Response> {
  const send = createRouteClient({
    method: 'GET, POST',
    path: POSTBACK_PATTERN,
    handle: createPostbacks(site),
  });
  const token = (await site.money.postbackAddresses.readTokens())?.build('highlevel') ?? '';
  return send(JSON.stringify(message), {}, { method: 'POST', target: buildPostbackPath('highlevel', token) });
}

it('proposes what the fields of unread messages mean, reads them again once it is confirmed, and later ones at once', async () => {
  await site.money.postbackAddresses.create();
  expect((await postMessage(ODD('R-1', '12.50'))).status).toBe(400);
  now += 60_000;
  expect((await postMessage(ODD('R-2', '7.25'))).status).toBe(400);
  now += DAY_MS;
  expect((await site.readAlerts()).map(({ key }) => key)).toContain('unread:GoHighLevel');
  const [group, ...others] = (await open('/console/partners/import')).unread;
  expect(others).toEqual([]);
  expect(group).toMatchObject({
    count: 2,
    mapping: {
      fields: {
        id: 'data.reference_no',
        click: 'data.network.clickid',
        amount: 'earning.total',
        currency: 'earning.currencyCode',
        status: 'meta.state',
        time: 'meta.created',
      },
      unit: 'decimal',
    },
  });
  // What is sent to somebody else has neither ids nor amounts.
  expect(JSON.parse(group?.packed ?? '')).toMatchObject({
    'data.reference_no': 'x-9',
    'earning.total': '9.99',
    'earning.currencyCode': 'usd',
  });
  expect(group?.packed).not.toContain(FREE_CLICK);
  expect(
    group?.examples.map(({ report, isMatched }) => [report?.nativeId, report?.amount, isMatched]),
  ).toEqual([
    ['R-1', 1_250, true],
    ['R-2', 725, true],
  ]);
  const paths = Object.entries(group?.mapping.fields ?? {}).map(([meaning, path]) => [
    `field-${meaning}`,
    path,
  ]);
  const form = {
    action: 'map-messages',
    message: group?.message ?? '',
    unit: 'decimal',
    ...Object.fromEntries(paths),
  };
  const outcome = await postChange(site, 'partners', form);
  expect(outcome).toMatchObject({ isError: false, message: '2 messages read, 2 matched.' });
  expect((await open('/console/partners/import')).unread).toEqual([]);
  expect((await postMessage(ODD('R-3', '1.00'))).status).toBe(200);
  const facts = (await site.money.ledger.readFacts()).filter(({ nativeId }) => nativeId.startsWith('R-'));
  expect(facts.map(({ nativeId, amount, status }) => [nativeId, amount, status])).toEqual([
    ['R-1', 1_250, 'approved'],
    ['R-2', 725, 'approved'],
    ['R-3', 100, 'approved'],
  ]);
});

it.each(['same', 'other'])(
  'asks once whether a long id is that of a commission with rounded digits: %s',
  async (order) => {
    await site.money.postbackAddresses.create();
    const build = (nativeId: string) => ({
      reported: buildSampleReport({ nativeId, amount: 900 }),
      strings: [],
    });
    const reports = [build('1234567890123456800')];
    await site.money.commissions.record({
      partner: 'highlevel',
      terms: DEFAULT_TERMS,
      source: 'api',
      reports,
    });
    const message = { id: '1234567890123456701', amount: '10.00', currency: 'USD' };
    expect((await postMessage(message)).status).toBe(400);
    const [group, ...others] = (await open('/console/partners/import')).unread;
    expect([group?.isIdQuestion, others]).toEqual([true, []]);
    const answer = { action: 'answer-id', message: group?.message ?? '' };
    expect(await postChange(site, 'partners', answer)).toMatchObject({ isError: true });
    const said = { ...answer, order };
    expect(await postChange(site, 'partners', said)).toMatchObject({ message: '1 message read, 0 matched.' });
    expect((await postMessage({ ...message, amount: '11.00' })).status).toBe(200);
    const entries = await readEntries(site.money.commissions);
    expect(
      entries
        .flatMap(({ commission: { nativeId, amount } }) => (nativeId.length > 18 ? [amount] : []))
        .sort(),
    ).toEqual(order === 'same' ? [1_100] : [1_100, 900]);
  },
);

it('reads a stored message as a change before its arrival, whatever other sources have told since', async () => {
  await site.money.postbackAddresses.create();
  await postMessage(ODD('R-1', '12.50'));
  const arrival = now;
  now += DAY_MS;
  await site.money.commissions.record({
    partner: 'highlevel',
    terms: DEFAULT_TERMS,
    source: 'api',
    reports: [
      { reported: buildSampleReport({ nativeId: 'R-1', status: 'reversed', amount: 0 }), strings: [] },
    ],
  });
  const message = (await open('/console/partners/import')).unread[0]?.message ?? '';
  const fields = {
    'field-id': 'data.reference_no',
    'field-amount': 'earning.total',
    'field-status': 'meta.state',
    'field-currency': 'earning.currencyCode',
  };
  const form = { action: 'map-messages', message, unit: 'decimal', ...fields };
  expect((await postChange(site, 'partners', form)).isError).toBe(false);
  const entries = await readEntries(site.money.commissions);
  const found = entries.find(({ commission }) => commission.nativeId === 'R-1');
  expect(found?.commission).toMatchObject({ status: 'reversed', reversedAmount: 1_250, eventTime: arrival });
});

it('shows what another choice of fields becomes without changing anything, and refuses one that cannot be read', async () => {
  await site.money.postbackAddresses.create();
  await postMessage(ODD('R-1', '1250'));
  const message = (await open('/console/partners/import')).unread[0]?.message ?? '';
  const chosen = {
    message,
    'field-id': 'data.reference_no',
    'field-amount': 'earning.total',
    'field-currency': 'earning.currencyCode',
    unit: 'minor',
  };
  const [group] = (await open(`/console/partners/import?${new URLSearchParams(chosen)}`)).unread;
  expect(group?.examples[0]?.report?.amount).toBe(1_250);
  const wrong = { action: 'map-messages', ...chosen, 'field-amount': 'meta.state' };
  expect(await postChange(site, 'partners', wrong)).toMatchObject({ isError: true });
  expect((await open('/console/partners/import')).unread).toHaveLength(1);
  const discard = { action: 'discard-messages', message };
  expect((await postChange(site, 'partners', discard)).isError).toBe(false);
  expect((await open('/console/partners/import')).unread).toEqual([]);
  expect((await postChange(site, 'partners', discard)).isError).toBe(true);
});
