import type { ArticleEvidence } from '../../core/articles/article.ts';
import { formatLongDate, formatSourceDate } from '../../core/articles/article-copy.ts';
import { buildSourceId } from '../../core/articles/citations.ts';

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
              {title}
            </a>
            {`, ${formatSourceDate(date)}. `}
            <span className="text-muted">{supports}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
