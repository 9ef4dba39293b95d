/** The article search as a plain GET form; the blog's island takes it over when it is touched. */
export function SearchForm({ query }: { readonly query: string }) {
  return (
    <search className="order-last w-full md:order-none md:ml-auto md:w-auto">
      <form action="/blog" method="get" className="flex gap-2" data-search>
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
          className="field min-w-0 flex-1 md:w-56"
        />
        <button type="submit" className="button button-quiet min-h-11 px-4 py-2 text-sm">
          Search
        </button>
      </form>
    </search>
  );
}
