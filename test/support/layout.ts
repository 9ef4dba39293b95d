import type { Page } from '@playwright/test';

/** Elements that the window cuts where nothing scrolls them, and by how much the page scrolls sideways; empty when all fits. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(readOverflow, false);
}

/** The same in the present state of the page and with each of its menus, folded parts and explanations opened in turn. */
export function findOverflowOpened(page: Page): Promise<string[]> {
  return page.evaluate(readOverflow, true);
}

/** Runs in the page. */
function readOverflow(isOpened: boolean): string[] {
  const found: string[] = [];
  const isScrolled = (element: Element): boolean => {
    for (
      let parent = element.parentElement;
      parent && parent !== document.body;
      parent = parent.parentElement
    ) {
      if (getComputedStyle(parent).overflowX !== 'visible') return true;
    }
    return false;
  };
  /** The bar of the console moves along when the page is scrolled. */
  const isCutBelow = (element: Element, bottom: number): boolean =>
    bottom > innerHeight + 1 &&
    [...document.querySelectorAll('.bar')].some((bar) => bar.contains(element) && bar !== element);
  const check = (root: Element, state: string): void => {
    // Without the scrollbar, which takes room in Firefox.
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = [root, ...root.querySelectorAll('*')].filter((element) => {
      const { left, right, width, bottom } = element.getBoundingClientRect();
      // What is wholly on the left of the window is there on purpose: no one can scroll to it.
      const isCut =
        width > 0 && right > 0 && (left < -1 || right > clientWidth + 1 || isCutBelow(element, bottom));
      return isCut && element.checkVisibility({ visibilityProperty: true }) && !isScrolled(element);
    });
    if (scrollWidth > clientWidth) found.push(`${state}the page is ${scrollWidth} wide, not ${clientWidth}`);
    for (const element of wide.slice(0, 5)) {
      const { left, right, bottom } = element.getBoundingClientRect();
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      found.push(`${state}${name} reaches from ${left} to ${right} and down to ${bottom}`);
    }
  };
  check(document.body, '');
  if (!isOpened) return found;
  const open = (root: Element, around: string): void => {
    for (const details of root.querySelectorAll('details')) {
      if (details.open || !details.checkVisibility()) continue;
      details.open = true;
      const state = `${around}${details.querySelector('summary')?.textContent?.trim()}: `;
      check(details, state);
      open(details, state);
      details.open = false;
    }
  };
  open(document.body, '');
  for (const button of document.querySelectorAll<HTMLElement>('button[aria-describedby]')) {
    const card = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    // The name of a column that sorts is a link; the button beside it is for devices without a pointer.
    const trigger = button.checkVisibility() ? button : button.parentElement?.querySelector('a');
    if (!card || !trigger?.checkVisibility()) continue;
    trigger.focus({ preventScroll: true });
    if (!card.checkVisibility()) found.push(`${trigger.textContent} explains nothing when it has the focus`);
    else check(card, `${trigger.textContent}, explained: `);
    const [name, shown] = [trigger.getBoundingClientRect(), card.getBoundingClientRect()];
    if (shown.height > 0 && shown.top < name.bottom - 2)
      found.push(`${trigger.textContent} is below its explanation`);
    trigger.blur();
  }
  return found;
}

/** Words and amounts of the page that are broken over two lines, outside heads of tables that are read out alone. */
export const findBrokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement?.closest('thead, code, script, .sr-only')) continue;
      for (const { index, 0: word } of text.textContent?.matchAll(/[\p{L}\d$.,]{3,}/gu) ?? []) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
      }
    }
    return found;
  });

/** Elements whose frame cuts what is in them, where nothing scrolls: no teaser of a card and no drawing, which show a part. */
export const findClipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    return [...document.querySelectorAll('body *')].flatMap((element) => {
      const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(element);
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      const cuts = (overflow: string, shown: number, whole: number) =>
        ['hidden', 'clip'].includes(overflow) && shown > 1 && whole > shown + 2;
      const isPart = webkitLineClamp !== 'none' || element.matches('input, .art, svg *');
      return !isPart &&
        (cuts(overflowX, clientWidth, scrollWidth) || cuts(overflowY, clientHeight, scrollHeight))
        ? [`${element.tagName}.${element.getAttribute('class')} shows ${clientWidth} of ${scrollWidth}`]
        : [];
    });
  });

export interface LayoutShifts {
  /** Sum of all shifts since the page was opened: at least what browsers report as its cumulative layout shift. */
  readonly total: number;
  /** What moved, and how far. */
  readonly moves: readonly string[];
}

/** Notes every layout shift of the pages that are opened from now on. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<LayoutShifts>> {
  await page.addInitScript(() => {
    const shifts = { total: 0, moves: [] as string[] };
    Object.assign(globalThis, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        const moved = entry.sources.map(({ node }) =>
          node instanceof Element
            ? `${node.tagName.toLowerCase()}.${node.className}`
            : String(node?.nodeName),
        );
        if (entry.hadRecentInput) continue;
        shifts.total += entry.value;
        shifts.moves.push(`${entry.value.toFixed(5)} ${moved.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });

    interface LayoutShift {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    }
  });
  return () => page.evaluate(() => (globalThis as unknown as { layoutShifts: LayoutShifts }).layoutShifts);
}

/** Scrolls from the top to the end as a reader does, so that everything lazy loads. */
export async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight * 0.7) {
      scrollTo({ top, behavior: 'instant' });
      await frame();
      await frame();
    }
  });
  await page.waitForLoadState('networkidle');
}
