import { expect, it } from 'vitest';
import { CONSOLE_NOW, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { DAY_MS } from '../../core/clock.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import { getUsualRange, listLostLinks, listReasons, type PageCounts, readPageChange } from './change.ts';
import { readFallenPages } from './read.ts';

const EDIT = { day: '2026-10-25', text: 'edited by Ada' };
const build = (change: Partial<PageCounts> = {}) =>
  listReasons({
    now: { views: 486, clicks: 12 },
    before: { views: 505, clicks: 46 },
    others: { now: { views: 9_000, clicks: 900 }, before: { views: 9_000, clicks: 905 } },
    turn: '2026-10-26',
    events: [EDIT],
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

it('finds the links to partners that an edit took out, whatever became of their words', () => {
  const text =
    'Read [the prices](/go/kit?page=pricing) and [try it](/go/kit), or [home](/).\n- { label: Go, partnerLink: trial }';
  expect(listLostLinks(text, 'Read [them](/go/kit) or [home](/).')).toEqual(['try it', 'Go']);
  expect(listLostLinks(text, `Before. ${text}`)).toEqual([]);
  expect(listLostLinks('', text)).toEqual([]);
});

it('calls usual what 8 of 10 weeks before the turn had', () => {
  expect(getUsualRange([11, 10, 12, 11, 13, 12])).toEqual({ low: 7, high: 16 });
  expect(getUsualRange([11, 10, 12])).toBeNull();
});

const DAY = CONSOLE_NOW - 28 * DAY_MS;
const today = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const rows = Array.from({ length: 120 }, (_, daysAgo) => {
  const row = (key: string, clicks: number) => ({
    dimension: 'page' as const,
    key: [key],
    day: addDays(today, -daysAgo),
    views: 90,
    sessions: 9,
    actions: 0,
    clicks,
  });
  return [row('/', daysAgo <= 28 ? 2 : 12), row('/blog', 10)];
});

it('a task says what the report says, and a link that was taken out can be put back until it is back', async () => {
  const site = await createTestConsole({ rollups: createMemoryRollups(rows.flat()) });
  await addOperator(site.operators.accounts, { id: 'o-1', name: 'Ada' });
  const save = (text: string, savedAt: number) =>
    site.content.versions.add('site.yaml', { hash: text, text, operator: 'Ada', savedAt });
  await save('cta: { label: See prices, partnerLink: pricing }', DAY - 90 * DAY_MS);
  await save('cta: {}', DAY);
  const { now, before, weeks, reasons } = await readPageChange(site, '/');
  const [task] = await readFallenPages(site);
  expect(task?.text).toContain(` fell from ${before.clicks} to ${now.clicks} in 28 days`);
  expect(task?.trend).toEqual(weeks.map(({ clicks }) => clicks));
  expect(task?.detail).toMatch(/likely: .+ took out the link “See prices”/);
  expect(reasons[0]).toMatchObject({
    word: 'likely',
    undo: '/console/content/site.yaml?view=history&older=1&newer=2#compared',
  });
  await save('cta: { label: Prices, partnerLink: pricing }', DAY + DAY_MS);
  expect((await readPageChange(site, '/')).reasons.every(({ undo }) => undo === undefined)).toBe(true);
});
