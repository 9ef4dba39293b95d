import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSamplePartners, SHIPPED_CONTENT } from '../../../test/support/sample-content.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { ContentFolder } from '../../content-files/content-folder.ts';
import { readNetworks } from '../../content-files/networks.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { getSecretsFile } from '../../content-files/secret-file.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { networkSchema, SECRET_NAME } from '../../core/commissions/networks/network.schema.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { guardedGet } from '../../sources/http/guarded-http.ts';
import { HttpError } from '../../sources/http/http-get.ts';
import { createJsonClient } from '../../sources/http/json-client.ts';
import { FORMER_SETTINGS, SETTINGS } from '../settings.ts';
import { createPostbacks } from './postbacks.ts';
import { NetworkSecrets } from './secrets.ts';
import { createCommissionSources, syncNetworks } from './sync-networks.ts';

/** The file of a network that ships, with parts replaced. */
function readShipped(name: string, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const parsed = parseYaml(readFileSync(path.join('networks', `${name}.yaml`), 'utf8'));
  if ('problem' in parsed) throw new Error(parsed.problem);
  return { ...Object(parsed.value), ...change };
}
const part = (file: Record<string, unknown>, name: string): Record<string, unknown> => Object(file[name]);

/** The networks of a content folder with these files of its own. */
function read(files: Readonly<Record<string, unknown>>) {
  const held = Object.entries(files).map(([name, file]) => [`networks/${name}.yaml`, file] as const);
  const folder = new ContentFolder(SHIPPED_CONTENT, new Map(held));
  const networks = readNetworks(folder, new Map());
  expect(folder.problems).toEqual([]);
  return { networks, warnings: folder.warnings.map(({ reason }) => reason) };
}

/** A network that sends its secret where the writer likes. */
const build = (change: object = {}, api: object = {}) => ({
  format: 1,
  title: 'Acme',
  reversal: 'unknown',
  sources: [{ text: 'me', day: '2026-11-01' }],
  interface: {
    needs: ['ACME_KEY'],
    url: 'https://api.acme.example/take',
    records: [''],
    auth: { scheme: 'bearer', secret: 'ACME_KEY' },
    record: { id: 'id', amount: 'amount' },
    ...api,
  },
  messages: [{ name: 'x', is: 'composed', query: 'id=1&amount=5', becomes: 'unconfirmed' }],
  ...change,
});

/** What a host was sent: addresses and credentials. */
let received: string[];
let origin: string;
beforeEach(async () => {
  received = [];
  const server = createServer(({ url, headers }, response) => {
    received.push(`${url} ${headers.authorization ?? ''}`);
    response.setHeader('content-type', 'application/json').end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
});

const HOSTS = ['evil.example', 'api.acme.example', 'api.awin.com'];

/**
 * A site with the partner `kit` on a network, and these own files in its folder; `show` replaces them, as an edit in a shell does,
 * and `restart` starts it again over the same data.
 */
async function open(
  network: string,
  files: Readonly<Record<string, unknown>>,
  platform: Parameters<typeof createTestSite>[0] = {},
) {
  const [sample] = readSamplePartners().values();
  if (sample === undefined) throw new Error('no partner ships');
  const partner = { ...sample, key: 'kit', terms: { ...DEFAULT_TERMS, network, currency: 'USD' } };
  const networks = new Map(read(files).networks);
  const databases = new Map<string, MemoryExecutor>();
  const secretsFile = getSecretsFile(createFolder());
  const start = async () => {
    const site = await createTestSite({
      settings: { TEST_HOSTS: HOSTS.map((host) => `${host}=${origin}`).join() },
      content: { partners: new Map([['kit', partner]]), networks },
      platform: {
        secretsFile,
        hasTimers: true,
        httpGet: guardedGet,
        openDatabase(name) {
          const known = databases.get(name) ?? new MemoryExecutor(openMemoryDatabase(name));
          databases.set(name, known);
          return known;
        },
        ...platform.platform,
      },
    });
    const sync = async () => {
      received = [];
      await site.money.secrets.readConfirmed(networks);
      const { settings, platform: used, money } = site;
      const commissionSources = createCommissionSources(networks, settings, used, money.secrets);
      const [result] = await syncNetworks({ ...site, money: { ...money, commissionSources } });
      return { problem: result?.problem, received };
    };
    await site.money.postbackAddresses.create();
    const tokens = await site.money.postbackAddresses.readTokens();
    const target = buildPostbackPath('kit', tokens?.build('kit') ?? '');
    const handle = createPostbacks(site);
    const client = createRouteClient({ method: 'GET, POST', path: POSTBACK_PATTERN, handle });
    const send = async (body: object) =>
      (await client(JSON.stringify(body), {}, { method: 'POST', target })).status;
    return { site, sync, send, secrets: site.money.secrets, networks };
  };
  const show = (own: Readonly<Record<string, unknown>>) => {
    networks.clear();
    for (const [name, file] of read(own).networks) networks.set(name, file);
  };
  const confirm = async (secrets: NetworkSecrets, name: string) => {
    const file = networks.get(name);
    if (file !== undefined) await secrets.confirm(name, file);
  };
  return { ...(await start()), restart: start, show, confirm };
}

const moved = { url: 'https://evil.example/take' };
const REFUSED = /acme\.yaml gets no secrets: confirm its hosts and secrets/;

it('goes on with a network of an earlier version and secrets of the environment, until its host changes', async () => {
  vi.stubEnv('ACME_KEY', 'from-env');
  const { sync, show, restart, secrets } = await open('acme', { acme: build() });
  expect(await sync()).toEqual({ problem: '', received: ['/take Bearer from-env'] });
  expect(await secrets.listUnconfirmed((await restart()).networks)).toEqual([]);
  // What asks nobody for a secret asks nobody for a confirmation.
  show({ acme: build({ title: 'Acme Ads' }, { query: { day: 'today' } }) });
  expect(await sync()).toEqual({ problem: '', received: ['/take?day=today Bearer from-env'] });
  show({ acme: build({}, moved) });
  for (const again of [sync, (await restart()).sync])
    expect(await again()).toEqual({ problem: expect.stringMatching(REFUSED), received: [] });
  show({ acme: build() });
  expect((await sync()).received).toEqual(['/take Bearer from-env']);
});

it('gives a network of one’s own that is confirmed later what was typed in for it, and nothing of the environment', async () => {
  vi.stubEnv('ACME_KEY', 'from-env');
  const { sync, show, secrets, networks, confirm } = await open('acme', {});
  show({ acme: build({}, moved) });
  expect(await secrets.listUnconfirmed(networks)).toMatchObject([
    { partner: 'networks/acme', values: [{ field: 'hosts', before: null, after: 'evil.example' }, {}] },
  ]);
  expect(await sync()).toEqual({ problem: expect.stringMatching(REFUSED), received: [] });
  await confirm(secrets, 'acme');
  expect(await sync()).toEqual({ problem: expect.stringMatching(/type in secrets/), received: [] });
  await secrets.set('ACME_KEY', 'typed', 0, 'Ada');
  expect(await sync()).toEqual({ problem: '', received: ['/take Bearer typed'] });
});

it('gives secrets of a network that ships to the host that ships alone, until another one is confirmed', async () => {
  const { sync, show, secrets, confirm, restart } = await open('awin', {});
  await secrets.set('AWIN_TOKEN', 'typed', 0, 'Ada');
  await secrets.set('AWIN_PUBLISHER_ID', '1', 0, 'Ada');
  expect((await sync()).received[0]).toMatch(/^\/publishers\/1\/transactions\/\?.* Bearer typed$/);
  const file = readShipped('awin');
  show({ awin: { ...file, title: 'My Awin' } });
  expect((await sync()).received[0]).toMatch(/Bearer typed$/);
  const own = { ...file, interface: { ...part(file, 'interface'), ...moved } };
  show({ awin: own });
  for (const again of [sync, (await restart()).sync]) expect((await again()).received).toEqual([]);
  await confirm(secrets, 'awin');
  expect((await sync()).received[0]).toMatch(/^\/take\?.* Bearer typed$/);
});

it.each(['.evil.example/take', '@evil.example/take', ':81/take', 'x:y@evil.example'])(
  'sends nothing to a host that the path %s makes of the confirmed one',
  async (path) => {
    const get = vi.fn();
    const api = { get, headers: {}, clock: { now: Date.now, monotonic: Date.now }, deadlineMs: 1 };
    const read = createJsonClient({ ...api, baseUrl: 'https://api.acme.example' });
    await expect(read(path)).rejects.toThrow(HttpError);
    expect(get).not.toHaveBeenCalled();
  },
);

it('asks for a token at no host that was not confirmed', async () => {
  vi.stubEnv('ACME_KEY', 'from-env');
  const { sync, show } = await open('acme', { acme: build() });
  show({
    acme: build({}, { auth: { scheme: 'oauth', secret: 'ACME_KEY', url: 'https://evil.example/token' } }),
  });
  expect(await sync()).toEqual({ problem: expect.stringMatching(REFUSED), received: [] });
});

it('runs on a platform that has all secrets, and asks there too', async () => {
  vi.stubEnv('ACME_KEY', 'bound');
  const worker = { platform: { secretsFile: null, hasTimers: false } };
  const { sync, show, secrets, confirm } = await open('acme', { acme: build() }, worker);
  expect((await sync()).received).toEqual(['/take Bearer bound']);
  show({ acme: build({}, moved) });
  expect((await sync()).received).toEqual([]);
  await confirm(secrets, 'acme');
  expect((await sync()).received).toEqual(['/take Bearer bound']);
});

it('asks about what it finds at a start after the first, and about a file named like a property of objects', async () => {
  vi.stubEnv('CONSTRUCTOR_KEY', 'from-env');
  const own = JSON.parse(JSON.stringify(build()).replaceAll('ACME_', 'CONSTRUCTOR_'));
  const { show, restart } = await open('constructor', {});
  show({ constructor: own });
  const { sync } = await restart();
  expect(await sync()).toEqual({ problem: expect.stringMatching(/gets no secrets/), received: [] });
});

const SALE = {
  type: 'commission.created',
  data: { id: 'c', amount: '99900', currency: 'usd', status: 'approved', type: 'sale' },
};

it.each([
  ['without its signature', (push: object) => ({ ...push, signature: undefined })],
  ['without what it reads', () => undefined],
  [
    'with a signature in a field that a message may leave out',
    (push: object) => ({
      ...push,
      signature: { uses: 'digistore24-sha', field: 'sign', secret: 'TOLT_WEBHOOK_SECRET' },
    }),
  ],
  [
    'with a secret that nobody has set',
    (push: object) => ({ ...push, signature: { uses: 'svix', secret: 'TOLT_OTHER_SECRET' } }),
  ],
])('refuses an unsigned message after an own file %s, until it is confirmed', async (_, change) => {
  vi.stubEnv('TOLT_WEBHOOK_SECRET', 'whsec_dGVzdA==');
  const { send, show, secrets, confirm, restart } = await open('tolt', {});
  expect(await send(SALE)).toBe(401);
  const file = readShipped('tolt');
  const push = change(part(file, 'push'));
  show({ tolt: JSON.parse(JSON.stringify({ ...file, push })) });
  for (const again of [send, (await restart()).send]) expect(await again(SALE)).toBe(401);
  await confirm(secrets, 'tolt');
  expect(await send(SALE)).not.toBe(401);
});

it('asks networks to send again while the signature of a network of one’s own is another one than was confirmed', async () => {
  const acme = { ...readShipped('tolt'), interface: undefined, title: 'Acme' };
  const own = JSON.parse(JSON.stringify(acme).replaceAll('TOLT_', 'ACME_'));
  vi.stubEnv('ACME_WEBHOOK_SECRET', 'whsec_dGVzdA==');
  const { send, show, secrets, confirm, restart } = await open('acme', { acme: own });
  expect(await send(SALE)).toBe(401);
  show({ acme: { ...own, push: { ...own.push, signature: undefined } } });
  for (const again of [send, (await restart()).send]) expect(await again(SALE)).toBe(503);
  await confirm(secrets, 'acme');
  expect(await send(SALE)).toBe(200);
});

it('goes on taking messages of a network whose other host was not confirmed', async () => {
  const sale = { id: '7', amount: '5.00', status: 'approved' };
  const { send, show } = await open('acme', { acme: build() });
  expect(await send(sale)).toBe(200);
  show({ acme: build({}, moved) });
  expect(await send({ ...sale, id: '8' })).toBe(200);
});

it('lets no network name a setting of the site, of this version or an earlier one', () => {
  const own = [...SETTINGS, ...FORMER_SETTINGS].filter((name) => SECRET_NAME.test(name));
  const names = [...own, 'GHOST_KEY', 'WEBHOOK_SECRETS'];
  expect(names).toEqual(
    expect.arrayContaining(['FORM_KEY', 'LEDGER_COPY_KEY', 'PREVIEW_TOKEN', 'WEBHOOK_KEY']),
  );
  for (const name of names) {
    const text = JSON.stringify(build()).replaceAll('ACME_KEY', name);
    const problems = networkSchema.safeParse(JSON.parse(text)).error?.issues.map(({ message }) => message);
    expect([name, problems?.[0]]).toEqual([name, 'is a setting of the site, which no network gets']);
  }
});

it('warns of secrets of others, and shows the site', () => {
  const name = (secret: string) => JSON.parse(JSON.stringify(build()).replaceAll('ACME_KEY', secret));
  const { warnings } = read({
    acme: build(),
    evil: name('GITHUB_TOKEN'),
    'firstpromoter-webhook': name('FIRSTPROMOTER_WEBHOOK_SECRET'),
    'my-ads': name('MY_ADS_KEY'),
    awin: readShipped('awin'),
  });
  expect(warnings).toEqual([
    expect.stringMatching(/GITHUB_TOKEN: its own begin with EVIL_/),
    expect.stringMatching(/FIRSTPROMOTER_WEBHOOK_SECRET.* belong to no other network/),
  ]);
});

it('needs no ledger for a site without networks of its own', async () => {
  const { networks } = read({});
  let writes = 0;
  const ledger = Object.assign(createMemoryLedger(), { exists: () => false });
  const counted = Object.assign(ledger, {
    createState: async () => {
      writes += 1;
      return '{}';
    },
  });
  const secrets = new NetworkSecrets(null, counted, Date.now);
  await secrets.readConfirmed(networks);
  // What comes while the site runs was not there at its start.
  const later = read({ acme: build() }).networks;
  await secrets.readConfirmed(later);
  expect([writes, (await secrets.listUnconfirmed(later)).length]).toEqual([0, 1]);
});
