// How much a view says and how high it is, with the data of the demo.
import path from 'node:path';
import { generateDemo, writeDemo } from '../../src/commands/demo.ts';
import { readContent } from '../../src/content-files/read-content.ts';
import { expect, test } from '../support/browser-test.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { startSite } from '../support/site.ts';

/** The most pixels that each view is high, in windows of 1440 and 390 px. */
const HEIGHTS: Readonly<Record<string, readonly [wide: number, narrow: number]>> = {
  '': [1_500, 2_300],
  '/week': [1_300, 2_000],
  '/money': [1_400, 2_000],
  '/commissions': [1_500, 2_600],
  '/unmatched': [1_600, 2_600],
  '/pages': [1_500, 2_400],
  '/pages?page=%2Fassessment': [1_700, 2_900],
  '/sources': [1_200, 2_000],
  '/campaigns': [1_400, 2_100],
  '/partners': [900, 1_400],
  '/partners?partner=highlevel': [1_100, 1_800],
  '/content': [1_500, 2_300],
  '/content/prices': [1_300, 2_600],
  '/content/images': [1_500, 2_500],
  '/content/links': [1_400, 2_300],
  '/content/links?state=missing': [1_400, 2_300],
  '/messages': [1_500, 2_400],
  '/settings': [1_100, 1_700],
  '/settings/brand': [900, 1_500],
};
/** What the demo has varies with the day on which it ends. */
const SLACK = 1.08;
const MAX_WORDS = 450;
const MAX_WORDS_OF_ALL = 6_500;
const MAX_CONTROLS = 70;
/** Words that a reader has to look up. */
const FORBIDDEN =
  /\b(?:clock|booked|booking|postbacks?|placement|expected|attribution|touch|EPC|RPM|per click so far|outlook|maturity|found its click|unmatched|sub-id|dossier|fallback|beyond chance|taken from the|credit model|programs)\b/i;

test('each view is as high and says as much as it may, and names its figure first', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const folder = test.info().outputPath('demo');
  const contentDir = path.resolve('content');
  const size = { events: 60_000, commissions: 400 };
  const data = generateDemo(readContent(contentDir), contentDir, size, Date.now(), 14);
  await writeDemo(folder, data, 'UTC', () => undefined);
  await using site = await startSite({ env: { DATA_DIR: folder, CONTENT_DIR: contentDir } });
  const { signIn } = await openConsoleSite(site);
  await signIn(context);
  let words = 0;
  for (const [view, [wide, narrow]] of Object.entries(HEIGHTS)) {
    for (const [width, most, top] of [
      [1_440, wide, 200],
      [390, narrow, 240],
    ] as const) {
      const name = `${view || '/'} at ${width} px`;
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${site.url}/console${view}`);
      // A preview is beside its form once it is drawn.
      if (view === '/settings/brand')
        await page.locator('.editor-frame:not([data-loading])').waitFor({ state: 'attached' });
      const shown = await page.evaluate(measure);
      expect.soft(shown.height, `${name}: height`).toBeLessThanOrEqual(Math.max(900, most * SLACK));
      expect.soft(shown.width, `${name}: width`).toBeLessThanOrEqual(width);
      expect.soft(shown.figure, `${name}: top of the first figure`).toBeLessThan(top);
      expect.soft(shown.columns, `${name}: columns`).toBeLessThanOrEqual(7);
      expect.soft(shown.controls, `${name}: links, buttons and fields`).toBeLessThanOrEqual(MAX_CONTROLS);
      expect.soft(shown.text.split(/\s+/).length, `${name}: words`).toBeLessThanOrEqual(MAX_WORDS * SLACK);
      // Pieces may say what they like, also in their titles and file names.
      const own = shown.text.replaceAll(/lead.magnet.to.booked.call/gi, '');
      if (!view.startsWith('/content'))
        expect.soft(FORBIDDEN.exec(own)?.[0], `${name}: a word of the trade`).toBeUndefined();
      if (width === 1_440) words += shown.text.split(/\s+/).length;
      else {
        const wide = await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
          return document.documentElement.scrollWidth;
        });
        expect.soft(wide, `${name}: width with text twice as large`).toBeLessThanOrEqual(width);
      }
    }
  }
  expect(words).toBeLessThanOrEqual(MAX_WORDS_OF_ALL);
});

/** What a page shows, without what is for screen readers alone. Runs in the page. */
function measure() {
  const { scrollHeight: height, scrollWidth: width } = document.documentElement;
  const controls = [
    ...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary)'),
  ];
  const shownControls = controls.filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0,
  ).length;
  let figure = 0;
  const heading = document.querySelector('h1');
  const walker = heading && document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  while (walker?.nextNode() && figure === 0) {
    const node = walker.currentNode;
    const place = (node.textContent ?? '').search(/\d/);
    if (place === -1) continue;
    const range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place + 1);
    figure = Math.round(range.getBoundingClientRect().top);
  }
  const columns = Math.max(
    0,
    ...[...document.querySelectorAll('table')].map((one) => one.rows[0]?.cells.length ?? 0),
  );
  for (const hidden of document.querySelectorAll('.hidden-text')) hidden.remove();
  return { height, width, controls: shownControls, figure, columns, text: document.body.innerText.trim() };
}
