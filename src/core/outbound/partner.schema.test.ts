import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { parse } from 'yaml';
import type { z } from 'zod';
import type { CommissionTerms } from '../commissions/ledger/commission-terms.ts';
import { describeIssue } from '../text/describe-issue.schema.ts';
import { partnerSchema } from './partner.schema.ts';
import { FORWARDED, NO_RULES, type Partner } from './partner.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../content/partners');
const readPartner = (file: string): unknown => parse(readFileSync(path.join(FOLDER, file), 'utf8'));

const base = {
  key: 'acme',
  name: 'Acme',
  site: 'https://acme.test/',
  hosts: ['acme.test'],
  affiliate: { parameter: 'ref', value: 'us' },
  subId: { parameter: 'sid', maxLength: 64 },
  destinations: { pricing: 'https://acme.test/pricing' },
};

it('has the fields of Partner and no other (the type check compares them)', () => {
  type Output = z.output<typeof partnerSchema>;
  expectTypeOf<keyof Output>().toEqualTypeOf<keyof Partner>();
  expectTypeOf<keyof Output['terms']>().toEqualTypeOf<keyof CommissionTerms>();
});

it('without forward sends what it sent before there was one; without subId in it, no id of a click', () => {
  expect(partnerSchema.parse(base)).toMatchObject({ forward: FORWARDED, subId: { parameter: 'sid' } });
  expect(partnerSchema.parse({ ...base, forward: ['affiliate'] }).subId).toBeNull();
});

describe('the partners that ship', () => {
  it.each(readdirSync(FOLDER))('%s is a partner whose key is the name of its file', (file) => {
    const partner = partnerSchema.parse(readPartner(file));
    expect(`${partner.key}.yaml`).toBe(file);
    expect(partner.destinations.has('trial')).toBe(true);
    expect([null, `/${partner.key}-trial`]).toContain(partner.trialPath);
  });

  it('GoHighLevel is paid to hlmax, and a trial begins on the pricing page', () => {
    const partner = partnerSchema.parse(readPartner('highlevel.yaml'));
    expect(partner.affiliate).toEqual({ parameter: 'fp_ref', value: 'hlmax' });
    expect(partner.subId?.parameter).toBe('fp_sid');
    expect(Object.fromEntries(partner.destinations)).toEqual({
      home: 'https://www.gohighlevel.com/',
      pricing: 'https://www.gohighlevel.com/pricing',
      trial: 'https://www.gohighlevel.com/pricing',
      features: 'https://www.gohighlevel.com/features',
      demo: 'https://www.gohighlevel.com/demo',
    });
  });
});

it.each([
  ['activecampaign', 'partnerstack', 'sid'],
  ['kit', 'partnerstack', 'sid'],
  ['hubspot', 'impact', 'subId1'],
  ['highlevel', 'firstpromoter', 'fp_sid'],
])('%s reports through %s and returns the click id in %s', (key, network, parameter) => {
  const partner = partnerSchema.parse(readPartner(`${key}.yaml`));
  expect([partner.terms.network, partner.subId?.parameter]).toEqual([network, parameter]);
});

it.each([
  [
    { rhythm: 'monthly', days: [15] },
    { rhythm: 'month-day', day: 15, by: 'approval' },
  ],
  [
    { rhythm: 'monthly', days: [13], by: 'booking' },
    { rhythm: 'month-day', day: 13, by: 'booking' },
  ],
  [
    { rhythm: 'monthly', days: [15, 1] },
    { rhythm: 'month-days', days: [1, 15] },
  ],
  [
    { rhythm: 'net', daysAfterMonth: 30 },
    { rhythm: 'net', days: 30, by: 'approval' },
  ],
  [
    { rhythm: 'weekly', weekday: 'friday' },
    { rhythm: 'weekly', weekday: 5 },
  ],
  [{}, null],
])('payments %j are the payout %j', (payments, payout) => {
  const rest = { approvalDays: 30, minimum: { amount: 49.5, currency: 'USD' }, method: 'PayPal' };
  const partner = partnerSchema.parse({
    ...base,
    payments: { ...payments, ...rest, afterEnd: 'stops' },
  });
  expect(partner.terms.payments).toEqual({
    approvalDays: 30,
    payout,
    minimum: { amount: 4_950, currency: 'USD' },
    afterEnd: 'stops',
    method: 'PayPal',
    contact: null,
  });
});

it('rules of the program have a source and a day; those that are left out are not known', () => {
  const rule = {
    allowed: 'ask',
    text: 'Ask first.',
    source: 'https://acme.test/rules',
    checked: '2026-11-21',
  };
  const { rules } = partnerSchema.parse({ ...base, rules: { comparisons: rule } });
  expect(rules).toEqual({ ...NO_RULES, comparisons: rule });
  for (const wrong of [{ allowed: 'maybe' }, { source: 'our manager' }, { checked: 'in May' }]) {
    expect(partnerSchema.safeParse({ ...base, rules: { comparisons: { ...rule, ...wrong } } }).success).toBe(
      false,
    );
  }
});

describe('a partner file', () => {
  it.each([
    [
      'a loopback provider over http',
      {
        site: 'http://127.0.0.1:9/',
        hosts: ['127.0.0.1:9'],
        destinations: { pricing: 'http://127.0.0.1:9/p' },
      },
    ],
    ['no sub-id parameter', { subId: null }],
    ['links without a redirect, and no typed prices', { redirect: 'no', prices: 'none', subId: null }],
    ['a redirect without a page', { redirect: 'http' }],
    [
      'a sub-id in base 62',
      { subId: { parameter: 'sid', maxLength: 22, encoding: 'base62', keepsCase: true } },
    ],
    ['words for a status', { statuses: { 'On Hold': 'pending' } }],
    [
      'another destination in a country',
      { hosts: ['acme.test', 'acme.de'], regions: { DE: { pricing: 'https://acme.de/' } } },
    ],
    ['a destination with a query of its own', { destinations: { pricing: 'https://acme.test/?plan=pro' } }],
  ])('may have %s', (_, change) => {
    expect(partnerSchema.safeParse({ ...base, ...change }).success).toBe(true);
  });

  it.each([
    [
      'a host of a country that is not listed',
      { regions: { DE: { pricing: 'https://evil.test/' } } },
      'evil.test',
    ],
    ['a country in small letters', { regions: { de: { pricing: 'https://acme.test/' } } }, 'ISO 3166'],
    [
      'a page of a country that is no destination',
      { regions: { DE: { demo: 'https://acme.test/' } } },
      'page key',
    ],
    ['http off loopback', { destinations: { pricing: 'http://acme.test/' } }, 'https://'],
    ['a script address', { destinations: { pricing: 'javascript:alert(1)' } }, 'https://'],
    ['a relative address', { destinations: { pricing: '/pricing' } }, 'absolute'],
    ['a host that is not listed', { destinations: { pricing: 'https://evil.test/' } }, 'evil.test'],
    [
      'another port of a listed host',
      { destinations: { pricing: 'https://acme.test:8443/' } },
      'acme.test:8443',
    ],
    ['a password', { destinations: { pricing: 'https://a:b@acme.test/' } }, 'password'],
    ['a trial path of two parts', { trialPath: '/trial/acme' }, 'one part'],
    ['a trial path without a trial', { trialPath: '/acme-trial' }, '/acme-trial leads to it'],
    ['no pricing', { destinations: { home: 'https://acme.test/' } }, 'missing'],
    [
      'the affiliate parameter in a destination',
      { destinations: { pricing: 'https://acme.test/?ref=x' } },
      'ref',
    ],
    ['one parameter for two things', { subId: { parameter: 'ref', maxLength: 64 } }, 'already'],
    [
      'a parameter of the table',
      { affiliate: { parameter: 'utm_source', value: 'x' } },
      'every outbound link',
    ],
    ['a value that needs encoding', { affiliate: { parameter: 'ref', value: 'a&b' } }, 'letters'],
    ['a path in its site', { site: 'https://acme.test/x' }, 'origin'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown group', { forward: ['affiliate', 'jurney'] }, 'did you mean \\"journey\\"?'],
    ['a list without who is paid', { forward: ['subId'] }, 'has to name affiliate'],
    ['an unknown word', { campaign: 'a_{pge}' }, 'no click has the word {pge}; did you mean {page}?'],
    ['a template with a space', { utm: { source: 'my site' } }, 'only letters'],
    ['a sub-id too short for a click id', { subId: { parameter: 'sid', maxLength: 35 } }, '36'],
    [
      'base 62 at a network that changes case',
      { subId: { parameter: 'sid', maxLength: 64, encoding: 'base62' } },
      'keepsCase',
    ],
    ['a sub-id for each click without a redirect', { redirect: 'no' }, 'needs the redirect'],
    [
      'addresses of countries without a redirect',
      { redirect: 'no', subId: null, regions: { DE: { pricing: 'https://acme.test/' } } },
      'needs the redirect',
    ],
    ['an unknown way to the shop', { redirect: 'yes' }, 'redirect'],
    ['a network whose name cannot be that of a file', { network: 'Acme Inc' }, 'network'],
    ['a currency that is no code', { currency: 'dollars' }, 'ISO 4217'],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'IANA'],
    ['an unknown status', { statuses: { hold: 'waiting' } }, 'statuses'],
    ['a rhythm without its days', { payments: { rhythm: 'monthly' } }, 'rhythm: monthly needs it'],
    [
      'days of another rhythm',
      { payments: { rhythm: 'weekly', weekday: 'friday', days: [1] } },
      'rhythm: monthly',
    ],
    ['a payout day without a rhythm', { payments: { daysAfterMonth: 30 } }, 'belongs to rhythm: net'],
    ['a payout on day 32', { payments: { rhythm: 'monthly', days: [32] } }, 'days'],
    ['a payout day twice', { payments: { rhythm: 'monthly', days: [1, 1] } }, 'twice'],
    [
      'a clock of payouts that close on their own day',
      { payments: { rhythm: 'monthly', days: [1, 15], by: 'booking' } },
      'with one day',
    ],
    ['a minimum without a currency', { payments: { minimum: { amount: 50 } } }, 'currency'],
    ['a minimum of nothing', { payments: { minimum: { amount: 0, currency: 'USD' } } }, 'amount'],
    [
      'a minimum with parts of a cent',
      { payments: { minimum: { amount: 0.005, currency: 'USD' } } },
      'no amount of USD',
    ],
    [
      'a minimum in another currency than the commissions',
      { currency: 'USD', payments: { minimum: { amount: 5, currency: 'EUR' } } },
      'commissions are in USD',
    ],
    ['a contact that is no email address', { payments: { contact: 'Ada' } }, 'contact'],
  ])('must not have %s', (_, change, reason) => {
    const result = partnerSchema.safeParse({ ...base, ...change }, { error: describeIssue });
    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).toContain(reason);
  });
});
