import type { Article, ArticleCard, ArticlePage } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import { createFilesFolder, type FileEntry, type FilesFolderOptions } from './files-folder.ts';

/** The built-in source, and what only it can show: articles that are not published. */
export interface FilesSource extends ArticleSource {
  /** The article whether or not it is published; null: there is no such file. */
  preview(slug: string): Promise<Article | null>;
}

/** Creates the source that serves a folder of Markdown files. Throws `ArticleFilesError` when any is wrong. */
export function createFilesSource(options: FilesFolderOptions & { readonly clock: Clock }): FilesSource {
  const folder = createFilesFolder(options);
  const now = () => new Date(options.clock.now()).toISOString();
  const visible = () => {
    const time = now();
    return folder
      .entries()
      .filter((entry) => isPublished(entry, time))
      .map(({ card }) => card);
  };
  return {
    list: async ({ page, limit }) => slicePage(visible(), page, limit),
    search: async ({ text, page, limit }) => slicePage(rankByWords(visible(), text), page, limit),
    get: async (slug) => {
      const entry = folder.find(slug);
      return entry && isPublished(entry, now()) ? folder.render(entry) : null;
    },
    preview: async (slug) => {
      const entry = folder.find(slug);
      return entry && folder.render(entry);
    },
  };
}

function isPublished({ file: { front } }: FileEntry, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
}

function slicePage(cards: readonly ArticleCard[], page: number, limit: number): ArticlePage {
  const end = page * limit;
  return { articles: cards.slice(end - limit, end), hasMore: cards.length > end };
}

function rankByWords(cards: readonly ArticleCard[], text: string): readonly ArticleCard[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return cards.filter((card) => {
    const heap = [card.title, card.excerpt, ...card.categories, ...card.tags].join(' ').toLowerCase();
    return words.every((word) => heap.includes(word));
  });
}
