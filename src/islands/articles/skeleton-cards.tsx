/** The variants of the first six cards of a list. */
const SKELETONS = [
  { key: 'first', variantClassName: 'card-lead' },
  { key: 'second', variantClassName: '' },
  { key: 'third', variantClassName: '' },
  { key: 'fourth', variantClassName: '' },
  { key: 'fifth', variantClassName: 'card-half' },
  { key: 'sixth', variantClassName: 'card-half' },
] as const;

/** Placeholders in the shape of the list while it loads: a grid, or the rows of a search. */
export function SkeletonCards({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <div className={isSearch ? 'cards cards-rows' : 'cards'} aria-hidden="true" data-skeletons>
      {SKELETONS.map(({ key, variantClassName }) => (
        <div className={`card ${isSearch ? '' : variantClassName}`} key={key}>
          <div className="card-image skeleton" />
          <div className="card-text">
            <p className="flex">
              <span className="skeleton h-[1.4rem] w-24 rounded-full" />
            </p>
            <p className="card-title">
              <SkeletonLine />
              <SkeletonLine className="w-[62%]" />
            </p>
            <p className="card-excerpt">
              <SkeletonLine />
              <SkeletonLine />
            </p>
            <p className="card-meta">
              <SkeletonLine className="w-[62%]" />
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

function SkeletonLine({ className = '' }: { readonly className?: string }) {
  return <span className={`skeleton my-[0.2em] h-[0.8em] ${className}`} />;
}
