import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { getLocalDay, isTimeZone, parseDate, toUtc } from './local-time.ts';

const at = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts);

it.each([
  ['2026-11-20T13:05:00Z', at(2026, 10, 20, 13, 5)],
  ['2026-11-20T13:05:00.250+02:00', at(2026, 10, 20, 11, 5, 0, 250)],
  ['2026-11-20T13:05:59,9999Z', at(2026, 10, 20, 13, 5, 59, 999)],
  ['2026-11-20 13:05:09.5', at(2026, 10, 20, 12, 5, 9, 500)],
  ['1795179900.25', 1_795_179_900_250],
  ['2026-11-20 13:05:09', at(2026, 10, 20, 12, 5, 9)],
  ['2026-11-20', at(2026, 10, 19, 23)],
  ['2026/11/20', at(2026, 10, 19, 23)],
  ['2026.11.20 13:05', at(2026, 10, 20, 12, 5)],
  ['2026-3-8T13:05:00Z', at(2026, 2, 8, 13, 5)],
  ['20.11.2026 13:05', at(2026, 10, 20, 12, 5)],
  ['Nov 20, 2026', at(2026, 10, 19, 23)],
  ['20 November 2026, 1:05 PM', at(2026, 10, 20, 12, 5)],
  ['11/20/2026 12:30 am', at(2026, 10, 19, 23, 30)],
  ['Nov 18, 2026 10:00:00 AM PST', at(2026, 10, 18, 18)],
  ['2026-07-01 10:00 EDT', at(2026, 6, 1, 14)],
  ['20.11.2026 13:05 CET', at(2026, 10, 20, 12, 5)],
  ['1795179900', 1_795_179_900_000],
  ['2026-11-20T10:00:00+0100', at(2026, 10, 20, 9)],
  ['2026-11-20T10:00:00+01', at(2026, 10, 20, 9)],
  ['2026-11-20 10:00:00 +0530', at(2026, 10, 20, 4, 30)],
  ['2026-11-20T10:00:00.000-0800', at(2026, 10, 20, 18)],
  ['2026-11-20T10:00:00+01:00[Europe/Paris]', at(2026, 10, 20, 9)],
  ['Fri Nov 20 2026 02:00:00 GMT+0000 (Coordinated Universal Time)', at(2026, 10, 20, 2)],
  ['Fri, 20 Nov 2026 02:00:00 GMT', at(2026, 10, 20, 2)],
  ['Fri, 20 Nov 2026 02:00:00 +0200', at(2026, 10, 20, 0)],
  ['Friday, November 20, 2026', at(2026, 10, 19, 23)],
  ['Fri Nov 20 02:00:00 UTC 2026', at(2026, 10, 20, 2)],
  ['20-NOV-2026', at(2026, 10, 19, 23)],
  ['20-Nov-2026 13:05', at(2026, 10, 20, 12, 5)],
  ['2026-11-20T10:00:00+14:00', at(2026, 10, 19, 20)],
  ['2026-11-20T10:00:00-12:00', at(2026, 10, 20, 22)],
  ['20261120', at(2026, 10, 19, 23)],
  ['20261120T100000Z', at(2026, 10, 20, 10)],
  ['20261120T100000+0100', at(2026, 10, 20, 9)],
  ['1795179900123', 1_795_179_900_123],
])('the date %j in Berlin is read', (text, time) => {
  expect(parseDate(text, 'Europe/Berlin', 'month-first')).toBe(time);
});

it('the order of day and month decides an ambiguous date', () => {
  expect(parseDate('03/04/2026', 'UTC', 'month-first')).toBe(at(2026, 2, 4));
  expect(parseDate('03/04/2026', 'UTC', 'day-first')).toBe(at(2026, 3, 3));
});

it.each([
  '',
  'soon',
  '2026-11-20T10:00:00+14:01',
  '2026-11-20T10:00:00-12:01',
  '2026-11-20T10:00:00+99:00',
  '2026-11-20T10:00:00+01:60',
  '2026-02-30',
  '13/13/2026',
  '2026-11-20 25:00',
  'Foo 20, 2026',
  '12:30',
  '2026',
  '2026-11-20 13:05 IST',
  '20261320',
  '202611200',
  '20-NOO-2026',
  '2026-11-20T10:00:00+1',
  'Fri Nov 20 02:00:00 IST 2026',
])('%j is no date', (text) => expect(parseDate(text, 'UTC', 'month-first')).toBeNull());

// Denver: 2026-11-01 02:00 goes back to 01:00, 2026-03-08 02:00 goes on to 03:00.
it.each([
  ['before the repeated hour', at(2026, 10, 1, 0, 59), at(2026, 10, 1, 6, 59)],
  ['in the repeated hour, as the earlier moment', at(2026, 10, 1, 1, 30), at(2026, 10, 1, 7, 30)],
  ['after the repeated hour', at(2026, 10, 1, 2, 0), at(2026, 10, 1, 9, 0)],
  ['before the skipped hour', at(2026, 2, 8, 1, 59), at(2026, 2, 8, 8, 59)],
  ['in the skipped hour', at(2026, 2, 8, 2, 30), at(2026, 2, 8, 9, 30)],
  ['after the skipped hour', at(2026, 2, 8, 3, 0), at(2026, 2, 8, 9, 0)],
])('a local time in Denver %s is read', (_, local, time) => {
  expect(toUtc(local, 'America/Denver')).toBe(time);
});

it('the local day of a moment depends on the zone', () => {
  expect(getLocalDay(at(2026, 10, 20, 2), 'America/Denver')).toBe('2026-11-19');
  expect(getLocalDay(at(2026, 10, 20, 2), 'Asia/Tokyo')).toBe('2026-11-20');
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['', false],
])('%j is a time zone: %j', (name, isKnown) => expect(isTimeZone(name)).toBe(isKnown));

it('every moment outside a repeated hour comes back from its local time', async () => {
  const zones = fc.constantFrom('America/Denver', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC');
  await forAll(4, [fc.integer({ min: 0, max: at(2040, 0) / 1000 }), zones], (seconds, zone) => {
    const time = seconds * 1000;
    const text = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(time);
    const back = parseDate(text, zone, 'month-first');
    expect([time, time - 3_600_000]).toContain(back);
  });
});
