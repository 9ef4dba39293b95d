import { buildDefaultPath, buildSharingImagePath, DEFAULT_SHARING_IMAGE, IMAGES_PREFIX } from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';

/** What a page says about itself in `<head>`; `document.astro` renders it. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Where the page is shared, when these are others. */
  readonly socialTitle?: string | undefined;
  readonly socialDescription?: string | undefined;
  /** Path of the canonical address, without query unless the query is part of the page. */
  readonly path: string;
  /** Address of the original on another site, when the page is a copy; default: `path`. */
  readonly canonicalUrl?: string | undefined;
  /** Path of the Open Graph image (1200 x 630), or the address of an image of another host. */
  readonly image?: string | undefined;
  readonly type?: 'website' | 'article' | undefined;
  /** Structured data, one object a script. */
  readonly jsonLd?: readonly object[] | undefined;
  /** Excluded from search results. */
  readonly noindex?: boolean | undefined;
  readonly publishedAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

export interface MetaTag {
  readonly name?: string;
  readonly property?: string;
  readonly content: string;
}

/**
 * Builds the meta tags of a page; `origin` is the site's address without a trailing slash. `drawn`: the addresses of what was
 * drawn for the site; without an image of its own, a page has the default one, or none.
 */
export function buildMetaTags(
  head: PageHead,
  site: { readonly name: string; readonly origin: string; readonly drawn: ReadonlyMap<string, string> },
): MetaTag[] {
  const { image = DEFAULT_SHARING_IMAGE } = head;
  const own = site.drawn.get(image) ?? site.drawn.get(DEFAULT_SHARING_IMAGE);
  const isOther = image.startsWith('https:');
  const shown = isOther ? image : own && site.origin + own;
  const tags: MetaTag[] = [
    { name: 'description', content: head.description },
    { property: 'og:site_name', content: site.name },
    { property: 'og:type', content: head.type ?? 'website' },
    { property: 'og:title', content: head.socialTitle || head.title },
    { property: 'og:description', content: head.socialDescription || head.description },
    { property: 'og:url', content: head.canonicalUrl ?? site.origin + head.path },
  ];
  if (shown === undefined) tags.push({ name: 'twitter:card', content: 'summary' });
  else
    tags.push(
      { property: 'og:image', content: shown },
      { name: 'twitter:card', content: 'summary_large_image' },
    );
  if (shown !== undefined && !isOther)
    tags.push(
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
    );
  if (head.noindex === true) tags.push({ name: 'robots', content: 'noindex, follow' });
  if (head.publishedAt !== undefined)
    tags.push({ property: 'article:published_time', content: head.publishedAt });
  if (head.updatedAt !== undefined) tags.push({ property: 'article:modified_time', content: head.updatedAt });
  return tags;
}

const UNSAFE_IN_SCRIPT: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON for a `<script>` element that no value can close or leave. */
export const buildScriptJson = memoizeByKey((data: object): string =>
  JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => UNSAFE_IN_SCRIPT[character] ?? ''),
);

/**
 * Address of an article's Open Graph image: the path of the card that is drawn around its featured image; the
 * image itself when it is on another host, which the site does not have; the default for articles without one.
 */
export function buildArticleSharingImage(slug: string, image: { readonly src: string } | null): string {
  if (image?.src.startsWith(IMAGES_PREFIX)) return buildSharingImagePath(buildDefaultPath(slug));
  return image?.src.startsWith('https:') ? image.src : DEFAULT_SHARING_IMAGE;
}
