import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Article, ArticleCard } from '../../core/articles/article.ts';
import { compareNewestFirst } from '../../core/articles/neighbours.ts';
import type { ArticleFile } from './article-file.ts';
import { buildFileArticle, buildFileCard } from './file-to-article.ts';
import { readArticleFiles } from './read-article-files.ts';

/** How a folder of articles is read. */
export interface FilesFolderOptions {
  /** Folder of `slug.md` files. */
  readonly dir: string;
  /** Who signs an article that names nobody. */
  readonly author: string;
  /** Partner keys that exist; undefined: not checked. */
  readonly partners?: readonly string[];
  readonly sanitise: (html: string) => string;
  /** true: look before every answer whether a file has changed (development). */
  readonly reload?: boolean;
}

/** A file and what lists show of it. */
export interface FileEntry {
  readonly file: ArticleFile;
  readonly card: ArticleCard;
}

/** All files of a folder, published or not. */
export interface FilesFolder {
  /** Newest first. */
  entries(): readonly FileEntry[];
  find(slug: string): FileEntry | null;
  /** Renders the article of an entry; the same one once. */
  render(entry: FileEntry): Article;
}

/** Reads a folder of article files. Throws `ArticleFilesError` when any is wrong, with `reload` also later. */
export function createFilesFolder(options: FilesFolderOptions): FilesFolder {
  const { dir, author, sanitise } = options;
  const partners = options.partners && new Set(options.partners);
  let signature = '';
  let entries: readonly FileEntry[] = [];
  let bySlug = new Map<string, FileEntry>();
  const rendered = new WeakMap<FileEntry, Article>();
  const read = () => {
    entries = readArticleFiles(dir, partners)
      .map((file) => ({ file, card: buildFileCard(file, author) }))
      .sort((a, b) => compareNewestFirst(a.card, b.card));
    bySlug = new Map(entries.map((entry) => [entry.file.slug, entry]));
  };
  const refresh = () => {
    if (!options.reload) return;
    const now = readSignature(dir);
    if (now === signature) return;
    read();
    signature = now;
  };
  if (!options.reload) read();
  refresh();
  return {
    entries: () => {
      refresh();
      return entries;
    },
    find: (slug) => {
      refresh();
      return bySlug.get(slug) ?? null;
    },
    render: (entry) => {
      const article = rendered.get(entry) ?? buildFileArticle(entry.file, author, sanitise);
      rendered.set(entry, article);
      return article;
    },
  };
}

function readSignature(dir: string): string {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${name}:${statSync(path.join(dir, name)).mtimeMs}`)
    .join('|');
}
