import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  buildViewRequest,
  CONSOLE_NOW,
  postChange,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import { readImportPage } from './read.ts';
import { ConnectionsPage } from './view.tsx';

const { viewer } = buildViewRequest();
const NAME = 'REWARDFUL_WEBHOOK_SECRET';

/** A console over a content folder with the partner `example`, whose edits are shown at once. */
async function open(network = 'generic') {
  const { root, partner, site } = await createContentConsole((text) =>
    text.replace(/^network: .*$/m, `network: ${network}`),
  );
  const show = async (rest: string, search = '', isConfirmed = false) => {
    const request = buildViewRequest({ rest: rest.split('/'), search });
    const model = await readImportPage(site, request);
    if (model === null) return null;
    if ('isConfirmed' in model) Object.assign(model, { isConfirmed });
    return renderWithForms('partners', viewer, <ConnectionsPage model={model} />);
  };
  const post = (action: string, fields: Readonly<Record<string, string>>) =>
    postChange(site, 'partners', { action, ...fields });
  const addUnread = (content: object, minutes = 0) =>
    site.money.ledger.addUnread({
      partner: 'example',
      source: 'postback',
      problem: 'the field amount is missing',
      arrivedAt: CONSOLE_NOW + minutes * 60_000,
      content: JSON.stringify(content),
    });
  return { root, site, show, post, addUnread, partner };
}

const MESSAGE = (ref: string, verdict: string, earned: string) => ({
  ref_no: ref,
  visitor_tag: 'a-click',
  earned,
  basket: '80.00',
  money: 'EUR',
  verdict,
  note: '<script>x</script>',
});
const MEANS = {
  'means ref_no': 'id',
  'means visitor_tag': 'click',
  'means earned': 'amount',
  'means basket': 'saleAmount',
  'means money': 'currency',
  'means verdict': 'status',
  'means note': '',
  'word granted': 'approved',
  'word withdrawn': 'reversed',
  unit: 'decimal',
};

it('makes a network of unread messages by what an operator says of their fields, and reads them by it', async () => {
  const { root, site, show, post, addUnread, partner } = await open();
  await addUnread(MESSAGE('R-1', 'granted', '12.50'));
  await addUnread(MESSAGE('R-2', 'withdrawn', '7.25'), 1);
  const [, newest] = await site.money.ledger.readUnread();
  const message = newest?.id ?? '';
  expect(await show('')).toContain('Make a network of this');
  const proposed = (await show('new-network', new URLSearchParams({ message }).toString())) ?? '';
  expect(proposed).toContain('&lt;script&gt;x&lt;/script&gt;');
  expect(proposed).not.toContain('<script>');
  for (const path of Object.keys(MESSAGE('', '', ''))) expect(proposed).toContain(`name="means ${path}"`);

  const search = new URLSearchParams({ message, name: 'odd', title: 'Odd', ...MEANS }).toString();
  const preview = (await show('new-network', search)) ?? '';
  expect(preview).toMatch(/€12\.50[\s\S]*approved/);
  expect(preview).toContain('Write networks/odd.yaml');
  const sent = { message, name: 'odd', title: 'Odd', ...MEANS };
  expect(await post('make-network', sent)).toMatchObject({
    isError: false,
    location: '/console/partners/import#unread',
    message: expect.stringContaining('content/networks/odd.yaml'),
  });
  const text = readFileSync(path.join(root, 'networks/odd.yaml'), 'utf8');
  // The click of a message is nobody's business, and a message shows a reversal.
  expect(text).not.toMatch(/a-click|unknown/);
  expect(parseYaml(text)).toMatchObject({
    value: { messages: [{ becomes: [{ id: 'R-1', amount: 1_250 }] }, { becomes: [{ status: 'reversed' }] }] },
  });
  expect(readFileSync(partner, 'utf8')).toMatch(/^network: odd$/m);
  expect((await site.content.versions.readAll('networks/odd.yaml')).map(({ operator }) => operator)).toEqual([
    'Ada',
  ]);
  expect(
    (await site.operators.activity.read(null, { offset: 0, limit: 5 })).map(({ text: what }) => what),
  ).toEqual([expect.stringContaining('Created content/networks/odd.yaml')]);

  expect(await post('read-messages', { message })).toMatchObject({ isError: false });
  const facts = await site.money.ledger.readFacts();
  expect(facts.map((one) => [one.nativeId, one.status, one.amount, one.saleAmount, one.currency])).toEqual([
    ['R-1', 'approved', 1_250, 8_000, 'EUR'],
    ['R-2', 'reversed', 725, 8_000, 'EUR'],
  ]);
  expect(await site.money.ledger.readUnread()).toEqual([]);
  expect(await show('networks/odd')).toMatch(/R-1[\s\S]*by postback/);
});

it.each<[what: string, sent: Readonly<Record<string, string>>, says: RegExp]>([
  ['the name of a known network', { name: 'awin' }, /there is a network awin already/],
  ['a name that leads elsewhere', { name: '../partners/x' }, /only a-z, 0-9 and -/],
  ['no field of money', { 'means earned': '' }, /choose the field of the amount/],
  ['cents with decimals', { unit: 'minor' }, /cannot be read by it/],
])('writes nothing with %s, and shows the form again', async (_, sent, says) => {
  const { site, post, addUnread, root, partner } = await open();
  await addUnread(MESSAGE('R-1', 'granted', '12.50'));
  const before = readFileSync(partner, 'utf8');
  const [newest] = await site.money.ledger.readUnread();
  const fields = {
    message: newest?.id ?? '',
    name: 'odd',
    title: 'Odd',
    ...MEANS,
    token: 'form-token',
    ...sent,
  };
  const { location, message, isError } = await post('make-network', fields);
  expect([isError, message]).toEqual([true, expect.stringMatching(says)]);
  expect(new URL(location, 'http://x').searchParams.get('means ref_no')).toBe('id');
  expect(location).not.toContain('form-token');
  expect(readFileSync(partner, 'utf8')).toBe(before);
  expect(new ContentFiles(root, () => NO_IMAGES).read('networks/odd.yaml')).toHaveProperty('problem');
});

it('stores secrets that the file of a network names, and shows none of them', async () => {
  const { site, show, post } = await open('rewardful');
  expect(await show('networks/unknown')).toBeNull();
  expect(await show('networks')).toContain('href="/console/partners/networks/rewardful"');
  const closed = (await show('networks/rewardful')) ?? '';
  expect([closed.includes('Change secrets'), closed.includes('type="password"')]).toEqual([true, false]);
  const set = (name: string, secret: string, days = '0') =>
    post('set-secret', { network: 'rewardful', name, secret, days });
  expect(await set('PATH', 'x')).toMatchObject({ isError: true });
  expect(await set('IMPACT_TOKEN', 'x')).toMatchObject({ isError: true });
  expect(await set(NAME, ' ')).toMatchObject({ isError: true, message: expect.stringContaining('Type ') });
  expect(site.money.secrets.find(NAME)).toBe('');
  const told = await set(NAME, 'typed-in-text');
  expect(told).toMatchObject({ isError: false, location: '/console/partners/networks/rewardful#secrets' });
  expect(site.money.secrets.find(NAME)).toBe('typed-in-text');
  await set(NAME, 'another-text', '7');
  const page = (await show('networks/rewardful', '', true)) ?? '';
  expect(page).toMatch(/set .* by Ada/);
  expect(page).toContain('The former one is accepted until');
  expect(page).toContain('type="password"');
  // A partner may have a secret of its own.
  expect(page).toContain(`${NAME}_EXAMPLE`);
  const noted = await site.operators.activity.read(null, { offset: 0, limit: 9 });
  for (const text of [page, JSON.stringify(told), JSON.stringify(noted)])
    expect(text).not.toMatch(/typed-in-text|another-text/);
  expect(await post('remove-secret', { network: 'rewardful', name: NAME })).toMatchObject({ isError: false });
  expect(site.money.secrets.find(NAME)).toBe('');
});

it('leaves secrets to a platform that has them', async () => {
  const { site, show } = await open('rewardful');
  Object.assign(site.money.secrets, { file: null });
  const page = (await show('networks/rewardful', '', true)) ?? '';
  expect(page).toContain('secrets of the platform');
  expect(page).not.toContain('type="password"');
});

it('says what is not known of a network, and tests every network that ships', async () => {
  const { site, show } = await open();
  const { networks } = site.content.read();
  for (const [name, { reversal, title }] of networks) {
    const page = (await show(`networks/${name}`)) ?? '';
    expect([title, page.includes('each becomes what the file says.<')]).toEqual([title, true]);
    expect([title, page.includes('reports a reversal is not known')]).toEqual([
      title,
      reversal === 'unknown',
    ]);
  }
  const reported = buildSampleFact({}, { partner: 'example' });
  await site.money.ledger.append({ facts: [reported] });
  await site.money.commissions.fold.refold();
  const levels = [site.content.read().partners.get('example')?.terms.network ?? '', 'awin', 'webgains'].map(
    async (name) => /(Tried|Documented|Guessed)[: ]/.exec((await show(`networks/${name}`)) ?? '')?.[1],
  );
  expect(await Promise.all(levels)).toEqual(['Tried', 'Documented', 'Guessed']);
});
