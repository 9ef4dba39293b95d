import { expect, it } from 'vitest';
import type { PlacementRow } from '../figures/breakdown.ts';
import { buildPageParts, sortByPart } from './read.ts';

const buildRow = (place: string, clicks: number, approved: number) =>
  ({ place, clicks, approved, paid: 0, pending: 0 }) as PlacementRow;
const OUTLINE = [
  { name: 'Header', position: 'header', sources: ['header'] },
  { name: 'Text', position: 'prose', sources: [] },
  { name: 'Offer', position: 'offer', sources: ['cta'] },
  { name: 'End', position: 'end', sources: ['cta'] },
];
const ROWS = [buildRow('cta', 10, 500), buildRow('old-banner', 30, 0), buildRow('header', 5, 0)];

it('every click is in one part, in the order of the page, and those of no part are at the end', () => {
  const parts = buildPageParts(OUTLINE, ROWS, 100);
  expect(parts.map(({ name, countedWith, figures }) => [name, countedWith, figures?.clicks])).toEqual([
    ['Header', null, 5],
    ['Text', null, undefined],
    ['Offer', null, 10],
    ['End', 'Offer', undefined],
    ['Elsewhere', null, 30],
  ]);
  expect(parts[2]?.figures).toEqual({ places: ['cta'], clicks: 10, clickRate: 0.1, epc: 50 });
  expect(sortByPart(ROWS, OUTLINE).map(({ place }) => place)).toEqual(['header', 'cta', 'old-banner']);
});

it('clicks of one source are told apart by their position, a plan’s name included', () => {
  const rows = [
    buildRow('cta / end', 4, 0),
    buildRow('cta / offer-starter', 2, 0),
    buildRow('cta / offer', 1, 0),
    buildRow('cta / gone', 3, 0),
  ];
  const parts = buildPageParts(OUTLINE, rows, 100);
  expect(parts.map(({ name, figures }) => [name, figures?.clicks])).toEqual([
    ['Header', 0],
    ['Text', undefined],
    ['Offer', 3],
    ['End', 4],
    ['Elsewhere', 3],
  ]);
  expect(parts.every(({ countedWith }) => countedWith === null)).toBe(true);
  expect(sortByPart(rows, OUTLINE).map(({ place }) => place)).toEqual([
    'cta / offer-starter',
    'cta / offer',
    'cta / end',
    'cta / gone',
  ]);
});

it('a page whose parts are not known has none, and its placements are ordered by clicks', () => {
  expect(buildPageParts([], ROWS, 100)).toEqual([]);
  expect(sortByPart(ROWS, []).map(({ place }) => place)).toEqual(['old-banner', 'cta', 'header']);
});
