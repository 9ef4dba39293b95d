import type { ConsoleFrame } from '../console-page.ts';
import { buildConsoleAddress } from '../figures/build-console-address.ts';
import type { ListPage } from '../figures/list-page.ts';
import { ListPager } from './list-pager.tsx';

/** Links to the other pages of a breakdown. Those of a share link stay at its address. */
export function BreakdownPager(props: {
  readonly view: 'pages' | 'placements' | 'campaigns';
  readonly list: Omit<ListPage<unknown>, 'rows'>;
  readonly frame: ConsoleFrame;
}) {
  const { view, list, frame } = props;
  const { page, pages, total } = list;
  const target =
    frame.viewer.kind === 'share'
      ? { path: '', parameters: '' }
      : { path: buildConsoleAddress(view), parameters: frame.parameters };
  return (
    <ListPager name={view === 'pages' ? 'pages of the site' : view} {...{ page, pages, total }} {...target} />
  );
}
