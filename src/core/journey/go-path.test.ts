import { describe, expect, it } from 'vitest';
import { parsePartner } from '../partners/partner.schema.ts';
import { matchGoPath } from './go-path.ts';

const keys = ['highlevel', 'activecampaign', 'kit', 'hubspot'];
const partners = new Map(
  keys.map((key) => [
    key,
    parsePartner({
      key,
      name: key,
      site: `https://${key}.test/`,
      hosts: [`${key}.test`],
      affiliate: { parameter: 'ref', value: 'us' },
      subId: null,
      destinations: { pricing: `https://${key}.test/pricing` },
    }),
  ]),
);

describe('a path of the redirect', () => {
  it.each([
    ['/go/highlevel', 'highlevel', null],
    ['/go/kit', 'kit', null],
    ['/activecampaign-trial', 'activecampaign', 'trial'],
    ['/kit-trial', 'kit', 'trial'],
    ['/hubspot-trial', 'hubspot', 'trial'],
  ])('%s leads to %s', (path, key, pageKey) => {
    const target = matchGoPath(path, partners);
    expect([target?.partner.key, target?.pageKey]).toEqual([key, pageKey]);
  });

  it.each([
    '/go/unknown',
    '/go/',
    '/go//highlevel',
    '/go/highlevel/..',
    '/go/highlevel/%2e%2e',
    '//evil.test/go/highlevel',
    '/go/__proto__',
    '/go/HighLevel',
    'constructor',
    '/highlevel-trial',
  ])('%s leads nowhere', (path) => {
    expect(matchGoPath(path, partners)).toBeNull();
  });
});
