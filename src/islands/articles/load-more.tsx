/** A button that adds the next page to the list. Without scripts it is a link to that page's first article. */
export function LoadMore(props: {
  readonly href: string;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}) {
  const { href, isLoading, onLoad } = props;
  return (
    <p className="mt-[clamp(2rem,4vw,3.5rem)] border-t border-line pt-6 text-center">
      <a
        className="button button-quiet"
        href={href}
        data-hydrates
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
