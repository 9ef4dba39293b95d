import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { isPartnerPath, listPartnerPaths, matchPartnerPath } from './partner.ts';
import { buildPlacement, describePlacement, parsePlacement } from './placement.ts';

it.each([
  ['free-trial', 'hero', 'free-trial / hero', 'free-trial / hero'],
  ['hero', 'hero', 'hero / hero', 'hero'],
  ['success_stories', 'success-stories', 'success_stories / success-stories', 'success-stories'],
  ['old-banner', '', 'old-banner', 'old-banner'],
  ['', 'header', '(none) / header', '(none) / header'],
  ['', '', '', '(none)'],
])('the source %j and the position %j are the place %j, shown as %j', (source, position, place, shown) => {
  expect(buildPlacement(source, position)).toBe(place);
  expect(describePlacement(place)).toBe(shown);
});

it('parses the place that it builds', () => {
  expect(parsePlacement('free-trial / hero')).toEqual({ source: 'free-trial', position: 'hero' });
  expect(parsePlacement('a / B')).toEqual({ source: 'a / B', position: '' });
});

const partners = readSamplePartners();

it.each([
  ['/go/highlevel', 'highlevel', null],
  ['/go/kit', 'kit', null],
  ['/activecampaign-trial', 'activecampaign', 'trial'],
  ['/kit-trial', 'kit', 'trial'],
  ['/hubspot-trial', 'hubspot', 'trial'],
])('%s leads to the partner %s', (path, key, pageKey) => {
  const target = matchPartnerPath(path, partners);
  expect([target?.partner.key, target?.pageKey]).toEqual([key, pageKey]);
  expect(isPartnerPath(path, partners)).toBe(true);
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
])('%s leads to no partner', (path) => expect(matchPartnerPath(path, partners)).toBeNull());

it('a redirect path of an unknown partner is still a path of the redirect', () => {
  expect(isPartnerPath('/go/unknown', partners)).toBe(true);
  expect(isPartnerPath('/highlevel-trial', partners)).toBe(false);
});

it('lists a trial path for each partner that has one, and no other', () =>
  expect(listPartnerPaths(partners)).toEqual(
    (
      '/go/activecampaign /activecampaign-trial /go/highlevel /go/hubspot /hubspot-trial ' +
      '/go/kit /kit-trial'
    ).split(' '),
  ));
