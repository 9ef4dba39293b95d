import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { readContent } from '../../adapters/content/read-content.ts';
import { brandSchema } from '../../core/pages/brand/brand.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { ContentReload } from './content-reload.ts';
import { createLiveContent } from './live-content.ts';

const SHIPPED = readContent(path.resolve(import.meta.dirname, '../../../content'));

function create(read: () => Content, prepareArticles: () => () => void = () => () => undefined) {
  const live = createLiveContent(SHIPPED);
  const onApplied = vi.fn();
  const log = { info: vi.fn(), warn: vi.fn() };
  return { live, onApplied, log, reload: new ContentReload({ live, read, prepareArticles, onApplied, log }) };
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

it('a changed brand is reported until the next build, and everything else is shown', () => {
  const { live, reload } = create(() => ({ ...withTagline('New'), brand: brandSchema.parse({ radius: 3 }) }));
  reload.reload(['brand.yaml', 'site.yaml']);
  expect(live.content.site.tagline).toBe('New');
  expect(live.content.brand.radius).toBeUndefined();
  expect(reload.readWarnings()).toEqual(['content: brand.yaml has changed, it applies at the next build']);
});
