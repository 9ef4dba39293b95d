import type { Page } from '@playwright/test';

/** What a page's HTML names: where its links lead, what it loads, which anchors it has. Addresses as written. */
export interface PageReferences {
  /** `a[href]` and forms sent with GET. */
  readonly links: readonly string[];
  /** Images, scripts, islands, fonts, icons, feeds, manifests, sharing images. */
  readonly assets: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly canonical: string | null;
  readonly isIndexed: boolean;
  /** Every id, where a fragment can lead. */
  readonly anchors: readonly string[];
}

/** Reads the references of an HTML text with the browser's own parser; nothing of it is loaded or run. */
export function readReferences(page: Page, html: string): Promise<PageReferences> {
  return page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'text/html');
    const all = (selector: string, attribute: string) =>
      [...parsed.querySelectorAll(selector)].flatMap((element) => element.getAttribute(attribute) ?? []);
    const sets = [...all('[srcset]', 'srcset'), ...all('[imagesrcset]', 'imagesrcset')];
    const images = sets.flatMap((set) => set.split(',').map((part) => part.trim().split(/\s+/)[0] ?? ''));
    const meta = all('meta[property="og:image"], meta[name="twitter:image"]', 'content');
    const islands = ['component-url', 'renderer-url', 'before-hydration-url'].flatMap((name) =>
      all(`[${name}]`, name),
    );
    const styles = [...parsed.querySelectorAll('style')].map((style) => style.textContent).join();
    const styled = [...styles.matchAll(/url\(["']?([^"')]+)/g)].flatMap((match) => match[1] ?? []);
    const linked = all('link[href]:not([rel="canonical"])', 'href');
    return {
      links: [...all('a[href], area[href]', 'href'), ...all('form:not([method="post"])[action]', 'action')],
      assets: [
        ...all('[src]', 'src'),
        ...images,
        ...meta,
        ...linked,
        ...islands,
        ...styled,
        ...all('[poster]', 'poster'),
      ],
      title: parsed.title,
      description: all('meta[name="description"]', 'content').join(),
      canonical: all('link[rel="canonical"]', 'href')[0] ?? null,
      isIndexed: !/noindex/.test(all('meta[name="robots"]', 'content').join()),
      anchors: all('[id]', 'id'),
    };
  }, html);
}
