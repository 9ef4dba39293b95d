import path from 'node:path';
import { stringify } from 'yaml';

import type { Content } from '../../core/pages/content.ts';
import {
  checkRedirects,
  createClashCheck,
  parseFormerAddress,
  parseRedirectTarget,
  type RedirectLine,
} from '../../core/pages/redirects.ts';
import {
  BLOG_PATH,
  buildArticlePath,
  buildGroupPath,
  isFormerPath,
  parseRedirectPath,
  RSS_PATH,
} from '../../core/paths.ts';
import { cleanText } from '../../core/text/parse-text.ts';
import { buildSlug, isArticleSlug } from '../../core/text/slug.ts';
import { parseArticleFile } from '../articles/files/article-file.ts';
import { listArticleSlugs } from '../articles/files/read-article-files.ts';
import { extractText } from '../articles/html/html-text.ts';
import { readContent } from '../content/read-content.ts';
import { REDIRECT_COLUMNS, REDIRECT_FOLDER, readRedirectFiles } from '../content/read-redirects.ts';
import { convertMarkdown } from './convert-markdown.ts';
import { downloadMedia, type MediaDownload } from './download-media.ts';
import { copyText, decodeAmpersands, type FormerItem, type FormerSite, ImportError } from './former-item.ts';
import type { FormerSettings } from './former-settings.ts';
import { buildFrontMatter, MAX_CATEGORIES, MAX_TAGS } from './front-matter.ts';
import { convertHtml, type RewrittenImage, type RewrittenLink } from './html-to-markdown.ts';
import { type PluginLink, THIRSTY_PREFIX } from './link-plugins.ts';
import { type Media, parseMediaPath } from './media.ts';
import { buildPartner, type LinkGroup, Merchants, type PartnerDecision } from './merchants.ts';
import { expandWordPressBody, type WordPressReferences } from './wordpress-body.ts';
import { ImportWriter, type StagedFile } from './write-import.ts';

/** What an import is made of. */
export interface ImportInput {
  readonly site: FormerSite;
  /** Name of the import: its redirects are `redirects/imported-NAME.csv`. */
  readonly name: string;
  readonly contentDir: string;
  /** Links of plugins that are in no export. */
  readonly links: readonly PluginLink[];
  /** What the operator has confirmed. */
  readonly decisions: readonly PartnerDecision[];
  readonly settings: FormerSettings;
  readonly media: Media | null;
  /** How images are downloaded that are in no file; left out: they are not. */
  readonly download?: MediaDownload | undefined;
}

/** One line of the report. */
export interface ImportNote {
  /** What happened to something of the former site: it is another than before, was lost, or was not understood. */
  readonly kind: 'changed' | 'lost' | 'not understood' | 'suggestion';
  readonly place: string;
  readonly text: string;
}

/** How many things were read and written. */
export interface MovedCounts {
  items: number;
  posts: number;
  pages: number;
  drafts: number;
  linksRead: number;
  linksWritten: number;
  imagesRead: number;
  imagesWritten: number;
  files: number;
  redirects: number;
  partnerLinks: number;
  sponsoredLinks: number;
  htmlBlocks: number;
}

/** An import that is ready and has changed nothing yet. */
export interface PreparedImport {
  readonly counts: MovedCounts;
  readonly notes: readonly ImportNote[];
  readonly groups: readonly LinkGroup[];
  /** Why nothing can be written; empty when it can. */
  readonly refusals: readonly string[];
  readonly files: readonly StagedFile[];
  /** Writes everything; throws `ImportError` when there are refusals. */
  readonly commit: () => void;
  readonly discard: () => void;
}

const IMAGE_FOLDER = 'images/imported';
const REDIRECTS_PER_FILE = 20_000;

/**
 * Reads a former site and prepares its articles, partners and redirects beside the content. Rejects with `ImportError`
 * when a file cannot be read.
 */
export async function prepareImport(input: ImportInput): Promise<PreparedImport> {
  const writer = new ImportWriter(input.contentDir);
  try {
    const run = new ImportRun(input, writer);
    await run.scan();
    await run.downloadImages();
    run.buildPartners();
    await run.convert();
    run.writeRedirects();
    const { counts, notes, groups, refusals } = run;
    return {
      counts,
      notes,
      groups,
      refusals,
      files: writer.files,
      discard: () => writer.discard(),
      commit() {
        if (refusals.length > 0) throw new ImportError(`Nothing was written.\n${refusals.join('\n')}`);
        writer.commit();
      },
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

/** A post whose addresses are redirects, once it is imported. A large site has hundreds of thousands of addresses. */
interface FoundPost {
  readonly slug: string;
  readonly isPublic: boolean;
  readonly hasFeed: boolean;
  readonly place: string;
  state: 'found' | 'read' | 'imported';
}

interface FormerRedirect {
  readonly to: string;
  readonly place: string;
  /** Whether a link plugin had it. */
  readonly isLink: boolean;
}

class ImportRun {
  readonly notes: ImportNote[] = [];
  readonly refusals: string[] = [];
  readonly counts: MovedCounts = {
    items: 0,
    posts: 0,
    pages: 0,
    drafts: 0,
    linksRead: 0,
    linksWritten: 0,
    imagesRead: 0,
    imagesWritten: 0,
    files: 0,
    redirects: 0,
    partnerLinks: 0,
    sponsoredLinks: 0,
    htmlBlocks: 0,
  };
  groups: readonly LinkGroup[] = [];
  readonly #input: ImportInput;
  readonly #writer: ImportWriter;
  readonly #merchants = new Merchants();
  readonly #attachments = new Map<
    string,
    { src: string; alt: string; caption: string; address: string; sizes: readonly string[]; parent: string }
  >();
  readonly #blocks = new Map<string, string>();
  readonly #posts = new Map<string, FoundPost>();
  readonly #slugs = new Set<string>();
  readonly #taken: ReadonlySet<string>;
  /** Posts by each of their paths and queries on the former site. */
  readonly #paths = new Map<string, FoundPost>();
  /** Targets of link plugins by path, and their links by the id of their post. */
  readonly #plugin = new Map<string, string>();
  readonly #pluginPosts = new Map<string, { href: string; name: string }>();
  readonly #ownUses = new Map<string, number>();
  readonly #unknown = new Map<string, string[]>();
  /** Redirects besides those of `#paths`. */
  readonly #redirects = new Map<string, FormerRedirect>();
  #redirectPaths: ReadonlyMap<string, string> = new Map();
  readonly #terms = new Map<string, { to: string; place: string }>();
  #prefix = '';
  #media: Media | null;
  /** Images that texts show, by their addresses and by the ids of attachments. */
  readonly #shownImages = new Set<string>();
  readonly #shownIds = new Set<string>();

  constructor(input: ImportInput, writer: ImportWriter) {
    this.#input = input;
    this.#media = input.media;
    this.#writer = writer;
    const folder = path.join(input.contentDir, 'articles');
    this.#taken = new Set(listArticleSlugs(folder).filter((slug) => !writer.isOwn(`articles/${slug}.md`)));
  }

  #note(kind: ImportNote['kind'], place: string, text: string): void {
    this.notes.push({ kind, place: copyText(place), text: copyText(text) });
  }

  /** Reads everything once: what exists, and where links lead. */
  async scan(): Promise<void> {
    const { site, links } = this.#input;
    const ids = new Set<string>();
    for (const link of links) {
      if (link.path === '') continue;
      this.#plugin.set(this.#toPath(link.path), link.target);
      if (link.path.startsWith(`${THIRSTY_PREFIX}/`)) this.#addFormerPrefixes(link.path, link.target);
    }
    const targets = new Map(
      links.flatMap(({ postId, target }) => (postId === '' || postId === '0' ? [] : [[postId, target]])),
    );
    for await (const item of site.read((place, reason) => this.#note('not understood', place, reason))) {
      this.counts.items += 1;
      if (item.id !== '' && ids.has(`${item.type} ${item.id}`)) {
        this.#note(
          'lost',
          item.place,
          `"${item.title}" is there twice with the id ${item.id}; the first one is imported`,
        );
        continue;
      }
      ids.add(`${item.type} ${item.id}`);
      this.#prefix = findPrefix(site.address());
      if (item.type === 'attachment') this.#scanAttachment(item);
      else if (item.type === 'link') this.#scanLink(item, targets.get(item.id) ?? item.target);
      else if (item.type === 'block') {
        this.#blocks.set(item.id, item.body);
        this.#scanImages(item);
      } else if (item.type === 'menu') this.#scanMenu(item);
      else if (item.type === 'other')
        this.#note(
          'not understood',
          item.place,
          `an item ${item.hidden} is not imported: ${item.title || item.id}`,
        );
      else this.#scanPost(item);
    }
    for (const [address, target] of this.#plugin) {
      this.#merchants.add(target, true, this.#ownUses.get(address) ?? 0);
    }
    if (this.#posts.size === 0 && this.counts.items > 0)
      throw new ImportError('The files have no posts and no pages; nothing was changed.');
  }

  #scanAttachment(item: FormerItem): void {
    const { id, target, imageAlt, title, excerpt, address, formerAddresses, parent } = item;
    this.#attachments.set(id, {
      ...{ src: target, alt: imageAlt || title, caption: excerpt, address, sizes: formerAddresses, parent },
    });
  }

  #scanLink(item: FormerItem, target: string): void {
    const address = this.#toPath(item.address);
    if (target === '' || !URL.canParse(target)) {
      if (!this.#plugin.has(address))
        this.#note(
          'lost',
          item.place,
          `the link "${item.title}" has no target in the export: give its table or CSV with --links`,
        );
      const known = this.#plugin.get(address);
      if (known !== undefined) this.#pluginPosts.set(item.id, { href: address, name: item.title });
      return;
    }
    this.#plugin.set(address, target);
    this.#pluginPosts.set(item.id, { href: address, name: item.title });
    this.#addFormerPrefixes(address, target);
  }

  /** A link had its paths below each former prefix, with the category in front of its name and without. */
  #addFormerPrefixes(address: string, target: string): void {
    const [, ...parts] = address.slice(this.#prefix.length + 1).split('/');
    for (const prefix of this.#input.settings.prefixes)
      for (const rest of [parts.join('/'), parts.at(-1) ?? ''])
        if (rest !== '') this.#plugin.set(`${this.#prefix}/${prefix}/${rest}`, target);
  }

  #scanMenu(item: FormerItem): void {
    const label = item.title || item.target || item.address;
    this.#note(
      'suggestion',
      item.place,
      `the menu had "${label}"${item.target === '' ? '' : ` (${item.target})`}: add it to navigation in site.yaml`,
    );
  }

  #scanImages({ body, image }: FormerItem): void {
    for (const [, one, two, three] of body.matchAll(IMAGE_SOURCE))
      this.#shownImages.add(copyText(decodeAmpersands(one ?? two ?? three ?? '').trim()));
    for (const [, ids = ''] of body.matchAll(/\[gallery\b[^\]]*\b(?:ids|include)="([\d,\s]+)"/g))
      for (const id of ids.split(/[,\s]+/)) this.#shownIds.add(id);
    if (/^\d+$/.test(image)) this.#shownIds.add(image);
    else if (image !== '') this.#shownImages.add(image);
  }

  #scanPost(item: FormerItem): void {
    this.#scanImages(item);
    const slug = this.#chooseSlug(item);
    const isPublic = item.hidden === '';
    const hasFeed = item.format === 'classic' || item.format === 'blocks';
    const post: FoundPost = { slug, isPublic, hasFeed, place: item.place, state: 'found' };
    this.#posts.set(item.id, post);
    for (const address of listAddresses(item)) {
      const from = this.#toKey(address);
      const known = from === null ? undefined : this.#paths.get(from);
      if (from !== null && (known === undefined || (isPublic && !known.isPublic)))
        this.#paths.set(from, post);
    }
    if (hasFeed) this.#paths.set(`${this.#prefix}/?p=${item.id}`, post);
    if (hasFeed && item.type === 'page') this.#paths.set(`${this.#prefix}/?page_id=${item.id}`, post);
    for (const match of item.body.matchAll(HREF)) {
      const href = decodeAmpersands(match.slice(1).find((part) => part !== undefined) ?? '').trim();
      const own = this.#toOwnPath(href);
      if (own === null) this.#merchants.add(href, false);
      else this.#ownUses.set(own, (this.#ownUses.get(own) ?? 0) + 1);
    }
    if (item.body.includes('[') && item.format !== 'markdown') {
      for (const [, text = ''] of item.body.matchAll(/\[(?:amazon|aawp)\s([^\]]*)\]/g)) {
        for (const [asin] of text.matchAll(/\b[A-Z0-9]{10}\b/g))
          this.#merchants.add(
            this.#buildAmazonLink(asin, /(?:tracking_id|tag)="([^"]*)"/.exec(text)?.[1] ?? ''),
            true,
          );
      }
    }
  }

  #chooseSlug(item: FormerItem): string {
    let wanted = item.slug;
    try {
      wanted = decodeURIComponent(wanted);
    } catch {
      // An address that was cut in the middle of a character.
    }
    const normal = wanted.normalize('NFC').toLowerCase();
    const base = isArticleSlug(normal)
      ? normal
      : buildSlug(normal) || buildSlug(item.title) || `post-${buildSlug(item.id)}`;
    let slug = isArticleSlug(base) ? base : `post-${buildSlug(item.id).slice(0, 60) || this.#slugs.size + 1}`;
    for (let number = 2; this.#slugs.has(slug); number += 1) slug = `${base}-${number}`;
    this.#slugs.add(slug);
    if (item.slug !== '' && slug !== normal && item.hidden === '')
      this.#note('changed', item.place, `its address ends in "${slug}" and not in "${wanted}" any more`);
    return slug;
  }

  #buildAmazonLink(asin: string, tag: string): string {
    const { host, tag: own } = this.#input.settings.amazon;
    const value = tag || own;
    return `https://${host}/dp/${asin}${value === '' ? '' : `?tag=${encodeURIComponent(value)}`}`;
  }

  async downloadImages(): Promise<void> {
    const { download, site } = this.#input;
    if (download === undefined) return;
    const attached = [...this.#shownIds].flatMap((id) => this.#attachments.get(id)?.src ?? []);
    const wanted = [...this.#shownImages, ...attached].map((src) => this.#toAbsolute(src));
    const host = URL.canParse(site.address()) ? new URL(site.address()).host : '';
    this.#media = await downloadMedia(
      wanted.filter((src) => parseMediaPath(src) !== null),
      host,
      download,
      (address, reason) => this.#note('lost', 'images', `${address} ${reason}`),
    );
  }

  /** Writes the files of the partners that the operator has confirmed. */
  buildPartners(): void {
    this.groups = this.#merchants.list();
    const decisions = new Map(this.#input.decisions.map((decision) => [decision.links, decision]));
    const paths = new Map<string, string>();
    for (const group of this.groups) {
      const decision = decisions.get(group.proposal.links);
      if (decision === undefined || !decision.confirm) continue;
      const partner = buildPartner(group, decision);
      if ('problem' in partner) {
        this.refusals.push(`The links "${decision.links}" cannot be those of a partner: ${partner.problem}.`);
        continue;
      }
      const file = `partners/${partner.key}.yaml`;
      const outcome = this.#writer.add(file, partner.text);
      if (outcome === 'taken')
        this.refusals.push(
          `The key "${partner.key}" of "${decision.links}" is that of a partner of this site: choose another one.`,
        );
      if (outcome === 'edited')
        this.#note(
          'changed',
          file,
          'was edited since the last import and stays as it is: see that it has the destinations that links name',
        );
      for (const change of partner.changes) this.#note('changed', file, change);
      for (const [target, to] of partner.paths) paths.set(target, to);
    }
    const known = new Set(this.groups.map(({ proposal }) => proposal.links));
    for (const { links, confirm } of this.#input.decisions)
      if (confirm && !known.has(links))
        this.#note('not understood', 'partners', `no links are those of "${links}"`);
    this.#redirectPaths = paths;
  }

  /** Reads everything again and writes an article for each post. */
  async convert(): Promise<void> {
    for await (const item of this.#input.site.read(() => undefined)) {
      const post = item.type === 'post' || item.type === 'page' ? this.#posts.get(item.id) : undefined;
      if (post?.state !== 'found') continue;
      post.state = 'read';
      this.#convertPost(item, post);
    }
    for (const [name, places] of [...this.#unknown].sort()) {
      const shown = places.slice(0, 20).join('; ');
      const more = places.length > 20 ? ` and ${places.length - 20} more places` : '';
      this.#note(
        'not understood',
        name,
        `${places.length} ${places.length === 1 ? 'use' : 'uses'}: ${shown}${more}`,
      );
    }
  }

  #convertPost(item: FormerItem, post: FoundPost): void {
    const { slug } = post;
    const place = `${item.title || slug} (${item.place})`;
    if (this.#taken.has(slug)) {
      this.#note('lost', place, `content/articles/${slug}.md is there already and stays as it is`);
      return;
    }
    const body = this.#convertBody(item, place);
    const front = buildFrontMatter(item, body, this.#findFeatured(item, place), (kind, text) =>
      this.#note(kind, place, text),
    );
    const text = `---\n${stringify(front, { lineWidth: 0 })}---\n${body}\n`;
    const parsed = parseArticleFile(`${slug}.md`, text);
    if ('problems' in parsed) {
      const reasons = parsed.problems.map(({ field, reason }) => `${field} ${reason}`).join('; ');
      this.#note('lost', place, `is not imported: ${reasons}`);
      this.#posts.delete(item.id);
      return;
    }
    const outcome = this.#writer.add(`articles/${slug}.md`, text);
    if (outcome === 'edited')
      this.#note(
        'changed',
        place,
        `content/articles/${slug}.md was edited since the last import and stays as it is`,
      );
    if (outcome === 'removed')
      this.#note(
        'changed',
        place,
        `content/articles/${slug}.md was removed since the last import and stays so`,
      );
    this.counts[item.type === 'page' ? 'pages' : 'posts'] += 1;
    if (item.hidden !== '') {
      this.counts.drafts += 1;
      this.#note('changed', place, `was ${item.hidden} and is a draft`);
    } else this.#collectRedirects(item, buildArticlePath(slug));
    post.state = 'imported';
    if (item.type === 'page')
      this.#note('changed', place, `was a page and is an article in the category Pages`);
  }

  #convertBody(item: FormerItem, place: string): string {
    const rewriteLink = (href: string) => this.#rewriteLink(href, place);
    const rewriteImage = (src: string, alt: string) => this.#rewriteImage(src, alt, item, place);
    const onUnknown = (name: string) => {
      this.#unknown.set(name, [...(this.#unknown.get(name) ?? []), place]);
    };
    if (item.format === 'markdown') {
      const { markdown, linksRead, linksWritten, images } = convertMarkdown(item.body, {
        ...{ rewriteLink, rewriteImage, onUnknown },
      });
      this.counts.linksRead += linksRead;
      this.counts.linksWritten += linksWritten;
      this.counts.imagesRead += images;
      this.counts.imagesWritten += images;
      return markdown;
    }
    const html = item.format === 'html' ? item.body : expandWordPressBody(item, this.#references, onUnknown);
    let [linksIn, imagesIn] = [0, 0];
    const converted = convertHtml(html, {
      hasLineBreaks: item.format === 'classic',
      rewriteLink: (href) => {
        linksIn += 1;
        return rewriteLink(href);
      },
      rewriteImage: (src, alt) => {
        imagesIn += 1;
        return rewriteImage(src, alt);
      },
    });
    const { links, images, removed } = converted;
    this.counts.linksRead += linksIn;
    this.counts.linksWritten += links;
    this.counts.imagesRead += imagesIn;
    this.counts.imagesWritten += images;
    for (const amount of converted.html.values()) this.counts.htmlBlocks += amount;
    if (links < linksIn - this.#dropped)
      this.#note('lost', place, `${linksIn - this.#dropped - links} of ${linksIn} links`);
    this.#dropped = 0;
    if (images < imagesIn) this.#note('lost', place, `${imagesIn - images} of ${imagesIn} images`);
    for (const [name, amount] of removed)
      this.#note('lost', place, `${amount} <${name}>, which the site does not show`);
    for (const [name, amount] of converted.html)
      this.#note('changed', place, `${amount} <${name}> stays HTML: Markdown has no form for it`);
    return converted.markdown;
  }

  /** Links to a media file around its own image, which lead nowhere. */
  #dropped = 0;

  readonly #references: WordPressReferences = {
    findImage: (id) => this.#attachments.get(id) ?? null,
    findLink: (id) => this.#pluginPosts.get(id) ?? null,
    findBlock: (id) => this.#blocks.get(id) ?? null,
    buildAmazonLink: (asin, tag) => this.#buildAmazonLink(asin, tag),
  };

  #rewriteLink(href: string, place: string): RewrittenLink | null {
    const own = this.#toOwnPath(href);
    const target = own === null ? href : this.#plugin.get(own);
    if (target !== undefined) {
      const to = this.#redirectPaths.get(target);
      if (to !== undefined) {
        this.counts.partnerLinks += 1;
        return { href: to };
      }
      const isPaid = own !== null || this.#merchants.isPaid(target);
      if (isPaid) this.counts.sponsoredLinks += 1;
      return { href: target, ...(isPaid && { isSponsored: true }) };
    }
    if (own === null) return { href };
    const hash = /#.*$/.exec(href)?.[0] ?? '';
    const article = this.#paths.get(own);
    if (article !== undefined) return { href: buildArticlePath(article.slug) + hash };
    if (own === '/' || own === this.#prefix) return { href: '/' };
    const media = parseMediaPath(href);
    if (media !== null) {
      this.#dropped += 1;
      this.#note('changed', place, `the link to the image ${href} is left out`);
      return null;
    }
    const term = this.#terms.get(own);
    if (term !== undefined) return { href: term.to };
    const reason = own.includes('/wp-content/uploads/')
      ? 'leads to a file that is no image: put it on a host for files, and change the link'
      : 'leads to nothing that is imported';
    this.#note('lost', place, `the link to ${href} ${reason}`);
    return { href: URL.canParse(href) ? href : `${this.#input.site.address()}${own}${hash}` };
  }

  #rewriteImage(src: string, given: string, item: FormerItem, place: string): RewrittenImage {
    const { alt: known = '' } = [...this.#findAttachment(src)][0] ?? {};
    const file = this.#media?.find(this.#toAbsolute(src)) ?? null;
    if (file === null) {
      if (this.#media !== null || this.#toOwnPath(src) !== null)
        this.#note('lost', place, `the image ${src} is in no file: it stays on its host`);
      return { src: this.#toAbsolute(src), alt: given };
    }
    const words = given.trim() || known.trim() || describeFile(file.name) || item.title;
    if (given.trim() === '')
      this.#note('changed', place, `the image ${file.name} had no alternative text; it is "${words}" now`);
    return { src: this.#addImage(file, src), alt: cleanText(words, 400) };
  }

  *#findAttachment(src: string) {
    const wanted = parseMediaPath(src);
    const found =
      wanted === null ? undefined : this.#attachmentsByPath.get(wanted.replace(/-\d+x\d+(?=\.\w+$)/, ''));
    if (found !== undefined) yield found;
  }

  #byPath: Map<string, { alt: string }> | null = null;
  get #attachmentsByPath() {
    this.#byPath ??= new Map(
      [...this.#attachments.values()].flatMap(({ src, alt }) => {
        const name = parseMediaPath(src);
        return name === null ? [] : [[name, { alt }] as const];
      }),
    );
    return this.#byPath;
  }

  readonly #images = new Set<string>();
  /** Images of the content folder by their paths on the former site. */
  readonly #imageAddresses = new Map<string, string>();
  /** Writes an image of the former address `src`, and returns how an article names it. */
  #addImage(file: { readonly name: string; readonly read: () => Uint8Array }, src: string): string {
    const name = `${IMAGE_FOLDER}/${file.name}`;
    if (!this.#images.has(name)) {
      this.#images.add(name);
      this.#writer.add(name, file.read());
      this.counts.files += 1;
    }
    const reference = `../${encodeURI(name).replace(/[?#()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
    const own = this.#toOwnPath(src);
    if (own !== null) this.#imageAddresses.set(own, reference);
    return reference;
  }

  #findFeatured(item: FormerItem, place: string): { src: string; alt: string } | null {
    if (item.image === '') return null;
    const attachment = this.#attachments.get(item.image);
    const src = attachment?.src ?? (/^\d+$/.test(item.image) ? '' : item.image);
    const file = src === '' ? null : (this.#media?.find(this.#toAbsolute(src)) ?? null);
    if (file === null) {
      this.#note(
        'lost',
        place,
        `its featured image ${src || item.image} is in no file: give the uploads with --media`,
      );
      return null;
    }
    const alt =
      cleanText(item.imageAlt || attachment?.alt || describeFile(file.name) || item.title, 400) || 'Image';
    return { src: this.#addImage(file, src), alt };
  }

  #collectRedirects(item: FormerItem, to: string): void {
    const parts = item.body.split('<!--nextpage-->').length;
    for (const address of parts > 1 ? listAddresses(item) : [])
      for (let part = 2; part <= parts && !address.includes('?'); part += 1)
        this.#addRedirect(`${address.replace(/\/$/, '')}/${part}`, to, item.place, false);
    const { archives } = this.#input.site;
    const { archives: given } = this.#input.settings;
    for (const [kind, base, terms, max] of [
      ['topic', given.category ?? archives?.[0], item.categories, MAX_CATEGORIES],
      ['tag', given.tag ?? archives?.[1], item.tags, MAX_TAGS],
    ] as const) {
      for (const [index, { name, slug, parents = [], id = '' }] of base === undefined
        ? []
        : terms.entries()) {
        const own = buildSlug(cleanText(extractText(name), 60));
        if (slug === '' || own === '' || item.type === 'page') continue;
        // An article has so many terms: those beyond may have no page.
        const to = index < max ? buildGroupPath(kind, own) : BLOG_PATH;
        const parts = [base, ...parents].filter((part) => part !== undefined && part !== '');
        const queries =
          kind === 'topic' ? [`category_name=${slug}`, ...(id === '' ? [] : [`cat=${id}`])] : [`tag=${slug}`];
        for (const address of [
          [this.#prefix, ...parts, slug].join('/'),
          ...queries.map((query) => `${this.#prefix}/?${query}`),
        ]) {
          const key = this.#toKey(address);
          if (key !== null && (!this.#terms.has(key) || this.#terms.get(key)?.to === BLOG_PATH))
            this.#terms.set(key, { to, place: item.place });
        }
      }
    }
    if (archives !== null) {
      this.#addRedirect(`${this.#prefix}/page/1`, BLOG_PATH, 'later pages', false);
      this.#collectAuthor(item);
    }
    if (item.format !== 'classic' && item.format !== 'blocks') return;
    const root = `${this.#prefix}/`;
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(item.publishedAt) ?? [];
    if (year === undefined) return;
    for (const archive of [year, `${year}/${month}`, `${year}/${month}/${day}`])
      this.#addRedirect(root + archive, BLOG_PATH, item.place, false);
    for (const archive of [year, `${year}${month}`, `${year}${month}${day}`])
      this.#addRedirect(`${root}?m=${archive}`, BLOG_PATH, item.place, false);
  }

  #collectAuthor({ authorSlug, authorId, place }: FormerItem): void {
    const base = this.#input.settings.archives.author ?? 'author';
    if (authorSlug !== '') {
      const archive = [this.#prefix, base, authorSlug].join('/');
      this.#addRedirect(archive, BLOG_PATH, place, false);
      this.#addRedirect(`${archive}/feed`, RSS_PATH, place, false);
    }
    if (authorId !== '') this.#addRedirect(`${this.#prefix}/?author=${authorId}`, BLOG_PATH, place, false);
  }

  /** The files of an image, in every size that the former site had, lead to the image. */
  #collectImages(): void {
    for (const { src, sizes } of this.#attachments.values()) {
      const file = src === '' ? null : (this.#media?.find(this.#toAbsolute(src)) ?? null);
      if (file === null || !this.#images.has(`${IMAGE_FOLDER}/${file.name}`)) continue;
      this.#addImage(file, src);
      for (const size of sizes)
        if (URL.canParse(src)) this.#addImage(file, new URL(`./${size.split('/').at(-1)}`, src).href);
    }
    for (const [from, to] of this.#imageAddresses)
      if (isFormerPath(from)) this.#addRedirect(from, to, 'image', false);
  }

  #addRedirect(address: string, to: string, place: string, isLink: boolean): void {
    const from = this.#toKey(address);
    if (from === null || from === to || this.#redirects.has(from)) return;
    this.#redirects.set(from, { to, place, isLink });
  }

  /** Writes the former addresses; a clash of a link with a path of this site refuses the import. */
  writeRedirects(): void {
    const { contentDir, name } = this.#input;
    for (const [address, target] of this.#plugin) {
      const to = this.#redirectPaths.get(target) ?? target;
      this.#redirects.delete(this.#toKey(address) ?? '');
      this.#addRedirect(address, to, `link ${address}`, true);
    }
    for (const [from, { to, place }] of this.#terms) {
      this.#addRedirect(from, to, place, false);
      if (!from.includes('?')) this.#addRedirect(`${from}/feed`, RSS_PATH, place, false);
    }
    this.#collectImages();
    for (const [id, { address, parent }] of this.#attachments) {
      const post = this.#posts.get(parent);
      const isMoved = post?.isPublic && post.state === 'imported';
      const to = isMoved ? buildArticlePath(post.slug) : BLOG_PATH;
      if (address !== '') this.#addRedirect(address, to, 'attachment', false);
      this.#addRedirect(`${this.#prefix}/?attachment_id=${id}`, to, 'attachment', false);
    }
    const hasRedirects =
      this.#redirects.size > 0 || [...this.#paths.keys()].some((from) => this.#findRedirect(from));
    for (const feed of hasRedirects ? this.#input.site.feeds : [])
      this.#addRedirect(`${this.#prefix}${feed}`, RSS_PATH, 'feed', false);
    const content = readPresent(contentDir);
    const own = (file: string) => file.startsWith(`${REDIRECT_FOLDER}/imported-${name}`);
    const others = readRedirectFiles(contentDir, { problems: [] }).filter(({ file }) => !own(file));
    const partners = new Set(
      [...this.#redirectPaths.values()].map((to) => parseRedirectPath(to.split('?')[0] ?? '') ?? ''),
    );
    const articles = new Set([
      ...listArticleSlugs(path.join(contentDir, 'articles')),
      ...[...this.#posts.values()].map(({ slug }) => slug),
    ]);
    const known = new Map([
      ...content.partners,
      ...[...partners].flatMap((key) => {
        const [first] = content.partners.values();
        return first === undefined ? [] : [[key, { ...first, key, trialPath: null }] as const];
      }),
    ]);
    const targets = { ...content, partners: known, articles };
    const findClash = createClashCheck(targets);
    const taken = new Set(others.map(({ from }) => from));
    const addresses = this.#listRedirects();
    const nameFile = (part: number) =>
      `${REDIRECT_FOLDER}/imported-${name}${part === 0 ? '' : `-${part + 1}`}.csv`;
    let part = 0;
    for (; part * REDIRECTS_PER_FILE < addresses.length; part += 1) {
      const some = addresses.slice(part * REDIRECTS_PER_FILE, (part + 1) * REDIRECTS_PER_FILE);
      const lines = some.flatMap((from) => this.#checkAddress(from, findClash, taken));
      const faults = new Map(checkRedirects(lines, targets).map(({ field, reason }) => [field, reason]));
      const rows = lines.flatMap(({ from, to, line }) => {
        const reason = faults.get(`line ${line}`);
        if (reason === undefined) return [[from, to]];
        this.#note('lost', from, reason);
        return [];
      });
      this.counts.redirects += rows.length;
      this.#addRedirectFile(nameFile(part), rows);
    }
    // An earlier export may have had more of them.
    for (; this.#writer.isOwn(nameFile(part)); part += 1) this.#addRedirectFile(nameFile(part), []);
  }

  /** Every former address, sorted. */
  #listRedirects(): string[] {
    const addresses = [...this.#redirects.keys()];
    for (const [from, { hasFeed }] of this.#paths) {
      if (this.#findRedirect(from) === null) continue;
      if (!this.#redirects.has(from)) addresses.push(from);
      const feed = `${from}/feed`;
      if (hasFeed && !from.includes('?') && !this.#redirects.has(feed) && !this.#paths.has(feed))
        addresses.push(feed);
    }
    return addresses.sort();
  }

  /** The redirect of a former address: of a link plugin, of a post or its feed, or another one; null without one. */
  #findRedirect(from: string): FormerRedirect | null {
    const known = this.#redirects.get(from);
    const own = this.#paths.get(from);
    const post =
      own ?? (known === undefined && from.endsWith('/feed') ? this.#paths.get(from.slice(0, -5)) : undefined);
    if (known?.isLink || post === undefined || !post.isPublic || post.state !== 'imported')
      return known ?? null;
    const to = buildArticlePath(post.slug);
    return from === to ? (known ?? null) : { to, place: post.place, isLink: false };
  }

  #addRedirectFile(file: string, rows: readonly (readonly string[])[]): void {
    const text = [REDIRECT_COLUMNS, ...rows].map(buildPlainLine).join('');
    if (this.#writer.add(file, text) === 'edited')
      this.#note('changed', file, 'was edited since the last import and stays as it is');
  }

  /** The line of a former address; none when the site or another file has it. */
  #checkAddress(
    from: string,
    findClash: (from: string) => string | null,
    taken: ReadonlySet<string>,
  ): RedirectLine[] {
    const { to = '', place = '', isLink = false } = this.#findRedirect(from) ?? {};
    const clash = findClash(from) ?? (taken.has(from) ? `${from} is in another file of redirects` : null);
    const target = parseRedirectTarget(to);
    const next = to.startsWith('/') ? parseFormerAddress(to.split('#', 1)[0] ?? '') : null;
    if (clash !== null && isLink)
      this.refusals.push(
        `The address ${from} of a link clashes: ${clash}. Choose another key for the partner.`,
      );
    else if (clash !== null) this.#note('changed', place, `${from} is not redirected: ${clash}`);
    else if (target === null) this.#note('lost', place, `${from} is not redirected: ${to} is no web address`);
    else if (next !== null && this.#findRedirect(next) !== null)
      this.#note('lost', place, `${from} is not redirected: ${to} is a former address itself`);
    else {
      this.#lines += 1;
      return [{ from, to: target, file: '', line: this.#lines }];
    }
    return [];
  }

  #lines = 1;

  #toAbsolute(address: string): string {
    const base = this.#input.site.address();
    return URL.canParse(address, base || undefined) ? new URL(address, base || undefined).href : address;
  }

  /** The path of an address of the former site, as `#paths` and `#plugin` have it; null for other sites. */
  #toOwnPath(href: string): string | null {
    const base = this.#input.site.address();
    if (href.startsWith('#') || /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href)) return null;
    if (base === '') return href.startsWith('/') ? this.#toKey(href) : null;
    if (!URL.canParse(href, `${base}/`)) return null;
    const url = new URL(href, `${base}/`);
    const trim = (host: string) => host.replace(/^www\./, '');
    if (trim(url.host) !== trim(new URL(base).host)) return null;
    const withQuery = /^\?(?:p|page_id|attachment_id)=\d+$/.test(url.search) ? url.search : '';
    return this.#toKey(url.pathname + withQuery) ?? '/';
  }

  /** A former address as redirects have it; null for the front page and what is no address. */
  #toKey(address: string): string | null {
    const { pathname, search } = URL.canParse(address) ? new URL(address) : { pathname: address, search: '' };
    return parseFormerAddress(pathname + search);
  }

  #toPath(address: string): string {
    return this.#toKey(address) ?? address;
  }
}

/** Every address that a post had. */
function listAddresses({ address, slug, formerAddresses, format }: FormerItem): string[] {
  const isWordPress = format === 'classic' || format === 'blocks';
  if (!isWordPress) return [address, ...formerAddresses].filter(Boolean);
  if (address === '') return [];
  const former = formerAddresses.flatMap((old) => {
    const at = slug === '' ? -1 : address.toLowerCase().lastIndexOf(slug.toLowerCase());
    return at < 0 || old === slug ? [] : [address.slice(0, at) + old + address.slice(at + slug.length)];
  });
  return [address, ...former];
}

function findPrefix(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.replace(/\/+$/, '') : '';
}

const HREF = /href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))|\]\(<?([^\s()<>]+)/gi;

const IMAGE_SOURCE =
  /(?:data-lazy-src|data-src|data-original|\bsrc)\s*=\s*(?:"([^"]*)"|'([^']*)')|!\[[^\]]*\]\(<?([^\s()<>]+)/gi;

/** The words of a file's name: `red-shoes_2.jpg` → `red shoes 2`. */
function describeFile(name: string): string {
  const base = name.split('/').at(-1) ?? '';
  return base
    .replace(/\.\w+$/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim();
}

/** A redirect is read by this site, not by a spreadsheet: its cells stay byte for byte. */
const buildPlainLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

function readPresent(contentDir: string): Content {
  try {
    return readContent(contentDir);
  } catch (error) {
    throw new ImportError(
      `The content of this site is invalid, so that nothing can be imported:\n${error instanceof Error ? error.message : error}`,
    );
  }
}
