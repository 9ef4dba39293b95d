import { brotliCompressSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';

/** One thing that a page brings with it. */
export interface Weighed {
  /** The browser's kind of resource, or `inline script`. */
  readonly type: string;
  readonly path: string;
  /** Of the body as sent; of an inline script compressed by itself. */
  readonly bytes: number;
}

/** Everything that a cold load of a page fetches, and the inline scripts of the page. */
export async function loadAndWeigh(page: Page, route: string): Promise<Weighed[]> {
  const loaded: Weighed[] = [];
  const pending: Promise<void>[] = [];
  const weigh = (request: Request) => {
    pending.push(
      request.sizes().then(({ responseBodySize }) => {
        loaded.push({
          type: request.resourceType(),
          path: new URL(request.url()).pathname,
          bytes: responseBodySize,
        });
      }),
    );
  };
  page.on('requestfinished', weigh);
  // The headless shell begins with a pointer in the corner of the page, which would load the islands.
  await page.addInitScript(() => addEventListener('pointerover', (e) => e.stopImmediatePropagation(), true));
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  // The memory of the browser has the font of the page before, which no request would show.
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(route, { waitUntil: 'networkidle' });
  page.off('requestfinished', weigh);
  await Promise.all(pending);
  await session.detach();
  return [...loaded, ...(await weighInlineScripts(page))];
}

/** Scripts in the page that run; what search engines and the browser only read (JSON) is no script. */
async function weighInlineScripts(page: Page): Promise<Weighed[]> {
  const texts = await page
    .locator('script:not([src])')
    .evaluateAll((scripts) =>
      scripts
        .filter((one) =>
          /^$|^module$|^(text|application)\/(java|ecma)script$/i.test(one.getAttribute('type') ?? ''),
        )
        .map((one) => one.textContent ?? ''),
    );
  return texts.map((text) => ({
    type: 'inline script',
    path: `${text.slice(0, 20)}…`,
    bytes: brotliCompressSync(text).length,
  }));
}
