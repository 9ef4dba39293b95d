import type { Article } from '../../core/articles/article.ts';
import { buildLede, formatLongDate } from '../../core/articles/article-copy.ts';
import type { Author } from '../../core/articles/author.schema.ts';
import { buildAuthorPath, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';
import { Icon } from '../../ui/icon.tsx';
import { ResponsiveImage } from '../../ui/responsive-image.tsx';

const SIZES = '(min-width: 74rem) 29rem, (min-width: 64rem) 40vw, 100vw';

/** The top of an article: topics, title, excerpt, author with dates, and the image. */
export function ArticleHead(props: { readonly article: Article; readonly author: Author | undefined }) {
  const { article, author } = props;
  const lede = buildLede(article);
  return (
    <header
      className={`grid grid-cols-[minmax(0,1fr)] gap-x-[clamp(1.5rem,4vw,3.5rem)] gap-y-7 wrap-anywhere lg:border-b-2 lg:border-line-strong lg:pb-[clamp(1.5rem,4vw,3rem)] ${article.featuredImage ? 'lg:grid-cols-[minmax(0,12fr)_minmax(0,10fr)]' : ''}`}
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
        <h1
          className={`mt-[1.1rem] leading-[1.04] ${article.title.length > 60 ? 'text-[clamp(1.9rem,1.5rem+1.7vw,2.75rem)]' : 'text-[clamp(2.1rem,1.6rem+2.3vw,3.4rem)]'}`}
        >
          {joinHyphens(article.title)}
        </h1>
        {lede !== '' && <p className="mt-5 text-lg leading-[1.45] text-muted">{lede}</p>}
        <Byline article={article} author={author} />
      </div>
      {article.featuredImage && (
        <div className="self-start">
          <ResponsiveImage
            image={article.featuredImage}
            alt={article.featuredImage.alt}
            sizes={SIZES}
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

/** A title whose words do not break at their hyphens. Very long words may. */
function joinHyphens(title: string) {
  return title.split(/(?<!\S)(\w[\w-]{0,12}-\w{1,8}[:,]?)(?!\S)/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

function Byline({ article, author }: { readonly article: Article; readonly author: Author | undefined }) {
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
      <span className="flex items-center gap-3 noscript:hidden" data-print="hide">
        <button
          type="button"
          data-share
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
