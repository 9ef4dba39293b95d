import { expect, it } from 'vitest';
import { readSamplePartners, SHIPPED_CONTENT } from '../../test/support/sample-content.ts';
import { watchMachine } from '../../test/support/scale-to-machine.ts';
import { matchesClasses } from '../core/commissions/networks/network.schema.ts';
import { isFoundByLabel } from '../core/outbound/labels.ts';
import { labelsSchema } from '../core/outbound/partner.schema.ts';
import type { Partner } from '../core/outbound/partner.ts';
import { ContentFolder } from './content-folder.ts';
import { fillLabels, readNetworks, readShippedNetworks } from './networks.ts';

const OWN = {
  format: 1,
  title: 'Acme',
  sources: [{ text: 'acme.example/docs', day: '2026-11-20' }],
  reversal: 'unknown',
  push: {
    own: { field: 'acme_id' },
    rules: [{ record: { id: 'acme_id', amount: 'earned', status: [{ field: 'state' }] } }],
  },
  messages: [
    {
      name: 'a sale',
      is: 'composed',
      query: 'acme_id=1&earned=5.00',
      becomes: { id: 1, status: 'pending', amount: 500, currency: 'USD' },
    },
  ],
};

const API = {
  needs: ['ACME_KEY'],
  url: 'https://api.acme.example',
  auth: { scheme: 'header', name: 'X-Key', secret: 'ACME_KEY' },
  records: 'sales',
  record: { id: 'id', amount: 'earned' },
};
const QUERIES = [{ name: 'a sale', is: 'composed', query: 'acme_id=1', becomes: 'unread' }];
const buildApi = (change: object) => ({ ...OWN, interface: { ...API, ...change } });

const readOwn = (file: unknown, network = 'acme') => {
  const folder = new ContentFolder(SHIPPED_CONTENT, new Map([['networks/acme.yaml', file]]));
  const [[key, partner] = []] = readSamplePartners();
  if (key === undefined || partner === undefined) throw new Error('no partner ships');
  const partners = new Map([[key, { ...partner, terms: { ...partner.terms, network } }]]);
  const networks = readNetworks(folder, partners);
  return { networks, problems: folder.problems.map(({ reason }) => reason) };
};

it('reads the networks of the content folder beside those that ship', () => {
  const { networks, problems } = readOwn(OWN);
  expect(problems).toEqual([]);
  expect([networks.get('acme')?.title, networks.size]).toEqual(['Acme', readShippedNetworks().size + 1]);
});

it.each([
  ['a field that no file has', { ...OWN, titel: 'Acme' }, 'did you mean "title"?'],
  ['a later format', { ...OWN, format: 2 }, 'must be 1'],
  ['a file that says nothing of a reversal', { ...OWN, reversal: undefined }, 'reversal: unknown'],
  [
    'a key in a header without its name',
    buildApi({ auth: { ...API.auth, name: undefined } }),
    'header needs it',
  ],
  [
    'a key in a query without its name',
    buildApi({ auth: { scheme: 'query', secret: 'ACME_KEY' } }),
    'query needs',
  ],
  [
    'tokens without their address',
    buildApi({ auth: { scheme: 'oauth', secret: 'ACME_KEY' } }),
    'oauth needs it',
  ],
  ['a cursor that leads nowhere', buildApi({ page: { scheme: 'cursor', from: 'id' } }), 'cursor needs it'],
  ['a cursor from nowhere', buildApi({ page: { scheme: 'cursor', parameter: 'after' } }), 'cursor needs it'],
  ['numbers of pages without a parameter', buildApi({ page: { scheme: 'number' } }), 'number needs it'],
  ['offsets without a parameter', buildApi({ page: { scheme: 'offset' } }), 'offset needs it'],
  ['a next page from nowhere', buildApi({ page: { scheme: 'next' } }), 'next needs it'],
  [
    'a secret nobody is asked for',
    buildApi({ auth: { ...API.auth, secret: 'ACME_TOKEN' } }),
    'lacks ACME_TOKEN',
  ],
  ['one in a path', buildApi({ path: '/{ACME_ID}/sales' }), 'lacks ACME_ID'],
  ['the click under another name', { ...OWN, report: { columns: { click: 'Ref' } } }, 'is called subId here'],
  [
    'a signature of queries',
    {
      ...OWN,
      messages: QUERIES,
      push: { ...OWN.push, signature: { uses: 'hmac-hex', secret: 'ACME_SECRET' } },
    },
    'their secret address protects',
  ],
  ['an unknown field of a rule', { ...OWN, status: [{ fild: 'a', wordz: {} }] }, 'did you mean "field"?'],
  ['one like none', { ...OWN, link: { subIdentifier: 's' } }, 'known are parameter, more, place'],
  ['an interface without https', { ...OWN, interface: { url: 'http://a.example' } }, 'https://'],
])('refuses %s', (_, file, reason) => {
  expect(readOwn(file).problems.join()).toContain(reason);
});

it('names the network that a partner may have meant', () => {
  expect(readOwn(OWN, 'acne').problems.join()).toContain('no network is called "acne"; did you mean "acme"?');
});

function fill(network: string, labels: object | undefined, change: Partial<Partner> = {}) {
  const folder = new ContentFolder(SHIPPED_CONTENT, new Map());
  const [partner = expect.fail()] = readSamplePartners().values();
  const own = { affiliate: { parameter: 'tag', value: 'hub-20' }, subId: null, ...change };
  const known = {
    ...partner,
    ...own,
    terms: { ...partner.terms, network },
    labels: labels && labelsSchema.parse(labels),
  };
  const filled = fillLabels(folder, new Map([['shop', known]]), readShippedNetworks());
  const [problems, warnings] = [folder.problems, folder.warnings].map((list) =>
    list.map(({ reason }) => reason),
  );
  return { partner: filled.get('shop') ?? expect.unreachable(), problems: problems ?? [], warnings };
}

const listIds = (count: number) => Array.from({ length: count }, (_, index) => `hub${index}-20`);
const subId = { parameter: 'ascsubtag', maxLength: 64, encoding: 'uuid', keepsCase: false } as const;

it.each<[what: string, network: string, labels: object, change: Partial<Partner>, reason: RegExp]>([
  ['as many ids as Amazon takes, with that of the partner', 'amazon', { pool: listIds(99) }, {}, /^$/],
  ['one more', 'amazon', { pool: listIds(100) }, {}, /^has 101 ids .* may have 100: see most$/],
  ['more ids than the operator says', 'amazon', { pool: listIds(2), most: 2 }, {}, /has 3 ids .* may have 2/],
  ['the id of the partner in its pool, once', 'amazon', { pool: ['hub-20', 'a-20'], most: 2 }, {}, /^$/],
  ['an id that Amazon cannot have given', 'amazon', { pool: ['Desks'] }, {}, /^is no id of amazon/],
  ['a campaign of nine digits', 'ebay', { pool: ['123456789'] }, {}, /^is no id of ebay/],
  ['a campaign of ten digits', 'ebay', { pool: ['1234567890'] }, {}, /^$/],
  ['51 characters', 'skimlinks', { pool: ['x'.repeat(51)] }, {}, /^has more than the 50 characters/],
  [
    '51 characters in a parameter of its own',
    'skimlinks',
    { parameter: 'x', pool: ['x'.repeat(51)] },
    {},
    /^$/,
  ],
  ['no parameter that is known', 'generic', {}, {}, /^is missing, and generic names no parameter/],
  [
    'an address with the parameter',
    'amazon',
    {},
    { destinations: new Map([['pricing', 'https://a.test/?tag=x']]) },
    /^has tag in it/,
  ],
])('checks ids for pages: %s', (_, network, labels, change, reason) => {
  expect(fill(network, labels, change).problems.join('\n')).toMatch(reason);
});

it.each([
  ['amazon', undefined, null, true],
  ['amazon', {}, null, true],
  ['awin', undefined, subId, false],
])(
  'links of %s with labels %j carry an id of the click only where it is allowed',
  (network, labels, carried, isByLabel) => {
    const { partner, problems, warnings } = fill(network, labels, { subId });
    expect([partner.subId, problems]).toEqual([carried, []]);
    expect(warnings).toEqual(
      carried === null ? [`${network} forbids click ids, so links have none: set subId: null`] : [],
    );
    // What steps, tasks, alerts, forms and rankings ask.
    expect(isFoundByLabel(partner, readShippedNetworks())).toBe(isByLabel);
  },
);

it('completes ids for pages by the parameter and the delays of the network', () => {
  expect(fill('amazon', { pool: ['a-20'] }).partner.labels).toMatchObject({
    parameter: 'tag',
    usualDays: 3,
    longestDays: 90,
  });
});

const withPattern = (pattern: unknown) => ({ ...OWN, link: { label: { parameter: 'sub', pattern } } });
const readPattern = (pattern: unknown) =>
  readOwn(withPattern(pattern)).networks.get('acme')?.link?.label?.pattern;

it.each<[former: string, taken: readonly string[], refused: readonly string[]]>([
  ['^[0-9]{10}$', ['1234567890'], ['123456789', '12345678901', '123456789a', '']],
  ['^[a-z0-9-]+-[0-9]{2}$', ['desk-20', 'a-b-21', '--20'], ['desk-2', '-20', 'Desk-20', 'desk-20x']],
  ['^[A-Z]\\d{3,}$', ['A123', 'Z12345'], ['A12', 'AA123', 'a123']],
  ['^ab?[\\w.]{2,3}$', ['abx_', 'ab1.2', 'a.5'], ['ab', 'b12', 'ab1.22', 'abé']],
  ['^x*y$', ['y', `${'x'.repeat(100)}y`], ['', 'x']],
])('reads a former pattern as classes with lengths: %s', (former, taken, refused) => {
  const classes = readPattern(former) ?? [];
  const found = [...taken, ...refused].filter((id) => matchesClasses(id, classes));
  expect(found).toEqual(taken);
  // What is read decides the same as the pattern did.
  expect(found).toEqual([...taken, ...refused].filter((id) => new RegExp(former).test(id)));
});

it.each<unknown>([
  '^(a|a|a|a)*$',
  '^(?:[a-z]+)+$',
  '[0-9]{10}',
  '^[^a]+$',
  '^a+?$',
  '^[0-9]{1,5000}$',
  '^.*$',
  '^a|b$',
  [{ of: '', least: 1 }],
  [],
  Array.from({ length: 21 }, () => ({ of: 'a', most: 400 })),
])('takes no other expression, and says what a pattern is: %j', (pattern) => {
  const { networks, problems } = readOwn(withPattern(pattern));
  expect(networks.has('acme')).toBe(false);
  expect(problems).toHaveLength(1);
});

it('checks an id in a moment, whatever is in the file', { tags: ['measures'] }, () => {
  const classes = Array.from({ length: 20 }, () => ({ of: 'a', least: 0, most: 400 }));
  const scale = watchMachine();
  const start = performance.now();
  expect(matchesClasses(`${'a'.repeat(400)}b`, classes)).toBe(false);
  expect(performance.now() - start).toBeLessThan(scale(1_000));
});
