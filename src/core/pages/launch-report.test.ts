import { expect, it } from 'vitest';
import {
  readShippedClaims,
  readShippedPartners,
  readShippedPlans,
} from '../../../test/support/shipped-content.ts';
import { findLaunchFaults, isPublicAddress, type LaunchSettings } from './launch-report.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const READY: LaunchSettings = {
  siteUrl: 'https://hub.com',
  articleSource: 'files',
  hasArticleKey: true,
  trustedProxyHops: 1,
  isContactDelivered: true,
  hasNewsletter: true,
  lastBackup: NOW - 3_600_000,
  maxAgeDays: 365,
};
const SITE = {
  samples: 'hide',
  operator: { name: 'Hub LLC', address: '1 Main St', email: '' },
  copyright: { year: 2026, holder: 'Hub' },
};
type Content = Parameters<typeof findLaunchFaults>[0];

function buildContent(site: object = {}): Content {
  const [partner] = readShippedPartners().values();
  if (partner === undefined) throw new Error('no partner is shipped');
  const affiliate = { ...partner.affiliate, value: 'mycode42' };
  return {
    site: { ...SITE, ...site },
    partners: new Map([['mine', { ...partner, affiliate }]]),
    claims: new Map(
      [...readShippedClaims()].map(([key, claim]) => [key, { ...claim, evidence: 'A study.' }]),
    ),
    plans: { ...readShippedPlans(), checked: '2026-11-01' },
    pages: new Map(),
    assessment: { copy: { intro: { testimonials: [{ sample: true }] } } },
  } as unknown as Content;
}

const list = (content: Content, settings: Partial<LaunchSettings> = {}) =>
  findLaunchFaults(content, { ...READY, ...settings }, NOW).map(
    ({ level, file, text }) => `${level} ${file}: ${text}`,
  );

it('finds nothing in a site that is ready', () => {
  expect(list(buildContent())).toEqual([]);
});

it.each<[string, Partial<LaunchSettings>, RegExp]>([
  ['a local address', { siteUrl: 'http://localhost:4321' }, /error .env: SITE_URL is not a public address/],
  [
    'a public address without TLS',
    { siteUrl: 'http://hub.com' },
    /error .env: SITE_URL does not begin with https/,
  ],
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

it('reports shipped affiliate codes, claims without evidence and prices that were never checked', () => {
  const shipped = {
    ...buildContent(),
    partners: readShippedPartners(),
    claims: readShippedClaims(),
    plans: readShippedPlans(),
  };
  const found = list(shipped).join('\n');
  expect(found).toContain('content/partners/kit.yaml: affiliate.value is the shipped code "signpost"');
  expect(found).toContain('content/partners/highlevel.yaml: affiliate.value is the shipped code "hlmax"');
  expect(found).toMatch(/\d+ of \d+ claims have no evidence/);
  expect(found).toContain('content/plans.yaml: checked:');
});

it.each([
  ['https://hub.com', true],
  ['http://localhost:4321', false],
  ['http://192.168.1.4', false],
  ['https://hub.test', false],
  ['', false],
])('takes "%s" for a public address: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
