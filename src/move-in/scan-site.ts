import path from 'node:path';
import type { Networks } from '../core/commissions/networks/network.schema.ts';
import { listFormerAddresses } from '../core/pages/redirects/redirects.ts';
import { BLOG_PATH, buildDefaultPath } from '../core/paths.ts';
import { decodePercent, parseJson } from '../core/text/parse-text.ts';
import { buildSlug, isArticleSlug } from '../core/text/slug.ts';
import { inspectHtml } from '../sources/articles/html/html-text.ts';
import {
  copyText,
  createNote,
  explainPostFailure,
  type FormerItem,
  type FormerSite,
  MoveInError,
  type MoveInNote,
} from './former-item.ts';
import {
  addEmptyTerms,
  addTerms,
  type FormerTarget,
  type FoundPost,
  listAddresses,
  listBases,
  parseFormerPath,
  parseOwnAddress,
} from './former-redirects.ts';
import type { FormerSettings } from './former-settings.ts';
import { type PluginLink, THIRSTY_PREFIX } from './link-plugins.ts';
import { convertMarkdown } from './markdown-body.ts';
import { addUnique, Merchants } from './merchants.ts';
import { addProduct, type BuildAmazonLink, type ScannedProduct, takeProducts } from './product-boxes.ts';
import { expandWordPressBody } from './wordpress-body.ts';

const createScan = (networks: Networks) => ({
  /** Address of the former site without a slash at its end; empty when the files do not say it. */
  address: '',
  title: ['', ''] as readonly [name: string, about: string],
  /** Path of its front page without a slash at its end. */
  prefix: '',
  items: 0,
  notes: [] as MoveInNote[],
  attachments: new Map<string, Attachment>(),
  /** Ids of attachments by the path of their page. */
  attachmentIds: new Map<string, string>(),
  /** Bodies of reusable blocks by id. */
  blocks: new Map<string, string>(),
  posts: new Map<string, FoundPost>(),
  /** Posts by each of their paths and queries. */
  postsByPath: new Map<string, FoundPost>(),
  /** Posts of WordPress by the last part of their path, which it finds them by in any category; null: several have it. */
  postsByName: new Map<string, FoundPost | null>(),
  /** Where archives of categories and tags lead. */
  terms: new Map<string, FormerTarget>(),
  /** Where other lists lead, the front page, and pages without a text. */
  listings: new Map<string, FormerTarget>(),
  /** Slugs of posts of earlier imports that are in the trash now, or not in the files. */
  gone: [] as string[],
  /** What each post was recorded by, with the paths that it has had. */
  records: new Map<FoundPost, { readonly key: string; readonly paths: readonly string[] }>(),
  /** Targets of link plugins by path, and their links by the id of their post. */
  pluginTargets: new Map<string, string>(),
  pluginPosts: new Map<string, { readonly href: string; readonly name: string }>(),
  /** Images that texts show, by their addresses and by the ids of attachments. */
  shownImages: new Set<string>(),
  shownIds: new Set<string>(),
  merchants: new Merchants(networks),
  /** Products that texts name by a number: an ASIN, the address of their link, or `post:ID` for a link of a plugin. */
  products: new Map<string, ScannedProduct>(),
  /** Tables of TablePress as HTML, in the order of their posts. */
  tables: [] as { readonly id: number; readonly title: string; readonly html: string }[],
  /** Addresses of terms and authors by their names: two with one name become one here. */
  named: new Map<string, Set<string>>(),
});

/** What exists on a former site, and where its links lead. */
export type SiteScan = ReturnType<typeof createScan>;

interface Attachment {
  readonly src: string;
  readonly alt: string;
  readonly caption: string;
  readonly address: string;
  /** Names of its file in other sizes. */
  readonly sizes: readonly string[];
  /** Id of its post. */
  readonly parent: string;
}

/** What earlier imports recorded, by the address of the site and the id of the post. */
interface FormerPosts {
  /** The slugs of articles, which stay. */
  readonly slugs: ReadonlyMap<string, string>;
  /** The paths that a post has had, with spaces between them. */
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * Reads everything of a former site once. `taken`: slugs of articles of this site that did not come from there; `former`:
 * what earlier imports recorded of its posts. Rejects with `MoveInError` when there is nothing to move in.
 */
export async function scanSite(
  {
    site,
    links,
    settings,
    networks,
  }: {
    readonly site: FormerSite;
    readonly links: readonly PluginLink[];
    readonly settings: FormerSettings;
    readonly networks: Networks;
  },
  taken: ReadonlySet<string>,
  former: FormerPosts = { slugs: new Map(), paths: new Map() },
): Promise<SiteScan> {
  const scan = createScan(networks);
  const note = (kind: MoveInNote['kind'], place: string, text: string) =>
    void scan.notes.push(createNote(kind, place, text));
  const addTargets = (all: readonly PluginLink[]) => {
    for (const { path, target, place, skipped } of all) {
      if (path === '') continue;
      if (skipped !== '' || parseFormerPath(path) === null) {
        note('lost', place, `${path} ${skipped || 'is not redirected: it is no address of its own'}`);
        continue;
      }
      scan.pluginTargets.set(toPath(path), target);
      if (path.startsWith(`${THIRSTY_PREFIX}/`)) addFormerPrefixes(scan, path, target, settings);
    }
  };
  addTargets(links);
  const targets = new Map(
    links.flatMap(({ postId, target }) => (postId === '' || postId === '0' ? [] : [[postId, target]])),
  );
  const bases = listBases(site, settings);
  const assumed = new Map<string, string[]>();
  const ids = new Set<string>();
  const slugs = new Set(former.slugs.values());
  const ownUses = new Map<string, number>();
  for await (const item of site.read((place, reason) => note('not understood', place, reason))) {
    scan.items += 1;
    const id = `${item.type} ${item.id}`;
    if (item.id !== '' && ids.has(id)) {
      note(
        'lost',
        item.place,
        `"${item.title}" is there twice with the id ${item.id}; the first one is imported`,
      );
      continue;
    }
    ids.add(id);
    scan.address = site.address();
    scan.title = site.title?.() ?? scan.title;
    scan.prefix = URL.canParse(scan.address) ? new URL(scan.address).pathname.replace(/\/+$/, '') : '';
    try {
      if (item.type === 'post' || item.type === 'page') {
        if (takeListing(scan, item, note)) continue;
        const key = `${scan.address} ${item.id}`;
        const slug = former.slugs.get(key) ?? chooseSlug(item, slugs, note);
        if (item.assumed !== '' && item.hidden === '')
          assumed.set(item.assumed, [...(assumed.get(item.assumed) ?? []), copyText(item.address)]);
        const paths = former.paths.get(key)?.split(' ') ?? [];
        const post = scanPost(scan, item, { slug, isTaken: taken.has(slug), paths }, ownUses, settings);
        const path = item.hidden === '' ? parseFormerPath(item.address) : null;
        const own = path === null || path.includes('?') ? [] : [path];
        scan.records.set(post, { key, paths: [...new Set([...paths, ...own])] });
        if (item.hidden === '' && !taken.has(slug)) addTerms(scan.terms, item, scan.prefix, bases);
      } else if (item.type === 'link') scanLink(scan, item, targets.get(item.id) ?? item.target, settings);
      else scanOther(scan, item, note);
    } catch (error) {
      scan.posts.delete(item.id);
      note('lost', `${item.title} (${item.place})`, explainPostFailure(error));
    }
  }
  // A host shows a page in front of a redirect, and the first of two.
  const isFree = ({ path }: PluginLink) => {
    const own = toPath(path);
    return scan.postsByPath.get(own)?.isPublic !== true && !scan.pluginTargets.has(own);
  };
  addTargets((site.links ?? []).toReversed().filter(isFree));
  fillProducts(scan);
  if ([...scan.posts.values()].some(({ hasFeed }) => hasFeed))
    scan.listings.set(`${scan.prefix}/index.php`, { to: '/', place: 'front page' });
  addEmptyTerms(scan, site.terms?.() ?? [], bases);
  for (const [key, slug] of former.slugs)
    if (key.startsWith(`${scan.address} `) && !scan.posts.has(key.slice(scan.address.length + 1)))
      scan.gone.push(slug);
  for (const [reason, addresses] of assumed)
    note(
      'changed',
      'addresses',
      `${reason}: ${addresses.length} were assumed, such as ${addresses.slice(0, 3).join(', ')}; compare them`,
    );
  for (const [name, addresses] of scan.named)
    if (addresses.size > 1)
      note('changed', name, `${[...addresses].join(' and ')} have one name and become one`);
  scan.tables.sort((one, other) => one.id - other.id);
  for (const [path, target] of scan.pluginTargets)
    if (toOwnPath(scan.address, target) === null) scan.merchants.add(target, true, ownUses.get(path) ?? 0);
  if (scan.posts.size === 0 && scan.items > 0)
    throw new MoveInError('The files have no posts and no pages; nothing was changed.');
  return scan;
}

type Note = (kind: MoveInNote['kind'], place: string, text: string) => void;

function scanPost(
  scan: SiteScan,
  item: FormerItem,
  {
    slug,
    isTaken,
    paths,
  }: { readonly slug: string; readonly isTaken: boolean; readonly paths: readonly string[] },
  ownUses: Map<string, number>,
  settings: FormerSettings,
): FoundPost {
  const hasFeed = item.format === 'classic' || item.format === 'blocks';
  const isPublic = item.hidden === '';
  const address = isPublic && !isTaken ? parseOwnAddress(item.address, slug) : null;
  const post = { slug, isTaken, isPublic, hasFeed, place: item.place, address };
  scan.posts.set(item.id, post);
  for (const from of [...listAddresses(item), ...paths].flatMap(
    (address) => parseFormerPath(address) ?? [],
  )) {
    const known = scan.postsByPath.get(from);
    if (known === undefined || (post.isPublic && !known.isPublic)) scan.postsByPath.set(from, post);
  }
  const name = /[^/]+(?=\/?$)/.exec(address ?? '')?.[0];
  if (hasFeed && name !== undefined) scan.postsByName.set(name, scan.postsByName.has(name) ? null : post);
  if (hasFeed) scan.postsByPath.set(`${scan.prefix}/?p=${item.id}`, post);
  if (hasFeed && item.type === 'page') scan.postsByPath.set(`${scan.prefix}/?page_id=${item.id}`, post);
  scanNames(scan, item);
  const products: Parameters<typeof addProduct>[1][] = [];
  const text = takeProducts(expandBody(scan, item, settings), (product) => void products.push(product));
  const { links, images } = inspectBody(item, text);
  showImages(scan, item, images);
  for (const href of links) {
    const own = findOwnPath(scan, href);
    if (own === null) scan.merchants.add(href, false);
    else ownUses.set(own, (ownUses.get(own) ?? 0) + 1);
  }
  for (const product of products) {
    addProduct(scan.products, product);
    const own = findOwnPath(scan, product.href);
    if (own === null) scan.merchants.add(product.href, true);
    else if (product.href !== '') ownUses.set(own, (ownUses.get(own) ?? 0) + 1);
  }
  return post;
}

/**
 * Notes the front page of WordPress, and takes a page without a text, which is its list of posts, as a list: it becomes no
 * article. Returns whether it was taken.
 */
function takeListing({ listings, prefix }: SiteScan, item: FormerItem, note: Note): boolean {
  const { type, format, address, hidden, place, slug } = item;
  if (type !== 'page' || hidden !== '' || (format !== 'classic' && format !== 'blocks')) return false;
  const path = parseFormerPath(address);
  const isFront = URL.canParse(address) && new URL(address).pathname.replace(/\/+$/, '') === prefix;
  const front = isFront && slug !== '' ? parseFormerPath(`${prefix}/${slug}`) : null;
  if (front !== null && new URL(address).search === '') listings.set(front, { to: '/', place });
  if (path === null || path.includes('?') || item.body.trim() !== '') return false;
  listings.set(path, { to: BLOG_PATH, place });
  listings.set(`${path}/page/1`, { to: BLOG_PATH, place });
  note(
    'changed',
    place,
    `"${item.title}" has no text, as the page of all posts: ${path} leads to ${BLOG_PATH}`,
  );
  return true;
}

/** The body with its shortcodes filled in, so that their links, images and products are found. */
function expandBody(scan: SiteScan, item: FormerItem, settings: FormerSettings): string {
  if (
    item.format === 'markdown' ||
    item.format === 'html' ||
    !/\[|amazon-adsystem|amzn_assoc/.test(item.body)
  )
    return item.body;
  const references = {
    findImage(id: string) {
      scan.shownIds.add(id);
      return scan.attachments.get(id) ?? null;
    },
    // The post of a link may come later in the export.
    findLink: (id: string) => scan.pluginPosts.get(id) ?? { href: '', name: '' },
    findBlock: (id: string) => scan.blocks.get(id) ?? null,
    findTable: () => '',
    buildAmazonLink: createAmazonLinks(scan, settings),
  };
  return expandWordPressBody(item, references, () => undefined);
}

/** Fills in where the products of a link plugin lead and what they are called. */
function fillProducts({ products, pluginPosts }: SiteScan): void {
  for (const [number, product] of products) {
    const link = number.startsWith('post:') ? pluginPosts.get(number.slice('post:'.length)) : undefined;
    if (link === undefined) continue;
    product.href = link.href;
    product.box ||= link.name;
  }
}

function scanNames({ named }: SiteScan, { type, categories, tags, author, authorSlug }: FormerItem): void {
  const add = (kind: string, name: string, address: string) => {
    if (name === '' || address === '') return;
    const key = `${kind} "${copyText(name)}"`;
    named.set(key, (named.get(key) ?? new Set()).add(copyText(address)));
  };
  if (type === 'post') {
    for (const { name, slug, parents = [] } of categories)
      add('category', name, [...parents, slug].join('/'));
    for (const { name, slug } of tags) add('tag', name, slug);
  }
  add('author', author, authorSlug);
}

function showImages({ shownImages, shownIds }: SiteScan, item: FormerItem, images: readonly string[]): void {
  const { image } = item;
  for (const src of images) if (!/^data:/i.test(src)) shownImages.add(copyText(locateImage(item, src)));
  if (/^\d+$/.test(image)) shownIds.add(image);
  else if (image !== '') shownImages.add(locateImage(item, image));
}

/** Whether an item is a file, whose addresses are relative to it. */
export const isFile = ({ id }: FormerItem): boolean => /\.\w+$/.test(id);

/** The address of an image; one that is relative to a file, from the folder of all files. */
export const locateImage = (item: FormerItem, src: string): string =>
  !isFile(item) || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(src)
    ? src
    : path.posix.join('/', path.posix.dirname(item.id), src);

/** A link that is relative to its post: from the folder of the address, or from the address as one. */
export function locateLink(scan: SiteScan, { address }: FormerItem, href: string): string {
  const base = scan.address || 'https://site.invalid';
  if (/^(?:[a-z][a-z\d+.-]*:|[/#?]|$)/i.test(href) || !URL.canParse(address, base)) return href;
  const bases = [address.replace(/(?<!\.\w+|\/)$/, '/'), address].map((one) => new URL(one, base));
  const found = bases.flatMap((one) => (URL.canParse(href, one) ? [new URL(href, one)] : []));
  const known = found.find((url) => scan.postsByPath.has(toOwnPath(scan.address, url.pathname) ?? ''));
  const { pathname, search, hash } = known ?? found[0] ?? new URL(base);
  return pathname + search + hash;
}

/** Whether the file of a post is in MDX. */
export const isMdx = ({ id }: FormerItem): boolean => /\.mdx$/i.test(id);

/** The addresses of the links and images of a body; `html`: with its shortcodes filled in. */
function inspectBody(item: FormerItem, html: string) {
  const links: string[] = [];
  const images: string[] = [];
  if (item.format !== 'markdown') {
    const inspected = inspectHtml(html);
    return {
      links: inspected.links.map((href) => href.trim()),
      images: inspected.images.map(({ src }) => src),
    };
  }
  convertMarkdown(item.body, isMdx(item), {
    rewriteLink(href) {
      links.push(href);
      return { href };
    },
    rewriteImage(src, alt) {
      images.push(src);
      return { src, alt };
    },
    title: item.title,
    onUnknown: () => undefined,
  });
  return { links, images };
}

function scanLink(scan: SiteScan, item: FormerItem, target: string, settings: FormerSettings): void {
  const href = toPath(item.address);
  if (target !== '' && URL.canParse(target, 'https://site.invalid')) {
    scan.pluginTargets.set(href, target);
    addFormerPrefixes(scan, href, target, settings);
  } else if (!scan.pluginTargets.has(href)) {
    const text = `the link "${item.title}" has no target in the export: give its table or CSV with --links`;
    scan.notes.push(createNote('lost', item.place, text));
    return;
  }
  scan.pluginPosts.set(item.id, { href, name: item.title });
}

/** A link had its paths below each former prefix, with the category in front of its name and without. */
function addFormerPrefixes(
  { prefix: root, pluginTargets }: SiteScan,
  path: string,
  target: string,
  { prefixes }: FormerSettings,
): void {
  const [, ...parts] = path.slice(root.length + 1).split('/');
  for (const prefix of prefixes)
    for (const rest of [parts.join('/'), parts.at(-1) ?? ''])
      if (rest !== '') pluginTargets.set(`${root}/${prefix}/${rest}`, target);
}

function scanOther(scan: SiteScan, item: FormerItem, note: Note): void {
  const { type, id, place, title, target } = item;
  if (type === 'attachment') {
    const { imageAlt, excerpt, address, formerAddresses, parent } = item;
    const texts = { src: target, alt: imageAlt || title, caption: excerpt, address };
    scan.attachments.set(id, { ...texts, sizes: formerAddresses, parent });
    const page = parseFormerPath(address);
    if (page !== null) scan.attachmentIds.set(page, id);
  } else if (type === 'block') {
    scan.blocks.set(id, item.body);
    showImages(scan, item, inspectBody(item, item.body).images);
  } else if (type === 'table') {
    const html = writeTable(item.body);
    if (html === null) note('lost', place, `the table "${title}" cannot be read`);
    else scan.tables.push({ id: Number(id), title: copyText(title), html });
  } else if (type === 'menu') {
    const label = `"${title || target || item.address}"${target === '' ? '' : ` (${target})`}`;
    note('suggestion', place, `the menu had ${label}: add it to navigation in site.yaml`);
  } else note('not understood', place, `an item ${item.hidden} is not imported: ${title || id}`);
}

function chooseSlug(item: FormerItem, slugs: Set<string>, note: Note): string {
  // An address may be cut in the middle of a character.
  const normal = decodePercent(item.slug).normalize('NFC').toLowerCase();
  const base = isArticleSlug(normal)
    ? normal
    : buildSlug(normal) || buildSlug(item.title) || `post-${buildSlug(item.id)}`;
  const id = `post-${buildSlug(item.id).slice(0, 60)}`;
  const meant = `${item.address} ${item.id}`;
  const first = addUnique(isArticleSlug(base) ? base : id, meant, slugs);
  // The hash of a second one can make it too long.
  const slug = isArticleSlug(first) ? first : addUnique(id, meant, slugs);
  if (item.slug !== '' && slug !== normal && item.hidden === '')
    note('changed', item.place, `its address ends in "${slug}" and not in "${item.slug}" any more`);
  return slug;
}

/** A table of TablePress, whose cells are JSON, as HTML; null for other JSON. */
function writeTable(json: string): string | null {
  const parsed: unknown = parseJson(json);
  const rows = Array.isArray(parsed) ? parsed.filter((row) => Array.isArray(row)) : [];
  if (rows.length === 0) return null;
  const write = (row: readonly unknown[], name: string) =>
    `<tr>${row.map((cell) => `<${name}>${typeof cell === 'string' ? cell : ''}</${name}>`).join('')}</tr>`;
  return `\n\n<table>${rows.map((row, at) => write(row, at === 0 ? 'th' : 'td')).join('')}</table>\n\n`;
}

/** The address of a product of Amazon; without a tag or a country, that of the settings. */
export const createAmazonLinks =
  ({ merchants }: SiteScan, { amazon }: FormerSettings): BuildAmazonLink =>
  (asin, tag, country) => {
    const shop = merchants.findShop(country) ?? amazon.host;
    // A tag is that of one shop.
    const value = tag || (shop === amazon.host ? amazon.tag : '');
    return `https://${shop}/dp/${asin}${value === '' ? '' : `?tag=${encodeURIComponent(value)}`}`;
  };

/** An address of the former site with its host, which is `base`. */
export function toAbsolute(base: string, address: string): string {
  return URL.canParse(address, base || undefined) ? new URL(address, base || undefined).href : address;
}

/** The path of an address of the former site, whose address is `base`, as redirects have it; null for other sites. */
export function toOwnPath(base: string, href: string): string | null {
  if (href.startsWith('#') || /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href)) return null;
  if (base === '') return href.startsWith('/') ? parseFormerPath(href.split('#', 1)[0] ?? '') : null;
  if (!URL.canParse(href, `${base}/`)) return null;
  const url = new URL(href, `${base}/`);
  const trim = (host: string) => host.replace(/^www\./, '');
  if (trim(url.host) !== trim(new URL(base).host)) return null;
  const [, id = ''] = /[?&]((?:p|page_id|attachment_id)=\d+)(?:&|$)/.exec(url.search) ?? [];
  return parseFormerPath(`${url.pathname}?${id}`) ?? '/';
}

/** The path of a link to the former site, with its parameters where these had an address; null for other sites. */
export function findOwnPath(scan: SiteScan, href: string): string | null {
  const path = toOwnPath(scan.address, href);
  if (path === null || !/\?|\.html?\b/.test(href)) return path;
  const { pluginTargets, postsByPath, attachmentIds, terms, listings } = scan;
  const all = [pluginTargets, postsByPath, attachmentIds, terms, listings];
  const query = new URL(href, 'https://host.invalid').searchParams;
  // Hosts of static sites also serve /guide/ at /guide.html.
  const spellings = [...listFormerAddresses(path, query), path.replace(/\.html?$/, '')];
  return spellings.find((from) => all.some((map) => map.has(from))) ?? path;
}

/** Where a redirect of the former site ends: on another site, or at what is on this one now. */
export function followTarget(scan: SiteScan, target: string): string {
  const passed = new Set<string>();
  let part = '';
  for (let at = target; !passed.has(at); ) {
    passed.add(at);
    part = /#.*$/.exec(at)?.[0] ?? part;
    const own = findOwnPath(scan, at);
    if (own === null) return at;
    const next = scan.pluginTargets.get(own);
    const post = next === undefined ? scan.postsByPath.get(own) : undefined;
    if (post?.isPublic) return buildDefaultPath(post.slug) + part;
    if (next === undefined)
      return (scan.terms.get(own) ?? scan.listings.get(own))?.to ?? (own === (scan.prefix || '/') ? '/' : at);
    at = next;
  }
  return target;
}

const toPath = (address: string) => parseFormerPath(address) ?? address;
