import { expect, it } from 'vitest';
import { readShippedNetworks } from '../content-files/networks.ts';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { NO_ANSWER_CODES } from '../core/assessment/answers.ts';
import { buildOutboundUrl } from '../core/outbound/build-outbound-url.ts';
import { UNKNOWN_VISIT } from '../core/outbound/outbound-link.ts';
import { partnerSchema } from '../core/outbound/partner.schema.ts';
import { buildPartner, Merchants, parseDecisions } from './merchants.ts';

/** A partner that no earlier import has written. */
const NEW = { keys: new Map<string, string>(), text: '', isEdited: false };

it.each([
  ['https://amazon.com/dp/B1?tag=me-21', true],
  ['https://www.amazon.com/dp/B1?tag=me-21', true],
  ['https://notamazon.com/dp/B1?tag=me-21', false],
  ['https://amazon.com.example/dp/B1?tag=me-21', false],
  ['https://amazon.com/dp/B1', false],
  ['https://www.awin1.com/cread.php?awinmid=1&awinaffid=2', true],
  ['https://notawin1.com/cread.php?awinmid=1&awinaffid=2', false],
  ['https://shop.example/?fpr=me', true],
  ['https://shop.example/?ref=me', false],
  ['ftp://amazon.com/?tag=me-21', false],
])('of a link to %s, it says: paid %s', (target, expected) => {
  expect(new Merchants(readShippedNetworks()).isPaid(target)).toBe(expected);
});

it('calls the links of each network that names its hosts by that network, with its parameter for ids', () => {
  const networks = readShippedNetworks();
  const read = [...networks].flatMap(([network, { link }]) => {
    const { payee = 'none', hosts = [], shops = [], marks = [] } = link ?? {};
    const addresses = [
      ...[...hosts, ...shops].map((host) => `https://www.${host}/a?${payee}=me`),
      ...marks.map((name) => `https://merchant-of-${network}.example/?${name}=me`),
    ];
    return addresses.map((address) => [network, address, link] as const);
  });
  expect(new Set(read.map(([network]) => network)).size).toBeGreaterThan(18);
  for (const [network, address, link] of read) {
    const merchants = new Merchants(networks);
    merchants.add(address, false);
    const [proposal] = merchants.list().map((group) => group.proposal);
    expect(proposal, address).toMatchObject({ network });
    if (link?.clickIds === 'forbidden') expect(proposal?.subId).toBeNull();
    else expect([link?.parameter, null]).toContain(proposal?.subId);
  }
});

it('counts links to a merchant, and hosts below it, among those of its partner, and of no other host', () => {
  const merchants = new Merchants(readShippedNetworks());
  merchants.add('https://shop.example/?fpr=me', false);
  for (const host of ['shop.example', 'eu.shop.example', 'notshop.example'])
    merchants.add(`https://${host}/page`, false);
  expect(merchants.list().map(({ plain }) => [...plain.keys()])).toEqual([
    ['https://shop.example/page', 'https://eu.shop.example/page'],
  ]);
});

it.each([
  [
    'https://hubspot.sjv.io/c/123456/789/11111?subId1=blog&u=https%3A%2F%2Fwww.hubspot.com%2F%3Fa%3D1',
    'subId1',
  ],
  ['https://www.dpbolvw.net/click-1-2?sid=blog&url=https%3a%2f%2fm.example', 'sid'],
  ['https://acme.partnerlinks.io/abc123', 'sid'],
  ['https://www.digistore24.com/redir/1234/me/CAMPAIGN', 'cid'],
  ['https://prf.hn/click/camref:1abc/pubref:x/destination:https%3A%2F%2Fm.example', null],
  ['https://shop.example/buy?via=old%20blog&plan=a+b', null],
  ['https://shop.example/buy?affid=a%2Fb%3D', null],
])('makes %s a partner whose links stay byte for byte', (target, subId) => {
  const merchants = new Merchants(readShippedNetworks());
  merchants.add(target, false);
  const [group] = merchants.list();
  if (group === undefined) throw new Error('no group');
  expect(group.proposal).toMatchObject({ affiliate: null, subId });
  const built = buildPartner(group, { ...group.proposal, confirm: true }, NEW);
  if ('problem' in built) throw new Error(built.problem);
  const read = parseYaml(built.text);
  const partner = partnerSchema.parse('value' in read ? read.value : null);
  expect(partner.affiliate).toBeNull();
  expect([...partner.destinations]).toEqual([['pricing', target]]);
  const link = {
    pageKey: 'pricing',
    source: '',
    position: '',
    content: '',
    clickToken: '',
    isRepeated: false,
  };
  const click = { id: 'click-1', gpc: true, answers: NO_ANSWER_CODES };
  const url = buildOutboundUrl(partner, { ...link, visit: { ...UNKNOWN_VISIT, page: '/' } }, click);
  const list = (address: string) => address.split(/[?&]/).filter((part) => !/^s(?:ub)?[iI]d1?=/.test(part));
  expect(list(url).slice(0, list(target).length)).toEqual(list(target));
  expect(new URL(url).searchParams.getAll(subId ?? 'none')).toEqual(subId === null ? [] : ['click-1']);
});

it.each([
  ['https://shop.example/buy?via=me', 'http', 'typed'],
  ['https://www.amazon.de/dp/B1?tag=me-21&ascsubtag=visitor-7', 'no', 'none'],
])('makes %s a partner with redirect: %s and prices: %s', (target, redirect, prices) => {
  const merchants = new Merchants(readShippedNetworks());
  merchants.add(target, false);
  const [group] = merchants.list();
  if (group === undefined) throw new Error('no group');
  const built = buildPartner(group, { ...group.proposal, confirm: true }, NEW);
  if ('problem' in built) throw new Error(built.problem);
  const read = parseYaml(built.text);
  const partner = partnerSchema.parse('value' in read ? read.value : null);
  expect(partner).toMatchObject({ redirect, prices, subId: null, forward: ['affiliate', 'subId'] });
  expect(partner.destinations.get('pricing')).toBe(target.split('?')[0]);
});

it('takes decisions of earlier versions, which had an empty parameter', () => {
  const decision = { links: 'x', confirm: true, key: 'x', name: 'X', network: 'impact', subId: null };
  expect(parseDecisions([{ ...decision, affiliate: { parameter: '', value: '' } }])).toEqual({
    decisions: [{ ...decision, affiliate: null }],
  });
});
