import type { Page } from '@playwright/test';

/** Elements that reach past the right edge of the viewport where nothing scrolls them; empty when all fits. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element): boolean => {
      for (
        let parent = element.parentElement;
        parent && parent !== document.body;
        parent = parent.parentElement
      ) {
        if (getComputedStyle(parent).overflowX !== 'visible') return true;
      }
      return false;
    };
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} ends at ${element.getBoundingClientRect().right}`;
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 1 && element.checkVisibility() && !scrolls(element),
    );
    const found = wide.slice(0, 5).map(name);
    const { scrollWidth } = document.documentElement;
    return scrollWidth > width ? [`the page is ${scrollWidth} wide`, ...found] : found;
  });
}

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
