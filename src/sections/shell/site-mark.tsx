import type { Content } from '../../core/pages/content.ts';
import { findContentImage } from '../../core/pages/content-image.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';

/** The mark beside the site's name: the operator's logo, or the signpost. Decorative, because the name follows. */
export function SiteMark({ brand, images }: Pick<Content, 'brand' | 'images'>) {
  const found = brand.logo === undefined ? null : findContentImage(brand.logo.src, images);
  if (found === null || 'problem' in found) return <BrandMark className="size-7" />;
  return <img src={found.image.src} alt="" width="28" height="28" className="size-7 object-contain" />;
}
