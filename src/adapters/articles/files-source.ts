import type { Article, ArticleCard } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import { slicePage } from './cache/article-library.ts';
import { readPlainText } from './file-to-article.ts';
import { createFilesFolder, type FilesFolderOptions } from './files-folder.ts';
import { createPublishedFiles } from './published-files.ts';
import { createLibrarySearch } from './search/library-search.ts';

/** The built-in source, and what only it can show: articles that are not published. */
export interface FilesSource extends ArticleSource {
  /** Every published article, newest first. */
  cards(): readonly ArticleCard[];
  /** The published articles that share the most telling words with one. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleCard[]>;
  /** The article whether or not it is published; null: there is no such file. */
  preview(slug: string): Promise<Article | null>;
  /** Resolves when the search index knows every file. */
  readonly filled: Promise<void>;
}

/** Creates the source that serves a folder of Markdown files. Throws `ArticleFilesError` when any is wrong. */
export function createFilesSource(options: FilesFolderOptions & { readonly clock: Clock }): FilesSource {
  const folder = createFilesFolder(options);
  const shown = createPublishedFiles(() => folder.entries(), options.clock);
  const search = createLibrarySearch({
    card: (slug) => shown.find(slug)?.card ?? null,
    cards: shown.cards,
    readBody: async (slug) => readPlainText(shown.find(slug)?.file.markdown ?? ''),
    readBodiesAfter: async (after, count) =>
      shown
        .bySlug()
        .filter(({ file }) => file.slug > after)
        .slice(0, count)
        .map(({ file }) => ({ slug: file.slug, text: readPlainText(file.markdown) })),
  });
  /** Takes into the index what was published, edited or withdrawn since the last search. */
  const follow = async () => {
    const { added, removed } = shown.takeChanges();
    for (const slug of removed) search.remove(slug);
    for (const { card, file } of added) await search.put(card, readPlainText(file.markdown));
  };
  return {
    cards: shown.cards,
    get filled() {
      return search.filled;
    },
    list: async ({ page, limit }) => slicePage(shown.cards(), page, limit),
    search: async ({ text, page, limit }) => {
      if (text.trim() === '') return slicePage(shown.cards(), page, limit);
      await follow();
      return search.find({ text, page, limit });
    },
    get: async (slug) => {
      const entry = shown.find(slug);
      return entry && folder.render(entry);
    },
    findRelated: async (slug, limit) => {
      await follow();
      return search.findRelated(slug, limit);
    },
    preview: async (slug) => {
      const entry = folder.find(slug);
      return entry && folder.render(entry);
    },
  };
}
