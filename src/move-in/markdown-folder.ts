import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { parseForeignYaml } from '../content-files/parse-yaml.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { decodeText } from './decode-text.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  MoveInError,
  readEach,
  toInstant,
} from './former-item.ts';
import { HOST_REDIRECTS, listHostLines, type PluginLink, readHostRedirects } from './link-plugins.ts';
import { expandTags } from './markdown-body.ts';
import { createMedia } from './media.ts';
import { type FileTree, openFileTree } from './open-archive.ts';

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Posts in HTML are in these folders; elsewhere HTML is of the theme. */
const HTML_POST = /(?:^|\/)(?:_posts|_drafts|content)\/.*\.html?$/i;
/** Files of the project and its theme, which are no posts. */
const NO_POST =
  /(?:^|\/)(?:\.[^/]+|node_modules|vendor)\/|(?:^|\/)(?:readme|changelog|contributing|license)(?:\.[\w-]+)?\.\w+$/i;
/** Eleventy names the language of front matter behind its first marks. */
const FRONT = /^(---|\+\+\+)[ \t]*(\w*)[ \t]*\n([\s\S]*?)(?<=\n)\1[ \t]*(?:\n([\s\S]*))?$/;
/** Front matter in JSON, as Hugo reads it. */
const JSON_FRONT = /^(?=\{)()()([\s\S]*?\n\})[ \t]*\n([\s\S]*)$/;
const toText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '');
const words = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .nullish()
  .catch([]);
const single = z.union([z.string(), z.number(), z.date()]).nullish().transform(toText).catch('');
/** Names of the two dates. One of `OTHER_DATES` can be something else, such as whether a post is public. */
const DATES = ['date', 'pubDate', 'publishDate'];
const OTHER_DATES = ['pubDatetime', 'publishedAt', 'publishedDate', 'datePublished', 'published', 'created'];
const CHANGED =
  'lastmod updated updatedDate last_modified_at modDatetime updatedAt modified dateModified'.split(' ');

const frontSchema = z.object({
  title: single,
  slug: single,
  permalink: single,
  url: single,
  published: z.unknown().optional(),
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
  redirect_to: words,
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
  languages: record,
  defaultContentLanguage: z.string().catch('en'),
  defaultContentLanguageInSubdir: z.boolean().catch(false),
});
type Config = z.infer<typeof configSchema>;

/** What a folder is of, which decides where its files were. */
interface Generator {
  readonly name: 'Jekyll' | 'Hugo' | 'Astro' | 'Eleventy' | '';
  readonly config: Config;
  /** Whether a file with the settings of its addresses is there. */
  readonly hasConfig: boolean;
  /** The folder of its pages, where that is stated; else empty. */
  readonly root: string;
  /** Front matter of whole folders of Eleventy, by folder. */
  readonly data: ReadonlyMap<string, Record<string, unknown>>;
  /** The redirects of its host. */
  readonly links: readonly PluginLink[];
  /** Files with settings that cannot be read, and why. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Opens a folder or archive of Markdown with front matter, of Jekyll, Hugo, Astro or Eleventy. */
export async function openMarkdown(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const generator = await readGenerator(tree);
  const { config, links, root, unread } = generator;
  const names = tree.names.filter(
    (name) =>
      (MARKDOWN.test(name) || HTML_POST.test(name)) &&
      !NO_POST.test(name) &&
      `/${name}`.includes(`/${root}`) &&
      !(generator.name === 'Hugo' && /(?:^|\/)(?:archetypes|themes)\//.test(name)),
  );
  if (names.length === 0) throw new MoveInError(`${location} has no Markdown files.`);
  const given = config.baseURL || config.url + config.baseurl;
  const address = URL.canParse(given) ? new URL(given).href.replace(/\/+$/, '') : '';
  return {
    address: () => address,
    title: () => [config.title, config.description],
    archives: null,
    feeds: ['/feed.xml', '/index.xml', '/atom.xml'],
    media: createMedia(tree),
    links,
    read: (onProblem) => {
      for (const [name, reason] of unread) onProblem(name, reason);
      return readEach(
        names,
        (name) => name,
        onProblem,
        async (name) => {
          const source = decodeText(name, await tree.read(name), (reason) =>
            onProblem(name, reason),
          ).replaceAll('\r\n', '\n');
          const isOptional =
            /Eleventy|Hugo/.test(generator.name) && MARKDOWN.test(name) && !/^(?:---|\+\+\+|\{)/.test(source);
          const [, mark, form = '', head = '', body = ''] =
            FRONT.exec(source) ?? JSON_FRONT.exec(source) ?? (isOptional ? ['', '', '', '', source] : []);
          if (mark === undefined) throw new MoveInError('it has no front matter');
          // The text of a list of posts has no place here.
          if (/(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/.test(name)) {
            if (body.trim() === '') return null;
            throw new MoveInError('it is the text above the posts of its folder');
          }
          const isCode = /^(?:js|javascript|ts|coffee)$/i.test(form);
          if (isCode) onProblem(name, `has its settings in ${form}, which is code: they are not read`);
          const front = isCode ? {} : parseSettings(head, mark === '+++' ? 'toml' : form);
          // What no template fills in has its tags as text.
          const isPlain = front['render_with_liquid'] === false || front['templateEngineOverride'] === 'md';
          const text = isPlain ? `{% raw %}\n${body}\n{% endraw %}` : body;
          const item = buildMarkdownItem(name, front, text, generator, address, tree.getDate(name));
          if (item.format === 'markdown') return item;
          const onUnknown = (tag: string) => onProblem(name, `has no form for ${tag}`);
          return { ...item, body: expandTags(text, null, { title: item.title, onUnknown }) };
        },
      );
    },
  };
}

/** Parses front matter or a file of settings. Throws `MoveInError` with the line. */
function parseSettings(source: string, form: string): Record<string, unknown> {
  if (form !== 'toml') {
    const read = parseForeignYaml(source);
    if ('value' in read) return record.parse(read.value);
    throw new MoveInError(`its settings, line ${(read.line ?? 0) + 1}: ${read.problem}`);
  }
  try {
    return parseToml(source);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n');
    throw new MoveInError(`front matter: ${reason.replace(/^Invalid TOML document: /, '')}`);
  }
}

const CONFIG =
  /^(?:(?:.*\/)?config\/_default\/)?(?:[^/]*\/)?(?:_config\.ya?ml|(?:hugo|config|permalinks|languages(?:\.[\w-]+)?)\.(?:toml|ya?ml|json))$/;

const ELEVENTY = /(?:^|\/)(?:\.eleventy|eleventy\.config)\.\w+$/;

async function readGenerator(tree: FileTree): Promise<Generator> {
  const { names } = tree;
  const depth = (name: string) => name.split('/').length;
  const files = names.filter((name) => CONFIG.test(name)).sort((one, other) => depth(one) - depth(other));
  const unread = new Map<string, string>();
  const readSettings = async (name: string) => {
    try {
      // JSON is YAML.
      return parseSettings(decodeText(name, await tree.read(name)), path.posix.extname(name).slice(1));
    } catch (error) {
      if (!(error instanceof MoveInError)) throw error;
      unread.set(name, `is not read, and addresses may be others: ${error.message}`);
      return {};
    }
  };
  let found: Record<string, unknown> = {};
  for (const name of files) {
    const read = await readSettings(name);
    const [, part, code] = /(permalinks|languages)(?:\.([\w-]+))?\.\w+$/.exec(name) ?? [];
    if (part === undefined) found = { ...read, ...found };
    else
      found = {
        ...found,
        [part]: { ...record.parse(found[part]), ...(code === undefined ? read : { [code]: read }) },
      };
  }
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const data = new Map<string, Record<string, unknown>>();
  for (const name of names) {
    const [, folder = '', file] = /^(?:(.*)\/)?([^/]+?)(?:\.11tydata)?\.json$/.exec(name) ?? [];
    if (file !== undefined && file === path.posix.basename(folder))
      data.set(folder, await readSettings(name));
  }
  const links: PluginLink[] = [];
  for (const name of names.filter((name) => HOST_REDIRECTS.test(name))) {
    const source = decodeText(name, await tree.read(name));
    const file = name.endsWith('_redirects')
      ? listHostLines(source)
      : name.endsWith('.json')
        ? parseJson(source)
        : await readSettings(name);
    const found = readHostRedirects(name, file);
    if (found === null) unread.set(name, 'its redirects cannot be read');
    else links.push(...found);
  }
  const code = names.find((name) => ELEVENTY.test(name));
  // Its settings are code: the folder is a literal of it nearly always.
  const [, input = ''] =
    /\binput\s*:\s*["'`]([^"'`]+)["'`]/.exec(
      code === undefined ? '' : decodeText(code, await tree.read(code)),
    ) ?? [];
  const isHugo = files.some((name) => !/_config\.\w+$/.test(name)) || has(/(?:^|\/)archetypes\//);
  return {
    name: has(/(?:^|\/)(?:_config\.ya?ml$|_posts\/)/)
      ? 'Jekyll'
      : code !== undefined
        ? 'Eleventy'
        : has(/(?:^|\/)astro\.config\.\w+$|(?:^|\/)src\/content\//)
          ? 'Astro'
          : isHugo || has(/^(?:[^/]+\/)?content\//)
            ? 'Hugo'
            : '',
    config: configSchema.parse(found),
    // A file that is empty or damaged to one word states nothing.
    hasConfig: Object.keys(found).length > 0,
    root:
      input === '' ? '' : path.posix.join(path.posix.dirname(code ?? ''), input, '/').replace(/^\.?\//, ''),
    data,
    links,
    unread,
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
  fileDate: Date,
): FormerItem {
  const { parts, language } = divideLanguage(generator, name.replace(/\.\w+$/, '').split('/'));
  const folders = parts.slice(0, -1);
  const shared = folders.map((_, at) => generator.data.get(folders.slice(0, at + 1).join('/')) ?? {});
  const defaults = generator.config.defaults.flatMap(({ scope, values }) =>
    `${name}/`.startsWith(scope.path && `${scope.path.replace(/\/$/, '')}/`) &&
    (scope.type === '' || scope.type === (parts.includes('_posts') ? 'posts' : 'pages'))
      ? [values]
      : [],
  );
  const fields: Record<string, unknown> = Object.assign({}, ...defaults, ...shared, given);
  const front = frontSchema.parse(fields);
  const base = parts.at(-1) === 'index' ? (parts.at(-2) ?? 'index') : (parts.at(-1) ?? name);
  const [, year, month = '', day = '', plain = base] = DATED.exec(base) ?? [];
  const slug = front.slug || plain;
  const find = (names: readonly string[], isDate: (text: string) => unknown) =>
    names.map((name) => single.parse(fields[name])).find(isDate) ?? '';
  const written = find(DATES, Boolean) || find(OTHER_DATES, (text) => /\d{4}/.test(text) && toInstant(text));
  const date =
    written || (year === undefined ? '' : [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'));
  // Which of two numbers is the month, nobody can tell.
  const publishedAt = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.test(date)
    ? ''
    : toInstant(
        date.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) ?([+-]\d\d):?(\d\d)$/, '$1T$2$3:$4') ||
          undefined,
      );
  const isDraft =
    front.draft === true ||
    front.draft === 'true' ||
    front.published === false ||
    fields['permalink'] === false ||
    parts.includes('_drafts');
  const isJekyll = generator.name === 'Jekyll';
  const list = (value: Front['tags'], isDivided: boolean) =>
    (Array.isArray(value) ? value : isDivided ? toText(value).split(/\s+/) : [toText(value)])
      .map(toText)
      .filter(Boolean);
  const own = list(front.categories, isJekyll);
  const above = isJekyll && parts.includes('_posts') ? parts.slice(0, parts.indexOf('_posts')).slice(-1) : [];
  const category = list(front.category, false);
  // Jekyll reads the list only without the single one.
  const categories = own.length > 0 && !(isJekyll && category.length > 0) ? own : category;
  const located = locate(generator, {
    front,
    parts,
    language,
    slug,
    date,
    categories: [...above.filter((part) => isFolderCategory(part)), ...categories],
    title: front.title || plain,
  });
  const address = (located.address.startsWith('/') ? site : '') + located.address;
  const image = [front.image, front.cover, front.heroImage].flatMap((value) => {
    const { src, image, path: file } = record.parse(value);
    return [value, src, image, file].filter((part) => typeof part === 'string').slice(0, 1);
  })[0];
  const [target = ''] = list(front.redirect_to, false);
  const from = URL.canParse(address) ? address : `https://site.invalid${address}`;
  const isRedirect = target !== '' && body.trim() === '' && URL.canParse(target, from);
  const toTerms = (names: readonly string[]) => names.map((term) => ({ name: term, slug: '' }));
  return createFormerItem({
    type: isRedirect ? 'link' : 'post',
    target: isRedirect ? new URL(target, from).href.replace('https://site.invalid', '') : '',
    id: name,
    place: name,
    title:
      front.title || (/^\s*# (.+)/.exec(body)?.[1]?.replace(/[*`]/g, '') ?? plain.replace(/[-_]+/g, ' ')),
    slug,
    address: address.replace(/(?<=\/)index\.html$/, ''),
    assumed: located.assumed,
    hidden: isDraft
      ? 'a draft'
      : written !== '' && publishedAt === ''
        ? `of the date "${written}", which cannot be read,`
        : '',
    publishedAt,
    updatedAt: toInstant(find(CHANGED, Boolean) || (publishedAt === '' ? fileDate.getTime() : undefined)),
    author: front.author,
    categories: toTerms(categories),
    tags: toTerms(list(front.tags, isJekyll)),
    format: MARKDOWN.test(name) ? 'markdown' : 'html',
    body,
    excerpt: front.description || front.excerpt || front.summary,
    image: image ?? '',
    formerAddresses: [
      ...(address.endsWith('/index.html') ? [address] : []),
      ...list(front.aliases, false),
      ...list(front.redirect_from, false),
    ],
  });
}

/** Takes the language out of the path of a file of Hugo: the end of its name, or a folder. */
function divideLanguage({ name, config }: Generator, parts: readonly string[]) {
  const { languages, defaultContentLanguage: main, defaultContentLanguageInSubdir: isBelow } = config;
  if (name !== 'Hugo' || Object.keys(languages).length === 0) return { parts, language: '' };
  const file = parts.at(-1) ?? '';
  for (const [code, settings] of Object.entries(languages)) {
    const language = code === main && !isBelow ? '' : `/${code}`;
    if (file.endsWith(`.${code}`))
      return { parts: [...parts.slice(0, -1), file.slice(0, -code.length - 1)], language };
    const folder = toText(record.parse(settings)['contentDir']).split('/');
    const at = parts.findIndex((_, from) => folder.every((part, offset) => part === parts[from + offset]));
    if (folder[0] !== '' && at >= 0)
      return { parts: ['content', ...parts.slice(at + folder.length)], language };
  }
  return { parts, language: isBelow ? `/${main}` : '' };
}

/** A folder in front of `_posts` is a category, unless it is that of the whole site. */
const isFolderCategory = (part: string) => !/^(?:src|site|docs|source|blog|jekyll|_\w*)$/i.test(part);

/** What an address is made of. */
interface Located {
  readonly front: Front;
  /** The path of the file without its ending. */
  readonly parts: readonly string[];
  /** The part of its address that names its language, such as `/de`; empty without one. */
  readonly language: string;
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
  const { front, parts, slug, language } = post;
  const given = front.permalink || front.url;
  const stated = given.replace(
    /\{\{-?\s*([^{}]*?)-?\}\}/g,
    (text, value: string) => fillValue(value.trim(), post) ?? text,
  );
  const assumed = (reason: string) => (reason === '' ? '' : `${name || 'the generator'} ${reason}`);
  if (/^https?:/.test(stated)) return { address: stated, assumed: '' };
  if (stated !== '' && !stated.includes('{{')) {
    const pattern = name === 'Jekyll' ? (STYLES[stated] ?? stated) : stated;
    const start = given.startsWith('/') ? '' : language;
    return { address: start + fillPattern(`/${pattern.replace(/^\/+/, '')}`, post), assumed: '' };
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
  const start =
    generator.root === ''
      ? parts.findLastIndex((part) => /^(?:content|pages|data)$/.test(part))
      : generator.root.split('/').length - 2;
  const folders = parts.slice(start + 1, -1).filter((part) => !part.startsWith('_'));
  const inner = parts.at(-1) === 'index' ? folders.slice(0, -1) : folders;
  const [section = ''] = folders;
  const permalinks = record.parse(config.permalinks['page'] ?? config.permalinks);
  const pattern = name === 'Hugo' ? (permalinks[section] ?? config.permalinks[section]) : undefined;
  if (typeof pattern === 'string') return { address: language + fillPattern(pattern, post), assumed: '' };
  const isHugo = name === 'Hugo';
  const end = isHugo ? urlize(slug) : slug;
  const isFile = /^(?:date|ordinal|none|)$|:output_ext$/.test(config.permalink);
  const ending = (isHugo && config.uglyURLs) || (name === 'Jekyll' && isFile) ? '.html' : '';
  const isFront = parts.at(-1) === 'index' && folders.length === 0;
  const address = `${language}/${inner
    .map((part) => (isHugo ? urlize(part) : part))
    .concat(isFront ? [] : end)
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

/** How Hugo writes a name in an address. */
const urlize = (name: string) => name.toLowerCase().replace(/\s+/g, '-');

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
  const isHugo = start >= 0;
  const own = isHugo ? parts.map(urlize) : parts;
  const folders = own.slice(start + 1, parts.at(-1) === 'index' ? -2 : -1);
  const file = own.at(parts.at(-1) === 'index' ? -2 : -1) ?? '';
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
    title: isHugo
      ? slugify(title)
      : slug.replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, '-').replace(/^-|-$/g, ''),
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
