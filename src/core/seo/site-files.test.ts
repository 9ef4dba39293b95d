import { expect, it } from 'vitest';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { brandSchema } from '../pages/brand/brand.schema.ts';
import { buildWebManifest } from './site-files.ts';

it('the manifest has the name of the site and the background color of the brand', () => {
  const site = { ...readSampleSite(), name: 'Garden "Tools" & Co' };
  const brand = brandSchema.parse({ colors: { ground: '#ffffff' } });
  expect(JSON.parse(buildWebManifest({ site, brand }))).toMatchObject({
    name: 'Garden "Tools" & Co',
    theme_color: '#ffffff',
    icons: [{ sizes: '192x192' }, { purpose: 'maskable' }, { sizes: '512x512' }],
  });
});
