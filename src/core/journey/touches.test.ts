import { describe, expect, it } from 'vitest';
import { addTouch, campaignInForce, parseTouches } from './touches.ts';

const first = { utm_source: 'newsletter', gclid: 'a' };
const later = { utm_source: 'ad' };

describe('touches of a session', () => {
  it('the first arrival with parameters is the first touch, and in force', () => {
    const touches = addTouch({ session: 's' }, first);
    expect(touches).toEqual({ ...first, session: 's' });
    expect(campaignInForce(touches)).toEqual(first);
  });

  it('a page opened later without parameters changes nothing', () => {
    const touches = addTouch({}, first);
    expect(addTouch(touches, {})).toBe(touches);
  });

  it('a later arrival is the last touch and counts whole; the first stays', () => {
    const touches = addTouch(addTouch({}, first), later);
    expect(touches).toEqual({ ...first, last: later });
    expect(campaignInForce(touches)).toEqual(later);
  });

  it('the same arrival again changes nothing', () => {
    const touches = addTouch(addTouch({}, first), later);
    expect(addTouch(touches, later)).toBe(touches);
  });

  it('survives storage', () => {
    const touches = addTouch(addTouch({ session: 's' }, first), later);
    expect(parseTouches(JSON.parse(JSON.stringify(touches)), false)).toEqual(touches);
  });

  it.each([
    ['nothing', null, {}],
    ['a list', [], {}],
    ['odd fields', { session: 5, last: 'x', gclid: {} }, {}],
    [
      'a session edited to markup',
      { session: '<b>'.repeat(100) },
      { session: '<b>'.repeat(22).slice(0, 64) },
    ],
  ])('reads %s', (_, record, touches) => {
    expect(parseTouches(record, false)).toEqual(touches);
  });

  it('under Global Privacy Control keeps the utm parameters alone, and no session', () => {
    const stored = { ...first, last: { ...later, fbclid: 'x' }, session: 's' };
    expect(parseTouches(stored, true)).toEqual({ utm_source: 'newsletter', last: later });
  });
});
