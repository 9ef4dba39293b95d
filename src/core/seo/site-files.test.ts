import { expect, it } from 'vitest';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { brandSchema } from '../pages/brand/brand.schema.ts';
import { NO_IMAGES } from '../pages/images/content-image.ts';
import { buildWebManifest } from './site-files.ts';

it('the manifest has the name of the site and the background color of the brand', () => {
  const site = { ...readSampleSite(), name: 'Garden "Tools" & Co' };
  const brand = brandSchema.parse({ colors: { ground: '#ffffff' } });
  const drawn = new Map([['/icons/maskable-192.png', '/icons/maskable-192.0123456789.png']]);
  expect(JSON.parse(buildWebManifest({ site, brand, images: { ...NO_IMAGES, drawn } }))).toMatchObject({
    name: 'Garden "Tools" & Co',
    theme_color: '#ffffff',
    icons: [{ src: '/icons/maskable-192.0123456789.png' }, { purpose: 'maskable' }, { sizes: '512x512' }],
  });
});
