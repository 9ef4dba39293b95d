import { Fragment } from 'react';
import { formatLongDate } from '../../core/articles/article-copy.ts';
import { findContentImage } from '../../core/pages/images/content-image.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import { describeReading, type Source } from '../../core/products/product.ts';

interface CheckedLineProps {
  readonly sources: readonly Source[];
  readonly context: PageContext;
}

/** The pages that prices are from, with how and when each was read, and pictures of them, as one line. */
export function CheckedLine({ sources, context }: CheckedLineProps) {
  const pages = [...new Map(sources.map((source) => [source.href + source.checked, source])).values()];
  const [first, ...others] = pages;
  if (first === undefined) return null;
  const findPicture = ({ image }: Source) => {
    const found = image && findContentImage(image.src, context.images);
    return found && 'image' in found ? (
      <>
        {' '}
        <a href={found.image.src}>
          Picture<span className="sr-only">{`: ${image?.alt}`}</span>
        </a>
      </>
    ) : null;
  };
  return (
    <p className="mt-4 max-w-text text-sm text-muted">
      {pages.map((source, index) => (
        <Fragment key={source.href + source.checked}>
          {index > 0 && '; '}
          <a href={source.href} rel="noopener">
            {source.title}
          </a>
          {others.length > 0 && `, ${formatLongDate(source.checked)}`}
          {others.length > 0 && findPicture(source)}
        </Fragment>
      ))}
      {others.length === 0 && `: ${describeReading(first)}`}
      {others.length === 0 && findPicture(first)}
      {others.length > 0 &&
        pages.some(({ read }) => read !== 'opened') &&
        '. Read in copies and transcriptions.'}
    </p>
  );
}
