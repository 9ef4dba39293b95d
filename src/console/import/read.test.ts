import { beforeEach, expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  createConsoleLedger,
  FREE_CLICK,
} from '../../../test/support/console-ledger.ts';
import type { ConsoleSite } from '../console-site.ts';
import { changeImport, readImport } from './read.ts';

const FILE = `id,sub id,amount,status,date\n2001,${FREE_CLICK},12.50,approved,2025-11-25\n2002,,3.00,pending,2025-11-26\n`;

let site: ConsoleSite;
beforeEach(async () => {
  site = await createConsoleLedger({ settings: { SITE_URL: 'https://signpost.example' } });
});

const upload = (change: Readonly<Record<string, string | File>> = {}) => {
  const form = buildForm({ action: 'upload', partner: 'highlevel', currency: 'usd', timeZone: 'UTC' });
  form.set('file', new File([FILE], '../../etc/<i>report.csv'));
  for (const [name, value] of Object.entries(change)) form.set(name, value);
  return changeImport(site, form, buildViewRequest());
};
const open = (location: string) =>
  readImport(site, buildViewRequest({ search: new URL(location, 'http://x').search }));

it('previews a file, imports it and takes it back', async () => {
  const uploaded = await upload();
  const { preview, imports } = await open(uploaded.location);
  expect(imports).toEqual([]);
  expect(preview).toMatchObject({
    file: '<i>report.csv',
    rows: 2,
    matched: 1,
    unmatched: 1,
    new: 2,
    sums: [{ currency: 'USD', amount: 1_550 }],
    problems: [],
  });
  const commit = { action: 'commit', upload: preview?.upload ?? '' };
  expect(await changeImport(site, buildForm(commit), buildViewRequest())).toMatchObject({ isError: false });
  const committed = (await open('/console/import')).imports[0];
  expect(committed).toMatchObject({ file: '<i>report.csv', state: 'committed', rows: 2 });
  expect((await changeImport(site, buildForm(commit), buildViewRequest())).isError).toBe(true);
  const undo = { action: 'undo', import: committed?.id ?? '' };
  expect((await changeImport(site, buildForm(undo), buildViewRequest())).isError).toBe(false);
  expect((await open('/console/import')).imports[0]).toMatchObject({ state: 'undone' });
  expect((await changeImport(site, buildForm(undo), buildViewRequest())).isError).toBe(true);
});

it.each([
  ['currency', ''],
  ['currency', 'US'],
  ['timeZone', ''],
  ['timeZone', 'Mars/Base'],
  ['partner', 'unknown'],
  ['file', new File([], 'empty.csv')],
  ['file', 'text'],
])('refuses an upload whose %s is wrong', async (name, value) => {
  expect(await upload({ [name]: value })).toMatchObject({ isError: true, location: '/console/import' });
});

it('shows what is wrong with a file instead of counts', async () => {
  const { location } = await upload({ file: new File(['a,b\n1,2\n'], 'a.csv') });
  const { preview } = await open(location);
  // Without the option of the command line.
  expect(preview?.problems).toEqual(['No column has the commission: name it among a, b.']);
});

it('shows an upload only to the operator who chose it', async () => {
  const { location } = await upload();
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', role: 'owner' } as const;
  const search = new URL(location, 'http://x').search;
  expect((await readImport(site, buildViewRequest({ viewer, search }))).preview).toBeNull();
});

it('shows the secret address of a postback on request, and only to owners', async () => {
  expect((await open('/console/import?show=highlevel')).hasPostbacks).toBe(false);
  await changeImport(site, buildForm({ action: 'create-postbacks' }), buildViewRequest());
  expect((await open('/console/import')).postbacks[0]?.address).toBeNull();
  expect((await open('/console/import?show=highlevel')).postbacks[0]?.address).toMatch(
    /^https:\/\/signpost\.example\/api\/postbacks\/highlevel\/[\w-]{32}$/,
  );
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', role: 'viewer' } as const;
  const model = await readImport(site, buildViewRequest({ viewer, search: 'show=highlevel' }));
  expect([model.postbacks[0]?.address, model.canChange]).toEqual([null, false]);
});
