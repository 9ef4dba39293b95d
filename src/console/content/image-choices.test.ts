import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildViewRequest, postForm } from '../../../test/support/console-ledger.ts';
import { createContentConsole } from '../../../test/support/content-console.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { findContentImage } from '../../core/pages/images/content-image.ts';
import { listNamed } from './list-choices.ts';
import { readContentFile } from './read-file.ts';

const NAMES = ['logo.png', 'articles/mug (1).jpg', '50% off.png', 'a#b.png', 'a?b.png', 'Größe 1.png'];
const SHOWN = { src: '/images/x.png', width: 600, height: 400, sources: [] };
const CATALOG = { images: new Map(NAMES.map((name) => [name, SHOWN])), origin: 'folder' } as const;

const SRC = '../images/logo.png';
const IMAGE = `image: { src: ${SRC}, alt: A mug }`;
const PAGE = `title: Mugs\ndescription: A page about mugs, which is long enough for the results of a search.
sections: [{ type: hero, title: Mugs }, { type: image, ${IMAGE} }]\n`;
const ARTICLE = `---\ntitle: A mug\nexcerpt: A mug for people who drink a lot of tea.\ncategories: [Mugs]
publishedAt: 2025-01-01\nauthor: team\n${IMAGE}\n---\nA mug.\n`;
const AUTHOR = `name: Team\nkind: team\nrole: Editors\nbio: We test.\n${IMAGE}\n`;
const PRODUCT = `name: Mug\nkind: physical\nverdict: A mug that holds tea.\n${IMAGE}
sources: { store: { title: The mug page, href: "https://store.example/mug", checked: 2025-06-01 } }
offers: { black: { name: Black, partner: example, price: 9, billed: once, source: store } }\n`;
const BRAND = `logo: { src: ${SRC}, alt: A mug }\nfavicon: ${SRC}\nsocialImage: ${SRC}\n`;

it.each<[file: string, text: string, ...fields: (readonly (string | number)[])[]]>([
  ['brand.yaml', BRAND, ['logo', 'src'], ['favicon'], ['socialImage']],
  ['pages/mugs.yaml', PAGE, ['sections', 1, 'image', 'src']],
  ['authors/team.yaml', AUTHOR, ['image', 'src']],
  ['products/mug.yaml', PRODUCT, ['image', 'src']],
  ['articles/mug.md', ARTICLE, ['image', 'src']],
])('each image that the form of %s offers can be saved and is shown', async (file, text, ...fields) => {
  const { root, site } = await createContentConsole((partner) => partner);
  writeFileSync(path.join(root, 'authors/team.yaml'), AUTHOR);
  writeFileSync(path.join(root, file), text);
  Object.assign(site.platform.content, { files: new ContentFiles(root, () => CATALOG) });
  // The console of the test reads the content without images.
  Object.assign(site.content, { applyEdits: async () => undefined });
  const content = site.content.read();
  const shown = { ...site, content: { ...site.content, read: () => ({ ...content, images: CATALOG }) } };
  const choices = listNamed(shown).get('image') ?? [];
  expect(choices.map(({ kind }) => kind)).toEqual(NAMES);
  const request = buildViewRequest({ rest: file.split('/') });
  for (const field of fields) {
    // The first choice is in the file already.
    for (const { value, kind } of choices.toReversed()) {
      const model = await readContentFile(site, request);
      const opened = { opened: model?.opened ?? '', draft: model?.text ?? '' };
      const form = { ...opened, action: 'save', [JSON.stringify(field)]: value };
      const saved = await postForm(site, 'content', form, request);
      expect(saved, `${field}: ${kind}`).toMatchObject({ isError: false });
      expect(readFileSync(path.join(root, file), 'utf8')).toContain(value);
      const images = new Map([[kind, SHOWN]]);
      expect(findContentImage(value, { ...CATALOG, images })).toEqual({ image: SHOWN });
    }
  }
});
