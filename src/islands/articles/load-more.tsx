/** Leads to the list with one page more; without scripts as a link that lands on its first article. */
export function LoadMore(props: {
  readonly href: string;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}) {
  const { href, isLoading, onLoad } = props;
  return (
    <p className="list-more">
      <a
        className="button button-quiet"
        href={href}
        data-wakes
        aria-busy={isLoading}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          if (!isLoading) onLoad();
        }}
      >
        Load More Articles
      </a>
    </p>
  );
}
