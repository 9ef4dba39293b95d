import type { ReactNode } from 'react';
import { addFilter, buildConsoleAddress } from '../core/console/build-console-address.ts';
import type { ConsoleDimension, ConsoleQuery } from '../core/console/console-query.ts';
import type { ConsoleViewKey } from '../core/console/console-view.ts';

/** A value of a dimension. A click shows only its rows; with Alt held, all but its rows. */
export function FilterLink(props: {
  readonly view: ConsoleViewKey;
  readonly query: ConsoleQuery;
  readonly dimension: ConsoleDimension;
  readonly value: string;
  /** The value itself when left out. */
  readonly children?: ReactNode;
}) {
  const { view, query, dimension, value, children = value } = props;
  const build = (isNot: boolean) => buildConsoleAddress(view, addFilter(query, { dimension, value, isNot }));
  return (
    <a className="filter-link" href={build(false)} data-not={build(true)}>
      {children}
    </a>
  );
}
