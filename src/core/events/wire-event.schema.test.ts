import { describe, expect, it } from 'vitest';
import { parseWireBatch, parseWireEvent } from './wire-event.schema.ts';

const ID = '0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52';
const event = { id: ID, name: 'page_view', session: 's1', page: '/blog', time: 1_763_600_000_000 };

describe('parseWireBatch', () => {
  it('gives the entries, whatever they are', () =>
    expect(parseWireBatch({ events: [1, event] })).toEqual([1, event]));

  it.each([
    null,
    1,
    'x',
    [],
    [event],
    {},
    { events: {} },
    { events: null },
    JSON.parse('{"__proto__":{"admin":true},"events":[]}'),
    JSON.parse('{"constructor":{"prototype":{}},"events":[]}'),
  ])('refuses %j', (body) => expect(parseWireBatch(body)).toBeNull());
});

describe('parseWireEvent', () => {
  it('takes the smallest event', () =>
    expect(parseWireEvent(event)).toMatchObject({
      ok: true,
      parts: { id: ID, name: 'page_view', clientTime: 1_763_600_000_000 },
    }));

  it('takes a full event', () => {
    const full = {
      ...event,
      label: 'Start',
      value: 1.5,
      data: { source: 'hero', shown: true, count: 3, places: ['a', 'b'], none: null },
      campaign: { utm_source: 'newsletter', gclid: 'abc' },
    };
    expect(parseWireEvent(full)).toMatchObject({ ok: true, parts: full });
  });

  it('leaves out unknown fields, and takes unknown campaign parameters of newer pages', () => {
    const parsed = parseWireEvent({
      ...event,
      extra: 1,
      campaign: { utm_source: 'a', other: 'b', gclid: 7 },
    });
    expect(parsed.ok).toBe(true);
    expect(parsed.ok && Object.keys(parsed.parts)).not.toContain('extra');
  });

  it('flags an event of a visit that is not stored', () => {
    expect(parseWireEvent({ ...event, session: '', free: true })).toMatchObject({
      ok: true,
      flags: ['free'],
    });
    expect(parseWireEvent({ ...event, name: 'affiliate_redirect', free: true })).toMatchObject({
      flags: ['duplicate', 'free'],
    });
  });

  it.each([undefined, null, 'NaN', {}])('takes an event whose time is %j', (time) =>
    expect(parseWireEvent({ ...event, time }).ok).toBe(true),
  );

  it.each([
    [{ ...event, name: 'made_up' }, 'unknown-name', 'name '],
    [{ ...event, name: 'contact_message' }, 'unknown-name', 'name '],
    [{ ...event, name: '__proto__' }, 'unknown-name', 'name '],
    [{ ...event, name: undefined }, 'unknown-name', 'name '],
    [{ ...event, id: 'x' }, 'invalid-field', 'id '],
    [{ ...event, session: 'a b' }, 'invalid-field', 'session '],
    [{ ...event, session: 'a'.repeat(65) }, 'invalid-field', 'session '],
    [{ ...event, page: 'javascript:alert(1)' }, 'invalid-field', 'page '],
    [{ ...event, page: '//evil.example' }, 'invalid-field', 'page '],
    [{ ...event, free: false }, 'invalid-field', 'free '],
    [{ ...event, free: 1 }, 'invalid-field', 'free '],
    [{ ...event, free: 'true' }, 'invalid-field', 'free '],
    [{ ...event, label: {} }, 'invalid-field', 'label '],
    [{ ...event, value: '1' }, 'invalid-field', 'value '],
    [{ ...event, value: JSON.parse('1e999') }, 'invalid-field', 'value '],
    [{ ...event, data: [] }, 'invalid-field', 'data '],
    [{ ...event, data: { deep: { er: 1 } } }, 'invalid-field', 'data '],
    [{ ...event, data: { 'a b': 1 } }, 'invalid-field', 'data '],
    [{ ...event, data: { list: [1] } }, 'invalid-field', 'data '],
    [{ ...event, campaign: 'utm' }, 'invalid-field', 'campaign '],
    [JSON.parse(`{"id":"${ID}","__proto__":{"admin":true}}`), 'forbidden-key', 'A key'],
    [{ ...event, data: JSON.parse('{"__proto__":{"admin":true}}') }, 'forbidden-key', 'A key'],
    [{ ...event, data: JSON.parse('{"constructor":1}') }, 'forbidden-key', 'A key'],
    [{ ...event, campaign: JSON.parse('{"prototype":"x"}') }, 'forbidden-key', 'A key'],
    [null, 'invalid-field', 'The event'],
    [[event], 'invalid-field', 'The event'],
    ['event', 'invalid-field', 'The event'],
  ])('refuses %j as %s', (entry, code, detail) => {
    expect(parseWireEvent(entry)).toMatchObject({ ok: false, code });
    expect(parseWireEvent(entry)).toHaveProperty('detail', expect.stringMatching(`^${detail}`));
  });

  it('names the refused event by its id, when that is one', () => {
    expect(parseWireEvent({ ...event, id: ID.toUpperCase(), name: 'x' })).toMatchObject({ id: ID });
    expect(parseWireEvent({ ...event, id: '<b>' })).toMatchObject({ id: null });
  });
});
