import { z } from 'zod';
import { parseYaml } from '../content-files/parse-yaml.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  MoveInError,
  readEach,
  toInstant,
} from './former-item.ts';
import { openFileTree } from './open-archive.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const words = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .nullish()
  .transform((value) =>
    Array.isArray(value) ? value.map(String) : value === null || value === undefined ? [] : [String(value)],
  )
  .catch([]);
const single = z
  .union([z.string(), z.number(), z.date()])
  .nullish()
  .transform((value) => (value instanceof Date ? value.toISOString() : String(value ?? '')))
  .catch('');
const frontSchema = z.object({
  title: single,
  slug: single,
  permalink: single,
  url: single,
  date: single,
  pubDate: single,
  publishDate: single,
  published: z.unknown().optional(),
  lastmod: single,
  updated: single,
  updatedDate: single,
  last_modified_at: single,
  draft: z.unknown().optional(),
  description: single,
  excerpt: single,
  summary: single,
  author: single,
  categories: words,
  category: words,
  tags: words,
  aliases: words,
  redirect_from: words,
  image: z.unknown().optional(),
  cover: z.unknown().optional(),
  heroImage: z.unknown().optional(),
});

/** Opens a folder or archive of Markdown with front matter, of Jekyll, Hugo or Astro. */
export async function openMarkdown(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const names = tree.names.filter(
    (name) => MARKDOWN.test(name) && !/(?:^|\/)(?:_index|readme|changelog|license)\.\w+$/i.test(name),
  );
  if (names.length === 0) throw new MoveInError(`${location} has no Markdown files.`);
  return {
    address: () => '',
    archives: null,
    feeds: ['/feed.xml', '/index.xml', '/atom.xml'],
    read: (onProblem) =>
      readEach(
        names,
        (name) => name,
        onProblem,
        async (name) => {
          const source = (await tree.read(name))
            .toString('utf8')
            .replace(/^\uFEFF/, '')
            .replaceAll('\r\n', '\n');
          const read = parseFront(source);
          if ('problem' in read) throw new MoveInError(read.problem);
          if (read.front === null) throw new MoveInError('it has no front matter');
          return buildMarkdownItem(name, read.front, read.body);
        },
      ),
  };
}

function parseFront(
  source: string,
): { readonly front: unknown; readonly body: string } | { readonly problem: string } {
  const [, mark, head = '', body = ''] =
    /^(---|\+\+\+)[ \t]*\n([\s\S]*?)\n\1[ \t]*(?:\n([\s\S]*))?$/.exec(source) ?? [];
  if (mark === undefined) return { front: null, body: source };
  if (mark === '+++') return { front: parseToml(head), body };
  const read = parseYaml(head);
  return 'value' in read
    ? { front: read.value, body }
    : { problem: `front matter, line ${(read.line ?? 0) + 1}: ${read.problem}` };
}

/** The keys with texts, dates, truth values and lists of texts that front matter in TOML consists of. */
function parseToml(head: string): Record<string, unknown> {
  const front: Record<string, unknown> = {};
  const unquote = (value: string) =>
    /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/
      .exec(value.trim())
      ?.slice(1)
      .find((part) => part !== undefined)
      ?.replace(/\\(.)/g, '$1') ?? value.trim();
  for (const [, key = '', value = ''] of head.matchAll(/^([\w-]+)\s*=\s*(\[[^[\]]*\]|.*)$/gm)) {
    const list = /^\[([\s\S]*)\]$/.exec(value.trim())?.[1];
    front[key] =
      list === undefined
        ? value.trim() === 'true'
          ? true
          : unquote(value)
        : [...list.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g)].map(([part]) => unquote(part));
  }
  return front;
}

function buildMarkdownItem(name: string, given: unknown, body: string): FormerItem {
  const front = frontSchema.parse(typeof given === 'object' && given !== null ? given : {});
  const parts = name.replace(MARKDOWN, '').split('/');
  const base = parts.at(-1) === 'index' ? (parts.at(-2) ?? 'index') : (parts.at(-1) ?? name);
  const [, day, plain = base] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(base) ?? [];
  const slug = front.slug || plain;
  const date = front.date || front.pubDate || front.publishDate || day || '';
  const isDraft =
    front.draft === true || front.draft === 'true' || front.published === false || parts.includes('_drafts');
  const address =
    front.permalink ||
    front.url ||
    buildDefaultAddress(parts, slug, date, [...front.categories, ...front.category]);
  const toTerms = (list: readonly string[]) => list.map((term) => ({ name: term, slug: '' }));
  const image = [front.image, front.cover, front.heroImage].flatMap((value) =>
    typeof value === 'string'
      ? value
      : ((typeof value === 'object' && value !== null
          ? [Reflect.get(value, 'src'), Reflect.get(value, 'image'), Reflect.get(value, 'path')].find(
              (part) => typeof part === 'string',
            )
          : undefined) ?? []),
  )[0];
  return createFormerItem({
    type: 'post',
    id: name,
    place: name,
    title: front.title || plain.replace(/[-_]+/g, ' '),
    slug,
    address: address.includes(':') && !/^https?:/.test(address) ? '' : address,
    hidden: isDraft ? 'a draft' : '',
    publishedAt: toInstant(
      date.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) ?([+-]\d\d):?(\d\d)$/, '$1T$2$3:$4'),
    ),
    updatedAt: toInstant(
      front.lastmod || front.updated || front.updatedDate || front.last_modified_at || undefined,
    ),
    author: front.author,
    categories: toTerms(front.categories.length > 0 ? front.categories : front.category),
    tags: toTerms(front.tags),
    format: 'markdown',
    body,
    excerpt: front.description || front.excerpt || front.summary,
    image: image ?? '',
    formerAddresses: [...front.aliases, ...front.redirect_from],
  });
}

/** Where the generator puts a file that names no address of its own. */
function buildDefaultAddress(
  parts: readonly string[],
  slug: string,
  date: string,
  categories: readonly string[],
): string {
  if (parts.includes('_posts')) {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date) ?? [];
    if (year === undefined) return '';
    return `/${[...categories.map((name) => name.toLowerCase().replace(/\s+/g, '%20')), year, month, day, `${slug}.html`].join('/')}`;
  }
  const start = parts.findLastIndex((part) => part === 'content' || part === 'pages');
  const folders = parts.slice(start + 1, -1).filter((part) => !part.startsWith('_'));
  return `/${(parts.at(-1) === 'index' ? folders.slice(0, -1) : folders).concat(slug).join('/')}`;
}
