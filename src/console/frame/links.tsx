import type { ComponentProps, ReactNode } from 'react';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import { useFrame } from '../console-page.ts';
import {
  addFilter,
  buildCommissionAddress,
  buildConsoleAddress,
  buildRowsAddress,
  type SumKind,
} from '../reports/addresses.ts';
import type { ConsoleDimension, ConsoleQuery } from '../reports/query.ts';
import type { CommissionRow } from '../reports/select-entries.ts';
import { MoneyAmount } from './cells.tsx';

/** The id of a commission, leading to its page. */
export function CommissionLink({ row }: { readonly row: CommissionRow }) {
  return (
    <a className="commission-link" href={buildCommissionAddress(row)}>
      {row.id || '(no id)'}
    </a>
  );
}

/**
 * A value of a dimension. A click shows only its rows; with Alt held, all but its rows. In a shared view, which
 * cannot be filtered, it is text.
 */
export function FilterLink(props: {
  readonly view: ConsoleViewKey;
  readonly dimension: ConsoleDimension;
  readonly value: string;
  /** The value itself when left out. */
  readonly children?: ReactNode;
}) {
  const { view, dimension, value, children = value } = props;
  const { query, viewer } = useFrame();
  if (viewer.kind === 'share') return children;
  const build = (isNot: boolean) => buildConsoleAddress(view, addFilter(query, dimension, value, isNot));
  return (
    <a className="filter-link" href={build(false)} data-not={build(true)}>
      {children}
    </a>
  );
}

/**
 * An amount that leads to the commissions that it is the sum of. Nothing to open: an amount of 0 and what is not known,
 * and any amount behind a share link.
 */
export function OpenAmount(props: {
  /** The query whose commissions it sums, the filter of its row included. */
  readonly query: ConsoleQuery;
  /** In minor units of `currency`. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly kind: SumKind;
  /** The amount as money of its kind when left out. */
  readonly children?: ReactNode;
}) {
  const { query, amount, currency, kind } = props;
  const { children = <MoneyAmount amount={amount} currency={currency} kind={kind} /> } = props;
  const { viewer } = useFrame();
  if (viewer.kind === 'share' || !amount || currency === null) return children;
  return (
    <a className="filter-link" href={buildRowsAddress(query, currency, kind)}>
      {children}
    </a>
  );
}

/** A link to another address of the console; only its text behind a share link, which opens nothing else. */
export function OperatorLink({ children, ...link }: ComponentProps<'a'> & { readonly href: string }) {
  return useFrame().viewer.kind === 'share' ? children : <a {...link}>{children}</a>;
}

/** A page by its title, with its path on hover; by its path when the site does not have it any more. */
export function TitledPage({ page }: { readonly page: string }) {
  const title = useFrame().names.pages.get(page);
  return title === undefined ? page : <span title={page}>{title}</span>;
}

/** A page by its title, with its path below where another page has the same one. The link opens its report. */
export function PageNameCell({ page }: { readonly page: string }) {
  const { pages } = useFrame().names;
  const title = pages.get(page);
  const isShared = title !== undefined && [...pages.values()].filter((other) => other === title).length > 1;
  return (
    <>
      <FilterLink view="pages" dimension="page" value={page}>
        <TitledPage page={page} />
      </FilterLink>
      {isShared && <small>{page}</small>}
    </>
  );
}

/** The link to the whole table as CSV, for the query on screen. Nothing where it cannot be exported. */
export function CsvLink() {
  const { view, query, viewer, exportHref } = useFrame();
  if (exportHref === null) return null;
  const href = buildConsoleAddress(view, query, { suffix: '.csv' });
  return <a href={viewer.kind === 'share' ? exportHref : href}>CSV</a>;
}

/** The same link for a view with parameters beyond the query: it keeps all parameters of the address. */
export function AddressCsvLink() {
  const { exportHref, parameters } = useFrame();
  return exportHref !== null && <a href={`${exportHref}${parameters && `?${parameters}`}`}>CSV</a>;
}
