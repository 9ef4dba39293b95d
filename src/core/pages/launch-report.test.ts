import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  readSampleClaims,
  readSamplePartners,
  readSampleProducts,
  readSampleSavings,
} from '../../../test/support/sample-content.ts';
import { readContent } from '../../content-files/read-content.ts';
import { NO_RULES, type PartnerRules } from '../outbound/partner.ts';
import { findLaunchFaults, findSampleBrand, type LaunchSettings } from './launch-report.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const READY: LaunchSettings = {
  siteUrl: 'https://hub.com',
  articleSource: 'files',
  hasArticleKey: true,
  trustedProxyHops: 1,
  isRegionUnknown: false,
  isContactDelivered: true,
  hasNewsletter: true,
  lastBackup: NOW - 3_600_000,
};
const SITE = {
  name: 'Hub',
  samples: 'hide',
  operator: { name: 'Hub LLC', address: '1 Main St', email: '' },
  copyright: { year: 2026, holder: 'Hub' },
  robots: { search: 'allow' },
};
const CONDITION = { text: 'Disclose.', source: 'https://acme.example/rules', checked: '2026-11-26' };
const RULES = { ...NO_RULES, conditions: [CONDITION] };
type Content = Parameters<typeof findLaunchFaults>[0];

function buildContent(site: object = {}): Content {
  const [partner] = readSamplePartners().values();
  if (partner === undefined) throw new Error('the sample has no partner');
  const affiliate = { ...partner.affiliate, value: 'mycode42' };
  return {
    site: { ...SITE, ...site },
    partners: new Map([['mine', { ...partner, affiliate, rules: RULES }]]),
    claims: new Map([['seats', { key: 'seats', figure: '9', wording: 'seats', evidence: 'A study.' }]]),
    products: new Map(),
    savings: readSampleSavings(),
    pages: new Map(),
    authors: new Map(),
    brand: { logo: { src: '../images/logo.svg', alt: 'Hub' }, favicon: '../images/logo.svg' },
    assessment: { copy: { intro: { testimonials: [{ sample: true }] } } },
  } as unknown as Content;
}

const list = (content: Content, settings: Partial<LaunchSettings> = {}) =>
  findLaunchFaults(content, { ...READY, ...settings }, NOW).map(
    ({ level, file, text }) => `${level} ${file}: ${text}`,
  );

it('finds nothing in a site that is ready', () => expect(list(buildContent())).toEqual([]));

it.each<[string, Partial<LaunchSettings>, RegExp]>([
  ['a local address', { siteUrl: 'http://localhost:4321' }, /error .env: SITE_URL is not a public address/],
  [
    'a public address without TLS',
    { siteUrl: 'http://hub.com' },
    /error .env: SITE_URL does not begin with https/,
  ],
  ['no header of the region', { isRegionUnknown: true }, /warning .env: REGION_HEADER is empty/],
  ['no proxy setting', { trustedProxyHops: 0 }, /warning .env: TRUSTED_PROXY_HOPS is 0/],
  ['a missing article key', { hasArticleKey: false }, /error .env: the article source "files" has no key/],
  [
    'contact messages that stay in the store',
    { isContactDelivered: false },
    /contact messages are only stored/,
  ],
  ['no backup', { lastBackup: null }, /there is no backup/],
  ['an old backup', { lastBackup: NOW - 10 * 86_400_000 }, /the last backup is 10 days old/],
])('reports %s', (_, settings, expected) => {
  expect(list(buildContent(), settings)).toEqual([expect.stringMatching(expected)]);
});

it.each<[string, object, RegExp]>([
  ['a site without search engines', { robots: { search: 'disallow' } }, /robots: search is disallow/],
  ['samples', { samples: 'show' }, /warning content.site.yaml: 1 sample quotations/],
  [
    'a missing operator',
    { operator: { name: '', address: '', email: '' } },
    /error content.site.yaml: operator/,
  ],
  ['an old copyright year', { copyright: { year: 2024, holder: 'Hub' } }, /copyright.year is 2024/],
])('reports %s', (_, site, expected) => {
  expect(list(buildContent(site))).toEqual([expect.stringMatching(expected)]);
});

it('reports a newsletter section that no visitor sees', () => {
  const content = {
    ...buildContent(),
    pages: new Map([
      ['/join', { sections: [{ type: 'newsletter' }] }],
      ['/plain', { sections: [{ type: 'prose' }] }],
    ]),
  } as unknown as Content;
  expect(list(content)).toEqual([]);
  expect(list(content, { hasNewsletter: false })).toEqual([
    'warning .env: the newsletter section of /join is hidden: set NEWSLETTER_PROVIDER (docs/recipes/newsletter.md)',
  ]);
});

it.each<[string, PartnerRules, readonly string[] | undefined]>([
  ['that the operator has read', RULES, undefined],
  [
    'of the copy that shipped',
    {
      ...NO_RULES,
      comparisons: { ...CONDITION, allowed: 'ask', checked: '2024-07-11' },
      conditions: [CONDITION],
    },
    [
      'comparisons with competitors: ask. Disclose. (https://acme.example/rules, 2024-07-11)',
      'no rule known: claims about results, ads on its name, copied texts, images and marks, discounts and coupons; ask the program',
    ],
  ],
  [
    'that nothing is known of',
    NO_RULES,
    [expect.stringMatching(/^no rule known: claims about results, comp/)],
  ],
])('rules of a program %s', (_, rules, details) => {
  const content = buildContent();
  const partners = new Map([...content.partners].map(([key, partner]) => [key, { ...partner, rules }]));
  const found = findLaunchFaults({ ...content, partners }, READY, Date.parse('2026-11-27'));
  expect(found.map((one) => one.details)).toEqual(details === undefined ? [] : [details]);
});

it('reports shipped affiliate codes and claims without evidence', () => {
  const shipped = { ...buildContent(), partners: readSamplePartners(), claims: readSampleClaims() };
  const found = list(shipped).join('\n');
  expect(found).toContain('content/partners/kit.yaml: your code is the shipped one, "signpost"');
  expect(found).toContain('content/partners/highlevel.yaml: your code is the shipped one, "hlmax"');
  expect(found).toMatch(/\d+ of \d+ claims have no evidence/);
});

it('says that there is no partner, and of an example beside one that it is no partner', () => {
  const content = buildContent();
  const [mine] = content.partners.values();
  if (mine === undefined) throw new Error('there is no partner');
  const example = { ...mine, key: 'example', site: 'https://www.example.com/' };
  const listWith = (...partners: readonly (typeof mine)[]) =>
    list({ ...content, partners: new Map(partners.map((partner) => [partner.key, partner])) });
  expect(listWith(example)).toEqual([
    'error content/partners/: no partner yet: add the first one, which replaces the example',
  ]);
  expect(listWith(example, mine)).toEqual([
    'error content/partners/example.yaml: the example: remove it once no product names it',
  ]);
});

it('reports every text that still names the example, with file and field', () => {
  const content = {
    ...buildContent({
      name: 'CRM & Automation Hub',
      copyright: { year: 2026, holder: 'CRM & Automation Hub' },
    }),
    authors: new Map([['desk', { role: 'Editors at CRM & Automation Hub' }]]),
    pages: new Map([['/report', { sections: [{ type: 'hero', lead: 'CRM & Automation Hub Research' }] }]]),
  } as unknown as Content;
  const text = 'still names the example site: write your own text';
  // The holder follows the name.
  expect(list(content)).toEqual([
    `warning content/site.yaml: field name ${text}`,
    `warning content/authors/desk.yaml: field role ${text}`,
    `warning content/pages/report.yaml: section 1 (hero), field lead ${text}`,
  ]);
  const branded = buildContent({ copyright: { year: 2026, holder: 'CRM & Automation Hub' } });
  expect(list(branded)).toEqual([`warning content/site.yaml: field copyright.holder ${text}`]);
});

it('finds the example in every shipped file that names it', () => {
  const root = path.resolve(import.meta.dirname, '../../../content');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(yaml|md|svg)$/.test(name))
    .filter((name) => readFileSync(path.join(root, name), 'utf8').includes('CRM & Automation Hub'));
  const reported = findSampleBrand(readContent(root)).map(({ file }) => file);
  expect(files).not.toEqual([]);
  expect([...new Set(reported)].sort()).toEqual(files.map((name) => `content/${name}`).sort());
});

it('reports the shipped mark', () =>
  expect(list({ ...buildContent(), brand: { look: 'signpost', displayFont: 'system', colors: {} } })).toEqual(
    [expect.stringMatching(/^warning content.brand.yaml: logo and favicon not set/)],
  ));

const buildSource = (checked: string) => ({
  key: 'pricing',
  title: 'Pricing',
  href: 'https://kit.example/pricing',
  checked,
  read: 'opened' as const,
});

it('lists the figures of a file by source until the operator writes a day of their own', () => {
  const kit = readSampleProducts().get('kit') ?? expect.fail();
  const findWith = (checked: string) => {
    const source = buildSource(checked);
    const offers = kit.offers.slice(0, 2).map((offer) => ({ ...offer, source, facts: [] }));
    const products = new Map([['kit', { ...kit, offers, facts: [] }]]);
    return findLaunchFaults({ ...buildContent(), products }, READY, Date.parse('2026-11-28'));
  };
  expect(findWith('2026-11-27')).toEqual([]);
  expect(findWith('2026-11-21')).toEqual([
    {
      level: 'warning',
      file: 'content/products/kit.yaml',
      text: expect.stringMatching(/^2 figures not compared with the source/),
      details: [
        expect.stringMatching(/^2026-11-21 https:..kit.example.pricing: Newsletter: Free.*; Creator: \$39/),
      ],
    },
  ]);
});

it('says what to do about prices that were checked long ago', () => {
  const kit = readSampleProducts().get('kit') ?? expect.fail();
  const advice =
    'compare them with the pages of the providers, correct them, then set the day on which they were checked';
  const listWith = (checked: string) => {
    const source = buildSource(checked);
    const offers = kit.offers.slice(0, 1).map((one) => ({ ...one, source }));
    const products = new Map([['kit', { ...kit, maxAgeDays: 100, offers, facts: [] }]]);
    return list({ ...buildContent(), products }).filter((line) => !line.includes('not compared'));
  };
  const soon = (last: string) =>
    `warning content/products/kit.yaml: figures of Kit (Newsletter) are past their age after ${last}: ${advice}`;
  // At most half of its age before.
  expect(listWith('2026-10-01')).toEqual([]);
  expect(listWith('2026-09-30')).toEqual([soon('2027-01-08')]);
  expect(listWith('2026-08-12')).toEqual([soon('2026-11-20')]);
  expect(listWith('2026-07-03')).toEqual([
    `warning content/products/kit.yaml: prices of Kit (Newsletter) were last checked 140 days ago and are not shown: ${advice}`,
  ]);
  expect(listWith('2024-11-20')).toEqual([
    `warning content/products/kit.yaml: prices of Kit (Newsletter) were last checked 730 days ago and are not shown: ${advice}`,
  ]);
});
