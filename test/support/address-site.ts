import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSiteFolder } from '../../src/commands/new.ts';
import { listArticleSlugs } from '../../src/content-files/articles/read-article-files.ts';
import { ContentFiles } from '../../src/content-files/content-files.ts';
import { ContentJournal } from '../../src/content-files/journal.ts';
import { readFolderContents } from '../../src/content-files/read-content.ts';
import type { ArticleSummary } from '../../src/core/articles/article.ts';
import type { ConsoleViewer } from '../../src/core/console/capabilities.ts';
import type { ImageCatalog } from '../../src/core/pages/images/content-image.ts';
import { createTestConsole, postForm } from './console-ledger.ts';

const IMAGE = { src: '/images/x.svg', width: 1, height: 1, sources: [] };
const IMAGES: ImageCatalog = { images: new Map([['articles/how-we-choose.svg', IMAGE]]), origin: 'folder' };

/** Reads a content folder as a site reads it that looks at this moment. */
export function readAddresses(root: string) {
  const articles = new Set(listArticleSlugs(path.join(root, 'articles')));
  const { content, problems } = readFolderContents(root, { images: IMAGES, articles });
  return { content, problems, articles };
}

/** The texts of the content folder by path. */
export const readContentTexts = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|yaml|csv)$/.test(name) && !name.startsWith('.import'))
      .sort()
      .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );

/** Creates an empty site in a folder with a console that edits it. Its page `/example-product` is linked in `site.yaml`. */
export async function createAddressSite(
  root: string,
  extra: Readonly<Record<string, string>> = {},
  journal = new ContentJournal(root),
) {
  createSiteFolder({ name: 'New site', folder: root, day: '2025-01-05' });
  for (const [file, text] of Object.entries(extra)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const files = new ContentFiles(root, () => IMAGES, journal);
  const created = await createTestConsole();
  /** The console as it is when the site shows what is in the folder. */
  const open = () => {
    const { content, problems, articles } = readAddresses(root);
    if (content === null) throw new Error(problems.map(({ file, reason }) => `${file} ${reason}`).join());
    const platform = { ...created.platform, content: { ...created.platform.content, files } };
    const getSummaries = () => [...articles].map((slug) => ({ slug, title: slug }) as ArticleSummary);
    const shown = { ...created.content.articles, getSummaries };
    return { ...created, platform, content: { ...created.content, read: () => content, articles: shown } };
  };
  const post = async (file: string, fields: Readonly<Record<string, string>>, viewer?: ConsoleViewer) => {
    const found = files.read(file);
    const opened = 'hash' in found ? found.hash : '';
    const request = { rest: file.split('/'), ...(viewer && { viewer }) };
    const outcome = await postForm(open(), 'content', { opened, ...fields }, request);
    if (outcome instanceof Response) throw new Error('it was a response');
    return outcome;
  };
  return { files, open, post };
}
