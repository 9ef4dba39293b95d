import { expect, test } from '../support/browser-test.ts';
import { buildClickVisit, startWorkSite, type WorkSite } from '../support/console-work-site.ts';
import { HOSTILE_VALUES, MARK } from '../support/hostile-input.ts';
import { buildSampleEvent } from '../support/sample-events.ts';

const { markup, templates, controls, prototypes } = HOSTILE_VALUES;
const VALUES = [...markup, ...templates, ...controls.slice(0, 8), ...prototypes.slice(0, 4)];

const VIEWS = [
  '',
  'pages',
  'placements',
  'sources',
  'campaigns',
  'assessment',
  'journeys?by=clicks',
  'journeys',
  'commissions',
  'unmatched',
  'partners',
  'live',
  'content',
  'messages',
  'import',
];

let work: WorkSite;
test.beforeAll(async () => {
  work = await startWorkSite(
    VALUES.map((value) =>
      buildClickVisit(1, {
        page: `/${value}`,
        label: value,
        campaign: { utm_source: value, utm_medium: value, utm_campaign: value, utm_content: value },
        data: {
          ...{ source: value, visit_channel: 'referral', visit_source: value },
          entry_page: value,
          destination: value,
          assessment_type: value,
          challenges: [value],
        },
      }),
    ),
    (clicks) =>
      VALUES.flatMap((value, index) => [
        { nativeId: value, amount: 1_000, token: clicks[index]?.id ?? '' },
        { nativeId: `unmatched ${value}`, amount: 500, token: value },
      ]),
    VALUES.map((value) =>
      buildSampleEvent({
        name: 'contact_message',
        page: `/${value}`,
        data: { topic: value, name: value, email: value, message: value },
        serverTime: Date.now(),
      }),
    ),
  );
});
test.afterAll(() => work.site.remove());
test.beforeEach(({ context }) => work.signIn(context));

test('no view runs or builds markup from what visitors and networks wrote', async ({ page }) => {
  await page.addInitScript((mark) => {
    Reflect.set(globalThis, mark, () => Reflect.set(globalThis, `${mark}-ran`, true));
  }, MARK);
  let shown = 0;
  const searches = [markup[0], markup[1], markup[3]].map(
    (value) => `commissions?q=${encodeURIComponent(value ?? '')}`,
  );
  for (const view of [...VIEWS, ...searches]) {
    const response = await page.goto(`${work.site.url}/console/${view}`.replace(/\/$/, ''));
    expect.soft(response?.status(), view).toBe(200);
    const found = await page.evaluate((mark) => {
      const all = [...document.querySelectorAll('*')];
      return {
        elements: all
          .filter((element) => element.localName.includes(mark) || element.hasAttribute(mark))
          .map((element) => element.outerHTML.slice(0, 120)),
        handlers: all.flatMap((element) =>
          element.getAttributeNames().filter((name) => /^on|^style$/.test(name)),
        ),
        links: [...document.querySelectorAll('a[href]')]
          // Links in charts are no `HTMLAnchorElement`.
          .map((link) => new URL(link.getAttribute('href') ?? '', location.href).protocol)
          .filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol)),
        hasRun: Reflect.get(globalThis, `${mark}-ran`) === true,
        isShown: document.body.textContent.includes(mark),
      };
    }, MARK);
    shown += Number(found.isShown);
    const { isShown: _, ...faults } = found;
    expect.soft(faults, view).toEqual({ elements: [], handlers: [], links: [], hasRun: false });
  }
  // The values do reach the views, or the test would prove nothing.
  expect(shown).toBeGreaterThanOrEqual(8);
});

test('no cell of an export begins like a formula', async ({ page }) => {
  for (const view of 'commissions unmatched journeys live messages campaigns placements pages'.split(' ')) {
    const response = await page.request.get(`${work.site.url}/console/${view}.csv`);
    expect.soft(response.status(), view).toBe(200);
    const cells = parseCells(await response.text());
    expect.soft(cells.length, view).toBeGreaterThan(VALUES.length);
    expect
      .soft(
        cells.filter((cell) => /^[=+@\t\r\n]|^-(?!\d+(\.\d+)?$)/.test(cell)),
        view,
      )
      .toEqual([]);
  }
});

/** The cells of a CSV file without their quotes. */
function parseCells(text: string): string[] {
  return [...text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
