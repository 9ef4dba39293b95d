import { BLOG_PATH, parsePath } from '../paths.ts';

/** A link of a content file to an article, topic or tag. */
export interface ArticleReference {
  /** Where it is, such as `/roi-calculator sections.2.cta.href`. */
  readonly place: string;
  /** Path of the site, without query and fragment. */
  readonly path: string;
}

/** Lists the links below the blog's path in the texts of a content value, at any depth. */
export function listArticleReferences(value: unknown, place: string): readonly ArticleReference[] {
  if (typeof value === 'string') {
    const links = value.matchAll(new RegExp(`(?<![\\w.:/-])${BLOG_PATH}/[^\\s()<>"'#?]+`, 'g'));
    return [...links].flatMap(([link]) => {
      const path = parsePath(link.replace(/[.,;:!]+$/, ''));
      return path === null ? [] : [{ place, path }];
    });
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.flatMap(([key, item]) =>
    listArticleReferences(item, `${place}${place && ' '}${String(key)}`),
  );
}
