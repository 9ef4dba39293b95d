import path from 'node:path';
import { ContentFiles } from '../../src/content-files/content-files.ts';
import { getSecretsFile } from '../../src/content-files/secret-file.ts';
import { NO_IMAGES } from '../../src/core/pages/images/content-image.ts';
import { readAddresses } from './address-site.ts';
import { createTestConsole } from './console-ledger.ts';
import { createFolder, createSmallContent } from './create-folder.ts';
import { createNoArticles } from './test-site.ts';

/** Creates a site with its console over a new content folder, with its partner `example` edited. */
export async function createContentConsole(edit: (text: string) => string) {
  const root = createFolder();
  createSmallContent(root, { 'partners/example.yaml': edit });
  const { site } = await openContentConsole(root);
  return { root, partner: path.join(root, 'partners/example.yaml'), site };
}

/** Creates a site with its console over a content folder, whose edits are shown at once. */
export async function openContentConsole(root: string) {
  const read = () => {
    const { content } = readAddresses(root);
    if (content === null) throw new Error('the content is invalid');
    return content;
  };
  let shown = read();
  const site = await createTestConsole({
    platform: {
      contentDir: root,
      secretsFile: getSecretsFile(createFolder()),
      shown: {
        read: () => shown,
        articles: createNoArticles(),
        readWarnings: () => [],
        onChange: () => undefined,
        refreshPrices: () => undefined,
        async applyEdits() {
          shown = read();
        },
      },
    },
  });
  Object.assign(site.platform.content, { files: new ContentFiles(root, () => NO_IMAGES) });
  return { site, read };
}
