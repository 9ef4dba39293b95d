import { formatNumber } from '../figures/format-figures.ts';
import { LIST_PAGE_PARAMETER } from '../figures/list-page.ts';

/** Links to the pages of a list; nothing when it has one page. */
export function ListPager(props: {
  /** What is listed, in the plural. */
  readonly name: string;
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** Path and query of the list; both empty: only the page changes, at the same path. */
  readonly path: string;
  readonly parameters: string;
}) {
  const { name, page, pages, total, path, parameters } = props;
  if (pages <= 1) return null;
  const build = (number: number) => {
    const query = new URLSearchParams(parameters);
    if (number === 1) query.delete(LIST_PAGE_PARAMETER);
    else query.set(LIST_PAGE_PARAMETER, String(number));
    return query.size === 0 && path !== '' ? path : `${path}?${query}`;
  };
  return (
    <nav className="pager" aria-label={`Pages of ${name}`}>
      {page > 1 && (
        <a href={build(page - 1)} rel="prev">
          ‹ Previous
        </a>
      )}
      <span>
        Page {formatNumber(page)} of {formatNumber(pages)}, {formatNumber(total)} {name}
      </span>
      {page < pages && (
        <a href={build(page + 1)} rel="next">
          Next ›
        </a>
      )}
    </nav>
  );
}
