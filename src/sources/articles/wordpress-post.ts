import { getField, MAX_FIELD_LENGTH, toPlainText } from './service-client.ts';

/** Fields of a post that tell whether a copy of it is current, for `_fields`. */
export const VERSION_FIELDS = 'slug,date_gmt,modified_gmt';

/** Builds the slug and the dates that the schema of upstream articles checks, from a post of `VERSION_FIELDS`. */
export function buildVersion(post: unknown): unknown {
  const [slug, published, modified] = VERSION_FIELDS.split(',').map((field) => getField(post, field));
  return { slug: decodeSlug(slug), publishedAt: toUtc(published), updatedAt: toUtc(modified) };
}

/** Fields of a post without its body, for `_fields`. */
export const OUTLINE_FIELDS = 'id,slug,status,title';

/** Builds the fields of a post that was read without its body, because that is too large. */
export function buildOutline(post: unknown): unknown {
  const [id, slug, status] = ['id', 'slug', 'status'].map((field) => getField(post, field));
  const title = toPlainText(getField(getField(post, 'title'), 'rendered'));
  return { id, slug: decodeSlug(slug), status, title, isTooLarge: true };
}

/** Builds the fields that the schema of upstream articles checks, from a post with `_embed`. */
export function buildItem(post: unknown): unknown {
  const get = (field: string) => getField(post, field);
  const embedded = get('_embedded');
  const media = getFirst(getField(embedded, 'wp:featuredmedia'));
  const size = getField(media, 'media_details');
  const source = getField(media, 'source_url');
  const seo = get('yoast_head_json');
  return {
    id: get('id'),
    slug: decodeSlug(get('slug')),
    // Posts with a password come without their text.
    status: getField(get('content'), 'protected') === true ? 'private' : get('status'),
    title: toPlainText(getField(get('title'), 'rendered')),
    excerpt: buildExcerpt(getField(get('excerpt'), 'rendered')),
    featuredImage: source
      ? {
          src: source,
          alt: getField(media, 'alt_text'),
          width: getField(size, 'width'),
          height: getField(size, 'height'),
          type: getField(media, 'mime_type'),
          caption: toPlainText(getField(getField(media, 'caption'), 'rendered')),
          sizes: Object.values(getField(size, 'sizes') ?? {}).map((one) => ({
            src: getField(one, 'source_url'),
            width: getField(one, 'width'),
            height: getField(one, 'height'),
          })),
        }
      : null,
    categories: getTermNames(embedded, 'category').filter((name) => name !== 'Uncategorized'),
    tags: getTermNames(embedded, 'post_tag'),
    author: getField(getFirst(getField(embedded, 'author')), 'name'),
    publishedAt: toUtc(get('date_gmt')),
    updatedAt: toUtc(get('modified_gmt')),
    content: getField(get('content'), 'rendered') ?? '',
    seoTitle: getField(seo, 'title'),
    seoDescription: getField(seo, 'description'),
  };
}

/** Themes end an automatic excerpt with `[…]` or with a link such as "Continue reading". */
function buildExcerpt(html: unknown): string {
  if (typeof html !== 'string') return '';
  const own = html
    .slice(0, MAX_FIELD_LENGTH)
    .replace(/<a\s[^<>]*\bmore-link\b[\s\S]*$/i, '')
    .replace(/((?:…|&hellip;|&#8230;)\]?)\s*<a\s[\s\S]*$/i, '$1');
  return toPlainText(own).replace(/\s*(?:\[…\]|\[\.{3}\]|…|\.{3})[\s…]*$/, '…');
}

/** Taxonomy terms come as one list per taxonomy. */
function getTermNames(embedded: unknown, taxonomy: string): string[] {
  const lists = getField(embedded, 'wp:term');
  return (Array.isArray(lists) ? lists.flat() : [])
    .filter((term: unknown) => getField(term, 'taxonomy') === taxonomy)
    .map((term: unknown) => toPlainText(getField(term, 'name')));
}

/** WordPress stores letters outside ASCII percent-encoded: `%d1%86%d1%80%d0%bc`. */
function decodeSlug(slug: unknown): unknown {
  try {
    return typeof slug === 'string' ? decodeURIComponent(slug).normalize('NFC') : slug;
  } catch {
    return slug;
  }
}

/** WordPress omits the zone of its UTC times: `2026-01-02T10:00:00`. */
function toUtc(time: unknown): unknown {
  return typeof time === 'string' && !/Z$|[+-]\d\d:?\d\d$/.test(time) ? `${time}Z` : time;
}

function getFirst(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}
