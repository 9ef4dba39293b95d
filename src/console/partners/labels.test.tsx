import { readFileSync, writeFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
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
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { parseYaml } from '../../content-files/parse-yaml.ts';
import { attributeLabels, buildLabelDayKey } from '../../core/commissions/credit/labels.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { labelsSchema } from '../../core/outbound/partner.schema.ts';
import { ConsoleDocument } from '../frame/frame.tsx';
import { readTasks } from '../overview/tasks.ts';
import { readSteps } from '../start/steps.ts';
import { readView } from '../views.ts';
import { PartnerLabelList } from './partner-view.tsx';
import { readPartners } from './read.ts';

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

it('asks for no number of the click, and divides nothing by clicks, where the only partner takes none', async () => {
  const labels = labelsSchema.parse({
    pool: ['one-20'],
    uses: [{ id: 'one-20', since: '2025-11-01', pages: ['/blog/a'], placement: '' }],
  });
  const terms = { ...DEFAULT_TERMS, network: 'amazon' } as const;
  const partner = buildPartner('kit', {
    labels,
    terms,
    subId: null,
    affiliate: { parameter: 'tag', value: 'me-20' },
  });
  const entries = attributeLabels(
    [sell('one', 50_000, 'one-20'), sell('none', 700, null)],
    new Map([
      [
        buildLabelDayKey({ partner: 'kit', day: DAY, label: 'one-20' }),
        { ...WEIGHTS[0], partner: 'kit', day: DAY },
      ],
    ]),
    () => DAY,
  );
  const row = { day: DAY, views: 900, sessions: 90, actions: 0, clicks: 100 };
  const rollups = createMemoryRollups([
    { ...row, dimension: 'page', key: ['/blog/a'] },
    { ...row, dimension: 'placement', key: ['/blog/a', 'hero', 'kit'] },
    { ...row, dimension: 'partner', key: ['kit'] },
    { ...row, dimension: 'source', key: ['direct', ''] },
  ]);
  const site = await createTestConsole({
    entries,
    rollups,
    content: { partners: new Map([['kit', partner]]) },
  });
  await site.money.ledger.append({ facts: [], labelDays: [{ ...WEIGHTS[0], partner: 'kit', day: DAY }] });
  const said: string[] = [];
  for (const [view, search] of [
    ['overview', ''],
    ['pages', ''],
    ['pages', 'page=%2Fblog%2Fa'],
    ['sources', ''],
    ['partners', ''],
    ['partners', 'partner=kit'],
    ['unmatched', ''],
  ] as const) {
    const parameters = new URLSearchParams(`${search}&range=all`);
    const page = await readView(site, { ...buildViewRequest({ parameters }), view }, null, null);
    said.push(renderToStaticMarkup(createElement(ConsoleDocument, { page: page ?? expect.fail() })));
  }
  const html = said.join(' ');
  expect(html).toContain('$500.00');
  // $500.00 by its id, of 100 clicks.
  expect(said[1]).toContain('$5.00');
  expect(html.match(/A click">\$0\.00|\/api\/postbacks\/|Send a test|subId|sub-id/g)).toBeNull();
  expect(said[5]).toContain('takes no number of the click. It reports by tracking id.');
  const { open: tasks } = await readTasks(site);
  expect(tasks.filter(({ kind, text }) => kind === 'no-sub-id' || /click/.test(text))).toEqual([]);
  const steps = await readSteps(site, 100);
  expect(steps.filter(({ isBroken }) => isBroken === true)).toEqual([]);
  expect(steps.map(({ note }) => note).join(' ')).not.toMatch(/number of the click|subId/);
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
