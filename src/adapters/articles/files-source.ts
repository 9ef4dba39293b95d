import type { Article, ArticleCard, ArticlePage } from '../../core/articles/article.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArticleFile } from './article-file.ts';
import { buildFileArticle, buildFileCard } from './file-to-article.ts';
import { readArticleFiles } from './read-article-files.ts';

/** How the files source reads. */
export interface FilesSourceOptions {
  /** Folder of `slug.md` files. */
  readonly dir: string;
  readonly clock: Clock;
  /** Who signs an article that names nobody. */
  readonly author: string;
  /** Partner keys that exist; undefined: not checked. */
  readonly partners?: readonly string[];
}

/** The built-in source, and what only it can show: articles that are not published. */
export interface FilesSource extends ArticleSource {
  /** The article whether or not it is published; null: there is no such file. */
  preview(slug: string): Promise<Article | null>;
}

/** Creates the source that serves a folder of Markdown files. Throws `ArticleFilesError` when any is wrong. */
export function createFilesSource(options: FilesSourceOptions): FilesSource {
  const { dir, clock, author } = options;
  const partners = options.partners && new Set(options.partners);
  const files = readArticleFiles(dir, partners);
  const bySlug = new Map(files.map((file) => [file.slug, file]));
  const newestFirst = files
    .map((file) => ({ file, card: buildFileCard(file, author) }))
    .sort((a, b) => compareCards(a.card, b.card));
  const visible = () => {
    const now = new Date(clock.now()).toISOString();
    return newestFirst.filter(({ file }) => isPublished(file, now)).map(({ card }) => card);
  };
  return {
    list: async ({ page, limit }) => slicePage(visible(), page, limit),
    search: async ({ text, page, limit }) => slicePage(rankByWords(visible(), text), page, limit),
    get: async (slug) => {
      const file = bySlug.get(slug);
      if (!file || !isPublished(file, new Date(clock.now()).toISOString())) return null;
      return buildFileArticle(file, author);
    },
    preview: async (slug) => {
      const file = bySlug.get(slug);
      return file ? buildFileArticle(file, author) : null;
    },
  };
}

function isPublished({ front }: ArticleFile, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
}

function compareCards(a: ArticleCard, b: ArticleCard): number {
  return b.publishedAt.localeCompare(a.publishedAt) || a.slug.localeCompare(b.slug);
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
