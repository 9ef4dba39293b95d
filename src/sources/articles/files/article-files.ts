import type { Author } from '../../../core/articles/author.schema.ts';
import type { FieldProblem } from '../../../core/articles/front-matter.schema.ts';
import type { ImageCatalog } from '../../../core/pages/content-image.ts';
import type { StoredSearch } from '../article-search.ts';
import type { ArticleFile } from './article-file.ts';

/** What article files may refer to. */
export interface ArticleReferences {
  /** Keys that `partner` may name; undefined: any. */
  readonly partners?: ReadonlySet<string> | undefined;
  /** Authors that `author` may name by their key; undefined: any. */
  readonly authors?: ReadonlyMap<string, Author> | undefined;
  readonly images: ImageCatalog;
}

export interface InvalidFile {
  readonly file: string;
  readonly problems: readonly FieldProblem[];
}

/** Article files as a site can show them. */
export interface ReadFiles {
  readonly files: readonly ArticleFile[];
  /** Files whose new version names an image that the next build makes. */
  readonly waiting: readonly InvalidFile[];
}

/** Where the article files come from: a folder, or the build, which has read and checked them. */
export interface ArticleFiles {
  /** Returns every file. Throws `ArticleFilesError` when one is invalid. */
  read(references: ArticleReferences): readonly ArticleFile[];
  /**
   * Returns the files of a running site. A file that names an image which is not in the build stays as it is `shown`; a
   * new one is left out. Throws `ArticleFilesError`.
   */
  readEdits(references: ArticleReferences, shown: ReadonlyMap<string, ArticleFile>): ReadFiles;
  /** Lists the slugs of the files, valid or not. */
  listSlugs(): readonly string[];
  /** Returns a text that changes with every edit. */
  readState(): string;
  /** Returns the search index that the build has filled with the articles published then; left out without one. */
  readonly readSearch?: () => StoredSearch;
}
