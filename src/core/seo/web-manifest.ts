import type { Content } from '../pages/content.ts';

/** Background of light pages, as in `src/styles/tokens.css`. */
const BACKGROUND = '#fbf9f4';

/** Builds the web app manifest as JSON: the site's name, its background color and the icons of the build. */
export function buildWebManifest({ site, brand }: Pick<Content, 'site' | 'brand'>): string {
  const color = brand.colors.ground ?? BACKGROUND;
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/maskable-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    name: site.name,
    short_name: site.name,
    start_url: '/',
    display: 'browser',
    background_color: color,
    theme_color: color,
    icons: [icon(192, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
  });
}
