import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { checkContent } from '../scripts/build/check-content.ts';
import { createSiteFolder } from '../src/commands/new.ts';
import { buildAlerts } from '../src/console/alerts/build-alerts.ts';
import { createNotificationJobs } from '../src/console/alerts/notifications.ts';
import { testMail } from '../src/console/settings/typed.ts';
import { checkCopy } from '../src/content-files/check-copy.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { buildProof } from '../src/core/articles/related-articles.ts';
import { NO_ANSWER_CODES } from '../src/core/assessment/answers.ts';
import { DAY_MS } from '../src/core/clock.ts';
import type { OperatorNotification } from '../src/core/console/notification.ts';
import { DEFAULT_PREFERENCES } from '../src/core/console/operator.ts';
import { buildSiteEvent } from '../src/core/events/build-site-event.ts';
import { buildOutboundUrl } from '../src/core/outbound/build-outbound-url.ts';
import { parseLinkQuery } from '../src/core/outbound/outbound-link.ts';
import { findPartnerOfAddress, type Partner } from '../src/core/outbound/partner.ts';
import {
  buildArticleDraft,
  buildPageDraft,
  buildPartnerFile,
  buildProductDraft,
  PAGE_KINDS,
} from '../src/core/pages/drafts.ts';
import { readPageContext } from '../src/server/pages/page-context.ts';
import { CONSOLE_NOW, createTestConsole } from './support/console-ledger.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';
import { createTestSite } from './support/test-site.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const NAMES = ['Desks', 'Desk & "Chair" \\ Guide: <b>', 'Größe # 7'];

let folder = '';
beforeEach(() => {
  folder = createFolder();
});

const create = (name: string, content = path.join(folder, 'content')) =>
  createSiteFolder({ name, folder: content, day: '2026-03-12' });

const run = (argv: readonly string[]) =>
  runCommand('new', argv, { CONTENT_DIR: path.join(folder, 'content') });

it.each(NAMES)('a new site called %j is valid', async (name) => {
  create(name);
  const root = path.join(folder, 'content');
  expect(await checkContent(root, true)).toBeNull();
  expect(readContent(root).site).toMatchObject({ name, copyright: { year: 2026, holder: name } });
});

it('the copy check of a new site finds the texts to write, and nothing else', () => {
  create('Desks');
  const faults = checkCopy(path.join(folder, 'content'));
  expect(faults.length).toBeGreaterThan(10);
  expect(faults.filter(({ kind }) => kind !== 'placeholder')).toEqual([]);
});

it('signpost content and the launch check find the same in the content, and both end with code 1', async () => {
  create('Desks');
  const root = path.join(folder, 'content');
  const env = { CONTENT_DIR: root, DATA_DIR: folder };
  const compare = async () => {
    const [content, launch] = await Promise.all([
      runCommand('content', [], env),
      runCommand('launch-check', [], env),
    ]);
    const listFaults = (text: string) =>
      text
        .split('\n')
        .flatMap((line) => /content\/\S+(?::\d+|, .*?:)\s.*$/.exec(line.replace(/ {2,}/g, ' '))?.[0] ?? []);
    const found = listFaults(content.stdout);
    const errors = listFaults(launch.stdout.replace(/^warning .*$/gm, ''));
    expect(errors).toEqual(found);
    return { found, codes: [content.code, launch.code] };
  };
  const start = await compare();
  expect(start.found).toContainEqual(
    expect.stringMatching(/^content\/pages\/example-product\.yaml:\d+ "Say here "/),
  );
  expect(start.codes).toEqual([1, 1]);
  const page = path.join(root, 'pages/terms.yaml');
  writeFileSync(page, readFileSync(page, 'utf8').replace('type: prose', 'type: porse'));
  const broken = await compare();
  expect(broken.found[0]).toContain('content/pages/terms.yaml, line 11, section 2');
  expect(broken.found.length).toBe(start.found.length + 1);
});

it('a new site takes the place of no other content', async () => {
  expect((await run(['site', 'First'])).code).toBe(0);
  const { code, stderr } = await run(['site', 'Second']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/content is not empty; nothing was changed/)]);
  expect(readFileSync(path.join(folder, 'content/site.yaml'), 'utf8')).toContain('name: "First"');
});

it('a new article has the first topic of the site', async () => {
  await run(['site', 'Desks']);
  expect((await run(['article', 'The best desk'])).code).toBe(0);
  const article = readFileSync(path.join(folder, 'content/articles/the-best-desk.md'), 'utf8');
  expect(article).toContain('categories: ["Getting Started"]');
});

it('no text of a new site says that somebody has read, opened or tried something: that needs an act', () => {
  create('Desks');
  const root = path.join(folder, 'content');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:yaml|md)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(10);
  const texts = [
    ...files.map((name) => readFileSync(path.join(root, name), 'utf8').replace(/^\s*#.*$/gm, '')),
    buildProductDraft('Oak desk', { key: 'shop', name: 'Shop' }).replace(/^\s*#.*$/gm, ''),
    buildArticleDraft('Oak desks', '2026-03-12', 'Desks'),
    ...PAGE_KINDS.map((kind) => buildPageDraft('Oak desks', '2026-03-12', kind, ['a', 'b', 'c'])),
  ];
  const said =
    /\b(?:we|I|our editors?)(?:'ve| have)? (?:read|opened|tested|tried|bought|looked at|checked|compared)\b.*|\bread: (?!stated).*/gi;
  expect(texts.flatMap((text) => text.match(said) ?? [])).toEqual([]);
  const { products, figures } = readContent(root);
  expect(products.get('example')?.sources.map(({ read }) => read)).toEqual(['stated']);
  expect(figures.get('product:example.basic.reading')).toMatch(/^Stated by the operator on /);
});

/** Words of one trade or one way to sell. */
const TRADE = /trial|subscri|platform|\$\s?\d|a month|a year|\bcrm\b|agenc|software/i;

it('the generators write nothing about one trade or one way to sell', () => {
  for (const draft of [
    buildPageDraft('Oak desks', '2026-03-12'),
    buildArticleDraft('Oak desks', '2026-03-12', 'Desks'),
  ])
    expect(draft.split('\n').filter((line) => TRADE.test(line))).toEqual([]);
});

/** Words of the trade of the content that ships. */
const SHIPPED_TRADE =
  /\b(?:crm|agenc(?:y|ies)|coach(?:es)?|saas|e-?commerce|funnels?|automations?|hubspot|(?:go)?highlevel|activecampaign)\b|\bmarketing/i;

it('no text, default or code in src is about the trade of the content that ships', () => {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    // The demo makes up visits of the sample.
    .filter(
      (file) => /(?<!\.test)\.(?:tsx?|json|yaml|astro|css)$/.test(file) && !/^commands.demo/.test(file),
    );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
    return code.split('\n').filter((line) => SHIPPED_TRADE.test(line));
  });
  expect(found, 'the launch check finds the name of the sample').toEqual([
    "const SAMPLE_NAME = 'CRM & Automation Hub';",
  ]);
});

it('no mail of a new site is about the trade of the content that ships', async () => {
  create('Desks');
  const mails: OperatorNotification[] = [];
  const own = await createTestConsole({
    content: readContent(path.join(folder, 'content')),
    settings: {
      SMTP_URL: 'smtp://mail.example',
      MAIL_FROM: 'a@example.com',
      MAIL_TO: 'b@example.com',
      NEWSLETTER_PROVIDER: 'webhook:https://hooks.example/in',
      WEBHOOK_KEY: 'k'.repeat(32),
    },
    platform: {
      createMailChannel: () => ({ send: async (mail) => void mails.push(mail) }),
      httpPost: async (_, { body }) => {
        mails.push(JSON.parse(`${body}`));
        return 200;
      },
    },
  });
  const { accounts } = own.operators;
  const arrivals = Array.from({ length: 30 }, (_, day) => CONSOLE_NOW - (day + 9) * DAY_MS);
  const shop = { partner: 'example', name: 'Example', clicks: 400, advice: null, pending: null };
  const alerts = buildAlerts({
    now: CONSOLE_NOW,
    unread: [{ name: 'Example', count: 3, problem: 'missing: id' }],
    partners: [
      { ...shop, arrivals, leads: 0, clicksSinceLead: 0 },
      { ...shop, partner: 'other', arrivals: [], leads: 9, clicksSinceLead: 400 },
    ],
    failedSyncs: [{ network: 'impact', problem: '401', pending: null }],
    links: [{ ...shop, address: 'https://shop.example/', state: 'broken', reason: 'is gone', money: null }],
    heldDeletions: { held: { slugs: ['a', 'b'], since: 1 }, known: 3 },
    data: [],
    content: ['site.yaml: line 3'],
    disk: { freeMb: 1, minFreeMb: 256 },
    backup: { last: null, firstEvent: 1 },
  });
  const jobs = createNotificationJobs(
    {
      ...own,
      readAlerts: async () => alerts,
      sessions: Object.assign(own.sessions, { hasOperator: async () => true }),
      operators: {
        ...own.operators,
        accounts: Object.assign(accounts, {
          readPreferences: async () => ({ ...DEFAULT_PREFERENCES, digest: 'daily' }),
        }),
      },
    },
    20,
    20,
  );
  for (let turn = 0; turn < 3; turn += 1) {
    for (const job of jobs) await job.run();
    const data = { topic: 'general', name: 'Ana', email: 'ana@example.com', message: 'Which desk?' };
    const facts = { now: CONSOLE_NOW, gpc: false };
    const names = turn > 0 ? [] : (['contact_message', 'newsletter_signup'] as const);
    await own.visitors.events.append(
      names.map((name) => buildSiteEvent({ id: randomUUID(), name, data }, facts)),
    );
  }
  await testMail(own);
  const read = mails.map(({ subject, text, html }) => [subject, text, html].join('\n'));
  expect(alerts.length).toBeGreaterThan(8);
  expect(read.length).toBeGreaterThanOrEqual(alerts.length + 4);
  expect(read.filter((mail) => SHIPPED_TRADE.test(mail) || !/Desks|sign-up/.test(mail))).toEqual([]);
});

it.each([
  [
    'https://www.awin1.com/cread.php?awinmid=1234&awinaffid=56789&ued=https%3A%2F%2Fshop.test',
    'awinaffid',
    '56789',
  ],
  ['https://shareasale.com/r.cfm?b=1&u=22&m=333&urllink=', 'u', '22'],
  ['https://shop.test/?utm_source=x&ref=ada', 'ref', 'ada'],
  ['https://shop.test/?campaign=spring&code=ada', 'code', 'ada'],
  ['https://shop.test/?url=https%3A%2F%2Fa.test&via=us', 'via', 'us'],
  ['https://shop.test/?mid=7', 'mid', '7'],
])('finds the code of %s', (link, parameter, value) =>
  expect(buildPartnerFile('shop', 'Shop', link)).toContain(
    `affiliate:\n  parameter: "${parameter}"\n  value: "${value}"\n`,
  ),
);

it('the site of a partner is the merchant that the link of a network names', () => {
  const link = 'https://www.awin1.com/cread.php?awinmid=1&awinaffid=5&ued=https%3A%2F%2Fshop.test%2Fa';
  const text = buildPartnerFile('shop', 'Shop', link);
  expect(text).toContain('site: "https://shop.test/"');
  expect(text).toContain('  home: "https://www.awin1.com/cread.php?awinmid=1&ued=');
});

it('the site of a partner whose link names nothing but the network is the one that was typed', () => {
  const link = 'https://go.network.test/c/12/34';
  expect(buildPartnerFile('shop', 'Shop', link)).toBeNull();
  const network = { network: 'impact', subId: { parameter: 'subId1', maxLength: 36 } };
  const text =
    buildPartnerFile('shop', 'Shop', link, 'USD', network, 'https://www.shop.test/a') ?? expect.fail();
  expect(text).toContain('site: "https://www.shop.test/"');
  expect(text).toContain(`destinations:\n  home: "${link}"\n  pricing: "${link}"`);
  create('Desks');
  writeFileSync(path.join(folder, 'content/partners/shop.yaml'), text);
  const { partners } = readContent(path.join(folder, 'content'));
  expect(findPartnerOfAddress('https://www.shop.test/b', partners)).toMatchObject({
    key: 'shop',
    affiliate: null,
  });
});

it('links of a new site, and to a new partner, carry the affiliate id and the click id alone', () => {
  create('Desks');
  const root = path.join(folder, 'content');
  const file = buildPartnerFile('shop', 'Shop', 'https://shop.test/?via=us') ?? expect.fail();
  const subId = 'subId: { parameter: sid, maxLength: 64 }';
  writeFileSync(path.join(root, 'partners/shop.yaml'), file.replace('subId: null', subId));
  const query =
    'source=hero&from=/desks&utm_source=ad&gclid=1&session_time=9&journey_pages=/a+/b&entry_page=/a';
  const answers = { ...NO_ANSWER_CODES, businessType: 'shop', revenue: 'much', challenges: ['time'] };
  const click = { id: 'click-1', gpc: false, answers };
  const { partners, site } = readContent(root);
  const send = (partner: Partner) =>
    new URL(buildOutboundUrl(partner, parseLinkQuery(new URLSearchParams(query), false), click)).search;
  expect([...partners.values()].map(send)).toEqual(['?ref=your-code', '?via=us&sid=click-1']);
  expect(Object.values(site.utm).join('')).toBe('');
});

it('a new site has its own words in headers, and neither a bill nor calculators', async () => {
  create('Desks');
  const root = path.join(folder, 'content');
  const contact = path.join(root, 'pages/contact.yaml');
  const text = readFileSync(contact, 'utf8');
  writeFileSync(
    contact,
    text.replace('sections:\n', 'header: landing\ncta: { source: header }\nsections:\n'),
  );
  expect(await checkContent(root, true)).toBeNull();
  const content = readContent(root);
  expect(content.site.home.bill).toBeUndefined();
  expect(Object.keys(content.savings.calculators)).toEqual([]);
  const page = content.pages.get('/contact') ?? expect.fail();
  const readButton = async (promotedPartner: string) => {
    const partner = content.partners.get('example') ?? expect.fail();
    const partners = new Map([['shop', { ...partner, key: 'shop', name: 'Shop' }]]);
    const site = await createTestSite({
      content: { ...content, partners, site: { ...content.site, promotedPartner } },
    });
    const { context } = await readPageContext(site, page, '/contact', new Request('https://a.example/'), '');
    return context.headerButton?.label;
  };
  // Its first partner gets no call until it is named.
  expect([await readButton(''), await readButton('shop')]).toEqual([undefined, 'See Shop']);
  expect(buildProof([], content.site.home.facts).filter((fact) => TRADE.test(fact))).toEqual([]);
});

it.each([
  [[], 'physical', '$20'],
  [['--kind', 'physical'], 'physical', '$20'],
  [['--kind', 'software'], 'software', '$20 per month'],
])('the example product of a site created with %j is %s and costs %s', async (options, kind, price) => {
  expect((await run(['site', 'Desks', ...options])).code).toBe(0);
  const content = readContent(path.join(folder, 'content'));
  expect(content.products.get('example')?.kind).toBe(kind);
  expect(content.figures.get('product:example.price')).toBe(price);
});

it('a kind of product that does not exist is an error, and writes nothing', async () => {
  const { code, stderr } = await run(['site', 'Desks', '--kind', 'roundup']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('physical')]);
  expect(existsSync(path.join(folder, 'content'))).toBe(false);
});

it('the privacy policy of a new site says the same as the shipped one', () => {
  const read = (name: string) =>
    readFileSync(path.join(ROOT, name), 'utf8').replace(/^update(d|s): .*$/m, '');
  const shipped = read('content/pages/privacy.yaml')
    .replaceAll('ad platforms', 'ad networks')
    .replaceAll('platform', 'seller');
  expect(read('src/commands/new/site-template/pages/privacy.yaml')).toBe(shipped);
});

it.each(['landing', 'roundup', 'versus', 'review'] as const)(
  'a page of the kind %s is a valid draft, in words of no trade, and is not published as it is',
  async (kind) => {
    await run(['site', 'Desks']);
    expect((await run(['product', 'Desk One'])).code).toBe(0);
    expect((await run(['page', 'Best desks', '--kind', kind])).code).toBe(0);
    const root = path.join(folder, 'content');
    expect(await checkContent(root, true)).toBeNull();
    // A product has no text to replace, and may be shown without a price.
    const found = [];
    for (const name of ['products/desk-one.yaml', 'pages/best-desks.yaml']) {
      const file = path.join(root, name);
      const text = readFileSync(file, 'utf8');
      const words = text.split('\n').filter((line) => !line.startsWith('#') && TRADE.test(line));
      expect(words).toEqual([]);
      writeFileSync(file, text.replace('draft: true\n', ''));
      found.push(await checkContent(root, true));
      writeFileSync(file, text);
    }
    expect(found).toEqual([null, expect.stringMatching(/replace it, or set draft: true/)]);
  },
);

it('a kind of page that does not exist is an error with those that do', async () => {
  await run(['site', 'Desks']);
  const { code, stderr } = await run(['page', 'Best desks', '--kind', 'listicle']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('landing, roundup, versus, review')]);
});
