import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { unescapeEntities } from '../sources/articles/html/html-text.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  type FormerTerm,
  ImportError,
} from './former-item.ts';
import { renderLexical } from './lexical.ts';
import { type FileTree, openFileTree } from './open-archive.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const id = z.union([z.string(), z.number()]).transform(String);

const ghostSchema = z.object({
  db: z
    .array(
      z.object({
        data: z.object({
          posts: z.array(
            z.object({
              id,
              title: text,
              slug: text,
              html: text,
              lexical: text,
              mobiledoc: text,
              feature_image: text,
              status: text,
              visibility: text,
              type: text,
              page: z.union([z.boolean(), z.number()]).nullish(),
              published_at: z.union([z.string(), z.number()]).nullish(),
              updated_at: z.union([z.string(), z.number()]).nullish(),
              custom_excerpt: text,
              meta_title: text,
              meta_description: text,
            }),
          ),
          tags: z.array(z.object({ id, name: text, slug: text })).default([]),
          posts_tags: z
            .array(z.object({ post_id: id, tag_id: id, sort_order: z.number().nullish() }))
            .default([]),
          users: z.array(z.object({ id, name: text, slug: text })).default([]),
          posts_authors: z.array(z.object({ post_id: id, author_id: id })).default([]),
          posts_meta: z
            .array(
              z.object({ post_id: id, meta_title: text, meta_description: text, feature_image_alt: text }),
            )
            .default([]),
        }),
      }),
    )
    .min(1),
});

const toInstant = (time: string | number | null | undefined) => {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** Opens the JSON export of Ghost. */
export function openGhost(json: string, name: string): FormerSite {
  const parsed = ghostSchema.safeParse(parseExport(json, name));
  if (!parsed.success)
    throw new ImportError(
      `${name} is not an export of Ghost: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}.`,
    );
  const { posts, tags, posts_tags, users, posts_authors, posts_meta } = parsed.data.db[0]?.data ?? {
    posts: [],
    tags: [],
    posts_tags: [],
    users: [],
    posts_authors: [],
    posts_meta: [],
  };
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]));
  const metaByPost = new Map(posts_meta.map((meta) => [meta.post_id, meta]));
  const authors = new Map(
    posts_authors.map(({ post_id, author_id }) => [post_id, users.find((user) => user.id === author_id)]),
  );
  const readBody = (
    { html, lexical, mobiledoc }: (typeof posts)[number],
    report: (reason: string) => void,
  ): string => {
    if (html !== '') return html;
    if (lexical !== '') {
      const rendered = renderLexical(lexical, (type) => report(`a card "${type}" of Ghost has no form here`));
      if (rendered !== null) return rendered;
      report('its text is damaged');
    } else if (mobiledoc !== '')
      report('its text is in the format of Ghost 4: export it from Ghost 5 or later');
    return '';
  };
  const build = (
    post: (typeof posts)[number],
    index: number,
    onProblem: (place: string, reason: string) => void,
  ): FormerItem => {
    const place = `${name}, post ${index + 1}`;
    const own = posts_tags
      .filter(({ post_id }) => post_id === post.id)
      .sort((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0))
      .flatMap(({ tag_id }): FormerTerm[] => {
        const tag = tagsById.get(tag_id);
        return tag === undefined || tag.name.startsWith('#') ? [] : [{ name: tag.name, slug: tag.slug }];
      });
    const meta = metaByPost.get(post.id);
    const isOpen = post.visibility === '' || post.visibility === 'public';
    return createFormerItem({
      type: post.type === 'page' || post.page ? 'page' : 'post',
      id: post.id,
      place,
      title: post.title,
      slug: post.slug,
      address: `/${post.slug}/`,
      hidden: post.status !== 'published' ? post.status || 'a draft' : isOpen ? '' : `for ${post.visibility}`,
      publishedAt: toInstant(post.published_at),
      updatedAt: toInstant(post.updated_at),
      author: authors.get(post.id)?.name ?? '',
      authorSlug: authors.get(post.id)?.slug ?? '',
      categories: own.slice(0, 1),
      tags: own.slice(1),
      body: readBody(post, (reason) => onProblem(place, reason)).replaceAll('__GHOST_URL__', ''),
      excerpt: post.custom_excerpt,
      seoTitle: meta?.meta_title ?? post.meta_title,
      seoDescription: meta?.meta_description ?? post.meta_description,
      image: post.feature_image.replaceAll('__GHOST_URL__', ''),
      imageAlt: meta?.feature_image_alt ?? '',
    });
  };
  return {
    address: () => '',
    archives: ['tag', 'tag'],
    feeds: ['/rss'],
    async *read(onProblem) {
      for (const [index, post] of posts.entries()) yield build(post, index, onProblem);
    },
  };
}

function parseExport(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new ImportError(`${name} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function createSite(
  items: readonly FormerItem[],
  rest: Pick<FormerSite, 'archives' | 'feeds'>,
  address = '',
): FormerSite {
  return {
    address: () => address,
    ...rest,
    async *read() {
      yield* items;
    },
  };
}

const NOTHING = { archives: null, feeds: [] } as const;

/** Opens an export of Substack: a folder or archive with `posts.csv` and `posts/`. */
export function openSubstack(location: string): FormerSite {
  const tree = openFileTree(location);
  const list = tree.names.find((name) => /(?:^|\/)posts\.csv$/.test(name));
  if (list === undefined) throw new ImportError(`${location} has no posts.csv: it is no export of Substack.`);
  const rows: unknown = parse(tree.read(list).toString('utf8'), {
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  const posts = z
    .array(
      z.object({
        post_id: z.string(),
        post_date: text,
        is_published: text,
        title: text,
        subtitle: text,
        audience: text,
        type: text,
      }),
    )
    .safeParse(rows);
  if (!posts.success) throw new ImportError(`${list} does not have the columns of Substack.`);
  const files = new Map(tree.names.map((name) => [name.split('/').at(-1) ?? '', name]));
  const items = posts.data.map((post, index) => {
    const slug = post.post_id.replace(/^\d+\.?/, '');
    const file = files.get(`${post.post_id}.html`);
    const isOpen = !/only_paid|founding/.test(post.audience);
    return createFormerItem({
      type: 'post',
      id: post.post_id,
      place: `${list}, line ${index + 2}`,
      title: post.title,
      slug,
      address: slug === '' ? '' : `/p/${slug}`,
      hidden: !/^true$/i.test(post.is_published) ? 'a draft' : isOpen ? '' : 'for paying subscribers',
      publishedAt: toInstant(post.post_date),
      body: file === undefined ? '' : tree.read(file).toString('utf8'),
      excerpt: post.subtitle,
    });
  });
  return createSite(items, { archives: null, feeds: ['/feed'] });
}

/** Opens an export of Medium: a folder or archive with `posts/`. */
export function openMedium(location: string): FormerSite {
  const tree = openFileTree(location);
  const names = tree.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name));
  if (names.length === 0)
    throw new ImportError(`${location} has no posts/*.html: it is no export of Medium.`);
  return createSite(
    names.map((name) => readMediumPost(tree, name)),
    NOTHING,
  );
}

function readMediumPost(tree: FileTree, name: string): FormerItem {
  const html = tree.read(name).toString('utf8');
  const find = (pattern: RegExp) =>
    unescapeEntities((pattern.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '')).trim();
  const file =
    name
      .split('/')
      .at(-1)
      ?.replace(/\.html$/, '') ?? name;
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
export function openMarkdown(location: string): FormerSite {
  const tree = openFileTree(location);
  const names = tree.names.filter(
    (name) => MARKDOWN.test(name) && !/(?:^|\/)(?:_index|readme|changelog|license)\.\w+$/i.test(name),
  );
  if (names.length === 0) throw new ImportError(`${location} has no Markdown files.`);
  return {
    address: () => '',
    archives: null,
    feeds: ['/feed.xml', '/index.xml', '/atom.xml'],
    async *read(onProblem) {
      for (const name of names) {
        const source = tree
          .read(name)
          .toString('utf8')
          .replace(/^\uFEFF/, '')
          .replaceAll('\r\n', '\n');
        const read = parseFront(source);
        if ('problem' in read) {
          onProblem(name, `is not imported: ${read.problem}`);
          continue;
        }
        if (read.front !== null) yield buildMarkdownItem(name, read.front, read.body);
        else onProblem(name, 'is not imported: it has no front matter');
      }
    },
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
  for (const [, key = '', value = ''] of head.matchAll(/^([\w-]+)\s*=\s*(\[[\s\S]*?\]|.*)$/gm)) {
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
