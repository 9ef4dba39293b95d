import path from 'node:path';
import { stringify } from 'yaml';
import { parseArticleFile } from '../content-files/articles/article-file.ts';
import { listArticleSlugs } from '../content-files/articles/read-article-files.ts';
import { ImageThread, ImageThreadError } from '../content-files/image-thread.ts';
import type { ContentJournal } from '../content-files/journal.ts';
import { BLOG_PATH, buildArticlePath, isFormerPath, parseRedirectPath } from '../core/paths.ts';
import { cleanText } from '../core/text/parse-text.ts';
import { buildSlug, isArticleSlug } from '../core/text/slug.ts';
import { convertMarkdown } from './convert-markdown.ts';
import { downloadMedia, type MediaDownload } from './download-media.ts';
import { copyText, decodeAmpersands, type FormerItem, type FormerSite, MoveInError } from './former-item.ts';
import { FormerRedirects, type FoundPost, parseFormerPath } from './former-redirects.ts';
import type { FormerSettings } from './former-settings.ts';
import { buildFrontMatter } from './front-matter.ts';
import { convertHtml, type RewrittenImage, type RewrittenLink } from './html-to-markdown.ts';
import { type PluginLink, THIRSTY_PREFIX } from './link-plugins.ts';
import { type Media, parseMediaPath } from './media.ts';
import { buildPartner, type LinkGroup, Merchants, type PartnerDecision } from './merchants.ts';
import { type MovedFile, MovedFiles } from './moved-files.ts';
import { expandWordPressBody, type WordPressReferences } from './wordpress-body.ts';

/** What an import is made of. */
export interface MoveInInput {
  readonly site: FormerSite;
  /** Name of the import: its redirects are `redirects/imported-NAME.csv`. */
  readonly name: string;
  readonly contentDir: string;
  /** What writes into it. */
  readonly journal: ContentJournal;
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
export interface MoveInNote {
  /** What happened to something of the former site: it is another than before, was lost, or was not understood. */
  readonly kind: 'changed' | 'lost' | 'not understood' | 'suggestion';
  readonly place: string;
  readonly text: string;
}

const createCounts = () => ({
  ...{ items: 0, posts: 0, pages: 0, drafts: 0, files: 0, redirects: 0, htmlBlocks: 0 },
  ...{ linksRead: 0, linksWritten: 0, imagesRead: 0, imagesWritten: 0, partnerLinks: 0, sponsoredLinks: 0 },
});

/** An import that is ready and has changed nothing yet. */
export interface PreparedMoveIn {
  /** How many things were read and written. */
  readonly counts: Readonly<ReturnType<typeof createCounts>>;
  readonly notes: readonly MoveInNote[];
  readonly groups: readonly LinkGroup[];
  /** Why nothing can be written; empty when it can. */
  readonly refusals: readonly string[];
  readonly files: readonly MovedFile[];
  /** Writes everything; throws `MoveInError` when there are refusals. */
  readonly commit: () => void;
  readonly discard: () => void;
}

const IMAGE_FOLDER = 'images/imported';
const OTHER_FILE =
  'is a file that this site has no place for: put it on a host for files, change the links, and lead its old address there ' +
  'with a line in redirects/files.csv';

/**
 * Reads a former site and prepares its articles, partners and redirects beside the content. Rejects with `MoveInError`
 * when a file cannot be read.
 */
export async function prepareMoveIn(input: MoveInInput): Promise<PreparedMoveIn> {
  const writer = new MovedFiles(input.contentDir, input.journal);
  try {
    const run = new ImportRun(input, writer);
    await run.scan();
    await run.downloadImages();
    await run.convertGifs();
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
        if (refusals.length > 0) throw new MoveInError(`Nothing was written.\n${refusals.join('\n')}`);
        writer.commit();
      },
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

class ImportRun {
  readonly notes: MoveInNote[] = [];
  readonly refusals: string[] = [];
  readonly counts = createCounts();
  groups: readonly LinkGroup[] = [];
  readonly #input: MoveInInput;
  readonly #writer: MovedFiles;
  readonly #merchants = new Merchants();
  readonly #attachments = new Map<
    string,
    { src: string; alt: string; caption: string; address: string; sizes: readonly string[]; parent: string }
  >();
  readonly #blocks = new Map<string, string>();
  readonly #posts = new Map<string, FoundPost>();
  readonly #slugs = new Set<string>();
  readonly #taken: ReadonlySet<string>;
  readonly #former: FormerRedirects;
  /** Targets of link plugins by path, and their links by the id of their post. */
  readonly #plugin = new Map<string, string>();
  readonly #pluginPosts = new Map<string, { href: string; name: string }>();
  readonly #ownUses = new Map<string, number>();
  readonly #unknown = new Map<string, string[]>();
  #redirectPaths: ReadonlyMap<string, string> = new Map();
  #media: Media | null;
  /** What became of each GIF of the uploads that texts show. */
  readonly #gifs = new Map<string, { readonly name: string } | { readonly problem: string }>();
  /** Paths of files that are no images and that texts link to. */
  readonly #linkedFiles = new Set<string>();
  /** Images that texts show, by their addresses and by the ids of attachments. */
  readonly #shownImages = new Set<string>();
  readonly #shownIds = new Set<string>();

  constructor(input: MoveInInput, writer: MovedFiles) {
    this.#input = input;
    this.#media = input.media;
    this.#writer = writer;
    this.#former = new FormerRedirects(input.site, input.settings.archives);
    const folder = path.join(input.contentDir, 'articles');
    this.#taken = new Set(listArticleSlugs(folder).filter((slug) => !writer.isOwn(`articles/${slug}.md`)));
  }

  #note(kind: MoveInNote['kind'], place: string, text: string): void {
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
      this.#former.prefix = findPrefix(site.address());
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
      throw new MoveInError('The files have no posts and no pages; nothing was changed.');
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
    const [, ...parts] = address.slice(this.#former.prefix.length + 1).split('/');
    for (const prefix of this.#input.settings.prefixes)
      for (const rest of [parts.join('/'), parts.at(-1) ?? ''])
        if (rest !== '') this.#plugin.set(`${this.#former.prefix}/${prefix}/${rest}`, target);
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
    this.#former.addPost(item, post);
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
    const wanted = this.#listShown();
    const host = URL.canParse(site.address()) ? new URL(site.address()).host : '';
    this.#media = await downloadMedia(
      wanted.filter((src) => parseMediaPath(src) !== null),
      host,
      download,
      (address, reason) => this.#note('lost', 'images', `${address} ${reason}`),
    );
  }

  /** Writes the GIFs that texts show as the console does with those that are added there: in another format, with one frame. */
  async convertGifs(): Promise<void> {
    const thread = new ImageThread();
    try {
      for (const src of this.#listShown()) {
        const file = /\.gif$/i.test(parseMediaPath(src) ?? '') ? (this.#media?.find(src) ?? null) : null;
        if (file === null || this.#gifs.has(file.name)) continue;
        const converted = await thread
          .run({ kind: 'prepare', content: file.read(), extension: null })
          .catch((error: unknown) => {
            if (error instanceof ImageThreadError) return { reason: error.message };
            throw error;
          });
        if ('reason' in converted) {
          this.#gifs.set(file.name, { problem: converted.reason });
          continue;
        }
        const name = `${file.name}.${converted.extension}`;
        this.#gifs.set(file.name, { name });
        this.#writer.add(`${IMAGE_FOLDER}/${name}`, converted.content);
      }
    } finally {
      await thread.close();
    }
  }

  /** The addresses of the images that texts show. */
  #listShown(): string[] {
    const attached = [...this.#shownIds].flatMap((id) => this.#attachments.get(id)?.src ?? []);
    return [...this.#shownImages, ...attached].map((src) => this.#toAbsolute(src));
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
    for (const { src } of this.#attachments.values())
      if (src !== '' && parseMediaPath(src) === null && !this.#linkedFiles.has(this.#toOwnPath(src) ?? ''))
        this.#note('lost', 'files without a link', `${src} ${OTHER_FILE}`);
  }

  #convertPost(item: FormerItem, post: FoundPost): void {
    const { slug } = post;
    const place = `${item.title || slug} (${item.place})`;
    if (this.#taken.has(slug)) {
      this.#note('lost', place, `content/articles/${slug}.md is there already and stays as it is`);
      return;
    }
    const body = this.#convertSafely(item, place);
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
    } else this.#former.addArchives(item, buildArticlePath(slug));
    post.state = 'imported';
    if (item.type === 'page')
      this.#note('changed', place, `was a page and is an article in the category Pages`);
  }

  #convertSafely(item: FormerItem, place: string): string {
    try {
      return this.#convertBody(item, place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new MoveInError(
        `${place}: its text is nested too deeply or too long to be converted. Nothing was changed: shorten it in the former site, then export again.`,
      );
    }
  }

  #convertBody(item: FormerItem, place: string): string {
    const rewriteLink = (href: string) => this.#rewriteLink(href, place);
    const rewriteImage = (src: string, alt: string) => this.#rewriteImage(src, alt, item, place);
    const onUnknown = (name: string) => {
      const places = this.#unknown.get(name);
      if (places === undefined) this.#unknown.set(name, [place]);
      else places.push(place);
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
    const article = this.#former.findPost(own);
    if (article !== undefined) return { href: buildArticlePath(article.slug) + hash };
    if (own === '/' || own === this.#former.prefix) return { href: '/' };
    const media = parseMediaPath(href);
    if (media !== null) {
      this.#dropped += 1;
      this.#note('changed', place, `the link to the image ${href} is left out`);
      return null;
    }
    const archive = this.#former.findArchive(own);
    if (archive !== undefined) return { href: archive };
    const isFile = /\.(?!html?$|php$|aspx?$)[a-z]\w{1,4}$/i.test(own);
    if (isFile) this.#linkedFiles.add(own);
    this.#note(
      'lost',
      place,
      isFile ? `${href} ${OTHER_FILE}` : `the link to ${href} leads to nothing that is imported`,
    );
    return { href: URL.canParse(href) ? href : `${this.#input.site.address()}${own}${hash}` };
  }

  #rewriteImage(src: string, given: string, item: FormerItem, place: string): RewrittenImage {
    const file = this.#findImage(src);
    if ('problem' in file) {
      if (this.#media !== null || this.#toOwnPath(src) !== null)
        this.#note('lost', place, `the image ${src} ${file.problem}; it stays on its host`);
      return { src: this.#toAbsolute(src), alt: given };
    }
    const words = given.trim() || this.#findAlt(src).trim() || describeFile(file.name) || item.title;
    if (given.trim() === '')
      this.#note('changed', place, `the image ${file.name} had no alternative text; it is "${words}" now`);
    return { src: this.#addImage(file, src), alt: cleanText(words, 400) };
  }

  /** The file of an image with its name in the folder of images, or what is wrong with it, as the end of a sentence. */
  #findImage(src: string) {
    const file = src === '' ? null : (this.#media?.find(this.#toAbsolute(src)) ?? null);
    if (file === null) return { problem: 'is in no file' };
    if (!/\.gif$/i.test(file.name)) return file;
    const gif = this.#gifs.get(file.name) ?? { problem: 'is a GIF that was not converted' };
    // It is written already.
    return 'problem' in gif ? gif : { ...gif, read: null };
  }

  #alts: ReadonlyMap<string, string> | null = null;
  /** The alternative text that an image has in the library of the former site; empty without one. */
  #findAlt(src: string): string {
    this.#alts ??= new Map(
      [...this.#attachments.values()].map(({ src: file, alt }) => [parseMediaPath(file) ?? '', alt]),
    );
    const wanted = parseMediaPath(src)?.replace(/-\d+x\d+(?=\.\w+$)/, '');
    return wanted === undefined ? '' : (this.#alts.get(wanted) ?? '');
  }

  readonly #images = new Set<string>();
  /** Images of the content folder by their paths on the former site. */
  readonly #imageAddresses = new Map<string, string>();
  /** Writes an image of the former address `src`, and returns how an article names it. */
  #addImage(file: { readonly name: string; readonly read: (() => Uint8Array) | null }, src: string): string {
    const name = `${IMAGE_FOLDER}/${file.name}`;
    if (!this.#images.has(name)) {
      this.#images.add(name);
      if (file.read !== null) this.#writer.add(name, file.read());
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
    const file = this.#findImage(src);
    if ('problem' in file) {
      const advice = this.#media === null ? ': give the uploads with --media' : '';
      this.#note('lost', place, `its featured image ${src || item.image} ${file.problem}${advice}`);
      return null;
    }
    const alt =
      cleanText(item.imageAlt || attachment?.alt || describeFile(file.name) || item.title, 400) || 'Image';
    return { src: this.#addImage(file, src), alt };
  }

  /** The files of an image, in every size that the former site had, lead to the image. */
  #collectImages(): void {
    for (const { src, sizes } of this.#attachments.values()) {
      const file = this.#findImage(src);
      if ('problem' in file || !this.#images.has(`${IMAGE_FOLDER}/${file.name}`)) continue;
      this.#addImage(file, src);
      for (const size of sizes)
        if (URL.canParse(src)) this.#addImage(file, new URL(`./${size.split('/').at(-1)}`, src).href);
    }
    for (const [from, to] of this.#imageAddresses)
      if (isFormerPath(from)) this.#former.add(from, to, 'image');
  }

  /** Writes the former addresses; a clash of a link with a path of this site refuses the import. */
  writeRedirects(): void {
    const former = this.#former;
    former.addLinks(
      [...this.#plugin].map(([address, target]) => [address, this.#redirectPaths.get(target) ?? target]),
    );
    this.#collectImages();
    for (const [id, { address, parent }] of this.#attachments) {
      const post = this.#posts.get(parent);
      const isMoved = post?.isPublic && post.state === 'imported';
      const to = isMoved ? buildArticlePath(post.slug) : BLOG_PATH;
      if (address !== '') former.add(address, to, 'attachment');
      former.add(`${former.prefix}/?attachment_id=${id}`, to, 'attachment');
    }
    const partners = new Set(
      [...this.#redirectPaths.values()].map((to) => parseRedirectPath(to.split('?')[0] ?? '') ?? ''),
    );
    const slugs = [...this.#posts.values()].map(({ slug }) => slug);
    const { contentDir, name } = this.#input;
    this.counts.redirects = former.write(name, contentDir, { partners, slugs }, this.#writer, {
      note: (kind, place, text) => this.#note(kind, place, text),
      refuse: (reason) => this.refusals.push(reason),
    });
  }

  #toAbsolute(address: string): string {
    const base = this.#input.site.address();
    return URL.canParse(address, base || undefined) ? new URL(address, base || undefined).href : address;
  }

  /** The path of an address of the former site, as redirects and `#plugin` have it; null for other sites. */
  #toOwnPath(href: string): string | null {
    const base = this.#input.site.address();
    if (href.startsWith('#') || /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(href)) return null;
    if (base === '') return href.startsWith('/') ? parseFormerPath(href) : null;
    if (!URL.canParse(href, `${base}/`)) return null;
    const url = new URL(href, `${base}/`);
    const trim = (host: string) => host.replace(/^www\./, '');
    if (trim(url.host) !== trim(new URL(base).host)) return null;
    const withQuery = /^\?(?:p|page_id|attachment_id)=\d+$/.test(url.search) ? url.search : '';
    return parseFormerPath(url.pathname + withQuery) ?? '/';
  }

  #toPath(address: string): string {
    return parseFormerPath(address) ?? address;
  }
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
    .replace(/(?:\.gif)?\.\w+$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim();
}
