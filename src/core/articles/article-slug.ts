const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Longest slug that is taken to a source. */
const SLUG_MAX_LENGTH = 120;

/** Whether a path segment can name an article: `[a-z0-9-]`, at most 120 characters. */
export function isArticleSlug(text: string): boolean {
  return text.length <= SLUG_MAX_LENGTH && SLUG.test(text);
}

/** Builds the path segment of a category, tag or title: "Editor's Picks" → `editors-picks`; may be empty. */
export function buildSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}
