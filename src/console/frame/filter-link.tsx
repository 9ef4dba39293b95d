import type { ReactNode } from 'react';
import type { ConsoleViewKey } from '../../core/console/console-view.ts';
import type { ConsoleFrame } from '../console-page.ts';
import { addFilter, buildConsoleAddress } from '../figures/build-console-address.ts';
import type { ConsoleDimension } from '../figures/console-query.ts';

/**
 * A value of a dimension. A click shows only its rows; with Alt held, all but its rows. In a shared view, which
 * cannot be filtered, it is text.
 */
export function FilterLink(props: {
  readonly view: ConsoleViewKey;
  readonly frame: ConsoleFrame;
  readonly dimension: ConsoleDimension;
  readonly value: string;
  /** The value itself when left out. */
  readonly children?: ReactNode;
}) {
  const { view, frame, dimension, value, children = value } = props;
  if (frame.viewer.kind === 'share') return children;
  const build = (isNot: boolean) =>
    buildConsoleAddress(view, addFilter(frame.query, dimension, value, isNot));
  return (
    <a className="filter-link" href={build(false)} data-not={build(true)}>
      {children}
    </a>
  );
}
