import path from 'node:path';
import { unescapeEntities } from '../sources/articles/html/html-text.ts';
import { createFormerItem, type FormerItem, type FormerSite, MoveInError, toInstant } from './former-item.ts';
import { openFileTree } from './open-archive.ts';

/** Opens an export of Medium: a folder or archive with `posts/`. */
export async function openMedium(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const names = tree.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name));
  if (names.length === 0)
    throw new MoveInError(`${location} has no posts/*.html: it is no export of Medium.`);
  return {
    address: () => '',
    archives: null,
    feeds: [],
    async *read() {
      for (const name of names) yield readPost((await tree.read(name)).toString('utf8'), name);
    },
  };
}

function readPost(html: string, name: string): FormerItem {
  const find = (pattern: RegExp) =>
    unescapeEntities((pattern.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '')).trim();
  const file = path.posix.basename(name, '.html');
  const title = find(/<h1[^>]*class="p-name"[^>]*>([\s\S]*?)<\/h1>/) || find(/<title>([\s\S]*?)<\/title>/);
  const address = find(/<a[^>]*href="([^"]*)"[^>]*class="p-canonical"/);
  const [, body = ''] =
    /<section[^>]*data-field="body"[^>]*>([\s\S]*)<\/section>\s*(?:<footer|<\/article)/.exec(html) ?? [];
  const date = /<time[^>]*class="dt-published"[^>]*datetime="([^"]*)"/.exec(html)?.[1];
  const hash = /-([0-9a-f]{8,12})$/.exec(file)?.[1] ?? '';
  return createFormerItem({
    type: 'post',
    id: hash || file,
    place: name,
    title,
    slug: file
      .replace(/^(?:draft|\d{4}-\d\d-\d\d)_/, '')
      .replace(/-+[0-9a-f]{8,12}$/, '')
      .replace(/-+/g, '-'),
    // Addresses below medium.com stay there.
    address: /^https:\/\/(?:[\w-]+\.)?medium\.com\//.test(address) ? '' : address,
    hidden: file.startsWith('draft_') ? 'a draft' : '',
    publishedAt: toInstant(date),
    author: find(/<a[^>]*class="p-author h-card"[^>]*>([\s\S]*?)<\/a>/),
    // The title is the first heading of the text too.
    body: body
      .replace(/<h[1-4][^>]*graf--title[^>]*>[\s\S]*?<\/h[1-4]>/, '')
      .replace(/<h3\b/g, '<h2')
      .replace(/<\/h3>/g, '</h2>'),
    excerpt: find(/<section[^>]*data-field="subtitle"[^>]*>([\s\S]*?)<\/section>/),
  });
}
