import { expect, it } from 'vitest';
import {
  acceptResult,
  judgeVisit,
  type LinkBaseline,
  type LinkRecord,
  type LinkResult,
  type LinkVisit,
  needsOperator,
  recordCheck,
} from './link-state.ts';
import { NO_EXPECTATION } from './page-expectation.ts';
import type { WatchedLink } from './watched-links.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-03T08:00:00Z');
const LINK: WatchedLink = {
  url: 'https://www.shop.example/pricing?ref=me',
  partner: 'shop',
  destinations: ['pricing'],
  kind: 'merchant',
  hosts: ['www.shop.example'],
  affiliate: null,
  subId: null,
  expect: NO_EXPECTATION,
  pages: [],
};
const NETWORK_LINK: WatchedLink = { ...LINK, kind: 'network' };

const VISIT: LinkVisit = {
  hops: [{ url: LINK.url, status: 200 }],
  problem: null,
  refused: '',
  page: null,
  isEmpty: false,
  isChallenge: false,
  cookies: [],
  retryAfter: null,
};
const visit = (status: number, page: LinkVisit['page'] = null): LinkResult =>
  judgeVisit(LINK, { ...VISIT, page, hops: [{ url: LINK.url, status }] }, null, null);

const say = (length: number) => ({
  title: '',
  heading: '',
  language: '',
  text: 'This program has ended.'.padEnd(length, '.'),
});

it.each([
  [199, 'failed'],
  [200, 'ok'],
  [299, 'ok'],
  [300, 'failed'],
  [401, 'unclear'],
  [403, 'unclear'],
  [404, 'failed'],
  [405, 'unclear'],
  [410, 'failed'],
  [429, 'unclear'],
  [500, 'failed'],
  [502, 'failed'],
  [503, 'unclear'],
] as const)('takes the status %i for %s', (status, outcome) => expect(visit(status).outcome).toBe(outcome));

it.each([
  [1_500, 'failed'],
  [1_501, 'ok'],
])('takes the end of a program on a page of %i characters for %s', (length, outcome) => {
  expect(visit(200, say(length)).outcome).toBe(outcome);
});

const PAGE = { title: 'Plans', heading: 'Plans', text: 'Starter', language: 'en' };
const LONG = { text: 'Words. '.repeat(300) };

it.each<[string, Partial<NonNullable<LinkVisit['page']>>, string]>([
  ['a title of a missing page', { title: 'Page not found | Merchant' }, 'says that the page does not exist'],
  ['a heading of one', { heading: 'This page doesn’t exist' }, 'says that the page does not exist'],
  [
    'a program that is over',
    { text: 'This program is no longer active.' },
    'says that the program has ended',
  ],
  ['a challenge', { title: 'Just a moment...' }, 'a challenge for browsers'],
  ['words like a challenge in its text', { text: 'just a moment' }, 'in order'],
  ['a number in a title', { title: '404 | Merchant' }, 'says that the page does not exist'],
  ['a title with words around', { title: 'Error 404: Page not found!' }, 'says that the page does not exist'],
  [
    'a sentence',
    { title: 'Oops! The page you requested could not be found.' },
    'says that the page does not exist',
  ],
  [
    'a title and a heading on a long page',
    { ...LONG, title: 'Not found', heading: '404' },
    'says that the page does not exist',
  ],
  ['a title about errors', { title: 'How to fix 404 errors', heading: 'How to fix 404 errors' }, 'in order'],
  ['a title about the words', { title: 'What "page not found" means' }, 'in order'],
  [
    'a title of one word on a long page',
    { ...LONG, title: '404 - what it means', heading: 'Errors' },
    'in order',
  ],
  ['a domain for sale', { text: 'This domain is for sale!' }, 'says that the domain is for sale or parked'],
  ['a parked domain', { title: 'Parked Domain' }, 'says that the domain is for sale or parked'],
  ['an offer for a domain', { heading: 'Buy this domain' }, 'says that the domain is for sale or parked'],
  [
    'a domain with a name that is for sale',
    { text: 'The domain shop.example is for sale.' },
    'says that the domain is for sale or parked',
  ],
  [
    'a long page about domains',
    { text: `${LONG.text} Is this domain for sale? Buy this domain.` },
    'in order',
  ],
])('judges %s', (_, page, reason) => expect(visit(200, { ...PAGE, ...page }).reason).toBe(reason));

const PRICE = { equals: 'product:shop.starter', near: 'Starter', currency: 'USD' };

it.each<[string, Partial<WatchedLink['expect']>, number | null, string]>([
  ['a text in any case', { texts: ['STARTER'] }, null, 'in order'],
  ['a text that is missing', { texts: ['30 days'] }, null, 'does not say "30 days"'],
  ['a text that must not be there', { without: ['starter'] }, null, 'says "starter"'],
  ['a price', { prices: [PRICE] }, 9_700, 'in order'],
  ['a price that is missing', { prices: [PRICE] }, null, 'shows no price in USD for "Starter"'],
])('expects %s', (_, expected, amount, reason) => {
  const link = { ...LINK, expect: { ...NO_EXPECTATION, ...expected } };
  const prices = [{ equals: PRICE.equals, currency: 'USD', amount, source: 'text' as const }];
  const result = judgeVisit(link, { ...VISIT, page: PAGE }, null, { excerpt: '', hash: '', prices });
  expect([result.reason, result.isUnexpected ?? false]).toEqual([reason, reason !== 'in order']);
});

const BASELINE = { finalHost: 'www.shop.example', finalPath: '/pricing', parameterKept: true };

it.each<[string, LinkBaseline | null, string]>([
  ['/pricing?ref=me', null, 'in order'],
  ['/plans?ref=me', null, 'in order'],
  ['/?ref=me', null, 'redirects to the home page'],
  ['/en-us/?ref=me', null, 'redirects to the home page'],
  ['/en?ref=me', null, 'redirects to the home page'],
  ['/de?ref=me', null, 'in order'],
  ['/OK?ref=me', null, 'in order'],
  ['/OK?ref=me', BASELINE, 'leads to /OK, before to /pricing'],
  ['/pricing', null, 'loses ref on the way'],
  ['/pricing', BASELINE, 'loses ref on the way'],
  ['/pricing', { ...BASELINE, parameterKept: false }, 'in order'],
  ['/?ref=me', BASELINE, 'redirects to the home page'],
  ['/offers?ref=me', BASELINE, 'leads to /offers, before to /pricing'],
  [
    '/pricing?ref=me',
    { ...BASELINE, finalHost: 'old.example' },
    'leads to www.shop.example, before to old.example',
  ],
])('judges a link that ends at %s after %j', (end, baseline, reason) => {
  const link = { ...LINK, affiliate: { parameter: 'ref', value: 'me' } };
  const hops = [{ url: `https://www.shop.example${end}`, status: 200 }];
  expect(judgeVisit(link, { ...VISIT, hops, page: PAGE }, baseline, null).reason).toBe(reason);
});

it.each<[string, Partial<LinkVisit>, string]>([
  ['a page without content', { isEmpty: true }, 'responds without a page'],
  [
    'a parked domain',
    { page: { ...PAGE, title: 'Parked domain' } },
    'says that the domain is for sale or parked',
  ],
  [
    'a way over http',
    { problem: 'insecure', refused: 'http://www.shop.example/pricing' },
    'redirects to http://www.shop.example, which is not https on its usual port',
  ],
])('%s is a change that an operator can accept', (_, found, reason) => {
  const before = judgeVisit(LINK, { ...VISIT, ...found }, null, null);
  expect(before).toMatchObject({ outcome: 'different', reason });
  const moment = { now: START, chance: 0 };
  const healthy = recordCheck(LINK, null, RESULTS.ok, moment);
  const changed = recordCheck(
    LINK,
    healthy,
    judgeVisit(LINK, { ...VISIT, ...found }, healthy.baseline, null),
    moment,
  );
  expect(changed.state).toBe('changed');
  const accepted = acceptResult(changed, START) ?? expect.fail();
  const again = judgeVisit(LINK, { ...VISIT, ...found }, accepted.baseline, null);
  expect(again.outcome).toBe('ok');
});

it('says of too many redirects that the check ends there', () => {
  const found = judgeVisit(LINK, { ...VISIT, problem: 'many-redirects' }, null, null);
  expect(found).toMatchObject({ outcome: 'unclear', reason: expect.stringContaining('more than 7 times') });
});

it.each([
  ['aff', 'me', true],
  ['aff', 'ref%3Dme', true],
  ['aff', 'meme', false],
  ['ps_xid', 'anything', true],
  ['ps_xid', '', false],
])('finds the affiliate in the cookie %s=%s: %s', (name, value, isKept) => {
  const link = { ...LINK, affiliate: { parameter: 'ref', value: 'me' } };
  const hops = [{ url: 'https://www.shop.example/plans', status: 200 }];
  const found = judgeVisit(link, { ...VISIT, hops, cookies: [{ name, value }] }, null, null);
  expect(found.parameterKept).toBe(isKept);
});

const RESULTS = {
  ok: visit(200),
  failed: visit(404),
  unclear: visit(503),
  different: { ...visit(200), outcome: 'different', reason: 'leads elsewhere' },
} as const;

/** Records checks, written as `hours after the start` and `outcome` with commas between; the last record. */
function record(checks: string, link = LINK) {
  return checks.split(', ').reduce<LinkRecord | null>((previous, check) => {
    const [hours, outcome] = check.split(' ');
    const moment = { now: START + Number(hours) * HOUR_MS, chance: 0 };
    return recordCheck(link, previous, RESULTS[outcome as keyof typeof RESULTS], moment);
  }, null);
}

it.each<[string, string, LinkRecord['state'], boolean]>([
  ['one failure', '0 failed', 'inconclusive', false],
  ['one failure and a challenge later', '0 failed, 6 unclear', 'inconclusive', false],
  ['two failures in less than 3.5 hours', '0 failed, 3.49 failed', 'inconclusive', false],
  ['two failures 3.5 hours apart', '0 failed, 3.5 failed', 'broken', true],
  ['one difference', '0 different', 'changed', false],
  ['one difference and a challenge later', '0 different, 6 unclear', 'changed', false],
  ['two differences 3.5 hours apart', '0 different, 3.5 different', 'changed', true],
  ['a challenge after what is broken', '0 failed, 4 failed, 8 unclear', 'broken', true],
  ['a good check between two failures', '0 failed, 2 ok, 4 failed', 'inconclusive', false],
  ['a good check after what is broken', '0 failed, 4 failed, 6 ok', 'healthy', false],
])('%s: its state, and whether the operator is told', (_, checks, state, isTold) => {
  const last = record(checks);
  expect(last?.state).toBe(state);
  expect(last !== null && needsOperator(last)).toBe(isTold);
});

it.each<[string, WatchedLink, string, number]>([
  ['a merchant in order', LINK, '0 ok', 17],
  ['a network in order', NETWORK_LINK, '0 ok', 6.5 * 24],
  ['a first failure', LINK, '0 failed', 2],
  ['a challenge of a merchant', LINK, '0 unclear', 6],
  ['a challenge of a network', NETWORK_LINK, '0 unclear', 24],
  ['a network that is broken', NETWORK_LINK, '-4 failed, 0 failed', 24],
])('is due again after %s', (_, link, checks, hours) =>
  expect(record(checks, link)?.dueAt).toBe(START + hours * HOUR_MS),
);

it.each([
  [6 * 3_600 - 1, 6 * 3_600],
  [7 * 3_600, 7 * 3_600],
])('a site that asks to wait %i s is asked again after %i s', (retryAfter, seconds) => {
  const moment = { now: START, chance: 0, retryAfter };
  expect(recordCheck(LINK, null, RESULTS.unclear, moment).dueAt).toBe(START + seconds * 1_000);
});
