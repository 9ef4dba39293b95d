import sanitizeHtml from 'sanitize-html';
import { readText } from '../../core/articles/html-tags.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Builds the common form of an upstream article from a WordPress post with `_embed`; the schema checks it. */
export function buildWordPressItem(post: unknown): unknown {
  const fields = fieldsOf(post);
  const embedded = fieldsOf(fields['_embedded']);
  const media = fieldsOf(firstOf(embedded['wp:featuredmedia']));
  const size = fieldsOf(media['media_details']);
  const seo = fieldsOf(fields['yoast_head_json']);
  return {
    id: fields['id'],
    slug: fields['slug'],
    // Posts behind a password come without their text.
    status: fieldsOf(fields['content'])['protected'] === true ? 'private' : fields['status'],
    title: plain(rendered(fields['title'])),
    excerpt: plain(rendered(fields['excerpt'])).replace(/\s*\[…\]$/, '…'),
    featuredImage: media['source_url']
      ? { src: media['source_url'], alt: media['alt_text'], width: size['width'], height: size['height'] }
      : null,
    categories: termsOf(embedded, 'category').filter((name) => name !== 'Uncategorized'),
    tags: termsOf(embedded, 'post_tag'),
    author: fieldsOf(firstOf(embedded['author']))['name'],
    publishedAt: utc(fields['date_gmt']),
    updatedAt: utc(fields['modified_gmt']),
    content: rendered(fields['content']),
    seoTitle: seo['title'],
    seoDescription: seo['description'],
  };
}

/** Taxonomy terms come as one list per taxonomy. */
function termsOf(embedded: Fields, taxonomy: string): string[] {
  const lists = Array.isArray(embedded['wp:term']) ? embedded['wp:term'] : [];
  return lists
    .flat()
    .map(fieldsOf)
    .filter((term) => term['taxonomy'] === taxonomy)
    .map((term) => plain(term['name']));
}

/** Titles, names and excerpts are HTML: entities at least. */
function plain(html: unknown): string {
  if (typeof html !== 'string') return '';
  return readText(sanitizeHtml(html.slice(0, 10_000), { allowedTags: ['p', 'br'], allowedAttributes: {} }));
}

function rendered(field: unknown): unknown {
  return fieldsOf(field)['rendered'];
}

/** `2026-01-02T10:00:00`, without the zone that it is in. */
function utc(time: unknown): unknown {
  return typeof time === 'string' && !/Z$|[+-]\d\d:?\d\d$/.test(time) ? `${time}Z` : time;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
