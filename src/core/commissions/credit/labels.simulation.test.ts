/** @module-tag rest */

import { expect, it } from 'vitest';
import { createChance } from '../../../../test/support/chance.ts';
import { buildSampleEntry } from '../../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../clock.ts';
import { type LabelUse, labelsSchema, type PartnerLabels } from '../../outbound/partner.schema.ts';
import type { LabelDay } from '../ledger/stored-money.schema.ts';
import { attributeLabels, buildLabelDay, buildLabelDayKey, type PlacedClicks, sumLabels } from './labels.ts';

const START = Date.parse('2026-01-01');
const YEAR = 365;
const OWN = 'site-20';
const FOREIGN = 'former-owner-20';
const HERO = 'hero-20';
const SINGLES = 29;
const GROUPS = 10;
/** The last pages of the site have no id of their own. */
const UNLABELLED = 10;
const LONGEST = 40;
const PAGES = Array.from({ length: 200 }, (_, index) => `/page-${index}`);

const toDay = (index: number) => new Date(START + index * DAY_MS).toISOString().slice(0, 10);
const getDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** A row of a report, with what the report does not say: the page whose link was clicked. */
interface Row {
  readonly day: number;
  readonly page: string;
  readonly id: string;
  readonly item: string;
  readonly items: number;
  readonly amount: number;
  readonly kind: 'sale' | 'lead';
}

const toEntry = ({ day, id, item, items, amount, kind }: Row, index: number) => {
  const eventTime = START + day * DAY_MS + (index % 1_000);
  return buildSampleEntry(
    [
      {
        nativeId: String(index),
        kind,
        amount,
        eventTime,
        changeTime: eventTime,
        status: 'approved',
        label: { id, item, name: '', items },
      },
    ],
    null,
    { partner: 'amazon' },
  );
};

const use = (id: string, since: string, pages: readonly string[], placement = ''): LabelUse => ({
  id,
  since,
  placement,
  pages: [...pages],
  name: pages.length > 1 ? `pages of ${id}` : '',
});

const parse = (uses: readonly LabelUse[]): PartnerLabels => ({
  ...labelsSchema.parse({ pool: [], uses }),
  longestDays: LONGEST,
});

/** A year of a site: its file, who had which page on which day, clicks, and rows of reports. */
function simulateYear(seed: number) {
  const random = createChance(seed);
  const owners = new Map(PAGES.map((page) => [page, OWN]));
  const labelled = PAGES.slice(0, -UNLABELLED);
  for (const [index, page] of labelled.entries())
    owners.set(page, index < SINGLES ? `one-${index}-20` : `group-${index % GROUPS}-20`);
  const listPages = (id: string) => labelled.filter((page) => owners.get(page) === id);
  const uses = [...new Set(labelled.map((page) => owners.get(page) ?? ''))].map((id) =>
    use(id, toDay(0), listPages(id)),
  );
  uses.push(use(HERO, toDay(0), ['/page-0'], 'hero'));
  const carried: ReadonlyMap<string, string>[] = [];
  const clicks: (PlacedClicks & { readonly index: number; readonly id: string })[] = [];
  const rows: Row[] = [];
  for (let index = 0; index < YEAR; index += 1) {
    const date = toDay(index);
    // In the middle of each month, ids of five pages change places with pages of groups.
    if (index > 31 && date.endsWith('-15'))
      for (const id of swapPages(owners, labelled, random)) uses.push(use(id, date, listPages(id)));
    carried.push(new Map(owners));
    for (const [rank, page] of PAGES.entries())
      for (const place of rank === 0 ? ['box / hero', 'text'] : ['text']) {
        const count = Math.floor((40 / (rank + 4)) * 2 * random() + random() * 0.9);
        const id = place === 'text' ? (owners.get(page) ?? OWN) : HERO;
        if (count > 0) clicks.push({ day: date, index, page, place, clicks: count, id });
        for (let click = 0; click < count; click += 1)
          if (random() < 0.09) rows.push(...buildOrder(index, page, id, random));
      }
  }
  const sorted: readonly Row[] = rows
    .filter(({ day }) => day < YEAR)
    .sort((one, other) => one.day - other.day);
  return { labels: parse(uses), carried, clicks, rows: sorted };
}

/** Exchanges pages of single ids with pages of groups; returns the ids whose pages have changed. */
function swapPages(owners: Map<string, string>, pages: readonly string[], random: () => number): Set<string> {
  const changed = new Set<string>();
  const find = (prefix: string) =>
    pages.filter((page) => {
      const id = owners.get(page) ?? '';
      return id.startsWith(prefix) && !(prefix === 'one' && changed.has(id));
    });
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  for (let swap = 0; swap < 5; swap += 1) {
    const [one, other] = [pick(find('one')), pick(find('group'))];
    const [single, group] = [owners.get(one) ?? '', owners.get(other) ?? ''];
    owners.set(one, group);
    owners.set(other, single);
    changed.add(single).add(group);
  }
  return changed;
}

/** The rows of what a click has sold: an order, its shipment, and at times its return. */
function buildOrder(clicked: number, page: string, carried: string, random: () => number): Row[] {
  const delay = Math.min(LONGEST, Math.floor((-Math.log(1 - random()) * 3) / Math.LN2));
  const day = clicked + delay;
  const id = random() < 0.02 ? FOREIGN : carried;
  const item = random() < 0.9 ? `B${Math.floor(random() * 60)}` : '';
  const items = random() < 0.2 ? 2 : 1;
  const amount = 20 + Math.floor(random() * 900) * items;
  const sale = { day, page, id, item, items, amount, kind: 'sale' } as const;
  const order = { ...sale, kind: 'lead', amount: 0 } as const;
  if (random() > 0.08) return [order, sale];
  return [order, sale, { ...sale, day: day + 1 + Math.floor(random() * 40), amount: -amount, items: 0 }];
}

type Year = ReturnType<typeof simulateYear>;

/** What the product makes of a year. */
function attribute({ labels, clicks, rows }: Omit<Year, 'carried'>) {
  const partner = { key: 'amazon', labels, own: OWN };
  const days = new Map<string, LabelDay>();
  const near = Array.from({ length: YEAR }, (_, day) =>
    clicks.filter(({ index }) => index >= day - LONGEST - 1 && index <= day + 1),
  );
  for (const { id, day } of rows) {
    const key = buildLabelDayKey({ partner: 'amazon', label: id, day: toDay(day) });
    if (days.has(key)) continue;
    const built = buildLabelDay(partner, id, toDay(day), near[day] ?? []);
    if (built !== null) days.set(key, built);
  }
  return attributeLabels(rows.map(toEntry), days, getDay);
}

/** Divides an amount by weights: each unit that is left over goes to the largest remainder. */
function divideByHand(amount: number, weights: ReadonlyMap<string, number>): Map<string, number> {
  const sign = amount < 0 ? -1 : 1;
  const total = [...weights.values()].reduce((sum, weight) => sum + BigInt(weight), 0n);
  const parts = [...weights].map(([page, weight]) => {
    const exact = BigInt(Math.abs(amount)) * BigInt(weight);
    return { page, whole: Number(exact / total), rest: exact % total };
  });
  const open = Math.abs(amount) - parts.reduce((sum, { whole }) => sum + whole, 0);
  const lucky = [...parts].sort((one, other) => Number(other.rest - one.rest)).slice(0, open);
  return new Map(parts.map((part) => [part.page, sign * (part.whole + (lucky.includes(part) ? 1 : 0))]));
}

/** The same from the definition, row by row. */
function computeByHand({ clicks, carried, rows }: Year) {
  const byId = Map.groupBy(clicks, ({ id }) => id);
  const times = new Map(rows.map((row, index) => [row, index % 1_000]));
  const timeOf = (row: Row) => times.get(row) ?? 0;
  const weigh = (id: string, day: number) => {
    const raw = new Map<string, number>();
    for (const { page, clicks: count, index } of byId.get(id) ?? [])
      if (index <= day && day - index <= LONGEST)
        raw.set(page, (raw.get(page) ?? 0) + count / Math.cbrt(2 ** (day - index)));
    const all = [...raw.values()].reduce((sum, weight) => sum + weight, 0);
    const now = PAGES.filter((page) => (id === HERO ? page === '/page-0' : carried[day]?.get(page) === id));
    const weights = new Map<string, number>();
    for (const page of [...PAGES].sort()) {
      const weight = raw.get(page) ?? 0;
      const isKept = id === OWN || now.includes(page) || weight / all >= 0.01;
      if (weight > 0 && isKept) weights.set(page, Math.max(1, Math.round(weight * 1e6)));
    }
    if (weights.size === 0 && id !== OWN) for (const page of now) weights.set(page, now.length === 1 ? 1 : 0);
    const isOne = id !== OWN && now.length === 1 && weights.size === 1 && weights.has(now[0] ?? '');
    return { weights, isOne, day, hasClicks: all > 0 };
  };
  const month = (id: string, day: number) => `${id} ${toDay(day).slice(0, 7)}`;
  const sold = rows.filter(({ kind, amount, id }) => kind === 'sale' && amount > 0 && id !== FOREIGN);
  const items = new Map<string, number>();
  for (const { id, day, items: count } of sold)
    items.set(month(id, day), (items.get(month(id, day)) ?? 0) + count);
  const [pages, totals] = [new Map<string, number>(), { label: 0, share: 0, group: 0, none: 0 }];
  for (const [index, row] of rows.entries()) {
    const { id, day, amount, item } = row;
    if (id === FOREIGN) totals.none += amount;
    if (id === FOREIGN || amount === 0) continue;
    let known = weigh(id, day);
    if (amount < 0) {
      // Times within a day are those of `toEntry`.
      const isBefore = (other: Row) =>
        other.day < day || (other.day === day && timeOf(other) <= index % 1_000);
      const same = sold.filter((other) => other.id === id && other.item === item && isBefore(other));
      const sale = same.toSorted((one, other) => one.day - other.day || timeOf(one) - timeOf(other));
      const last = item === '' ? undefined : sale.at(-1);
      if (last !== undefined) known = weigh(id, last.day);
      else {
        const sums = new Map<string, number>();
        for (const other of sold)
          if (month(other.id, other.day) === month(id, day))
            for (const [name, part] of divideByHand(other.amount, weigh(id, other.day).weights))
              sums.set(name, (sums.get(name) ?? 0) + part);
        for (const [name, sum] of sums) if (sum === 0) sums.delete(name);
        if (sums.size > 0) {
          const isOne =
            sums.size === 1 && known.isOne && [...sums.keys()][0] === [...known.weights.keys()][0];
          known = { ...known, weights: sums, isOne };
        }
      }
    }
    const isShared = (items.get(month(id, known.day)) ?? 0) >= 20;
    const how = known.isOne ? 'label' : isShared ? 'share' : 'group';
    totals[how] += amount;
    if (how === 'group') continue;
    for (const [name, part] of divideByHand(amount, known.weights))
      pages.set(name, (pages.get(name) ?? 0) + part);
  }
  return { pages, totals };
}

it('credits a year of a site as an independent computation does, to the cent', { timeout: 120_000 }, () => {
  const year = simulateYear(7);
  expect(new Set(year.labels.uses.map(({ id }) => id)).size).toBe(40);
  const attributed = attribute(year);
  const { pages, groups, total } = sumLabels(attributed, ({ commission }) => commission.amount);
  const expected = computeByHand(year);
  const { label, share, group, none } = expected.totals;
  expect([total.byLabel, total.byShare, total.inGroup]).toEqual([label, share, group]);
  const sums = [...pages].map(([page, { byLabel, byShare }]) => [page, byLabel + byShare] as const);
  expect(new Map(sums.filter(([, sum]) => sum !== 0))).toEqual(
    new Map([...expected.pages].filter(([, sum]) => sum !== 0)),
  );
  // Everything has a place once: pages and groups sum to all money, and money of no id of the site stays open.
  const all = year.rows.reduce((sum, { amount }) => sum + amount, 0);
  expect(sums.reduce((sum, [, one]) => sum + one, 0) + total.inGroup + none).toBe(all);
  const inGroups = groups.reduce((sum, one) => sum + one.byLabel + one.byShare + one.inGroup, 0);
  expect(inGroups + none).toBe(all);
  expect(inGroups / all).toBeGreaterThanOrEqual(0.95);
  expect(label).toBeGreaterThan(0);
  expect(share).toBeGreaterThan(0);
  expect(group).not.toBe(0);
});

const FIRST = toDay(0);
const sell = (fields: Partial<Row> = {}): Row => ({
  day: 2,
  page: '',
  id: 'group-20',
  item: 'B1',
  items: 1,
  amount: 1_000,
  kind: 'sale',
  ...fields,
});
const sellMany = (count: number, fields: Partial<Row> = {}) =>
  Array.from({ length: count }, () => sell(fields));
/** Two pages of a group with three clicks and one, and from the second month on the other way round. */
const pair = {
  labels: parse([use('group-20', FIRST, ['/a', '/b'])]),
  clicks: [
    { index: 1, page: '/a', clicks: 3 },
    { index: 1, page: '/b', clicks: 1 },
    { index: 60, page: '/a', clicks: 1 },
    { index: 60, page: '/b', clicks: 3 },
  ].map((one) => ({ ...one, day: toDay(one.index), place: 'text', id: 'group-20' })),
};

it.each<[string, readonly Row[], string]>([
  ['19 items', sellMany(19), 'group'],
  ['20 items', sellMany(20), 'share'],
  ['20 items in 10 rows', sellMany(10, { items: 2 }), 'share'],
  ['38 items in two months', [...sellMany(19), ...sellMany(19, { day: 35 })], 'group'],
  ['19 items and what was ordered', [...sellMany(19), ...sellMany(9, { kind: 'lead', amount: 0 })], 'group'],
  ['19 items and one that came back', [...sellMany(19), sell({ amount: -1_000, items: 0 })], 'group'],
])('shares the money of a group from 20 items a month on: %s', (_, rows, how) => {
  const attributed = attribute({ ...pair, rows });
  expect(new Set(attributed.map(({ labelled }) => labelled?.how))).toEqual(new Set([how]));
});

it.each<[string, Partial<Row>, readonly [a: number, b: number]]>([
  ['of an item that was sold', { item: 'B1' }, [-750, -250]],
  ['of an item that was not', { item: 'B9' }, [-250, -750]],
  ['without an item', { item: '' }, [-250, -750]],
])('takes a return %s by the weights of its sale, else those of its month', (_, fields, [a, b]) => {
  const rows = [
    ...sellMany(20),
    ...sellMany(20, { day: 61, item: 'B2' }),
    sell({ day: 62, amount: -1_000, items: 0, ...fields }),
  ];
  const attributed = attribute({ ...pair, rows });
  const { pages, total } = sumLabels(attributed.slice(-1), ({ commission }) => commission.amount);
  expect([pages.get('/a')?.byShare, pages.get('/b')?.byShare, total.byShare]).toEqual([a, b, -1_000]);
});
