import type { Content } from '../../core/pages/content.ts';
import { findContentImage } from '../../core/pages/content-image.ts';
import { BRAND_PATHS } from '../../ui/brand-paths.ts';

/** The mark beside the site's name: the operator's logo, or the signpost. Decorative, because the name follows. */
export function SiteMark({ brand, images }: Pick<Content, 'brand' | 'images'>) {
  const found = brand.logo === undefined ? null : findContentImage(brand.logo.src, images);
  if (found === null || 'problem' in found) return <Signpost />;
  return <img src={found.image.src} alt="" width="28" height="28" className="size-7 object-contain" />;
}

function Signpost() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" className="size-7 shrink-0" aria-hidden="true">
      <path className="fill-current" d={`${BRAND_PATHS.post}${BRAND_PATHS.right}`} />
      <path className="fill-accent" d={BRAND_PATHS.left} />
    </svg>
  );
}
