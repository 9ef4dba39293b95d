/** An article of another system: its fields are checked, its body is not sanitized, its image may be on any host. */
export interface UpstreamArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly featuredImage: {
    readonly src: string;
    readonly alt: string;
    /** Pixels; 0: unknown. */
    readonly width: number;
    readonly height: number;
    /** MIME type; empty: unknown. */
    readonly type: string;
    /** Plain text, such as the photographer. */
    readonly caption: string;
    /** The same image in other sizes, and cropped ones. */
    readonly sizes: readonly { readonly src: string; readonly width: number; readonly height: number }[];
  } | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly author: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** Minutes; null: unknown. */
  readonly readingTime: number | null;
  /** HTML; null: not part of the response, as in most lists. */
  readonly content: string | null;
  readonly seoTitle: string;
  readonly seoDescription: string;
  /** Address of the original when the article is a copy; empty: it is the original. */
  readonly canonicalUrl: string;
}

/** An article of another system that the site leaves out; a field that is not text is empty. */
export interface SkippedArticle {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Continues a sentence that begins with the article, such as `content is empty`. */
  readonly reason: string;
}

/**
 * What an item of another system is: an article, one that is not public, one that the site leaves out (`invalid`), or
 * no article at all (`malformed`: neither slug nor title).
 */
export type ParsedUpstreamArticle =
  | { readonly kind: 'article'; readonly article: UpstreamArticle }
  | { readonly kind: 'unpublished' }
  | { readonly kind: 'invalid' | 'malformed'; readonly skipped: SkippedArticle };

/** Names an article that is left out, by all that is known of it: `crm-basics (id 12, "CRM basics")`. */
export function describeSkipped({ id, slug, title }: SkippedArticle): string {
  const others = [id && `id ${id}`, title && `"${title}"`].filter(Boolean).join(', ');
  if (slug === '') return others || 'an item without slug, id and title';
  return others === '' ? slug : `${slug} (${others})`;
}
