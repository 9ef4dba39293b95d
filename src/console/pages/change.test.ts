import { expect, it } from 'vitest';
import { listReasons, type PageCounts } from './change.ts';

const EDIT = { day: '2026-10-25', text: 'edited by Ada' };
const build = (change: Partial<PageCounts> = {}) =>
  listReasons({
    ...{ now: { views: 486, clicks: 12 }, before: { views: 505, clicks: 46 } },
    others: { now: { views: 9_000, clicks: 900 }, before: { views: 9_000, clicks: 905 } },
    ...{ turn: '2026-10-26', events: [EDIT] },
    ...change,
  }).map(({ word, text }) => `${word}: ${text.split(/[:(]/)[0]?.trim()}`);

// Each injected cause comes first.
it.each([
  ['an edit', {}, 'likely: Oct 25'],
  ['a source that is gone', { now: { views: 130, clicks: 12 } }, 'likely: Fewer readers'],
  [
    'a season',
    { others: { now: { views: 4_000, clicks: 300 }, before: { views: 9_000, clicks: 905 } }, events: [] },
    'likely: The site or the season',
  ],
])('names %s first where it explains that clicks fell', (_, change, first) => {
  expect(build(change)[0]).toBe(first);
});

it('rules out what is far from the turn, and explains nothing where nothing fell', () => {
  expect(build({ events: [{ ...EDIT, day: '2026-09-15' }] }).at(0)).toMatch(/^ruled out/);
  expect(build({ now: { views: 505, clicks: 50 } })).toEqual([]);
});
