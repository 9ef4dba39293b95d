import { readContent } from '../content-files/read-content.ts';
import { parseRedirects } from '../content-files/read-redirects.ts';
import { createAddressCheck } from '../core/pages/assign-addresses.ts';
import type { LinkTargets } from '../core/pages/check-references.ts';
import type { Content } from '../core/pages/content.ts';
import {
  checkRedirects,
  createClashCheck,
  parseFormerAddress,
  parseRedirectTarget,
  REDIRECT_COLUMNS,
  REDIRECT_FOLDER,
  type RedirectLine,
} from '../core/pages/redirects/redirects.ts';
import {
  BLOG_PATH,
  buildDefaultPath,
  buildGroupPath,
  parseAddress,
  RSS_PATH,
  SITEMAP_PATH,
  trimAddress,
} from '../core/paths.ts';
import { cleanText } from '../core/text/parse-text.ts';
import { buildSlug } from '../core/text/slug.ts';
import { extractText } from '../sources/articles/html/html-text.ts';
import { type FormerItem, type FormerSite, MoveInError } from './former-item.ts';
import type { FormerSettings } from './former-settings.ts';
import { MAX_CATEGORIES, MAX_TAGS } from './front-matter.ts';
import type { MovedFiles } from './moved-files.ts';
import type { SiteScan } from './scan-site.ts';

/** A post of the former site. A large site has hundreds of thousands of addresses. */
export interface FoundPost {
  readonly slug: string;
  /** Whether this site has an article of that name which did not come from there. */
  readonly isTaken: boolean;
  readonly isPublic: boolean;
  readonly hasFeed: boolean;
  readonly place: string;
  /** Its published path, which its article keeps unless this site has something else there; null: it has none to keep. */
  address: string | null;
}

/** Where an address of the former site leads. */
export interface FormerTarget {
  readonly to: string;
  readonly place: string;
}

interface FormerRedirect extends FormerTarget {
  /** Whether a link plugin had it. */
  readonly isLink: boolean;
}

/** What gets the redirects that are not written: `refuse` those that stop the import. */
interface RedirectReport {
  readonly note: (kind: 'changed' | 'lost', place: string, text: string) => void;
  readonly refuse: (reason: string) => void;
}

/** The content that is there, and what an import takes out of it. */
interface PresentContent {
  readonly content: Content;
  /** Slugs of its articles. */
  readonly articles: readonly string[];
  /** Files of the sample that are taken out. */
  readonly cleared: ReadonlySet<string>;
}

interface ContentChanges extends PresentContent {
  /** Keys of partners that the import adds. */
  readonly partners: ReadonlySet<string>;
  /** Paths of articles that stay, though their posts are gone: their former addresses stay too. */
  readonly kept: ReadonlySet<string>;
}

/** What addresses may lead to, with the articles that are added. */
function listTargets({ content, articles, cleared }: PresentContent, added: ReadonlySet<string>) {
  const isThere = (file: string) => !cleared.has(file);
  return {
    ...content,
    pages: new Map([...content.pages].filter(([at]) => isThere(`pages${at}.yaml`))),
    articles: new Set([...articles.filter((slug) => isThere(`articles/${slug}.md`)), ...added]),
  };
}

const REDIRECTS_PER_FILE = 20_000;

/** The first parts of the paths of archives of categories and tags; left out: the former site had none. */
export const listBases = ({ archives }: FormerSite, { archives: given }: FormerSettings) => ({
  topic: given.category ?? archives?.[0],
  tag: given.tag ?? archives?.[1],
});

/** Adds the addresses of the archives that had a post, below `prefix`, with where they lead. */
export function addTerms(
  found: Map<string, FormerTarget>,
  item: FormerItem,
  prefix: string,
  bases: ReturnType<typeof listBases>,
): void {
  if (item.type === 'page') return;
  for (const [kind, terms, max] of [
    ['topic', item.categories, MAX_CATEGORIES],
    ['tag', item.tags, MAX_TAGS],
  ] as const) {
    const base = bases[kind];
    for (const [index, { name, slug, parents = [], id = '' }] of base === undefined ? [] : terms.entries()) {
      const own = buildSlug(cleanText(extractText(name), 60));
      if (slug === '' || own === '') continue;
      // An article has so many terms: those beyond may have no page.
      const to = index < max ? buildGroupPath(kind, own) : BLOG_PATH;
      for (const from of listTermAddresses(kind, [prefix, base, ...parents, slug], id)) {
        const known = found.get(from);
        if (known === undefined || known.to === BLOG_PATH) found.set(from, { to, place: item.place });
      }
    }
  }
}

/** The addresses of an archive: its path, part by part, and its queries; `id`: of a category. */
function listTermAddresses(kind: 'topic' | 'tag', parts: readonly (string | undefined)[], id: string) {
  const [prefix, slug] = [parts[0] ?? '', parts.at(-1)];
  const path = parts.filter((part, at) => at === 0 || part !== '').join('/');
  const ids = id === '' ? [] : [`cat=${id}`];
  const queries = kind === 'topic' ? [`category_name=${slug}`, ...ids] : [`tag=${slug}`];
  const addresses = [path, ...queries.map((query) => `${prefix}/?${query}`)];
  return addresses.flatMap((address) => parseFormerPath(address) ?? []);
}

/** Leads the archives of categories and tags without a post to all articles. */
export function addEmptyTerms(
  { prefix, terms, listings }: Pick<SiteScan, 'prefix' | 'terms' | 'listings'>,
  declared: ReturnType<NonNullable<FormerSite['terms']>>,
  bases: ReturnType<typeof listBases>,
): void {
  for (const { kind, slug, parents = [], id = '' } of bases.topic === undefined ? [] : declared)
    for (const from of listTermAddresses(kind, [prefix, bases[kind], ...parents, slug], id))
      if (!terms.has(from)) listings.set(from, { to: BLOG_PATH, place: `${kind} ${slug}` });
}

/** The addresses of a former site as they are collected, and where each of them leads on this one. */
export class FormerRedirects {
  readonly #site: FormerSite;
  readonly #settings: FormerSettings;
  readonly #prefix: string;
  /** Posts by each of their paths and queries. */
  readonly #posts: ReadonlyMap<string, FoundPost>;
  /** Posts that are articles now, with their paths. */
  readonly #imported = new Map<FoundPost, string>();
  /** The redirects that the site has. */
  readonly #present: readonly RedirectLine[];
  readonly #terms = new Map<string, FormerTarget>();
  readonly #listings: ReadonlyMap<string, FormerTarget>;
  /** Redirects besides those of `#posts`. */
  readonly #redirects = new Map<string, FormerRedirect>();
  #lines = 1;

  /**
   * `prefix`: the path of the former site's front page without a slash at its end; `postsByPath`: by each of their addresses;
   * `present`: the redirects that this site has.
   */
  constructor(
    site: FormerSite,
    settings: FormerSettings,
    {
      prefix,
      postsByPath,
      listings,
    }: Pick<SiteScan, 'prefix' | 'listings'> & { readonly postsByPath: ReadonlyMap<string, FoundPost> },
    present: readonly RedirectLine[],
  ) {
    this.#site = site;
    this.#settings = settings;
    this.#prefix = prefix;
    this.#posts = postsByPath;
    this.#listings = listings;
    this.#present = present;
  }

  /** Where a post is whose article was renamed since an earlier import; null when it was removed. */
  findMoved({ slug }: FoundPost): string | null {
    const path = buildDefaultPath(slug);
    return this.#present.find(({ from }) => from === path)?.to ?? null;
  }

  /** Adds a post that is at `to` now: its addresses, those of its parts, and the archives that had it. */
  addPost(item: FormerItem, post: FoundPost, to: string): void {
    this.#imported.set(post, to);
    if (!post.isPublic) return;
    const parts = item.body.split('<!--nextpage-->').length;
    for (const address of parts > 1 ? listAddresses(item) : [])
      for (let part = 2; part <= parts && !address.includes('?'); part += 1)
        this.add(`${address.replace(/\/$/, '')}/${part}`, to, item.place);
    addTerms(this.#terms, item, this.#prefix, listBases(this.#site, this.#settings));
    if (this.#site.archives !== null) {
      this.add(`${this.#prefix}/page/1`, BLOG_PATH, 'later pages');
      this.#collectAuthor(item);
    }
    if (!post.hasFeed) return;
    const root = `${this.#prefix}/`;
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(item.publishedAt) ?? [];
    if (year === undefined) return;
    for (const archive of [year, `${year}/${month}`, `${year}/${month}/${day}`]) {
      this.add(root + archive, BLOG_PATH, item.place);
      this.add(`${root}${archive}/feed`, RSS_PATH, item.place);
    }
    for (const archive of [year, `${year}${month}`, `${year}${month}${day}`])
      this.add(`${root}?m=${archive}`, BLOG_PATH, item.place);
  }

  /** Adds where the page of an attachment leads: to its post, or to all articles. */
  addAttachment(id: string, address: string, post: FoundPost | undefined): void {
    const to = (post?.isPublic && this.#imported.get(post)) || BLOG_PATH;
    if (address !== '') this.add(address, to, 'attachment');
    this.add(`${this.#prefix}/?attachment_id=${id}`, to, 'attachment');
  }

  /** Adds an address, unless it leads somewhere already. */
  add(address: string, to: string, place: string, isLink = false): void {
    const from = parseFormerPath(address);
    if (from === null || from === to || this.#redirects.has(from)) return;
    this.#redirects.set(from, { to, place, isLink });
  }

  /** Adds the addresses of link plugins, which come before all others, and those of archives after them. */
  addLinks(links: Iterable<readonly [address: string, to: string]>): void {
    for (const [address, to] of links) {
      this.#redirects.delete(parseFormerPath(address) ?? '');
      this.add(address, to, `link ${address}`, true);
    }
    for (const [from, { to, place }] of [...this.#terms, ...this.#listings]) {
      this.add(from, to, place);
      if (!/[?]|\/page\/1$/.test(from) && to !== '/') this.add(`${from}/feed`, RSS_PATH, place);
    }
  }

  #collectAuthor({ authorSlug, authorId, place }: FormerItem): void {
    const base = this.#settings.archives.author ?? 'author';
    if (authorSlug !== '') {
      const archive = [this.#prefix, base, authorSlug].join('/');
      this.add(archive, BLOG_PATH, place);
      this.add(`${archive}/feed`, RSS_PATH, place);
    }
    if (authorId !== '') this.add(`${this.#prefix}/?author=${authorId}`, BLOG_PATH, place);
  }

  /**
   * Writes every address into files of the import `name`. Rows that an operator has edited, added or removed there since the
   * last import stay so. A clash of a link with a path of this site refuses the import. Returns how many redirects the files have.
   */
  write(name: string, changes: ContentChanges, writer: MovedFiles, report: RedirectReport): number {
    const hasRedirects =
      this.#redirects.size > 0 || [...this.#posts.keys()].some((from) => this.#findRedirect(from));
    for (const feed of hasRedirects ? this.#site.feeds : [])
      this.add(`${this.#prefix}${feed}`, feed.includes('sitemap') ? SITEMAP_PATH : RSS_PATH, 'feed');
    const isOwn = ({ file }: RedirectLine) => readPart(name, file) !== null;
    const wanted = this.#collect(
      this.#readTargets(changes),
      new Set(this.#present.flatMap((line) => (isOwn(line) ? [] : [line.from]))),
      report,
    );
    const memory = `redirects-${name}.csv`;
    const own = this.#present.filter(isOwn);
    const recalled = writer.recall(memory);
    const before = toMap(
      recalled === null
        ? // Earlier versions stored no rows: those of a file are theirs as long as it is as it was written.
          [...Map.groupBy(own, ({ file }) => file)].flatMap(([file, lines]) =>
            writer.isAsWritten(file) ? lines : [],
          )
        : parseRedirects(memory, recalled, () => undefined),
    );
    for (const [from, to] of before) if (changes.kept.has(to) && !wanted.has(from)) wanted.set(from, to);
    const merged = mergeRedirects(before, toMap(own), wanted);
    if (merged.kept > 0)
      report.note(
        'changed',
        nameFile(name, 0),
        `${merged.kept} of its rows were edited, added or removed since the last import and stay so`,
      );
    const rows = [...merged.rows].sort(([one], [other]) => (one < other ? -1 : 1));
    // An earlier import may have had more files.
    const last = own.reduce((most, { file }) => Math.max(most, readPart(name, file) ?? 0), 0);
    for (let part = 0; part <= last || part * REDIRECTS_PER_FILE < rows.length; part += 1) {
      const some = rows.slice(part * REDIRECTS_PER_FILE, (part + 1) * REDIRECTS_PER_FILE);
      const file = nameFile(name, part);
      if (some.length > 0 || part < last || own.length > 0) writer.addMerged(file, buildText(some));
    }
    writer.remember(memory, buildText([...merged.written]));
    return rows.length;
  }

  /** What redirects of this site may lead to once the import is there. */
  #readTargets(changes: ContentChanges): LinkTargets {
    const imported = [...this.#imported].flatMap(([{ slug }, to]) =>
      to === buildDefaultPath(slug) ? [slug] : [],
    );
    const content = listTargets(changes, new Set(imported));
    const { partners, cleared } = changes;
    const [first] = content.partners.values();
    const known = new Map(content.partners);
    for (const key of content.partners.keys()) if (cleared.has(`partners/${key}.yaml`)) known.delete(key);
    if (first !== undefined) for (const key of partners) known.set(key, { ...first, key, trialPath: null });
    const site = cleared.has('site.yaml') ? { ...content.site, aliases: {} } : content.site;
    return { ...content, site, partners: known };
  }

  /** The redirects of all former addresses, without those that are not possible; `taken`: addresses of other files. */
  #collect(targets: LinkTargets, taken: ReadonlySet<string>, report: RedirectReport): Map<string, string> {
    const findClash = createClashCheck(targets);
    const addresses = this.#listAddresses();
    const wanted = new Map<string, string>();
    for (let at = 0; at < addresses.length; at += REDIRECTS_PER_FILE) {
      const some = addresses.slice(at, at + REDIRECTS_PER_FILE);
      const lines = some.flatMap((from) => this.#checkAddress(from, findClash, taken, report));
      const faults = new Map(checkRedirects(lines, targets).map((fault) => [fault.line.line, fault.reason]));
      for (const { from, to, line } of lines) {
        const reason = faults.get(line);
        if (reason === undefined) wanted.set(from, to);
        else report.note('lost', from, reason);
      }
    }
    return wanted;
  }

  /** Every former address, sorted. */
  #listAddresses(): string[] {
    const addresses = [...this.#redirects.keys()].filter((from) => this.#findRedirect(from) !== null);
    for (const [from, { hasFeed, address }] of this.#posts) {
      const feed = `${from}/feed`;
      // The feed of a post that keeps its address leads to the post.
      const isKept = address !== null && trimAddress(address) === from && this.#findRedirect(feed) !== null;
      if (!isKept && this.#findRedirect(from) === null) continue;
      if (!isKept && !this.#redirects.has(from)) addresses.push(from);
      if (hasFeed && !from.includes('?') && !this.#redirects.has(feed) && !this.#posts.has(feed))
        addresses.push(feed);
    }
    return addresses.sort();
  }

  /** The redirect of a former address: of a link plugin, of a post or its feed, or another one; null without one. */
  #findRedirect(from: string): FormerRedirect | null {
    const known = this.#redirects.get(from);
    const own = this.#posts.get(from);
    const post =
      own ?? (known === undefined && from.endsWith('/feed') ? this.#posts.get(from.slice(0, -5)) : undefined);
    const to = post?.isPublic ? this.#imported.get(post) : undefined;
    if (known?.isLink || post === undefined || to === undefined) return known ?? null;
    if (post.address !== null && trimAddress(post.address) === from) return null;
    return from === to ? (known ?? null) : { to, place: post.place, isLink: false };
  }

  /** The line of a former address; none when the site or another file has it. */
  #checkAddress(
    from: string,
    findClash: (from: string) => string | null,
    taken: ReadonlySet<string>,
    { note, refuse }: RedirectReport,
  ): RedirectLine[] {
    const { to = '', place = '', isLink = false } = this.#findRedirect(from) ?? {};
    const clash = findClash(from) ?? (taken.has(from) ? `${from} is in another file of redirects` : null);
    const target = parseRedirectTarget(to);
    const next = to.startsWith('/') ? parseFormerAddress(to.split('#', 1)[0] ?? '') : null;
    // What paid links lead through must not be lost.
    if (clash !== null && isLink && !/^\/(?!go\/)/.test(to))
      refuse(`The address ${from} of a link clashes: ${clash}. Choose another key for the partner.`);
    else if (clash !== null) note('changed', place, `${from} is not redirected: ${clash}`);
    else if (target === null) note('lost', place, `${from} is not redirected: ${to} is no web address`);
    else if (next !== null && (this.#findRedirect(next)?.to ?? next) !== next)
      note('lost', place, `${from} is not redirected: ${to} is a former address itself`);
    else {
      this.#lines += 1;
      return [{ from, to: target, file: '', line: this.#lines }];
    }
    return [];
  }
}

/** A former address as redirects have it; null for the front page and what is no address. */
export function parseFormerPath(address: string): string | null {
  const { pathname, search } = URL.canParse(address) ? new URL(address) : { pathname: address, search: '' };
  return parseFormerAddress(pathname + search);
}

/**
 * The path of a post as visitors saw it, when its article can have it: neither a query nor the article's default path. Null
 * without one.
 */
export function parseOwnAddress(address: string, slug: string): string | null {
  const { pathname, search } = URL.canParse(address) ? new URL(address) : { pathname: address, search: '' };
  const path = search === '' ? parseAddress(pathname) : null;
  return path === buildDefaultPath(slug) ? null : path;
}

/**
 * Takes the address from the posts that cannot keep theirs: this site has something else there, or an earlier post wants it
 * too. `name`: of the import, whose own redirects it writes anew.
 */
export function settleAddresses(
  { posts, pluginTargets: links }: Pick<SiteScan, 'posts' | 'pluginTargets'>,
  name: string,
  place: PresentContent & { readonly redirects: readonly RedirectLine[] },
  note: RedirectReport['note'],
): void {
  const all = [...posts.values()];
  const content = listTargets(place, new Set(all.map(({ slug }) => slug)));
  const others = place.redirects.filter(
    ({ file }) => !file.startsWith(`${REDIRECT_FOLDER}/imported-${name}`),
  );
  const findClash = createAddressCheck(content, others);
  const owners = new Map<string, FoundPost>();
  for (const post of all) {
    if (post.address === null) continue;
    const own = trimAddress(post.address);
    const owner = owners.get(own);
    const clash =
      owner !== undefined
        ? `${own} is the address of articles/${owner.slug}.md already`
        : links.has(own)
          ? `${own} is the address of a link`
          : findClash(post.address, buildDefaultPath(post.slug));
    if (clash === null) owners.set(own, post);
    else {
      note(
        'changed',
        post.place,
        `is at ${buildDefaultPath(post.slug)} and not at ${post.address}: ${clash}`,
      );
      post.address = null;
    }
  }
}

/** Every address that a post had. */
export function listAddresses({ address, slug, formerAddresses, format }: FormerItem): string[] {
  const isWordPress = format === 'classic' || format === 'blocks';
  if (!isWordPress) return [address, ...formerAddresses].filter(Boolean);
  if (address === '') return [];
  const former = formerAddresses.flatMap((old) => {
    const at = slug === '' ? -1 : address.toLowerCase().lastIndexOf(slug.toLowerCase());
    return at < 0 || old === slug ? [] : [address.slice(0, at) + old + address.slice(at + slug.length)];
  });
  return [address, ...former];
}

/**
 * Merges the redirects of an import with those in its files. `before`: what the last import wrote; `current`: what the files
 * have; `next`: what this one writes. A row that differs from `before` was edited, added or removed by an operator and stays
 * so. Returns the rows, how many of them an operator has decided, and what counts as written by the import from now on.
 */
function mergeRedirects(before: Rows, current: Rows, next: Rows) {
  const rows = new Map<string, string>();
  const written = new Map(next);
  let kept = 0;
  for (const [from, to] of current) {
    const wanted = next.get(from);
    const isOperators = to !== before.get(from) && to !== wanted;
    if (isOperators) kept += 1;
    if (isOperators || wanted !== undefined) rows.set(from, isOperators ? to : (wanted ?? to));
  }
  for (const [from, to] of next) if (!current.has(from) && !before.has(from)) rows.set(from, to);
  for (const [from, to] of before) {
    if (current.has(from)) continue;
    if (next.has(from)) kept += 1;
    // It stays removed, also after an export without it.
    written.set(from, to);
  }
  return { rows, kept, written };
}

type Rows = ReadonlyMap<string, string>;

const toMap = (lines: Iterable<RedirectLine>): Rows => {
  const rows = new Map<string, string>();
  for (const { from, to } of lines) rows.set(from, to);
  return rows;
};

const nameFile = (name: string, part: number) =>
  `${REDIRECT_FOLDER}/imported-${name}${part === 0 ? '' : `-${part + 1}`}.csv`;

/** Which of the files of an import a file is, from 0; null for every other one. */
function readPart(name: string, file: string): number | null {
  if (file === nameFile(name, 0)) return 0;
  const part = Number(file.slice(`${REDIRECT_FOLDER}/imported-${name}-`.length, -'.csv'.length)) - 1;
  return part > 0 && file === nameFile(name, part) ? part : null;
}

const buildText = (rows: readonly (readonly string[])[]) =>
  [REDIRECT_COLUMNS, ...rows].map(buildPlainLine).join('');

/** A redirect is read by this site, not by a spreadsheet: its cells stay byte for byte. */
const buildPlainLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

/** The content that is there. Throws `MoveInError` when it is invalid. */
export function readPresent(contentDir: string): Content {
  try {
    return readContent(contentDir);
  } catch (error) {
    throw new MoveInError(
      `The content of this site is invalid, so that nothing can be imported:\n${error instanceof Error ? error.message : error}`,
    );
  }
}
