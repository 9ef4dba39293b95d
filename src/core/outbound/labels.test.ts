import { expect, it } from 'vitest';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildMovedUses, chooseLabel, proposeMoves } from './labels.ts';
import { type LabelUse, labelsSchema, type PartnerLabels } from './partner.schema.ts';
import { buildPaidAddress, findPartnerOfAddress, type Partner } from './partner.ts';

const use = (id: string, since: string, ...pages: string[]): LabelUse => ({
  id,
  since,
  pages,
  name: '',
  placement: '',
});

function parse(uses: readonly LabelUse[], pool: readonly string[] = []): PartnerLabels {
  return { ...labelsSchema.parse({ uses, pool }), parameter: 'tag' };
}

const problem = (raw: unknown) => labelsSchema.safeParse(raw).error?.issues[0]?.message ?? 'right';

it('gives the links of a page the id of the day, and those of a placement their own', () => {
  const labels = parse([
    use('a-20', '2026-01-01', '/a'),
    use('b-20', '2026-01-01', '/b', '/c'),
    { ...use('hero-20', '2026-01-01', '/c'), placement: 'hero' },
    use('a-20', '2026-02-01', '/d'),
  ]);
  const choose = (page: string, place: string, day: string) => chooseLabel(labels, page, place, day);
  expect(choose('/a', '', '2025-12-31')).toBeNull();
  expect(choose('/a', 'box / top', '2026-01-31')).toBe('a-20');
  expect(choose('/a', '', '2026-02-01')).toBeNull();
  expect(choose('/d', '', '2026-02-01')).toBe('a-20');
  expect(choose('/c', 'box / top', '2026-02-01')).toBe('b-20');
  expect([choose('/c', 'box / hero', '2026-02-01'), choose('/c', 'hero', '2026-02-01')]).toEqual([
    'hero-20',
    'hero-20',
  ]);
});

it.each([
  ['2026-01-15', '2026-02-14', /at most once a month: the next day is 2026-02-15/],
  ['2026-01-15', '2026-02-15', /^right$/],
  ['2026-01-31', '2026-02-27', /2026-02-28/],
  ['2026-01-31', '2026-02-28', /^right$/],
])('moves an id that began on %s on %s: %s', (first, second, expected) => {
  expect(problem({ uses: [use('a-20', first, '/a'), use('a-20', second, '/b')] })).toMatch(expected);
});

it.each([
  [
    { uses: [use('a-20', '2026-01-01', '/a'), use('b-20', '2026-02-01', '/a')] },
    /\/a has a-20 from 2026-02-01 on/,
  ],
  [
    { uses: [use('a-20', '2026-01-01', '/a'), use('a-20', '2026-02-01'), use('b-20', '2026-02-01', '/a')] },
    /^right$/,
  ],
  [{ pool: ['a-20', 'a-20'] }, /twice/],
  [{ pool: ['x'.repeat(101)] }, /at most 100/],
  [{ pool: ['a&tag=thief-20'] }, /only letters/],
  [{ pool: ['5d0e8f3a-1b2c-4d5e-8f9a-0b1c2d3e4f5a'] }, /no id may name a visitor/],
  [{ pool: ['0b1c2d3e4f5a0b1c2d3e4f5a0b1c2d3e'] }, /no id may name a visitor/],
  [{ uses: [use('a-20', '2026-01-01', 'https://a.test/a')] }, /path of a page/],
])('parses %j: %s', (raw, expected) => {
  expect(problem(raw)).toMatch(expected);
});

const amazon = (labels: PartnerLabels): Partner => ({
  ...([...readSamplePartners().values()][0] as Partner),
  affiliate: { parameter: 'tag', value: 'hub-20' },
  labels,
});

it('writes a label in the place of the affiliate id, or beside it, once', () => {
  const own = amazon(parse([use('a-20', '2026-01-01', '/a')], ['b-20']));
  const address = 'https://shop.test/p?x=1#y';
  expect(buildPaidAddress(own, address, 'a-20')).toBe('https://shop.test/p?x=1&tag=a-20#y');
  expect(buildPaidAddress(own, address)).toBe('https://shop.test/p?x=1&tag=hub-20#y');
  const beside = { ...own, labels: { ...own.labels, parameter: 'xcust' } as PartnerLabels };
  expect(buildPaidAddress(beside, address, 'a-20')).toBe('https://shop.test/p?x=1&tag=hub-20&xcust=a-20#y');
});

it('finds the partner of an address with an id in the place of the affiliate id', () => {
  const own = amazon(parse([use('a-20', '2026-01-01', '/a')], ['b-20']));
  const known = new Map([['x', own]]);
  expect(findPartnerOfAddress('https://elsewhere.test/?tag=b-20', known)).toBe(own);
  expect(findPartnerOfAddress('https://elsewhere.test/?tag=c-20', known)).toBeNull();
});

const clicks = new Map([
  ['/a', 100],
  ['/b', 50],
  ['/c', 20],
  ['/d', 10],
  ['/e', 5],
  ['/f', 0],
]);

it('proposes ids of the pool for the pages with the most clicks, and the last of them for groups of the rest', () => {
  expect(proposeMoves(parse([], ['1', '2', '3']), clicks, '2026-01-01')).toEqual([
    { id: '1', from: [], to: ['/a'], name: '' },
    { id: '2', from: [], to: ['/b'], name: '' },
    { id: '3', from: [], to: ['/c', '/d', '/e'], name: 'group 1' },
  ]);
  expect(
    proposeMoves(parse([], ['1', '2', '3', '4', '5', '6']), clicks, '2026-01-01').map(({ to }) => to),
  ).toEqual([['/a'], ['/b'], ['/c'], ['/d'], ['/e']]);
});

it('proposes to move an id to a page of twice the clicks, not within a month of its last move', () => {
  const labels = parse([use('1', '2026-01-01', '/b')]);
  expect(proposeMoves(labels, clicks, '2026-01-31')).toEqual([]);
  expect(proposeMoves(labels, clicks, '2026-02-01')).toEqual([
    { id: '1', from: ['/b'], to: ['/a'], name: '' },
  ]);
  expect(
    proposeMoves(
      labels,
      new Map([
        ['/a', 99],
        ['/b', 50],
      ]),
      '2026-02-01',
    ),
  ).toEqual([]);
});

it('takes the page of a move from its group, and refuses while the group has changed in the last month', () => {
  const labels = parse([use('1', '2026-01-01', '/x'), use('2', '2026-01-20', '/a', '/b', '/c')]);
  const moves = [{ id: '1', from: ['/x'], to: ['/a'], name: '' }];
  expect(buildMovedUses(labels, moves, '2026-02-19')).toBeNull();
  expect(buildMovedUses(labels, moves, '2026-02-20')).toEqual([
    use('2', '2026-02-20', '/b', '/c'),
    use('1', '2026-02-20', '/a'),
  ]);
});
