import type { ImageCatalog } from '../../core/pages/content-image.ts';
import type { ArticleFiles } from '../articles/files/article-files.ts';
import type { CollectedUses } from './collect-claim-uses.ts';
import type { FixedContent, readContentDocuments } from './read-content.ts';
import type { EditedContent, ShownContent } from './read-edits.ts';

/** Where the content comes from: the content folder, or the build, which has read and checked it. */
export interface ContentSource {
  /** Returns the checked content with its documents. Throws `ContentError`. `articles`: slugs that pages may name. */
  read(articles?: ReadonlySet<string>): ReturnType<typeof readContentDocuments>;
  /** Returns edited content as it can be shown. Throws `ContentError`. */
  readEdits(shown: ShownContent, articles?: ReadonlySet<string>): EditedContent;
  /** Returns what a running site keeps until its next start. Throws `ContentError`. */
  readFixed(): FixedContent;
  /** Returns the images of the build, the same object until they change. Throws `ContentError` without any. */
  readImages(): ImageCatalog;
  /** Creates a reader of the places where content files name claims, which have these keys. */
  createClaimUsesReader(keys: ReadonlySet<string>): () => CollectedUses;
  readonly articles: ArticleFiles;
}
