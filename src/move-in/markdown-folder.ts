import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { parseYaml } from '../content-files/parse-yaml.ts';
import { decodeText } from './decode-text.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  MoveInError,
  readEach,
  toInstant,
} from './former-item.ts';
import { createMedia } from './media.ts';
import { type FileTree, openFileTree } from './open-archive.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const FRONT = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)(?<=\n)\1[ \t]*(?:\n([\s\S]*))?$/;
const toText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '');
const words = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .nullish()
  .catch([]);
const single = z.union([z.string(), z.number(), z.date()]).nullish().transform(toText).catch('');
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
type Front = z.infer<typeof frontSchema>;

const record = z.record(z.string(), z.unknown()).catch({});
const text = z.string().catch('');
/** What is read of the settings of Jekyll and Hugo. */
const configSchema = z.object({
  url: text,
  baseurl: text,
  baseURL: text,
  title: text,
  description: text,
  permalink: text,
  uglyURLs: z.boolean().catch(false),
  collections: z
    .record(
      z.string(),
      z.object({ permalink: text, output: z.boolean().catch(false) }).catch({ permalink: '', output: false }),
    )
    .catch({}),
  defaults: z
    .array(
      z.object({ scope: z.object({ path: text, type: text }).catch({ path: '', type: '' }), values: record }),
    )
    .catch([]),
  permalinks: record,
});
type Config = z.infer<typeof configSchema>;

/** What a folder is of, which decides where its files were. */
interface Generator {
  readonly name: 'Jekyll' | 'Hugo' | 'Astro' | 'Eleventy' | '';
  readonly config: Config;
  /** Whether a file with the settings of its addresses is there. */
  readonly hasConfig: boolean;
  /** Front matter of whole folders of Eleventy, by folder. */
  readonly data: ReadonlyMap<string, Record<string, unknown>>;
}

/** Opens a folder or archive of Markdown with front matter, of Jekyll, Hugo, Astro or Eleventy. */
export async function openMarkdown(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const names = tree.names.filter(
    (name) => MARKDOWN.test(name) && !/(?:^|\/)(?:_index|readme|changelog|license)\.\w+$/i.test(name),
  );
  if (names.length === 0) throw new MoveInError(`${location} has no Markdown files.`);
  const generator = await readGenerator(tree);
  const { config } = generator;
  const given = config.baseURL || config.url + config.baseurl;
  const address = URL.canParse(given) ? new URL(given).href.replace(/\/+$/, '') : '';
  return {
    address: () => address,
    title: () => [config.title, config.description],
    archives: null,
    feeds: ['/feed.xml', '/index.xml', '/atom.xml'],
    media: createMedia(tree),
    read: (onProblem) =>
      readEach(
        names,
        (name) => name,
        onProblem,
        async (name) => {
          const source = decodeText(name, await tree.read(name), (reason) =>
            onProblem(name, reason),
          ).replaceAll('\r\n', '\n');
          const [, mark, head = '', body = ''] = FRONT.exec(source) ?? [];
          if (mark === undefined) throw new MoveInError('it has no front matter');
          const front = parseSettings(head, mark === '+++' ? 'toml' : 'yaml');
          return buildMarkdownItem(name, front, body, generator, address);
        },
      ),
  };
}

/** Parses front matter or a file of settings. Throws `MoveInError` with the line. */
function parseSettings(source: string, form: string): Record<string, unknown> {
  if (form !== 'toml') {
    const read = parseYaml(source);
    if ('value' in read) return record.parse(read.value);
    throw new MoveInError(`front matter, line ${(read.line ?? 0) + 1}: ${read.problem}`);
  }
  try {
    return parseToml(source);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n');
    throw new MoveInError(`front matter: ${reason.replace(/^Invalid TOML document: /, '')}`);
  }
}

const CONFIG =
  /^(?:(?:.*\/)?config\/_default\/)?(?:[^/]*\/)?(?:_config\.ya?ml|(?:hugo|config|permalinks)\.(?:toml|ya?ml|json))$/;

async function readGenerator(tree: FileTree): Promise<Generator> {
  const { names } = tree;
  const depth = (name: string) => name.split('/').length;
  const files = names.filter((name) => CONFIG.test(name)).sort((one, other) => depth(one) - depth(other));
  let found: Record<string, unknown> = {};
  for (const name of files) {
    const source = decodeText(name, await tree.read(name));
    // JSON is YAML.
    const read = parseSettings(source, path.posix.extname(name).slice(1));
    found = /permalinks\.\w+$/.test(name) ? { permalinks: read, ...found } : { ...read, ...found };
  }
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const data = new Map<string, Record<string, unknown>>();
  for (const name of names) {
    const [, folder = '', file] = /^(?:(.*)\/)?([^/]+?)(?:\.11tydata)?\.json$/.exec(name) ?? [];
    if (file !== undefined && file === path.posix.basename(folder))
      data.set(folder, parseSettings(decodeText(name, await tree.read(name)), 'json'));
  }
  const isHugo = files.some((name) => !/_config\.\w+$/.test(name)) || has(/(?:^|\/)archetypes\//);
  return {
    name: has(/(?:^|\/)(?:_config\.ya?ml$|_posts\/)/)
      ? 'Jekyll'
      : has(/(?:^|\/)(?:\.eleventy|eleventy\.config)\.\w+$/)
        ? 'Eleventy'
        : has(/(?:^|\/)astro\.config\.\w+$|(?:^|\/)src\/content\//)
          ? 'Astro'
          : isHugo || has(/^(?:[^/]+\/)?content\//)
            ? 'Hugo'
            : '',
    config: configSchema.parse(found),
    hasConfig: files.length > 0,
    data,
  };
}

/** A name of a file with a day in front, as Jekyll has it: months and days may have one digit. */
const DATED = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/;

function buildMarkdownItem(
  name: string,
  given: Record<string, unknown>,
  body: string,
  generator: Generator,
  site: string,
): FormerItem {
  const parts = name.replace(MARKDOWN, '').split('/');
  const folders = parts.slice(0, -1);
  const shared = folders.map((_, at) => generator.data.get(folders.slice(0, at + 1).join('/')) ?? {});
  const defaults = generator.config.defaults.flatMap(({ scope, values }) =>
    `${name}/`.startsWith(scope.path && `${scope.path.replace(/\/$/, '')}/`) &&
    (scope.type === '' || scope.type === (parts.includes('_posts') ? 'posts' : 'pages'))
      ? [values]
      : [],
  );
  const front = frontSchema.parse(Object.assign({}, ...defaults, ...shared, given));
  const base = parts.at(-1) === 'index' ? (parts.at(-2) ?? 'index') : (parts.at(-1) ?? name);
  const [, year, month = '', day = '', plain = base] = DATED.exec(base) ?? [];
  const slug = front.slug || plain;
  const written = front.date || front.pubDate || front.publishDate;
  const date =
    written || (year === undefined ? '' : [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'));
  // Which of two numbers is the month, nobody can tell.
  const publishedAt = /^\d{1,2}[/.]\d{1,2}[/.]\d{4}/.test(date)
    ? ''
    : toInstant(
        date.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) ?([+-]\d\d):?(\d\d)$/, '$1T$2$3:$4') ||
          undefined,
      );
  const isDraft =
    front.draft === true || front.draft === 'true' || front.published === false || parts.includes('_drafts');
  const isJekyll = generator.name === 'Jekyll';
  const list = (value: Front['tags'], isDivided: boolean) =>
    (Array.isArray(value) ? value : isDivided ? toText(value).split(/\s+/) : [toText(value)])
      .map(toText)
      .filter(Boolean);
  const own = list(front.categories, isJekyll);
  const above = isJekyll && parts.includes('_posts') ? parts.slice(0, parts.indexOf('_posts')).slice(-1) : [];
  const categories = [...(own.length > 0 ? own : list(front.category, false))];
  const located = locate(generator, {
    front,
    parts,
    slug,
    date,
    categories: [...above.filter((part) => isFolderCategory(part)), ...categories],
    title: front.title || plain,
  });
  const image = [front.image, front.cover, front.heroImage].flatMap((value) => {
    const { src, image, path: file } = record.parse(value);
    return [value, src, image, file].filter((part) => typeof part === 'string').slice(0, 1);
  })[0];
  const toTerms = (names: readonly string[]) => names.map((term) => ({ name: term, slug: '' }));
  return createFormerItem({
    type: 'post',
    id: name,
    place: name,
    title: front.title || plain.replace(/[-_]+/g, ' '),
    slug,
    address: located.address.startsWith('/') ? site + located.address : located.address,
    assumed: located.assumed,
    hidden: isDraft
      ? 'a draft'
      : written !== '' && publishedAt === ''
        ? `of the date "${written}", which cannot be read,`
        : '',
    publishedAt,
    updatedAt: toInstant(
      front.lastmod || front.updated || front.updatedDate || front.last_modified_at || undefined,
    ),
    author: front.author,
    categories: toTerms(categories),
    tags: toTerms(list(front.tags, isJekyll)),
    format: 'markdown',
    body,
    excerpt: front.description || front.excerpt || front.summary,
    image: image ?? '',
    formerAddresses: [...list(front.aliases, false), ...list(front.redirect_from, false)],
  });
}

/** A folder in front of `_posts` is a category, unless it is that of the whole site. */
const isFolderCategory = (part: string) => !/^(?:src|site|docs|source|blog|jekyll|_\w*)$/i.test(part);

/** What an address is made of. */
interface Located {
  readonly front: Front;
  /** The path of the file without its ending. */
  readonly parts: readonly string[];
  readonly slug: string;
  readonly date: string;
  readonly categories: readonly string[];
  readonly title: string;
}

/** Permalinks that Jekyll has names for. */
const STYLES: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
};

/** The address that a file had; `assumed`: why it may have been another one, empty when it is stated. */
function locate(generator: Generator, post: Located): { readonly address: string; readonly assumed: string } {
  const { name, config, hasConfig } = generator;
  const { front, parts, slug } = post;
  const given = front.permalink || front.url;
  const stated = given.replace(
    /\{\{-?\s*([^{}]*?)-?\}\}/g,
    (text, value: string) => fillValue(value.trim(), post) ?? text,
  );
  const assumed = (reason: string) => (reason === '' ? '' : `${name || 'the generator'} ${reason}`);
  if (/^https?:/.test(stated)) return { address: stated, assumed: '' };
  if (stated !== '' && !stated.includes('{{')) {
    const pattern = name === 'Jekyll' ? (STYLES[stated] ?? stated) : stated;
    return { address: fillPattern(`/${pattern.replace(/^\/+/, '')}`, post), assumed: '' };
  }
  if (parts.includes('_posts') || parts.includes('_drafts')) {
    const pattern = STYLES[config.permalink || 'date'] ?? config.permalink;
    const needsDate = /:(?:year|month|day|i_|short_|y_)/.test(pattern) && !/^\d{4}-\d/.test(post.date);
    return {
      address: needsDate ? '' : fillPattern(pattern, post),
      assumed: assumed(hasConfig ? '' : 'has its permalinks in _config.yml, which is missing'),
    };
  }
  const collection = parts
    .find((part) => part.startsWith('_') && Object.hasOwn(config.collections, part.slice(1)))
    ?.slice(1);
  if (name === 'Jekyll' && collection !== undefined) {
    const { permalink = '', output = false } = config.collections[collection] ?? {};
    const address = fillPattern(permalink || '/:collection/:path:output_ext', {
      ...post,
      parts: parts.slice(parts.indexOf(`_${collection}`)),
    });
    return { address: output ? address : '', assumed: '' };
  }
  const start = parts.findLastIndex((part) => part === 'content' || part === 'pages');
  const folders = parts.slice(start + 1, -1).filter((part) => !part.startsWith('_'));
  const inner = parts.at(-1) === 'index' ? folders.slice(0, -1) : folders;
  const [section = ''] = folders;
  const permalinks = record.parse(config.permalinks['page'] ?? config.permalinks);
  const pattern = name === 'Hugo' ? (permalinks[section] ?? config.permalinks[section]) : undefined;
  if (typeof pattern === 'string') return { address: fillPattern(pattern, post), assumed: '' };
  const isHugo = name === 'Hugo';
  const end = isHugo ? slug.toLowerCase().replace(/\s+/g, '-') : slug;
  const ending =
    (isHugo && config.uglyURLs) || (name === 'Jekyll' && config.permalink !== 'pretty') ? '.html' : '';
  const address = `/${inner
    .map((part) => (isHugo ? part.toLowerCase().replace(/\s+/g, '-') : part))
    .concat(end)
    .join('/')}${ending}`;
  const isStated =
    name === 'Jekyll' || (isHugo && hasConfig) || (name === 'Astro' && parts.includes('pages'));
  const reasons = {
    Jekyll: '',
    Hugo: 'has its permalinks in hugo.toml, which is missing',
    Astro: 'has its addresses in its pages',
    Eleventy: 'may have a permalink in code',
    '': 'has them in its settings',
  };
  return { address, assumed: assumed(isStated ? '' : reasons[name]) };
}

/** A value of a permalink of Eleventy; null: only its code knows. */
function fillValue(value: string, { slug, title }: Located): string | null {
  if (/^page\.fileSlug\b/.test(value)) return slug;
  return /^title\s*\|\s*slug/.test(value) ? slugify(title) : null;
}

const slugify = (words: string) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** Fills in the variables of a permalink of Jekyll or Hugo. */
function fillPattern(pattern: string, { parts, slug, date, categories, title, front }: Located): string {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})-(\d\d)-(\d\d)/.exec(date) ?? /^(\d{4})-(\d\d)-(\d\d)/.exec(toInstant(date || undefined)) ?? [];
  const start = parts.indexOf('content');
  const folders = parts.slice(start + 1, parts.at(-1) === 'index' ? -2 : -1);
  const isHugo = start >= 0;
  const file = parts.at(-1) === 'index' ? (parts.at(-2) ?? '') : (parts.at(-1) ?? '');
  const yearDay = String(
    Math.round(
      (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(Number(year), 0, 0)) / 86_400_000,
    ),
  );
  const month0 = new Date(Date.UTC(2000, Number(month) - 1)).toLocaleString('en', {
    month: 'long',
    timeZone: 'UTC',
  });
  const values: Readonly<Record<string, string>> = {
    year,
    month,
    day,
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    short_year: year.slice(2),
    y_day: yearDay.padStart(3, '0'),
    yearday: yearDay,
    monthname: month0,
    // Jekyll's title is the name of the file, Hugo's that of the post.
    title: isHugo ? slugify(title) : slug,
    slug: slugify(front.slug || (isHugo ? title : slug)),
    slugorfilename: front.slug || file,
    slugorcontentbasename: front.slug || file,
    filename: file,
    contentbasename: file,
    section: folders[0] ?? '',
    sections: folders.join('/'),
    name: file,
    path: parts.slice(1).join('/'),
    collection: (parts[0] ?? '').replace(/^_/, ''),
    categories: categories.map((name) => name.toLowerCase()).join('/'),
    slugified_categories: categories.map(slugify).join('/'),
    output_ext: '.html',
  };
  const filled = pattern.replace(/:(\w+?)(?=:|\W|$)/g, (text, name: string) => values[name] ?? text);
  return encodeURI(`/${filled}`.replace(/\/{2,}/g, '/'));
}
