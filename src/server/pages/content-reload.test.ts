import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { DAY_MS } from '../../core/clock.ts';
import { brandSchema } from '../../core/pages/brand/brand.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import type { PreparedEdits } from '../../sources/articles/files/article-folder.ts';
import { type FixedContent, readContent } from '../../sources/content/read-content.ts';
import { ContentReload, createLiveContent } from './content-reload.ts';

const SHIPPED = readContent(path.resolve(import.meta.dirname, '../../../content'));

/** Before any of the shipped prices is too old. */
const START = Date.parse('2026-11-23');

function create(
  read: () => Content,
  prepareArticles: () => PreparedEdits | null = () => null,
  readFixed: () => FixedContent = () => SHIPPED,
) {
  const live = createLiveContent(SHIPPED);
  const onApplied = vi.fn();
  const log = { info: vi.fn(), warn: vi.fn() };
  const reload = new ContentReload({
    live,
    documents: new Map(),
    leftOut: [],
    read: () => ({ content: read(), documents: new Map(), waiting: [], leftOut: [] }),
    readFixed,
    prepareArticles,
    onApplied,
    log,
    now: START,
  });
  return { live, onApplied, log, reload };
}

const withTagline = (tagline: string): Content => {
  return { ...SHIPPED, site: { ...SHIPPED.site, tagline } };
};

it('a snapshot keeps its content when the live content is replaced', () => {
  const { live, reload } = create(() => withTagline('New'));
  const snapshot = { ...live.content };
  reload.reload(['site.yaml']);
  expect(live.content.site.tagline).toBe('New');
  expect(snapshot.site.tagline).not.toBe('New');
});

it('shows the content again as soon as a price is too old, and once', () => {
  const { reload, onApplied } = create(() => SHIPPED);
  reload.refreshPrices(START + DAY_MS);
  expect(onApplied).not.toHaveBeenCalled();
  reload.refreshPrices(START + 400 * DAY_MS);
  reload.refreshPrices(START + 400 * DAY_MS);
  expect(onApplied).toHaveBeenCalledOnce();
});

it('an article that cannot be read keeps pages and articles as they are', () => {
  const { live, reload, onApplied } = create(
    () => withTagline('New'),
    () => {
      throw new Error('[articles:files] 1 file is invalid\n  a.md: excerpt is missing');
    },
  );
  reload.reload(['site.yaml', 'articles/a.md']);
  expect(live.content.site.tagline).not.toBe('New');
  expect(onApplied).not.toHaveBeenCalled();
  expect(reload.readWarnings()).toEqual(['content: an edit is not shown: a.md: excerpt is missing']);
});

const RESTART = 'stop the site and run npm start to apply it';

it.each<[string, () => FixedContent, string]>([
  [
    'a changed brand',
    () => ({ ...SHIPPED, brand: brandSchema.parse({ logo: { src: '../images/new.svg', alt: 'New' } }) }),
    `content: content/brand.yaml has changed: ${RESTART}`,
  ],
  [
    'a changed partner',
    () => ({ ...SHIPPED, partners: new Map([...SHIPPED.partners].slice(1)) }),
    `content: a file in content/partners/ has changed: ${RESTART}`,
  ],
  [
    'an invalid brand',
    () => {
      throw new Error('[content] 1 problem:\n  content/brand.yaml, radius: too large');
    },
    'content: a file is invalid, and the site would not start again: content/brand.yaml, radius: too large',
  ],
])('%s is reported until the next start, and everything else is shown', (_, readFixed, warning) => {
  const { live, reload, log } = create(() => withTagline('New'), undefined, readFixed);
  reload.reload(['brand.yaml', 'site.yaml']);
  expect(live.content.site.tagline).toBe('New');
  expect([live.content.brand, live.content.partners]).toEqual([SHIPPED.brand, SHIPPED.partners]);
  expect(reload.readWarnings()).toEqual([warning]);
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(warning, expect.anything());
});

it('another name of the article service waits for the next start, and everything else is shown', () => {
  const { site } = withTagline('New');
  const { live, reload } = create(() => ({
    ...SHIPPED,
    site: { ...site, articleService: { name: 'Other' } },
  }));
  reload.reload(['site.yaml']);
  expect(live.content.site).toMatchObject({ tagline: 'New', articleService: SHIPPED.site.articleService });
  expect(reload.readWarnings()).toEqual([
    `content: articleService.name in content/site.yaml has changed: ${RESTART}`,
  ]);
});
