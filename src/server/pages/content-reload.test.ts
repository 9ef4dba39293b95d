import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { PreparedEdits } from '../../content-files/articles/article-folder.ts';
import { readContent } from '../../content-files/read-content.ts';
import { DAY_MS } from '../../core/clock.ts';
import { brandSchema } from '../../core/pages/brand/brand.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { ContentReload, createLiveContent } from './content-reload.ts';

const SHIPPED = readContent(path.resolve(import.meta.dirname, '../../../content'));

/** Before any of the shipped prices is too old. */
const START = Date.parse('2026-11-23');

function create(read: () => Content, prepareArticles: () => PreparedEdits | null = () => null) {
  const live = createLiveContent(SHIPPED);
  const onApplied = vi.fn();
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const reload = new ContentReload({
    live,
    documents: new Map(),
    leftOut: [],
    read: () => ({ content: read(), documents: new Map(), waiting: [], leftOut: [] }),
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
  const snapshot = live.read();
  reload.reload(['site.yaml']);
  expect(live.read().site.tagline).toBe('New');
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
  expect(live.read().site.tagline).not.toBe('New');
  expect(onApplied).not.toHaveBeenCalled();
  expect(reload.readWarnings()).toEqual(['content: an edit is not shown: a.md: excerpt is missing']);
});

const RESTART = 'stop the site and run npm start to apply it';

it('partners stay the same object until one of them changes, so that nothing is made from them again', () => {
  let partners = new Map(structuredClone([...SHIPPED.partners]));
  const { live, reload } = create(() => ({ ...withTagline('New'), partners }));
  reload.reload(['site.yaml']);
  expect(live.read().partners).toBe(SHIPPED.partners);
  partners = new Map([...SHIPPED.partners].slice(1));
  reload.reload(['partners/kit.yaml']);
  expect(live.read().partners).toBe(partners);
});

it.each([
  ['displayFont', { displayFont: '../fonts/new.woff2' }],
  ['socialImage', { socialImage: '../images/new.png' }],
])('the %s of the brand, a file of the build, is reported until the next start', (field, change) => {
  const brand = brandSchema.parse({ radius: 4, ...change });
  const { live, reload } = create(() => ({ ...withTagline('New'), brand }));
  reload.reload(['brand.yaml']);
  expect(live.read()).toMatchObject({ brand: { radius: 4 }, site: { tagline: 'New' } });
  expect(reload.readWarnings()).toEqual([`content: ${field} in content/brand.yaml has changed: ${RESTART}`]);
});
