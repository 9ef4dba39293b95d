import { Fragment } from 'react';
import { formatLongDate } from '../../core/articles/article-copy.ts';
import { describeReading, type Source } from '../../core/products/product.ts';

/** The pages that prices are from, with how and when each was read, as one line. */
export function CheckedLine({ sources }: { readonly sources: readonly Source[] }) {
  const pages = [...new Map(sources.map((source) => [source.href + source.checked, source])).values()];
  const [first, ...others] = pages;
  if (first === undefined) return null;
  return (
    <p className="mt-4 max-w-text text-sm text-muted">
      {pages.map((source, index) => (
        <Fragment key={source.href + source.checked}>
          {index > 0 && '; '}
          <a href={source.href} rel="noopener">
            {source.title}
          </a>
          {others.length > 0 && `, ${formatLongDate(source.checked)}`}
        </Fragment>
      ))}
      {others.length === 0 && `: ${describeReading(first)}`}
      {others.length > 0 &&
        pages.some(({ read }) => read !== 'opened') &&
        '. Read in copies and transcriptions.'}
    </p>
  );
}
