import { Icon } from '../ui/icon.tsx';

/** The article search as a plain GET form; the hub's island takes it over when it is touched. */
export function SearchForm({ query }: { readonly query: string }) {
  return (
    <search className="search">
      <form action="/blog#articles" method="get" data-search data-wakes>
        <label className="sr-only" htmlFor="article-search">
          Search articles
        </label>
        <input
          id="article-search"
          name="q"
          type="search"
          defaultValue={query}
          placeholder="Search articles..."
          maxLength={120}
          autoComplete="off"
          enterKeyHint="search"
          className="field"
        />
        <button type="submit" className="button button-quiet">
          <Icon name="search" className="size-5" />
          <span>Search</span>
        </button>
      </form>
    </search>
  );
}
