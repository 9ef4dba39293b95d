import { expect, it } from 'vitest';
import { buildViewRequest, createTestConsole, renderInFrame } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { readPartnersPage } from '../partners/read.ts';
import { PartnersView } from '../partners/view.tsx';
import { buildTable } from '../reports/columns.ts';
import { readSiteNames } from '../reports/site-pages.ts';
import { PAGE_COLUMNS, readPages } from './read.ts';
import { PagesView } from './view.tsx';

it.each([
  ['that were counted', 7, '<dd>7<small>70 of 100 views</small></dd>'],
  ['that are none', 0, '<dd>0</dd>'],
])('the report of a page has its clicks to a partner, %s', async (_, clicks, shown) => {
  const row = {
    dimension: 'page',
    key: ['/'],
    day: '2025-11-20',
    views: 10,
    sessions: 9,
    actions: 0,
    clicks,
  };
  const site = await createTestConsole({ rollups: createMemoryRollups([row as never]) });
  const { query, viewer } = buildViewRequest();
  const filters = [{ dimension: 'page', value: '/', isNot: false }] as const;
  const model = await readPages(site, { ...buildViewRequest(), query: { ...query, filters } });
  const render = (shownModel: typeof model) =>
    renderInFrame(<PagesView model={shownModel} />, {
      query: { ...query, filters },
      names: readSiteNames(site),
      viewer,
    });
  expect(render(model)).toContain(`Clicks to a partner</dt>${shown}`);
  // The range is that of the mean: what these clicks bring can lie outside.
  const range = { low: 52, mean: 80, high: 110 };
  const detail = model.detail && { ...model.detail, range, row: { ...model.detail.row, click: 61 } };
  expect(render({ ...model, detail })).toContain(
    '<dd>$0.61<small>such clicks bring $0.52 to $1.10 on average within 12 months, in 8 of 10 cases</small></dd>',
  );
});

it('the ranking of pages exports every state of money beside its counts', () =>
  expect(buildTable([], PAGE_COLUMNS).columns.join(' ')).toBe(
    'page earned confirmed pending reversed currency views clicks a_click customers site',
  ));

it.each([true, false])(
  'the rankings of pages and partners say what is still to come where the range is young: %s',
  async (isYoung) => {
    const site = await createTestConsole();
    const { query, viewer } = buildViewRequest();
    const model = await readPages(site, buildViewRequest());
    const table = { ...model.table, arrived: 0.4 };
    const html = renderInFrame(<PagesView model={{ ...model, table, isYoung }} />, {
      query,
      names: readSiteNames(site),
      viewer,
    });
    expect(html.includes('of what these clicks will bring has arrived')).toBe(isYoung);
    const partners = (await readPartnersPage(site, buildViewRequest())) ?? expect.fail();
    const shown = renderInFrame(<PartnersView model={{ ...partners, arrived: isYoung ? 0.4 : 0.6 }} />, {
      query,
      viewer,
    });
    expect(shown.includes('of what these clicks will bring has arrived')).toBe(isYoung);
  },
);
