import { buildPartnerLink, type Cta } from '../outbound/cta.ts';
import { isExamplePartner } from '../outbound/partner.ts';
import type { SiteDetails } from '../pages/site.schema.ts';
import { buildArticlePath } from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { Article } from './article.ts';
import type { ListedArticle } from './listed-articles.ts';

/**
 * Builds what a card shows of an article among others. The excerpt has the words of a search marked. Where all were published
 * on one day, which tells nothing, it says when each was compared with its sources.
 */
export function buildCardContent(article: ListedArticle, all: readonly ListedArticle[]) {
  const { slug, title, categories, author, readingTime } = article;
  return {
    slug,
    title,
    categories,
    author,
    readingTime,
    href: buildArticlePath(article),
    excerpt: article.excerptParts ?? article.excerpt,
    date: buildCardDate(article, all),
    image: article.featuredImage,
  };
}

function buildCardDate({ publishedAt, comparedAt }: ListedArticle, all: readonly ListedArticle[]) {
  const isOneDay =
    all.length > 1 && all.every((one) => one.comparedAt && getDay(one) === getDay({ publishedAt }));
  return isOneDay && comparedAt
    ? { iso: comparedAt, text: `Compared in ${formatDate(comparedAt, MONTH)}` }
    : { iso: publishedAt, text: formatShortDate(publishedAt) };
}

const getDay = ({ publishedAt }: Pick<ListedArticle, 'publishedAt'>) => publishedAt.slice(0, 10);

/** How far into a body its first sentences are, in characters of HTML. */
const OPENING_LENGTH = 4_000;

/** Builds the text below an article's title: its excerpt; empty when the body begins with the same words. */
export const buildLede = memoizeByKey(
  ({
    excerpt,
    content,
  }: {
    readonly excerpt: Article['excerpt'];
    readonly content: Article['content'];
  }): string => {
    const getLetters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');
    const opening = content.slice(0, OPENING_LENGTH).replace(/<[^<>]*>|&\w+;/g, ' ');
    return getLetters(opening).includes(getLetters(excerpt)) ? '' : excerpt;
  },
);

/** The call to action of an article or of the front page. */
export type OfferCopy = NonNullable<ReturnType<typeof buildOfferCopy>>;

/**
 * Builds the call to action for the partner of an article or of the site; null while none is named, and for the placeholder of
 * a new site.
 */
export function buildOfferCopy(cta: Cta, { blog, promotedPartner }: SiteDetails) {
  const { key, name } = cta.partner;
  if (cta.isUnnamed || isExamplePartner(cta.partner)) return null;
  const { partnerLink, alternative, ...copy } =
    key === promotedPartner ? blog.offers.promoted : blog.offers.other;
  const fill = (text: string) => text.replaceAll('{partner}', () => name);
  return {
    title: fill(copy.title),
    text: fill(copy.text),
    action: fill(copy.action),
    link: buildPartnerLink(cta, { page: partnerLink }),
    alternative,
  };
}

const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a day as `November 12, 2026`, and a month (`2026-11`) as `November 2026`. */
export function formatSourceDate(date: string): string {
  return formatDate(date, date.length > 'yyyy-mm'.length ? LONG : MONTH);
}

/** Formats the UTC day of an ISO 8601 instant as `November 12, 2026`; empty when the text is not an instant. */
export function formatLongDate(instant: string): string {
  return formatDate(instant, LONG);
}

/** Formats the UTC day of an ISO 8601 instant as `Nov 12, 2026`; empty when the text is not an instant. */
export function formatShortDate(instant: string): string {
  return formatDate(instant, SHORT);
}

function formatDate(instant: string, format: Intl.DateTimeFormat): string {
  const time = Date.parse(instant);
  return Number.isNaN(time) ? '' : format.format(time);
}
