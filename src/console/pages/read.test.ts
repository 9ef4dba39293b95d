import { expect, it } from 'vitest';
import { CONSOLE_NOW, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import type { EarnedRow } from '../reports/earned.ts';
import { listFallenPages, namePlace, readFallenPages, sortByPart } from './read.ts';

const buildRow = (place: string, clicks: number, earned: number) =>
  ({ key: `/a ${place}`, clicks, earned }) as EarnedRow;
const listPlaces = (...sorted: Parameters<typeof sortByPart>) =>
  sortByPart(...sorted).map(({ key }) => key.slice('/a '.length));
const OUTLINE = [
  { name: 'Header', position: 'header', sources: ['header'] },
  { name: 'Text', position: 'prose', sources: [] },
  { name: 'Offer', position: 'offer', sources: ['cta'] },
  { name: 'End', position: 'end', sources: ['cta'] },
];
const ROWS = [buildRow('cta', 10, 500), buildRow('old-banner', 30, 0), buildRow('header', 5, 0)];

it('the places of a page are in its order, and those of no part at the end', () =>
  expect(listPlaces(ROWS, OUTLINE)).toEqual(['header', 'cta', 'old-banner']));

it('places of one source are told apart by their position, a plan’s name included', () => {
  const rows = [
    buildRow('cta / end', 4, 0),
    buildRow('cta / offer-starter', 2, 0),
    buildRow('cta / offer', 1, 0),
    buildRow('cta / gone', 3, 0),
  ];
  expect(listPlaces(rows, OUTLINE)).toEqual([
    'cta / offer-starter',
    'cta / offer',
    'cta / end',
    'cta / gone',
  ]);
});

it('a place has the name of its part, and its own beside it where the part has several', () => {
  const outline = [{ name: 'Save time', position: 'hero', sources: ['a'] }, ...OUTLINE];
  const places = [
    'a / hero',
    'cta / end',
    'cta / offer-starter',
    'cta / offer',
    'assessment_results / result',
  ];
  expect(places.map((place) => namePlace(outline, place, places))).toEqual([
    'Top of the page',
    'End',
    'Offer (cta / offer-starter)',
    'Offer (cta / offer)',
    'result',
  ]);
});

it('the places of a page whose parts are not known are ordered by clicks', () =>
  expect(listPlaces(ROWS, [])).toEqual(['old-banner', 'cta', 'header']));

it('a page whose clicks fell beyond chance is a task with the money of the missing clicks', () => {
  const page = (path: string, before: number, now: number, epc: number | null = 150, dispersion = 1) => ({
    page: path,
    title: path.slice(1).toUpperCase(),
    before,
    now,
    epc,
    dispersion,
  });
  const pages = [
    page('/small', 12, 6),
    page('/pricing', 300, 180),
    page('/review', 500, 250, null),
    page('/better', 100, 300),
    page('/same', 400, 385),
  ];
  const tasks = listFallenPages(pages, 'USD');
  expect(tasks.map(({ key, amount, currency }) => [key, amount, currency])).toEqual([
    ['fallen:/pricing', 18_000, 'USD'],
    ['fallen:/review', null, null],
  ]);
  expect(tasks[0]).toMatchObject({
    kind: 'page',
    text: 'Clicks of “PRICING” fell from 300 to 180 in 28 days.',
    detail: 'More than chance explains. A click of it earned $1.50 in 12 months.',
    href: '/console/pages?page=%2Fpricing#change',
  });
  // One of 20 pages falls like this by chance, and clicks that vary more do so more often.
  expect(listFallenPages([page('/a', 60, 38)], 'USD')).toHaveLength(1);
  const many = [page('/a', 60, 38), ...Array.from({ length: 40 }, (_, index) => page(`/b${index}`, 50, 50))];
  expect(listFallenPages(many, 'USD')).toEqual([]);
  expect(listFallenPages([page('/a', 60, 38, null, 3)], 'USD')).toEqual([]);
});

it('the pages that fell are those of the site, in 28 days that are over, once there are eight weeks before both', async () => {
  const today = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
  const list = async (days: number) => {
    const rows = Array.from({ length: days }, (_, daysAgo) => {
      const counts = { views: 90, sessions: 9, actions: 0 };
      // Today has as many as all days before, and is not over.
      const clicks = daysAgo === 0 ? 2_000 : daysAgo <= 28 ? 6 : 12;
      const row = (dimension: 'page' | 'partner', key: string, count: number) => ({
        dimension,
        key: [key],
        day: addDays(today, -daysAgo),
        ...counts,
        clicks: count,
      });
      return [
        row('page', '/', clicks),
        row('page', '/blog', 10),
        row('page', '/gone', clicks),
        row('partner', 'highlevel', 2 * clicks + 10),
      ];
    });
    return readFallenPages(await createTestConsole({ rollups: createMemoryRollups(rows.flat()) }));
  };
  expect(await list(113)).toMatchObject([
    { key: 'fallen:/', amount: null, href: '/console/pages?page=%2F#change' },
  ]);
  expect((await list(113))[0]?.text).toBe('Clicks of “Front page” fell from 336 to 168 in 28 days.');
  expect(await list(112)).toEqual([]);
});
