import { BLOG_PATH, parsePath } from '../paths.ts';
import { describeField } from './describe-field.ts';
import { listTexts } from './list-texts.ts';

const ARTICLE_LINK = new RegExp(`(?<![\\w.:/-])${BLOG_PATH}/[^\\s()<>"'#?]+`, 'g');

/** A link of a content file to an article, topic or tag. */
export interface ArticleReference {
  /** Where it is, such as `/roi-calculator sections.2 (prose).body`. */
  readonly place: string;
  /** Path of the site, without query and fragment. */
  readonly path: string;
}

/** Lists the links below the blog's path in the texts of a content file. `file` begins their places. */
export function listArticleReferences(content: unknown, file: string): readonly ArticleReference[] {
  return listTexts(content).flatMap(({ text, path: field }) =>
    [...text.matchAll(ARTICLE_LINK)].flatMap(([link]) => {
      const path = parsePath(link.replace(/[.,;:!]+$/, ''));
      return path === null ? [] : [{ place: `${file} ${describeField(content, field)}`, path }];
    }),
  );
}
