import {
  type Article,
  type ArticleEvidence,
  type ArticleSummary,
  type ContentsEntry,
  findTest,
} from '../../core/articles/article.ts';
import {
  buildCardContent,
  buildLede,
  formatLongDate,
  formatSourceDate,
  type OfferCopy,
} from '../../core/articles/article-copy.ts';
import type { Author } from '../../core/articles/author.schema.ts';
import { buildSourceId } from '../../core/articles/citations.ts';
import type { ListedArticle } from '../../core/articles/listed-articles.ts';
import { BLOG_PATH, buildArticlePath, buildAuthorPath, buildGroupPath, HOME_PATH } from '../../core/paths.ts';
import { describePrice, SEE_PRICE } from '../../core/products/price.ts';
import { describeReading, type Offer, type Product } from '../../core/products/product.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { ArticleCard } from '../../ui/cards/article-card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';
import { Container } from '../../ui/section.tsx';
import { keepWhole } from '../../ui/whole-words.tsx';

const SIZES = '(min-width: 74rem) 29rem, (min-width: 64rem) 40vw, 100vw';

/** The top of an article: topics, title, excerpt, author with dates, and the image. */
export function ArticleHead(props: BylineProps) {
  const { article } = props;
  const lede = buildLede(article);
  // On phones the summary takes the place of the excerpt, and the image is small: the pick is in the first screen.
  const isBrief = (article.evidence?.short ?? '') !== '';
  const ruleClass = 'lg:border-b-2 lg:border-line-strong lg:pb-[clamp(1.5rem,4vw,3rem)]';
  const columnsClass = article.featuredImage ? 'lg:grid-cols-[minmax(0,12fr)_minmax(0,10fr)]' : '';
  const sizeClass =
    article.title.length > 60
      ? 'text-[clamp(1.9rem,1.5rem+1.7vw,2.75rem)]'
      : 'text-[clamp(2.1rem,1.6rem+2.3vw,3.4rem)]';
  return (
    <header
      className={`grid grid-cols-[minmax(0,1fr)] gap-x-[clamp(1.5rem,4vw,3.5rem)] gap-y-7 wrap-anywhere ${ruleClass} ${columnsClass} ${isBrief ? 'article-brief' : ''}`}
    >
      <div>
        <ul className="flex flex-wrap gap-2">
          {article.categories.map((category) => (
            <li key={category}>
              <a
                href={buildGroupPath('topic', buildSlug(category))}
                className="rounded-full border border-line px-[0.7em] py-[0.3em] text-xs text-muted no-underline hover:border-line-strong hover:text-ink"
              >
                {category}
              </a>
            </li>
          ))}
        </ul>
        <h1 className={`mt-3 leading-[1.04] ${sizeClass}`}>{keepWhole(article.title)}</h1>
        {lede !== '' && <p className="mt-5 text-lg leading-[1.45] text-muted">{keepWhole(lede)}</p>}
        <Byline {...props} />
      </div>
      {article.featuredImage && (
        <div className="self-start">
          <ResponsiveImage
            image={article.featuredImage}
            alt={article.featuredImage.alt}
            sizes={isBrief ? `(max-width: 40rem) 7rem, ${SIZES}` : SIZES}
            isFirst
            className="article-image block overflow-clip rounded bg-sunken [&>img]:w-full"
            transitionName={`article-image-${article.slug}`}
          />
          {article.featuredImage.caption && (
            <p className="mt-2 text-[0.9rem] text-muted">{article.featuredImage.caption}</p>
          )}
        </div>
      )}
    </header>
  );
}

interface BylineProps {
  readonly article: Article;
  readonly author: Author | undefined;
  /** Name of the product that the article is about: a test of it is part of the byline. */
  readonly product: string;
}

function Byline({ article, author, product }: BylineProps) {
  const test = findTest(author, product);
  const wasUpdated = article.updatedAt.slice(0, 10) > article.publishedAt.slice(0, 10);
  return (
    <div className="tabular mt-5 flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.9rem] text-muted">
      <span>
        {author === undefined ? (
          article.author
        ) : (
          <a href={buildAuthorPath(author.key)} rel="author">
            {author.name}
          </a>
        )}
      </span>
      <time dateTime={article.publishedAt}>{formatLongDate(article.publishedAt)}</time>
      {wasUpdated && (
        <span>
          Updated <time dateTime={article.updatedAt}>{formatLongDate(article.updatedAt)}</time>
        </span>
      )}
      <span>{`${article.readingTime} min read`}</span>
      {test !== undefined && (
        <span>
          Tested {product} on <time dateTime={test.date}>{formatLongDate(test.date)}</time>
        </span>
      )}
      <span className="flex items-center gap-3 noscript:hidden" data-print="hide">
        <button
          type="button"
          data-share=""
          className="inline-flex min-h-11 cursor-pointer items-center gap-[0.5em] font-semibold text-accent hover:underline"
        >
          <Icon name="share" />
          Share
        </button>
        <span role="status" className="font-semibold text-positive" />
      </span>
    </div>
  );
}

/** An article's tags and the links to the previous and next article of its topic. */
export function ArticleFooter(props: {
  readonly tags: readonly string[];
  readonly previous: ArticleSummary | null;
  readonly next: ArticleSummary | null;
}) {
  const { tags, previous, next } = props;
  return (
    <footer className="mt-12 wrap-anywhere" data-print="hide">
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <a
                href={buildGroupPath('tag', buildSlug(tag))}
                className="mr-3 block py-[0.35rem] text-muted no-underline hover:text-ink hover:underline"
              >{`#${tag}`}</a>
            </li>
          ))}
        </ul>
      )}
      {(previous !== null || next !== null) && (
        <nav
          className="mt-6 grid border-t-2 border-line-strong sm:grid-cols-2 sm:gap-x-8"
          aria-label={`More about ${(previous ?? next)?.categories[0] ?? 'this'}`}
        >
          {previous !== null && <AdjacentArticle article={previous} rel="prev" />}{' '}
          {next !== null && <AdjacentArticle article={next} rel="next" />}
        </nav>
      )}
    </footer>
  );
}

function AdjacentArticle(props: { readonly article: ArticleSummary; readonly rel: 'prev' | 'next' }) {
  const { article, rel } = props;
  const placeClass = rel === 'next' ? 'sm:col-start-2 sm:text-right' : '';
  return (
    <a
      href={buildArticlePath(article)}
      rel={rel}
      className={`group grid content-start gap-[0.35rem] border-b border-line py-[1.1rem] text-ink no-underline ${placeClass}`}
    >
      <span className="text-[0.875rem] text-muted">{rel === 'next' ? 'Next' : 'Previous'}</span>{' '}
      <strong className="font-display text-[1.1rem] leading-tight font-semibold text-balance decoration-[0.06em] group-hover:underline">
        {keepWhole(article.title)}
      </strong>
    </a>
  );
}

/** The pick at the end of an article's summary: the product, its price, the button, and how the price was read. */
export function ArticlePick(props: {
  readonly product: Product;
  readonly offer: OfferCopy;
  readonly plan: Offer;
  readonly now: number;
  /** Whether the article has a box of the product, which says how its prices were read. */
  readonly hasBox?: boolean;
}) {
  const { product, offer, plan, now, hasBox = false } = props;
  const price = describePrice(product, plan, now);
  return (
    <div className="article-pick">
      <p>
        <strong>{product.name}</strong>
        {price === SEE_PRICE ? '' : `, from ${plan.amount === 0 ? '$0' : price}`}
      </p>
      <PartnerLink {...offer.link} position="short" className="button button-primary">
        {offer.action}
      </PartnerLink>
      {price !== SEE_PRICE && !hasBox && plan.source !== undefined && (
        <small>{describeReading(plan.source)}</small>
      )}
    </div>
  );
}

/** The call to action within an article. */
export function ArticleOffer({ offer, slug }: { readonly offer: OfferCopy; readonly slug: string }) {
  return (
    <aside
      className="my-10 grid gap-[0.9rem] rounded-lg bg-positive-wash p-[clamp(1.25rem,4vw,2rem)]"
      aria-labelledby="offer"
      data-print="hide"
    >
      <h2 id="offer" className="text-[1.5rem] leading-[1.15]">
        {offer.title}
      </h2>
      <p>{keepWhole(offer.text)}</p>
      <p className="mt-[0.4rem] flex flex-wrap items-center gap-x-6 gap-y-3">
        <PartnerLink
          {...offer.link}
          position="body"
          data={{ article: slug }}
          className="button button-primary"
        >
          {offer.action}
        </PartnerLink>{' '}
        <a href={offer.alternative.href}>{offer.alternative.label}</a>
      </p>
    </aside>
  );
}

/** The button again where the article ends. */
export function ArticleClosing({ offer, slug }: { readonly offer: OfferCopy; readonly slug: string }) {
  return (
    <aside
      className="mt-12 grid justify-items-start gap-[0.9rem] border-t-2 border-line-strong pt-6"
      aria-label="Next step"
      data-print="hide"
    >
      <PartnerLink {...offer.link} position="end" data={{ article: slug }} className="button button-primary">
        {offer.action}
      </PartnerLink>
    </aside>
  );
}

/** Other articles, after an article or instead of one that does not exist. */
export function ArticleRelated(props: {
  readonly title: string;
  readonly articles: readonly ListedArticle[];
}) {
  const { title, articles } = props;
  if (articles.length === 0) return null;
  return (
    <section
      className="mt-[clamp(3rem,6vw,5rem)] bg-sunken py-[clamp(2.5rem,5vw,4rem)]"
      aria-labelledby="related"
      data-print="hide"
    >
      <Container>
        <div className="mb-7 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
          <h2 id="related" className="text-2xl">
            {title}
          </h2>
          <a href={BLOG_PATH}>All articles</a>
        </div>
        <div className="cards cards-brief">
          {articles.map((article) => (
            <ArticleCard
              key={article.slug}
              content={buildCardContent(article, articles)}
              headingLevel={3}
              isBrief
            />
          ))}
        </div>
      </Container>
    </section>
  );
}

/** The table of contents: always open beside the text on wide screens, collapsed above it on narrow ones. */
export function ArticleContents({ entries }: { readonly entries: readonly ContentsEntry[] }) {
  if (entries.length < 2) return null;
  return (
    <nav className="article-contents" aria-labelledby="contents-title" data-print="hide">
      <details>
        <summary>
          <span id="contents-title">On this page</span>
          <Icon name="chevron-down" />
        </summary>
        <ol>
          {entries.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`}>{keepWhole(text)}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

/** A link back to the front page, and the breadcrumb trail of an article, which phones have no room for. */
export function Breadcrumb({ topic }: { readonly topic?: string | undefined }) {
  return (
    <div
      className="flex flex-wrap justify-between gap-x-4 text-[0.9rem] wrap-anywhere sm:py-3"
      data-print="hide"
    >
      <a
        href={HOME_PATH}
        className="inline-flex min-h-11 items-center gap-[0.4em] text-accent no-underline hover:underline"
      >
        <Icon name="arrow-left" />
        Back to Blog
      </a>
      <nav aria-label="Breadcrumb" className="max-sm:hidden">
        <ol className="flex flex-wrap">
          <Crumb href={HOME_PATH} label="Home" isFirst />
          <Crumb href={BLOG_PATH} label="Articles" />
          {topic && <Crumb href={buildGroupPath('topic', buildSlug(topic))} label={topic} />}
        </ol>
      </nav>
    </div>
  );
}

function Crumb(props: { readonly href: string; readonly label: string; readonly isFirst?: boolean }) {
  const { href, label, isFirst = false } = props;
  return (
    <li>
      {!isFirst && (
        <span aria-hidden="true" className="px-[0.6em] text-muted">
          /
        </span>
      )}
      <a
        href={href}
        className="inline-flex min-h-11 items-center gap-[0.4em] text-muted no-underline hover:underline"
      >
        {label}
      </a>
    </li>
  );
}

/** When facts of an article were compared with its sources, and which facts. */
export function ArticleChecked({ checked }: { readonly checked: ArticleEvidence['checked'] }) {
  if (checked === undefined) return null;
  return (
    <p className="mt-3 text-[0.9rem] text-muted">
      Compared on <time dateTime={checked.date}>{formatLongDate(checked.date)}</time>: {checked.what}
    </p>
  );
}

/** The external pages that an article cites, by number. */
export function ArticleSources({ sources }: { readonly sources: ArticleEvidence['sources'] }) {
  if (sources.length === 0) return null;
  return (
    <section aria-labelledby="sources" className="mt-12 border-t-2 border-line-strong pt-6 text-[0.95rem]">
      <h2 id="sources" className="text-xl">
        Sources
      </h2>
      <ol className="mt-3 list-decimal pl-[1.35em] wrap-anywhere">
        {sources.map(({ title, url, date, supports }, index) => (
          <li key={url} id={buildSourceId(index + 1)} className="mt-2">
            <a href={url} rel="noopener">
              {keepWhole(title)}
            </a>
            {`, ${formatSourceDate(date)}. `}
            <span className="text-muted">{keepWhole(supports)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
