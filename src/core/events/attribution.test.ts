import { expect, it } from 'vitest';
import { addArrival, buildOutboundCampaign, parseAttribution } from './attribution.ts';

const first = { utm_source: 'newsletter', gclid: 'a' };
const later = { utm_source: 'ad' };
const both = { ...first, last: later };

it('stores the first arrival with parameters as the first touch', () => {
  expect(addArrival({ session: 's' }, first, false)).toEqual({ ...first, session: 's' });
});

it('changes nothing when a page is opened without parameters', () => {
  expect(addArrival(first, {}, false)).toBe(first);
});

it('stores a later arrival as the last touch, complete, and keeps the first', () => {
  expect(addArrival(first, later, false)).toEqual(both);
  expect(addArrival(both, { gclid: 'b' }, false)).toEqual({ ...first, last: { gclid: 'b' } });
});

it('changes nothing when the same arrival comes again', () => {
  expect(addArrival(first, first, false)).toBe(first);
  expect(addArrival(both, later, false)).toBe(both);
});

it('takes the parameters of a URL that is shown again only while no campaign is known', () => {
  expect(addArrival(both, first, true)).toBe(both);
  expect(addArrival({ session: 's' }, first, true)).toEqual({ ...first, session: 's' });
});

it('parses what it stored', () => {
  const attribution = { ...both, session: 's' };
  expect(parseAttribution(JSON.parse(JSON.stringify(attribution)), false)).toEqual(attribution);
});

it.each([
  ['null', null, {}],
  ['a list', [], {}],
  ['invalid fields', { session: 5, last: 'x', gclid: {} }, {}],
  ['a session edited to markup', { session: '<b>'.repeat(100) }, { session: '<b>'.repeat(22).slice(0, 64) }],
])('parses %s', (_, record, attribution) => {
  expect(parseAttribution(record, false)).toEqual(attribution);
});

it('takes the utm parameters alone, and no session, under Global Privacy Control', () => {
  const stored = { ...first, last: { ...later, fbclid: 'x' }, session: 's' };
  expect(parseAttribution(stored, true)).toEqual({ utm_source: 'newsletter', last: later });
});

it.each([
  ['the first touch when it has both groups', first, { ...later, gclid: 'b' }, first],
  [
    'the utm group of the last touch when the first has none',
    { gclid: 'a' },
    later,
    { ...later, gclid: 'a' },
  ],
  [
    'the ids of the last touch when the first has none',
    later,
    { gclid: 'b', ad_id: '1' },
    { ...later, gclid: 'b', ad_id: '1' },
  ],
  [
    'nothing of the last touch inside a group that the first has',
    { fbclid: 'f' },
    { gclid: 'b' },
    { fbclid: 'f' },
  ],
  ['the last touch when nothing came before', {}, later, later],
])('sends %s', (_, firstTouch, lastTouch, sent) => {
  expect(buildOutboundCampaign(firstTouch, lastTouch)).toEqual(sent);
});
