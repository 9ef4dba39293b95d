import type { ArticleSummary } from '../../core/articles/article.ts';
import { buildArticlePath, buildGroupPath } from '../../core/paths.ts';
import { buildSlug } from '../../core/text/slug.ts';

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
          {previous !== null && <AdjacentArticle article={previous} rel="prev" />}
          {next !== null && <AdjacentArticle article={next} rel="next" />}
        </nav>
      )}
    </footer>
  );
}

function AdjacentArticle(props: { readonly article: ArticleSummary; readonly rel: 'prev' | 'next' }) {
  const { article, rel } = props;
  return (
    <a
      href={buildArticlePath(article.slug)}
      rel={rel}
      className={`group grid content-start gap-[0.35rem] border-b border-line py-[1.1rem] text-ink no-underline ${rel === 'next' ? 'sm:col-start-2 sm:text-right' : ''}`}
    >
      <span className="text-[0.875rem] text-muted">{rel === 'next' ? 'Next' : 'Previous'}</span>
      <strong className="font-display text-[1.1rem] leading-tight font-semibold text-balance decoration-[0.06em] group-hover:underline">
        {article.title}
      </strong>
    </a>
  );
}
