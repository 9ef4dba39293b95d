import { cleanText } from '../core/text/parse-text.ts';
import { buildSlug } from '../core/text/slug.ts';
import { extractText } from '../sources/articles/html/html-text.ts';
import type { FormerItem } from './former-item.ts';

const MAX_TITLE = 120;
const MAX_SUMMARY = 320;
/** Of a longer text the beginning is enough for a field. */
const MAX_HTML = 10_000;
/** How many categories an article has at most. */
export const MAX_CATEGORIES = 6;
/** How many tags an article has at most. */
export const MAX_TAGS = 12;

/** Builds the front matter of an article; `note` gets what is another than before. */
export function buildFrontMatter(
  item: FormerItem,
  body: string,
  image: { readonly src: string; readonly alt: string } | null,
  note: (kind: 'changed' | 'lost', text: string) => void,
): Record<string, unknown> {
  const cut = (field: string, text: string, max: number) => {
    const clean = cleanText(extractText(text.slice(0, MAX_HTML)), max * 4);
    if (clean.length > max) note('changed', `the ${field} is cut to ${max} characters`);
    if (clean.length <= max) return clean;
    const first = clean.slice(0, max - 1);
    const words = first.replace(/\s+\S*$/, '');
    // A word that is longer than half of the field is cut itself.
    return `${(words.length * 2 < max ? first : words).toWellFormed()}…`;
  };
  const title = cut('title', item.title, MAX_TITLE) || 'Untitled';
  const given = cut('excerpt', item.excerpt, MAX_SUMMARY);
  const excerpt = given || summarize(body) || title;
  const terms =
    item.type === 'page' ? ['Pages'] : nameTerms(item.categories, MAX_CATEGORIES, 'categories', note);
  const tags = nameTerms(item.tags, MAX_TAGS, 'tags', note);
  const seoTitle = cut('title for search engines', fillTemplate(item.seoTitle, item.title), MAX_TITLE);
  const seoDescription = cut(
    'description for search engines',
    fillTemplate(item.seoDescription, given),
    MAX_SUMMARY,
  );
  const socialTitle = cut('title for social networks', fillTemplate(item.socialTitle, item.title), MAX_TITLE);
  const socialDescription = cut(
    'description for social networks',
    fillTemplate(item.socialDescription, given),
    MAX_SUMMARY,
  );
  const publishedAt = item.publishedAt || item.updatedAt || '1970-01-01T00:00:00Z';
  if (item.publishedAt === '')
    note(
      'changed',
      `has no date; it is ${publishedAt.slice(0, 10)} now${item.updatedAt === '' ? '' : ', when it was last changed'}`,
    );
  const isLater = item.updatedAt !== '' && Date.parse(item.updatedAt) > Date.parse(publishedAt);
  const isSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(item.author);
  const author = cleanText(isSlug ? item.author.replaceAll('-', ' ') : item.author, 80);
  const front = {
    title,
    excerpt,
    categories: terms.length === 0 ? ['Uncategorized'] : terms,
    ...(tags.length > 0 && { tags }),
    publishedAt,
    ...(isLater && { updatedAt: item.updatedAt }),
    ...(seoTitle !== '' && seoTitle !== title && { seoTitle }),
    ...(seoDescription !== '' && seoDescription !== excerpt && { seoDescription }),
    ...(item.isNoindex && { index: false }),
    ...(item.canonicalUrl !== '' && { canonicalUrl: item.canonicalUrl }),
    ...(socialTitle !== '' && socialTitle !== (seoTitle || title) && { socialTitle }),
    ...(socialDescription !== '' &&
      socialDescription !== (seoDescription || excerpt) && { socialDescription }),
    ...(image !== null && { image }),
    ...(author !== '' && { author }),
    ...(item.hidden !== '' && { draft: true }),
  };
  const safe = partPlaceholders(front);
  if (JSON.stringify(front) !== JSON.stringify(safe))
    note('changed', 'what would be a placeholder here has a space after its colon in the front matter');
  return safe;
}

function nameTerms(
  terms: FormerItem['categories'],
  max: number,
  field: string,
  note: (kind: 'lost', text: string) => void,
): string[] {
  const names = [
    ...new Set(terms.map(({ name }) => cleanText(extractText(name.slice(0, MAX_HTML)), 60))),
  ].filter((name) => buildSlug(name) !== '');
  if (names.length > max) note('lost', `${field} beyond ${max}: ${names.slice(max).join(', ')}`);
  return names.slice(0, max);
}

/** Parts what this site would read as a placeholder by a space: front matter has no way to escape it. */
function partPlaceholders(front: Record<string, unknown>): Record<string, unknown> {
  const part = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/\{([a-z]+):(?=[a-z0-9.-]+\})/g, '{$1: ');
    if (Array.isArray(value)) return value.map(part);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(inner)]));
  };
  return Object.fromEntries(Object.entries(front).map(([key, value]) => [key, part(value)]));
}

/** The first words of an article, in whole sentences when one ends early enough. */
function summarize(markdown: string): string {
  let first = '';
  const shown = markdown.replace(/^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1.*$|<sup>.*?<\/sup>/gm, '');
  for (const block of shown.split(/\n\s*\n/)) {
    const text = block.slice(0, MAX_HTML);
    const words = text.replace(/!\[[^[\]]*\]\([^()]*\)/g, '').replace(/\]\([^()]*\)/g, ']');
    first = cleanText(extractText(words).replace(/\\(?=\W)|[#*_`>[\]]/g, ''), 2000);
    if (first.length > 9) break;
    first = '';
  }
  if (first.length <= 200) return first;
  const [, sentence] = /^(.{60,280}?[.!?…。！？])(?:\s|$)/u.exec(first) ?? [];
  return (
    sentence ??
    `${first
      .slice(0, 199)
      .replace(/\s+\S*$/, '')
      .toWellFormed()}…`
  );
}

/** Fills in the variables of SEO plugins that the post itself has; the others are left out. */
function fillTemplate(text: string, title: string): string {
  return text
    .replace(
      /%%(?:title|excerpt)%%|%(?:title|excerpt|seo_title)%|#(?:post_title|post_excerpt)\b/g,
      () => title,
    )
    .replace(/%%[a-z_]+%%|%[a-z_]+%|#(?:separator_sa|site_title|tagline)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s|–—-]+|[\s|–—-]+$/g, '');
}
