import { describeReading, type Source } from '../../core/products/product.ts';

/** The pages that prices are from, each with how and when it was read. */
export function CheckedLine({ sources }: { readonly sources: readonly Source[] }) {
  const pages = [...new Map(sources.map((source) => [source.href + source.checked, source])).values()];
  if (pages.length === 0) return null;
  return (
    <ul className="mt-4 grid max-w-text gap-1 text-sm text-muted">
      {pages.map((source) => (
        <li key={source.href + source.checked}>
          <a href={source.href} rel="noopener">
            {source.title}
          </a>
          : {describeReading(source)}
        </li>
      ))}
    </ul>
  );
}
