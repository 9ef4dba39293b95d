import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  buildPartner,
  buildViewRequest,
  CONSOLE_NOW,
  createTestConsole,
  postChange,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { getBookedAmount } from '../../core/commissions/credit/commission-report.ts';
import { attributeLabels, buildLabelDayKey } from '../../core/commissions/credit/labels.ts';
import { labelsSchema } from '../../core/outbound/partner.schema.ts';
import { readPages, readPageTable } from '../pages/read.ts';
import { PagesView } from '../pages/view.tsx';
import { readWorthVerdict } from '../reports/verdicts.ts';
import { readPartners } from './read.ts';
import { PartnerLabelList } from './view.tsx';

const TIME = Date.parse('2025-11-20T12:00:00Z');
const DAY = '2025-11-20';
const WEIGHTS = [
  { label: 'one-20', isOne: true, name: '', pages: [['/blog/a', 1]] },
  {
    label: 'group-20',
    isOne: false,
    name: 'desks',
    pages: [
      ['/blog/a', 3],
      ['/pricing', 1],
    ],
  },
  {
    label: 'few-20',
    isOne: false,
    name: 'lamps',
    pages: [
      ['/blog/b', 1],
      ['/pricing', 1],
    ],
  },
] as const;

const sell = (id: string, amount: number, label: string | null, journey: object | null = null) =>
  buildSampleEntry(
    [
      {
        nativeId: id,
        amount,
        status: 'approved' as const,
        eventTime: TIME,
        changeTime: TIME,
        ...(label !== null && { label: { id: label, item: `B-${label}`, name: `<b>${label}`, items: 1 } }),
      },
    ],
    journey,
    { partner: 'kit' },
  );

/** 40.00 by click, 5.00 of one page, 20.20 that is shared, 3.00 that is too little for that, and 7.00 of nothing. */
const ENTRIES = attributeLabels(
  [
    sell('click', 4_000, null, { page: '/pricing', clickTime: TIME }),
    sell('one', 500, 'one-20'),
    ...Array.from({ length: 20 }, (_, index) => sell(`share-${index}`, 101, 'group-20')),
    ...Array.from({ length: 3 }, (_, index) => sell(`few-${index}`, 100, 'few-20')),
    sell('none', 700, null),
  ],
  new Map(
    WEIGHTS.map((one) => {
      const day = { ...one, partner: 'kit', day: DAY };
      return [buildLabelDayKey(day), day];
    }),
  ),
  () => DAY,
);
/** A console with entries, and what their ids stand for. */
async function createSite(members: NonNullable<Parameters<typeof createTestConsole>[0]>) {
  const site = await createTestConsole(members);
  const counts = { views: 80, sessions: 40, actions: 0, clicks: 8, key: ['/pricing'] };
  const readByKey = async () => [counts];
  const readWeighted = async () => [{ ...counts, weightedClicks: 8, clicksError: 0 }];
  Object.assign(site.money.rollups, { readByKey, readWeighted });
  const labelDays = WEIGHTS.map((one) => ({ ...one, partner: 'kit', day: DAY }));
  await site.money.ledger.append({ facts: [], labelDays });
  return site;
}

const filterBy = (dimension: 'page' | 'partner', value: string) =>
  buildViewRequest({ query: { ...buildViewRequest().query, filters: [{ dimension, value, isNot: false }] } });
const { viewer, query } = buildViewRequest();

it('shows money of labels in columns of its own that sum with the clicked money to the total, and exports them', async () => {
  const site = await createSite({ entries: ENTRIES });
  const model = await readPages(site, buildViewRequest());
  const { rows = [], total } = model.labels ?? {};
  expect(
    rows.map((row) => [row.key || row.group, row.clicked, row.byLabel, row.byShare, row.inGroup]),
  ).toEqual([
    ['/blog/a', 0, 500, 1_520, 0],
    ['/pricing', 4_000, 0, 500, 0],
    ['lamps (few-20)', 0, 0, 0, 300],
  ]);
  // What a click of these brings is not known: other money of theirs has no click.
  const figures = [...model.rows, ...model.unknownRows, model.sum].map(({ epc, rpm, ranked }) => [
    epc,
    rpm,
    ranked,
  ]);
  expect(figures).toEqual(Array.from({ length: 2 }, () => [null, null, null]));
  expect(await readWorthVerdict(site, 'page', '/pricing')).toMatchObject({
    lead: 'It cannot be judged.',
    text: expect.stringContaining('tracking id'),
  });
  const { clicked = 0, byLabel = 0, byShare = 0, inGroup = 0 } = total ?? {};
  const booked = ENTRIES.reduce((sum, { commission }) => sum + getBookedAmount(commission), 0);
  expect(clicked + byLabel + byShare + inGroup + model.unmatched).toBe(booked);
  const html = renderWithForms('pages', viewer, <PagesView model={model} />, {
    query,
    parameters: '',
    names: { pages: new Map() } as never,
    exportHref: null,
  });
  // 20 orders of 1.01: a quarter of them, give or take.
  expect(html).toMatch(/\$5\.00<[^$]*<small>\$2\.49 – \$7\.51<\/small>/);
  const { columns, rows: lines } = await readPageTable(site, buildViewRequest());
  expect(columns.slice(-5)).toEqual(['by_label', 'by_share', 'by_share_low', 'by_share_high', 'in_group']);
  expect([...lines].map((line) => [line[0], ...line.slice(-5)])).toEqual([
    ['/pricing', '0.00', '5.00', '2.49', '7.51', '0.00'],
    ['/blog/a', '5.00', '15.20', '12.69', '17.71', '0.00'],
    ['', '0.00', '0.00', '0.00', '0.00', '3.00'],
  ]);
});

it('shows the part of one page, and no columns without such money', async () => {
  const site = await createSite({ entries: ENTRIES });
  const { labels } = await readPages(site, filterBy('page', '/pricing'));
  expect(labels?.rows.map(({ key, clicked, byShare }) => [key, clicked, byShare])).toEqual([
    ['/pricing', 4_000, 500],
  ]);
  const other = await createSite({ entries: ENTRIES.slice(0, 1) });
  const { labels: none, unknownRows } = await readPages(other, buildViewRequest());
  expect([none, unknownRows.map(({ epc }) => typeof epc)]).toEqual([null, ['number']]);
  expect((await readPageTable(other, buildViewRequest())).columns).not.toContain('by_label');
});

it('shows what ids of a partner stand for, what they earned, and the products by page', async () => {
  const labels = labelsSchema.parse({
    pool: ['one-20', 'free-20'],
    uses: [{ id: 'one-20', since: '2025-11-01', pages: ['/blog/a'], placement: 'hero' }],
  });
  const partners = new Map([['kit', buildPartner('kit', { labels })]]);
  const site = await createSite({ entries: ENTRIES, content: { partners } });
  const { labels: model } = await readPartners(site, filterBy('partner', 'kit'));
  expect(model?.rows.map(({ id, use, earned, items }) => [id, use?.since, earned, items])).toEqual([
    ['one-20', '2025-11-01', 500, 1],
    ['free-20', undefined, 0, 0],
    ['group-20', undefined, 2_020, 20],
    ['few-20', undefined, 300, 3],
  ]);
  expect(model?.items.map(({ page, group, item, items }) => [page ?? group, item, items])).toEqual([
    ['desks', 'B-group-20', 20],
    ['/blog/a', 'B-one-20', 1],
    ['lamps', 'B-few-20', 3],
  ]);
  const frame = { query, names: { pages: new Map() } as never };
  const html = model && renderWithForms('partners', viewer, <PartnerLabelList model={model} />, frame);
  expect(html).toContain('links at hero');
  expect(html).not.toContain('<b>one-20');
  const shared = { ...filterBy('partner', 'kit'), viewer: { ...viewer, kind: 'share' } as never };
  expect((await readPartners(site, shared)).labels).toBeNull();
});

/** A console over a content folder whose partner `example` has two ids and no use of them. */
async function open() {
  const own = 'labels:\n  parameter: tag # of the network\n  pool: [a-20, b-20]\n';
  const { partner: file, site } = await createContentConsole((text) => text + own);
  const counts = { views: 0, sessions: 0, actions: 0 };
  Object.assign(site.money.rollups, {
    readByKey: async () => [
      { ...counts, key: ['/example-product', 'hero', 'example'], clicks: 9 },
      { ...counts, key: ['/contact', 'text', 'example'], clicks: 4 },
      { ...counts, key: ['/go/example', '', 'example'], clicks: 99 },
    ],
  });
  const request = filterBy('partner', 'example');
  const readMoves = async () => (await readPartners(site, request)).labels?.moves ?? [];
  const move = (hash: string) =>
    postChange(
      site,
      'partners',
      { action: 'move-label', partner: 'example', move: hash },
      { search: 'partner=example' },
    );
  return { site, file, readMoves, move };
}

it('proposes ids for the pages with the most clicks, and a confirmed move is written from tomorrow on, once', async () => {
  const { file, readMoves, move, site } = await open();
  const [first = expect.fail(), second = expect.fail()] = await readMoves();
  expect([first.id, first.to, first.after, second.id, second.to]).toEqual([
    'a-20',
    ['/example-product'],
    9,
    'b-20',
    ['/contact'],
  ]);
  const tomorrow = new Date(CONSOLE_NOW + 86_400_000).toISOString().slice(0, 10);
  expect(await move(first.hash)).toMatchObject({
    isError: false,
    location: expect.stringMatching(/^\/console\/partners\?.*#labels$/),
    message: `From ${tomorrow} on, links of /example-product carry a-20.`,
  });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('parameter: tag # of the network\n');
  const use = { id: 'a-20', since: tomorrow, pages: ['/example-product'] };
  expect(parseYaml(text)).toMatchObject({ value: { labels: { uses: [use] } } });
  expect((await readMoves()).map(({ id }) => id)).toEqual(['b-20']);
  expect(await move(second.hash)).toMatchObject({ isError: false });
  expect(parseYaml(readFileSync(file, 'utf8'))).toMatchObject({
    value: { labels: { uses: [use, { id: 'b-20' }] } },
  });
  expect(await readMoves()).toEqual([]);
  expect(await move(first.hash)).toMatchObject({
    isError: true,
    message: expect.stringContaining('not proposed'),
  });
  const notes = await site.operators.activity.read(null, { offset: 0, limit: 5 });
  expect(notes.map(({ text: what }) => what)).toHaveLength(2);
});

it('writes nothing when the file was changed to use the page otherwise meanwhile', async () => {
  const { file, readMoves, move } = await open();
  const [first = expect.fail()] = await readMoves();
  const other = `${readFileSync(file, 'utf8')}  uses: [{ id: b-20, since: 2020-01-01, pages: [/example-product] }]\n`;
  writeFileSync(file, other);
  expect(await move(first.hash)).toMatchObject({ isError: true });
  expect(readFileSync(file, 'utf8')).toBe(other);
});
