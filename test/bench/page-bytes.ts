import type { Browser } from 'playwright';
import { readSmallestBody } from '../support/first-flight.ts';

/** Bytes of the bodies over the wire of a cold load without a touch, by kind. */
export interface PageBytes {
  readonly route: string;
  readonly html: number;
  readonly css: number;
  readonly script: number;
  readonly font: number;
  readonly image: number;
}

const KINDS: Readonly<Record<string, keyof Omit<PageBytes, 'route'>>> = {
  document: 'html',
  stylesheet: 'css',
  script: 'script',
  font: 'font',
  image: 'image',
};

/** Loads each route in a fresh profile and adds up what the bodies of its answers weigh. */
export async function measureBytes(
  browser: Browser,
  origin: string,
  routes: readonly string[],
): Promise<PageBytes[]> {
  const measured: PageBytes[] = [];
  for (const route of routes) {
    await readSmallestBody(origin + route);
    const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
    const page = await context.newPage();
    const bytes = { html: 0, css: 0, script: 0, font: 0, image: 0 };
    const counted: Promise<void>[] = [];
    page.on('requestfinished', (request) => {
      const kind = KINDS[request.resourceType()];
      if (kind === undefined) return;
      counted.push(
        request.sizes().then(
          (sizes) => {
            bytes[kind] += sizes.responseBodySize;
          },
          () => undefined,
        ),
      );
    });
    await page.goto(origin + route, { waitUntil: 'networkidle' });
    await Promise.all(counted);
    await context.close();
    measured.push({ route, ...bytes });
  }
  return measured;
}
