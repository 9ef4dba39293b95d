type Fields = Readonly<Record<string, unknown>>;

/** Reads Ghost's list answer `{posts, meta: {pagination}}`; null: it is none. */
export function readGhostPage(json: unknown): {
  readonly posts: readonly unknown[];
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
} | null {
  const answer = fieldsOf(json);
  const posts = answer['posts'];
  if (!Array.isArray(posts)) return null;
  const next = fieldsOf(fieldsOf(answer['meta'])['pagination'])['next'];
  return { posts, items: posts.map(buildGhostItem), hasMore: typeof next === 'number' };
}

/** Builds the common form of an upstream article from a Ghost post; the schema checks its fields. */
export function buildGhostItem(post: unknown): unknown {
  const fields = fieldsOf(post);
  const tags = (Array.isArray(fields['tags']) ? fields['tags'] : []).map(fieldsOf).filter(isPublic);
  const primary = fieldsOf(fields['primary_tag']);
  const topic = isPublic(primary) && primary['name'] ? primary['name'] : tags[0]?.['name'];
  return {
    id: fields['id'],
    slug: fields['slug'],
    // Posts for members come without their text.
    status: fields['access'] === false ? 'private' : 'published',
    title: fields['title'],
    excerpt: fields['custom_excerpt'] ?? fields['excerpt'],
    featuredImage: fields['feature_image']
      ? { src: fields['feature_image'], alt: fields['feature_image_alt'] }
      : null,
    categories: topic ? [topic] : [],
    tags: tags.map((tag) => tag['name']).filter((name) => name !== topic),
    author: fieldsOf(fields['primary_author'])['name'],
    publishedAt: fields['published_at'],
    updatedAt: fields['updated_at'],
    readingTime: fields['reading_time'],
    content: fields['html'],
    seoTitle: fields['meta_title'],
    seoDescription: fields['meta_description'],
  };
}

/** Ghost's internal tags begin with `#` and are for the theme. */
function isPublic(tag: Fields): boolean {
  return tag['visibility'] !== 'internal' && !String(tag['name'] ?? '').startsWith('#');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
