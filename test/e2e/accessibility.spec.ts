import type { Page } from '@playwright/test';
import {
  findAxeViolationsUnfolded,
  findContrastViolations,
  findTextsLostInForcedColors,
  findViolationsInBothSchemes,
  walkByKeyboard,
} from '../support/accessibility.ts';
import { expect, FAILED_PAGES, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { readRoutes, sampleRoutes, takeShare } from '../support/routes.ts';

const PARTS = 4;
const BOTH = ['light', 'dark'] as const;
/** States that no sitemap lists. */
const STATES = [
  '/blog?q=crm',
  '/blog?q=nothingmatchesthis',
  '/blog?page=2',
  '/no-such-page',
  ...(IS_FULL_LENGTH ? ['/blog/no-such-article', '/500'] : []),
];

/** Controls, tables and images with a meaning, as the accessibility tree lists them. */
const NAMED =
  /^\s*- (?:button|checkbox|combobox|img|link|radio|searchbox|slider|spinbutton|table|textbox)\b(.*)$/;

test.describe('in both color schemes', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' }, tolerated: FAILED_PAGES });

  for (let part = 1; part <= PARTS; part += 1) {
    test(`pages with every type of section pass axe, name their controls, and are read with forced colors (${part} of ${PARTS})`, {
      tag: '@generic',
    }, async ({ page, site }) => {
      const sections = sampleRoutes(await readRoutes(site.url), site.contentDir, 'types');
      for (const [index, route] of takeShare([...sections, ...STATES], part, PARTS).entries()) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(route);
        const lines = (await page.locator('body').ariaSnapshot()).split('\n');
        const operated = lines.filter((line) => NAMED.test(line));
        expect.soft(operated.length, `${route}: what can be operated`).toBeGreaterThan(5);
        // A citation has the number of its source.
        const nameless = operated.filter((line) => !/ "(?:[^"]*\p{L}[^"]*|\d{1,2})"/u.test(line));
        expect.soft(nameless, `${route}: without a name`).toEqual([]);
        const main = lines.filter((line) => /^\s*- (?:banner|main|contentinfo):/.test(line));
        expect.soft(main.length, `${route}: header, main and footer`).toBe(3);
        expect.soft(await findAxeViolationsUnfolded(page), `${route}, light`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect.soft(await findContrastViolations(page), `${route}, dark`).toEqual([]);
        // The colors are those of the system: each page is seen in one of its schemes.
        const schemes = IS_FULL_LENGTH ? BOTH : BOTH.slice(index % 2, (index % 2) + 1);
        expect.soft(await findTextsLostInForcedColors(page, schemes), `${route}, forced colors`).toEqual([]);
      }
    });
  }
});

test.describe('with forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

  // Backgrounds and shadows are gone there, so an edge has to say what is a button and an outline what has the focus.
  test('buttons and fields keep an edge, and the focus is still seen', async ({ page, site }) => {
    const routes = await readRoutes(site.url);
    for (const route of ['/', '/blog', '/assessment', '/contact', '/roi-calculator']) {
      expect(routes).toContain(route);
      await page.goto(route, { waitUntil: 'networkidle' });
      const edgeless = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.button, input, textarea, select')]
          .filter(
            (one) =>
              one.checkVisibility() && !one.matches('[type="hidden"], [type="radio"], [type="checkbox"]'),
          )
          .filter((one) => one.tabIndex >= 0 && Number.parseFloat(getComputedStyle(one).borderTopWidth) === 0)
          .map((one) => one.outerHTML.slice(0, 120)),
      );
      expect.soft(edgeless, route).toEqual([]);
      // What the header covers on the way back does not depend on the colors.
      expect.soft(await walkByKeyboard(page, route === '/' ? 'forward' : 'main'), route).toEqual([]);
    }
  });
});

/** Pages on which the elements differ between a narrow and a wide window, and the way back is walked as well. */
const NARROW = ['/', '/blog', '/assessment', '/contact'];

for (const width of [390, 1280]) {
  for (let part = 1; part <= PARTS; part += 1) {
    test(`Tab reaches everything in order, in view, at ${width} px (${part} of ${PARTS})`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const routes = sampleRoutes(await readRoutes(site.url), site.contentDir, 'types');
      // The sections are the same elements at both widths; the header, the lists and the forms are not.
      const chosen = width === 390 && !IS_FULL_LENGTH ? NARROW : routes;
      for (const route of takeShare(chosen, part, PARTS)) {
        await page.goto(route, { waitUntil: 'networkidle' });
        // Header and footer, and what the header covers on the way back, are the same on every page.
        const ways = IS_FULL_LENGTH || NARROW.includes(route) ? 'both' : 'main';
        expect.soft(await walkByKeyboard(page, ways), route).toEqual([]);
      }
    });
  }
}

test('the first stop of a page skips its header', { tag: '@generic' }, async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

// The rules of colors judge one text of each kind: a text that differs from its kind in one scheme is still seen.
test('a text that loses its contrast in the dark alone is found after others of its kind', async ({
  page,
}) => {
  await page.goto('/');
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
  await page.evaluate(() => {
    const links = [...document.querySelectorAll('footer a')];
    links.at(-1)?.setAttribute('data-faded', '');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@media (prefers-color-scheme: dark) { [data-faded] { color: #333 !important } }');
    document.adoptedStyleSheets.push(sheet);
  });
  const found = await findViolationsInBothSchemes(page);
  expect(found.length).toBe(1);
  expect(found[0]).toMatch(/^dark: color-contrast: .*data-faded|^dark: color-contrast: .*footer/s);
});

/** Adds a text with a style of its own to the page, within frames and shadow roots that stand in each other. */
const addText = (page: Page, places: readonly ('frame' | 'root')[], style: string) =>
  page.evaluate(
    ([steps, css]) => {
      let [tree, parent]: [Document | ShadowRoot, Element | ShadowRoot] = [document, document.body];
      const add = (name: string) =>
        parent.appendChild((parent.ownerDocument ?? document).createElement(name));
      for (const step of steps) {
        if (step === 'root') tree = parent = add('section').attachShadow({ mode: 'open' });
        else tree = (add('iframe') as HTMLIFrameElement).contentDocument ?? document;
        if (step === 'frame') parent = (tree as Document).body;
      }
      // A style sheet belongs to the window that makes it.
      const sheet = new (parent.ownerDocument.defaultView ?? window).CSSStyleSheet();
      sheet.replaceSync(css);
      tree.adoptedStyleSheets.push(sheet);
      const text = add('p');
      text.className = 'added';
      text.textContent = 'A text';
    },
    [places, style] as const,
  );

for (const places of [[], ['root'], ['root', 'root'], ['frame', 'root']] as const)
  test(`no color is judged in the middle of a transition, in ${['the page', ...places].join(', ')}`, async ({
    page,
  }) => {
    await page.goto('/contact');
    // The background follows the text: on the way, nobody can read it.
    const style = `.added { background: #fff; color: #222; transition: background-color 500ms step-end }
       @media (prefers-color-scheme: dark) { .added { background: #000; color: #ddd } }`;
    await addText(page, places, style);
    for (const colorScheme of ['light', 'dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findContrastViolations(page), colorScheme).toEqual([]);
    }
  });

for (const place of ['root', 'frame'] as const)
  test(`a text in a ${place} is judged in the dark after all other texts of the page have passed`, async ({
    page,
  }) => {
    await page.goto('/contact');
    expect(await findViolationsInBothSchemes(page)).toEqual([]);
    await addText(
      page,
      [place],
      '.added { background: #fff } @media (prefers-color-scheme: dark) { .added { color: #eee } }',
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    expect((await findContrastViolations(page)).join()).toContain('foreground color: #eeeeee');
  });
