import { BLOG_PATH } from '../../core/paths.ts';
/** The blog list without articles, for an empty blog or a search without results. */
export function EmptyList({ query }: { readonly query: string }) {
  return (
    <div className="grid max-w-text justify-items-start gap-4 py-[clamp(2rem,5vw,4rem)] text-muted">
      <svg
        viewBox="17 3 86 70"
        width="86"
        height="70"
        aria-hidden="true"
        className="fill-raised stroke-line-strong stroke-[1.5]"
      >
        <path d="M18 4h84v62l-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6-7 6-7-6z" />
        <path d="M30 20h36M30 34h36M30 48h36M82 20h8M82 34h8M82 48h8" />
      </svg>
      {query === '' ? (
        <>
          <h2 className="text-2xl text-ink wrap-anywhere">No articles available</h2>
          <p>The next ones appear here as soon as they are published.</p>
        </>
      ) : (
        <>
          <h2 className="text-2xl text-ink wrap-anywhere">{`No articles found for "${query}"`}</h2>
          <p>
            Try one word instead of several, or a broader one. <a href={BLOG_PATH}>Show all articles</a>
          </p>
        </>
      )}
    </div>
  );
}
