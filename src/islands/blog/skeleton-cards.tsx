/** The six cards of a list that loads, in the looks of the first six that come. */
const LOOKS = [
  ['first', 'card-lead'],
  ['second', ''],
  ['third', ''],
  ['fourth', ''],
  ['fifth', 'card-half'],
  ['sixth', 'card-half'],
] as const;

/** The list's shape before its articles are there: a grid, or the rows of a search. */
export function SkeletonCards({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <div className={isSearch ? 'cards rows' : 'cards'} aria-hidden="true" data-skeletons>
      {LOOKS.map(([key, look]) => (
        <div className={isSearch ? 'card' : `card ${look}`} key={key}>
          <div className="card-art bone" />
          <div className="card-text">
            <p className="card-badges">
              <span className="bone bone-badge" />
            </p>
            <p className="card-title">
              <span className="bone bone-line" />
              <span className="bone bone-line bone-short" />
            </p>
            <p className="card-excerpt">
              <span className="bone bone-line" />
              <span className="bone bone-line" />
            </p>
            <p className="card-meta">
              <span className="bone bone-line bone-short" />
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}
