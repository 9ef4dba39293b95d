import { BLOG_PATH } from '../../core/paths.ts';
import { Icon } from '../../ui/icon.tsx';

/** The article search as a plain GET form; the island of the blog page takes it over on the first interaction. */
export function SearchForm({ query }: { readonly query: string }) {
  return (
    <search className="min-w-0 flex-1">
      <form
        action={`${BLOG_PATH}#articles`}
        method="get"
        data-search
        data-hydrates
        className="mx-auto flex max-w-96 gap-2"
      >
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
          className="field min-w-0 flex-1 max-sm:px-[0.65rem] max-sm:[&::-webkit-search-cancel-button]:hidden"
        />
        <button type="submit" className="button button-quiet button-small px-3">
          <Icon name="search" className="size-5" />
          <span className="max-sm:sr-only">Search</span>
        </button>
      </form>
    </search>
  );
}
