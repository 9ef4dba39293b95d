import { BRAND_PATHS } from './brand-paths.ts';

/** The site's signpost, in the text's color and the accent; decorative, shown beside the name. */
export function BrandMark(props: { readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width="28"
      height="28"
      className={`shrink-0 ${props.className ?? ''}`}
      aria-hidden="true"
    >
      <path className="fill-current" d={`${BRAND_PATHS.post}${BRAND_PATHS.right}`} />
      <path className="fill-accent" d={BRAND_PATHS.left} />
    </svg>
  );
}
