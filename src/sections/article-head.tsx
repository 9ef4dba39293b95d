import type { Article } from '../core/articles/article.ts';
import { buildSlug } from '../core/articles/article-slug.ts';
import { formatLongDate } from '../core/articles/format-date.ts';
import { Icon } from '../ui/icon.tsx';

/** The top of an article: where it belongs, what it is about, who wrote it when, and its picture. */
export function ArticleHead({ article }: { readonly article: Article }) {
  return (
    <header className="article-head">
      <div>
        <ul className="article-badges">
          {article.categories.map((category) => (
            <li key={category}>
              <a className="badge" href={`/blog/topic/${buildSlug(category)}`}>
                {category}
              </a>
            </li>
          ))}
        </ul>
        <h1 className={article.title.length > 60 ? 'article-title article-title-long' : 'article-title'}>
          {article.title}
        </h1>
        {article.excerpt !== '' && <p className="article-excerpt">{article.excerpt}</p>}
        <Byline article={article} />
      </div>
      {article.featuredImage && <Picture image={article.featuredImage} slug={article.slug} />}
    </header>
  );
}

function Byline({ article }: { readonly article: Article }) {
  const wasUpdated = article.updatedAt.slice(0, 10) > article.publishedAt.slice(0, 10);
  return (
    <div className="byline n">
      <span>{article.author}</span>
      <time dateTime={article.publishedAt}>{formatLongDate(article.publishedAt)}</time>
      {wasUpdated && (
        <span>
          Updated <time dateTime={article.updatedAt}>{formatLongDate(article.updatedAt)}</time>
        </span>
      )}
      <span>{`${article.readingTime} min read`}</span>
      <span className="share" data-print="hide">
        <button type="button" data-share data-wakes>
          <Icon name="share" />
          Share
        </button>
        <span role="status" />
      </span>
    </div>
  );
}

const SIZES = '(min-width: 74rem) 29rem, (min-width: 64rem) 40vw, 100vw';

function Picture(props: { readonly image: NonNullable<Article['featuredImage']>; readonly slug: string }) {
  const { image, slug } = props;
  return (
    <picture className="article-art" data-art={`art-${slug}`}>
      {image.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={SIZES} />
      ))}
      <img
        src={image.src}
        alt={image.alt}
        width={image.width}
        height={image.height}
        fetchPriority="high"
        decoding="async"
      />
    </picture>
  );
}
