import { expect, it } from 'vitest';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { respondWithDossier } from './dossier.ts';

it('the dossier of a page is HTML that runs no script, and no other view is one', async () => {
  const { site } = await createContentConsole((text) => text);
  const read = (file: string, view = 'dossier') =>
    respondWithDossier(site, file.split('/'), new URLSearchParams({ view }));
  const response = await read('pages/example-product.yaml');
  expect(response?.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(await response?.text()).toContain('<h1>Dossier: ');
  expect(await read('pages/example-product.yaml', 'text')).toBeNull();
  expect(await read('pages/none.yaml')).toBeNull();
  expect(await read('site.yaml')).toBeNull();
});
