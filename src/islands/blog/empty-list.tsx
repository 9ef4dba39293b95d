/** What stands where no article is. */
export function EmptyList({ query }: { readonly query: string }) {
  return (
    <div className="empty">
      <svg viewBox="17 3 86 70" width="86" height="70" aria-hidden="true" className="empty-art">
        <path d="M18 4h84v62l-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6z" />
        <path d="M30 20h36M30 34h36M30 48h36M82 20h8M82 34h8M82 48h8" />
      </svg>
      {query === '' ? (
        <>
          <h2 className="empty-title">No articles available</h2>
          <p>The next ones appear here as soon as they are published.</p>
        </>
      ) : (
        <>
          <h2 className="empty-title">{`No articles found for "${query}"`}</h2>
          <p>
            Try one word instead of several, or a broader one. <a href="/blog">Show all articles</a>
          </p>
        </>
      )}
    </div>
  );
}
