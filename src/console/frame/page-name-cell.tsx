import type { ConsoleFrame } from '../console-page.ts';
import { FilterLink } from './filter-link.tsx';

/** A page by its title, with its path below. The link shows only this page. */
export function PageNameCell(props: {
  readonly frame: ConsoleFrame;
  readonly page: string;
  readonly title: string | null;
  /** The view that the link opens; the one on screen when left out. */
  readonly view?: 'pages';
}) {
  const { frame, page, title, view = frame.view } = props;
  const text = title ?? page;
  return (
    <>
      <FilterLink view={view} frame={frame} dimension="page" value={page}>
        {text}
      </FilterLink>
      {title !== null && <small>{page}</small>}
    </>
  );
}
