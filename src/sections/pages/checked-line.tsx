import { formatLongDate } from '../../core/articles/article-copy.ts';
import { findOldestCheck, type Source } from '../../core/products/product.ts';

/** The day of the prices, with the pages that they are from; of several days the oldest. */
export function CheckedLine({ sources }: { readonly sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  const checked = findOldestCheck(sources);
  const pages = [...new Map(sources.map((source) => [source.href, source])).values()];
  return (
    <p className="mt-4 text-sm text-muted">
      Checked on <time dateTime={checked}>{formatLongDate(checked)}</time>
      {': '}
      {pages.map(({ href, title }, index) => (
        <span key={href}>
          {index > 0 && ', '}
          <a href={href} rel="noopener">
            {title}
          </a>
        </span>
      ))}
    </p>
  );
}
