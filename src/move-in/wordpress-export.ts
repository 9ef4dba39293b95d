import path from 'node:path';
import { analyse } from 'chardet';
import { SaxesParser } from 'saxes';
import { openReader } from '../stores/disk.ts';
import { createDecoder, findDeclared } from './decode-text.ts';
import {
  copyText,
  createFormerItem,
  decodeAmpersands,
  type FormerItem,
  type FormerSite,
  type FormerTerm,
  MoveInError,
} from './former-item.ts';

/** A longer text between two tags is no post. */
const MAX_TEXT = 16_000_000;
const CHUNK_BYTES = 128 * 1024;
/** Categories above one another; more of them are damage. */
const MAX_PARENTS = 50;
/** Errors of the XML that are reported one by one. */
const MAX_PROBLEMS = 50;

/**
 * Opens an export of WordPress (WXR 1.0 to 1.2) by its path. It is read as a stream, and nothing that it declares
 * is expanded: an entity that XML does not have is an error of its text.
 */
export function openWxr(file: string): FormerSite {
  let address = '';
  let title: readonly [string, string] = ['', ''];
  let terms: ReturnType<WxrReader['listTerms']> = [];
  const name = path.basename(file);
  return {
    address: () => address,
    title: () => title,
    terms: () => terms,
    archives: ['category', 'tag'],
    feeds: ['/feed', '/feed/rss2', '/feed/rss', '/feed/rdf', '/feed/atom', '/comments/feed'].concat(
      ['rss2', 'rss', 'rdf', 'atom', 'comments-rss2'].map((feed) => `/?feed=${feed}`),
      [
        '',
        '-posts-post-1',
        '-posts-page-1',
        '-taxonomies-category-1',
        '-taxonomies-post_tag-1',
        '-users-1',
      ].map((part) => `/wp-sitemap${part}.xml`),
      ['sitemap_index', 'post-sitemap', 'page-sitemap', 'category-sitemap'].map((name) => `/${name}.xml`),
    ),
    async *read(onProblem) {
      const reader = new WxrReader(name, onProblem);
      let decoder: TextDecoder | null = null;
      for await (const chunk of readChunks(file)) {
        decoder ??= createDecoder(findDeclared(chunk) ?? 'utf-8');
        const items = reader.write(decode(decoder, chunk, name));
        [address, title] = [reader.address, [reader.name, reader.about]];
        yield* items;
      }
      if (decoder !== null) yield* reader.write(decode(decoder, null, name));
      reader.close();
      terms = reader.listTerms();
    },
  };
}

/** Decodes a part of a file; null: its end. */
function decode(decoder: TextDecoder, chunk: Uint8Array | null, name: string): string {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const found = chunk === null ? 'cut off' : `${analyse(chunk)[0]?.name ?? 'of an unknown encoding'}`;
    throw new MoveInError(
      `${name} is not in ${decoder.encoding}, which it declares or leaves out, and looks like ${found}. Correct encoding="…" in its first line, or save it as UTF-8; nothing was changed.`,
    );
  }
}

/** Reads a file into one buffer: thousands of them would take memory until they are collected. */
async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  const handle = await openReader(file);
  try {
    for (let size = -1; size !== 0; ) {
      size = (await handle.read(buffer)).bytesRead;
      yield buffer.subarray(0, size);
    }
  } finally {
    await handle.close();
  }
}

/** The texts of an `<item>` by the name of their element, and its lists. */
interface RawItem {
  readonly line: number;
  readonly fields: Map<string, string>;
  readonly terms: { readonly domain: string; readonly slug: string; readonly name: string }[];
  readonly meta: Map<string, string[]>;
}

class WxrReader {
  address = '';
  name = '';
  about = '';
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #name: string;
  readonly #authors = new Map<string, string>();
  #version = '';
  #stack: string[] = [];
  #text = '';
  #item: RawItem | null = null;
  #term = { domain: '', slug: '' };
  #metaKey = '';
  #login = '';
  readonly #authorIds = new Map<string, string>();
  #authorId = '';
  /** Categories and tags of the channel by domain and slug. */
  readonly #terms = new Map<string, { readonly id: string; readonly parent: string }>();
  #termFields = new Map<string, string>();
  #done: FormerItem[] = [];
  #problems = 0;
  #lastEvent = 0;

  constructor(name: string, onProblem: (place: string, reason: string) => void) {
    this.#name = name;
    const parser = this.#parser;
    parser.on('error', (error) => {
      this.#problems += 1;
      if (this.#problems > MAX_PROBLEMS) return;
      const reason = error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, '');
      onProblem(`${name}, line ${parser.line}`, `the XML is damaged: ${reason}`);
    });
    parser.on('opentag', ({ name: tag, attributes }) => {
      this.#lastEvent = parser.position;
      this.#stack.push(tag);
      this.#text = '';
      if (tag === 'item') this.#item = { line: parser.line, fields: new Map(), terms: [], meta: new Map() };
      if (tag === 'category') {
        this.#term = { domain: attributes['domain'] ?? '', slug: attributes['nicename'] ?? '' };
      }
    });
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', ({ name: tag }) => {
      this.#stack.pop();
      this.#take(tag, this.#text);
      this.#text = '';
    });
  }

  /** Reads more of the file and returns the items that end in it. */
  write(text: string): FormerItem[] {
    this.#parser.write(text);
    if (this.#parser.position - this.#lastEvent > MAX_TEXT) {
      throw new MoveInError(
        `${this.#name}, line ${this.#parser.line}: a text is longer than ${MAX_TEXT} characters.`,
      );
    }
    const done = this.#done;
    this.#done = [];
    return done;
  }

  close(): void {
    const open = this.#stack.at(-1);
    if (open !== undefined) {
      throw new MoveInError(
        `${this.#name} ends at line ${this.#parser.line} inside of <${open}>: it was cut off. Export the site again; nothing was changed.`,
      );
    }
    if (this.#version === '') {
      throw new MoveInError(`${this.#name} is not an export of WordPress: it has no <wp:wxr_version>.`);
    }
  }

  /** Categories and tags of the channel. */
  listTerms() {
    return [...this.#terms].map(([key, { id }]) => {
      const [domain = '', slug = ''] = key.split(' ');
      const kind: 'topic' | 'tag' = domain === 'category' ? 'topic' : 'tag';
      return { kind, name: slug, slug, parents: this.#listParents(domain, slug), id };
    });
  }

  #listParents(domain: string, slug: string): string[] {
    const parents: string[] = [];
    let parent = this.#terms.get(`${domain} ${slug}`)?.parent ?? '';
    while (parent !== '' && parent !== slug && !parents.includes(parent) && parents.length < MAX_PARENTS) {
      parents.unshift(parent);
      parent = this.#terms.get(`${domain} ${parent}`)?.parent ?? '';
    }
    return parents;
  }

  #addText(text: string): void {
    this.#lastEvent = this.#parser.position;
    this.#text += text;
  }

  #take(tag: string, text: string): void {
    const item = this.#item;
    if (item === null) {
      this.#takeOfSite(tag, text);
      return;
    }
    if (tag === 'item') {
      this.#item = null;
      this.#done.push(this.#build(item));
    } else if (tag === 'category') item.terms.push({ ...this.#term, name: copyText(text.trim()) });
    else if (tag === 'wp:meta_key') this.#metaKey = text.trim();
    else if (tag === 'wp:meta_value') {
      const values = item.meta.get(this.#metaKey);
      if (values === undefined) item.meta.set(this.#metaKey, [text]);
      else values.push(text);
    } else if (this.#stack.at(-1) === 'item') item.fields.set(tag, text);
  }

  #takeOfSite(tag: string, text: string): void {
    if (tag === 'wp:wxr_version') {
      this.#version = text.trim();
      if (!/^1\.[012]$/.test(this.#version)) {
        throw new MoveInError(`${this.#name} is WXR ${this.#version}; the import reads 1.0, 1.1 and 1.2.`);
      }
    }
    if (
      tag === 'wp:base_blog_url' ||
      (tag === 'link' && this.address === '' && this.#stack.at(-1) === 'channel')
    )
      this.address = text.trim().replace(/\/+$/, '');
    if (tag === 'title' && this.#stack.at(-1) === 'channel') this.name = text.trim();
    if (tag === 'description' && this.#stack.at(-1) === 'channel') this.about = text.trim();
    if (tag === 'wp:author_id') this.#authorId = text.trim();
    if (tag === 'wp:author_login') {
      this.#login = text.trim();
      this.#authorIds.set(this.#login, this.#authorId);
    }
    if (/^wp:(?:term_id|category_nicename|category_parent|tag_slug)$/.test(tag))
      this.#termFields.set(tag, text.trim());
    if (tag === 'wp:category' || tag === 'wp:tag') {
      const get = (name: string) => this.#termFields.get(name) ?? '';
      const [domain, slug] =
        tag === 'wp:category' ? ['category', get('wp:category_nicename')] : ['post_tag', get('wp:tag_slug')];
      this.#terms.set(`${domain} ${slug}`, { id: get('wp:term_id'), parent: get('wp:category_parent') });
      this.#termFields = new Map();
    }
    if (tag === 'wp:author_display_name') this.#authors.set(this.#login, text.trim() || this.#login);
  }

  #build({ line, fields, terms, meta }: RawItem): FormerItem {
    const get = (name: string) => copyText(fields.get(name)?.trim() ?? '');
    const getMeta = (...names: string[]) =>
      copyText(names.map((name) => meta.get(name)?.at(-1)?.trim() ?? '').find((value) => value !== '') ?? '');
    const list = (domain: string): FormerTerm[] =>
      terms
        .filter((term) => term.domain === domain)
        .map(({ name, slug }) => ({
          name,
          slug,
          parents: this.#listParents(domain, slug),
          id: this.#terms.get(`${domain} ${slug}`)?.id ?? '',
        }));
    const body = fields.get('content:encoded') ?? '';
    const postType = get('wp:post_type');
    const isTrash = get('wp:status') === 'trash';
    const known = Object.hasOwn(TYPES, postType) && !isTrash ? TYPES[postType] : undefined;
    const type = known ?? (isTrash || INTERNAL.test(postType) || body.trim() === '' ? 'other' : 'post');
    const login = get('dc:creator');
    return createFormerItem({
      type,
      id: get('wp:post_id') || get('guid'),
      place: `${this.#name}, line ${line}`,
      title: get('title'),
      slug: get('wp:post_name'),
      address: get('link'),
      hidden: isTrash
        ? 'in the trash'
        : known === undefined
          ? `of the type ${postType || 'unknown'}`
          : findHidden(get),
      parent: get('wp:post_parent'),
      publishedAt: readDate(get('wp:post_date'), get('wp:post_date_gmt')),
      updatedAt: readDate(get('wp:post_modified'), get('wp:post_modified_gmt')),
      author: this.#authors.get(login) ?? login,
      authorSlug: buildNicename(login),
      authorId: this.#authorIds.get(login) ?? '',
      categories: list('category'),
      tags: [...list('post_tag'), ...list('tag')],
      format: body.includes('<!-- wp:') ? 'blocks' : 'classic',
      body,
      excerpt: get('excerpt:encoded'),
      seoTitle: getMeta('_yoast_wpseo_title', 'rank_math_title', '_aioseo_title', '_aioseop_title'),
      seoDescription: getMeta(
        '_yoast_wpseo_metadesc',
        'rank_math_description',
        '_aioseo_description',
        '_aioseop_description',
      ),
      ...readSearchSettings(meta),
      image: getMeta('_thumbnail_id'),
      imageAlt: getMeta('_wp_attachment_image_alt'),
      formerAddresses:
        type === 'attachment'
          ? listSizes(getMeta('_wp_attachment_metadata'), getMeta('_wp_attached_file'))
          : (meta.get('_wp_old_slug') ?? []).map((slug) => copyText(slug.trim())).filter(Boolean),
      target: decodeAmpersands(
        get('wp:attachment_url') ||
          getMeta('_ta_destination_url', '_surl_redirect', '_lasso_redirect', '_menu_item_url'),
      ),
      footnotes: readFootnotes(getMeta('footnotes')),
    });
  }
}

/** What Yoast, Rank Math and All in One SEO store of a post besides its title and description. */
function readSearchSettings(meta: RawItem['meta']) {
  const get = (...names: readonly string[]) =>
    copyText(names.map((name) => meta.get(name)?.at(-1)?.trim() ?? '').find((value) => value !== '') ?? '');
  // Rank Math stores a list as PHP serializes it.
  const robots = get('rank_math_robots', '_yoast_wpseo_meta-robots-adv');
  const isOn = (name: string) => /^(?:1|on|yes|true)$/i.test(get(name));
  const lost: readonly (readonly [name: string, isSet: boolean])[] = [
    [
      'robots: nofollow',
      isOn('_yoast_wpseo_meta-robots-nofollow') || isOn('_aioseop_nofollow') || /nofollow/.test(robots),
    ],
    ...['noarchive', 'nosnippet', 'noimageindex'].map(
      (name) => [`robots: ${name}`, robots.includes(name)] as const,
    ),
    ['an image for social networks', SOCIAL_IMAGES.some((name) => get(name) !== '')],
    [
      'a focus keyword',
      get('_yoast_wpseo_focuskw', 'rank_math_focus_keyword', '_aioseo_keywords', '_aioseop_keywords') !== '',
    ],
    ['a title of breadcrumbs', get('_yoast_wpseo_bctitle', 'rank_math_breadcrumb_title') !== ''],
    [
      'a type of structured data',
      [...meta.keys()].some((name) =>
        /^(?:_yoast_wpseo_schema_|rank_math_schema_|rank_math_rich_snippet$)/.test(name),
      ),
    ],
  ];
  return {
    isNoindex:
      get('_yoast_wpseo_meta-robots-noindex') === '1' ||
      isOn('_aioseop_noindex') ||
      isOn('_aioseo_noindex') ||
      /"noindex"/.test(robots),
    canonicalUrl: get(
      '_yoast_wpseo_canonical',
      'rank_math_canonical_url',
      '_aioseo_canonical_url',
      '_aioseop_custom_link',
    ),
    socialTitle: get(
      '_yoast_wpseo_opengraph-title',
      'rank_math_facebook_title',
      '_aioseo_og_title',
      '_yoast_wpseo_twitter-title',
      'rank_math_twitter_title',
      '_aioseo_twitter_title',
    ),
    socialDescription: get(
      '_yoast_wpseo_opengraph-description',
      'rank_math_facebook_description',
      '_aioseo_og_description',
      '_yoast_wpseo_twitter-description',
      'rank_math_twitter_description',
      '_aioseo_twitter_description',
    ),
    lostSettings: lost.flatMap(([name, isSet]) => (isSet ? [name] : [])),
  };
}

const SOCIAL_IMAGES = [
  '_yoast_wpseo_opengraph-image',
  '_yoast_wpseo_twitter-image',
  'rank_math_facebook_image',
  'rank_math_twitter_image',
  '_aioseo_og_image',
  '_aioseo_twitter_image',
];

/** The address of an author's archive ends in the name that WordPress makes from the login. */
const buildNicename = (login: string) =>
  login
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('.', '-')
    .replace(/[^a-z0-9 _-]/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-');

/** The names of an image's files in the data that WordPress stores of it, as PHP serializes them. */
function listSizes(metadata: string, attached: string): string[] {
  const names = [...metadata.matchAll(/"((?:[^"\\/]+\/)*[^"\\/]+\.[a-z]{3,4})"/gi)].map(
    ([, name = '']) => name,
  );
  return [...new Set([attached, ...names.map(copyText)])].filter(Boolean);
}

const TYPES: Readonly<Record<string, FormerItem['type'] | undefined>> = {
  post: 'post',
  page: 'page',
  attachment: 'attachment',
  thirstylink: 'link',
  surl: 'link',
  'lasso-urls': 'link',
  'pretty-link': 'link',
  wp_block: 'block',
  tablepress_table: 'table',
  nav_menu_item: 'menu',
};

/** Types in which WordPress and its plugins store settings, not posts. */
const INTERNAL =
  /^(?:revision|custom_css|customize_changeset|oembed_cache|user_request|wp_.*|acf-.*|elementor.*|wpcf7.*|wpforms|mc4wp-form|amn_.*)$/;

function findHidden(get: (name: string) => string): string {
  const status = get('wp:status');
  if (get('wp:post_password') !== '') return 'password-protected';
  if (status === 'publish' || status === 'inherit' || status === '') return '';
  return status === 'future' ? 'scheduled' : status;
}

/** The local time of the site with its offset from UTC; UTC when the file does not say the offset. */
function readDate(local: string, utc: string): string {
  const [here, there] = [local, utc].map((text) => Date.parse(`${text.replace(' ', 'T')}Z`));
  const isKnown = (time: number | undefined): time is number => time !== undefined && time > 0;
  if (!isKnown(here) && !isKnown(there)) return '';
  if (!isKnown(here) || !isKnown(there)) return formatTime(isKnown(there) ? there : (here ?? 0), 0);
  const minutes = Math.round((here - there) / 60_000);
  return Math.abs(minutes) <= 14 * 60 ? formatTime(here, minutes) : formatTime(there, 0);
}

function formatTime(local: number, offset: number): string {
  const text = new Date(local).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${text}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
}

function readFootnotes(json: string): ReadonlyMap<string, string> {
  try {
    const list: unknown = json === '' ? [] : JSON.parse(json);
    const notes = Array.isArray(list) ? list.map((note) => Object(note)) : [];
    return new Map(
      notes.flatMap(({ id, content }): [string, string][] =>
        typeof id === 'string' && typeof content === 'string' ? [[id, content]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
