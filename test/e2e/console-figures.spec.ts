// The figures of the views against the functions of the ledger, and the exports against the screen.
import { parse } from 'csv-parse/sync';
import { buildCommissionReport } from '../../src/core/commissions/credit/commission-report.ts';
import { CREDIT_MODELS } from '../../src/core/commissions/credit/credit.ts';
import { CONFIRMATION, postConsoleForm } from '../support/console-access.ts';
import { readSeededEntries } from '../support/console-data.ts';
import { expect, seeded, site, test } from '../support/console-test.ts';

async function readCsv(address: string): Promise<readonly Record<string, string>[]> {
  const response = await fetch(address, { headers: { cookie: seeded.cookie } });
  expect(response.status, address).toBe(200);
  return parse(await response.text(), { columns: true });
}

/** Where the names of the rows are on screen, and in which column of the export. */
const TABLES: readonly { readonly path: string; readonly rows: string; readonly column: string }[] = [
  { path: 'pages', rows: 'tbody th small', column: 'page' },
  { path: 'placements', rows: 'tbody th > .filter-link:first-child', column: 'placement' },
  { path: 'campaigns', rows: 'tbody th .filter-link', column: 'campaign' },
  { path: 'commissions', rows: 'tbody th .commission-link', column: 'id' },
  { path: 'unmatched', rows: '[data-work-item] .commission-link', column: 'id' },
  { path: 'live', rows: 'table:has(caption:text-is("Events, newest first")) tbody tr', column: 'time' },
];

test('exports have the rows of the screen in the order of the screen', async ({ page }) => {
  for (const { path, rows, column } of TABLES) {
    for (const sort of path === 'unmatched' || path === 'live'
      ? ['']
      : ['', '?sort=clicks', '?sort=-clicks']) {
      await page.goto(`${site.url}/console/${path}${sort}`);
      const shown = await page.locator(rows).allInnerTexts();
      const exported = (await readCsv(`${site.url}/console/${path}.csv${sort}`)).map((row) => row[column]);
      expect.soft(shown.length, path).toBeGreaterThan(0);
      if (path === 'live') expect.soft(exported.length, path).toBe(shown.length);
      else expect.soft(exported, `${path}${sort}`).toEqual(shown);
    }
  }
});

test('every clock and credit model divides the same money as the ledger does', async () => {
  const entries = (await readSeededEntries(site)).filter(({ commission }) => commission.currency === 'USD');
  const sum = (values: readonly string[]) =>
    values.reduce((total, value) => total + Math.round(Number(value || 0) * 100), 0);
  for (const clock of ['click', 'booking'] as const) {
    for (const model of CREDIT_MODELS) {
      const { total, unmatched } = buildCommissionReport(entries, new Map(), {
        by: 'partner',
        clock,
        model,
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
        timeZone: 'UTC',
        answerField: '',
      });
      const [all, without] = [total, unmatched].map(({ currencies }) => currencies['USD']);
      // Only money that found its click has a page, a placement or a campaign.
      const matched = (['approved', 'pending'] as const).map(
        (kind) => (all?.[kind] ?? 0) - (without?.[kind] ?? 0),
      );
      expect(matched[0]).toBeGreaterThan(0);
      for (const view of ['pages', 'placements', 'campaigns']) {
        const address = `${site.url}/console/${view}.csv?clock=${clock}&model=${model}&currency=USD`;
        const rows = await readCsv(address);
        const found = ['approved', 'pending'].map((name) => sum(rows.map((row) => row[name] ?? '')));
        expect.soft(found, address).toEqual(matched);
      }
    }
  }
});

test('every view that can be shared shows and exports no row of a commission or a session', async ({
  browser,
}) => {
  const settings = `${site.url}/console/settings`;
  const read = async () => (await fetch(settings, { headers: { cookie: seeded.cookie } })).text();
  const token = /name="token" value="([^"]+)"/.exec(await read())?.[1] ?? '';
  const guests = await browser.newContext();
  const guest = await guests.newPage();
  for (const view of ['', '/pages', '/placements', '/campaigns', '/assessment', '/journeys', '/partners']) {
    const fields = {
      action: 'share',
      address: `/console${view}`,
      label: '',
      days: '1',
      token,
      ...CONFIRMATION,
    };
    await postConsoleForm(settings, fields, { cookie: seeded.cookie });
    const [, url = ''] = /value="(http[^"]*\/console\/share\/[\w-]{43})"/.exec(await read()) ?? [];
    expect.soft((await guest.goto(url))?.status(), view).toBe(200);
    const links = await guest
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const own = new URL(url).pathname;
    expect
      .soft(
        links.filter((href) => href?.startsWith('/console') && !href.startsWith(own)),
        view,
      )
      .toEqual([]);
    await expect.soft(guest.locator('form'), view).toHaveCount(0);
    const texts = `${await guest.content()}${await (await fetch(`${url}.csv`)).text()}`;
    expect.soft(/\bc-\d+\b|session-\d+/.exec(texts)?.[0], view).toBeUndefined();
  }
  await guests.close();
});
