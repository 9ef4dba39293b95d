import { hash } from 'node:crypto';
import { stringify } from 'yaml';
import { parseArticleFile } from '../content-files/articles/article-file.ts';
import { frontMatterSchema } from '../core/articles/front-matter.schema.ts';
import { isContentReference } from '../core/pages/images/content-image.ts';
import { splitLaterPage } from '../core/pages/redirects/redirects.ts';
import { BLOG_PATH, buildDefaultPath, RSS_PATH } from '../core/paths.ts';
import { cleanText, decodePercent } from '../core/text/parse-text.ts';
import { inspectHtml } from '../sources/articles/html/html-text.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import { isImage } from './download-media.ts';
import { createNote, explainPostFailure, type FormerItem, type MoveInNote } from './former-item.ts';
import type { FoundPost } from './former-redirects.ts';
import type { FormerSettings } from './former-settings.ts';
import { buildFrontMatter } from './front-matter.ts';
import { convertHtml, type RewrittenImage, type RewrittenLink } from './html-to-markdown.ts';
import { findLostWords } from './lost-words.ts';
import { convertMarkdown, FILE_SCHEME } from './markdown-body.ts';
import { type Media, parseMediaPath } from './media.ts';
import type { MovedProduct } from './product-boxes.ts';
import {
  createAmazonLinks,
  findOwnPath,
  followTarget,
  isFile,
  isMdx,
  locateImage,
  locateLink,
  type SiteScan,
  toAbsolute,
  toOwnPath,
} from './scan-site.ts';
import { expandWordPressBody } from './wordpress-body.ts';

/** What posts are converted with. */
export interface Conversion {
  readonly scan: SiteScan;
  readonly settings: FormerSettings;
  /** Where links to a target go that are those of a confirmed partner. */
  readonly partnerPaths: ReadonlyMap<string, string>;
  readonly media: Media | null;
  /** What became of each GIF of the uploads that texts show. */
  readonly gifs: ReadonlyMap<string, { readonly name: string } | { readonly problem: string }>;
  /** Hosts of images that the site shows. */
  readonly imageHosts: ReadonlySet<string>;
  /** Why images of the uploads cannot be shown, by their names: filled while they are read. */
  readonly unreadable: Map<string, string>;
  /** Alternative texts of the former site's library by the path of the image. */
  readonly alts: ReadonlyMap<string, string>;
  /** What products that texts name by a number become. */
  readonly products: ReadonlyMap<string, MovedProduct>;
}

/** An image of the former site that an article shows. */
export interface ShownImage {
  /** Its file below the content folder. */
  readonly file: string;
  /** null: it is written already. */
  readonly read: (() => Promise<Uint8Array>) | null;
}

/** Creates what converting a post finds, before anything is found. */
export const createFindings = () => ({
  notes: [] as MoveInNote[],
  images: [] as ShownImage[],
  /** How articles name images, by their paths on the former site. */
  imagePaths: new Map<string, string>(),
  /** Shortcodes and blocks that have no form here. */
  unknown: [] as string[],
  /** Settings for search engines that have no form here. */
  settings: [] as string[],
  /** Paths of files that are no images and that the text links to. */
  linkedFiles: [] as string[],
  counts: {
    linksRead: 0,
    linksWritten: 0,
    imagesRead: 0,
    imagesWritten: 0,
    imagesElsewhere: 0,
    imagesHidden: 0,
    partnerLinks: 0,
    sponsoredLinks: 0,
    /** Paid links to Amazon that name nobody. */
    untaggedLinks: 0,
    productBoxes: 0,
    htmlBlocks: 0,
  },
  /** Images in the text itself that are left out. */
  droppedImages: 0,
  /** Links to a media file around its own image, which lead nowhere. */
  droppedLinks: 0,
});
type Findings = ReturnType<typeof createFindings>;

/** A post as an article's file; `text` is null when it cannot be one, and the notes say why. */
export type ConvertedPost = Readonly<Findings> & { readonly text: string | null; readonly place: string };

/** An article has a quarter of it at most, and converting a longer text would take minutes. */
const MAX_SOURCE = 4_000_000;

/** Converts a post of the former site to an article. */
export function convertPost(item: FormerItem, post: FoundPost, conversion: Conversion): ConvertedPost {
  const place = `${item.title || post.slug} (${item.place})`;
  const found = createFindings();
  const lose = (reason: string) => {
    const notes = [...found.notes, createNote('lost', place, reason)];
    return { ...createFindings(), notes, text: null, place };
  };
  if (post.isTaken) return lose(`content/articles/${post.slug}.md is there already and stays as it is`);
  if (item.body.length > MAX_SOURCE)
    return lose(`is not imported: its text is longer than ${MAX_SOURCE} characters, which no article can be`);
  try {
    const work = { item, place, conversion, found };
    const body = escapeStrayImages(convertBody(work));
    const words = findLostWords(item, [body, ...listBoxNames(body, conversion)].join('\n\n'));
    if (words.length > 0) {
      const some = words.slice(0, 20).join(' ');
      note(
        work,
        'lost',
        `words of its text (${words.length}) are not in the article: ${some}${words.length > 20 ? ' …' : ''}`,
      );
    }
    const own = { ...item, canonicalUrl: findCanonical(work) };
    const front = buildFrontMatter(own, body, findFeatured(work), (kind, text) => note(work, kind, text));
    const address = post.address === null ? {} : { address: decodeURI(post.address) };
    const text = `---\n${stringify({ ...front, ...address }, { lineWidth: 0 })}---\n${body}\n`;
    const parsed = parseArticleFile(`${post.slug}.md`, text);
    if (!('problems' in parsed)) return { ...found, text, place };
    const reasons = parsed.problems.map(({ field, reason }) => `${field} ${reason}`);
    return lose(`is not imported: ${reasons.join('; ')}`);
  } catch (error) {
    return lose(explainPostFailure(error));
  }
}

/** The conversion of one post. */
interface Work {
  readonly item: FormerItem;
  readonly place: string;
  readonly conversion: Conversion;
  readonly found: Findings;
}

const note = ({ found, place }: Work, kind: MoveInNote['kind'], text: string) =>
  void found.notes.push(createNote(kind, place, text));

/** The address of the original on another site; empty when it is on the former site itself. */
function findCanonical(work: Work): string {
  const { item, conversion, found } = work;
  found.settings.push(...item.lostSettings);
  if (item.canonicalUrl === '') return '';
  const own = findOwnPath(conversion.scan, item.canonicalUrl);
  if (own === null && frontMatterSchema.shape.canonicalUrl.safeParse(item.canonicalUrl).success)
    return item.canonicalUrl;
  if (own === null || own !== findOwnPath(conversion.scan, item.address))
    note(work, 'lost', `its canonical address ${item.canonicalUrl} is of this site: lead this article there`);
  return '';
}

function convertBody(work: Work): string {
  const { item, found, conversion } = work;
  const { counts } = found;
  const rewriteLink = (href: string) => {
    counts.linksRead += 1;
    return rewriteHref(work, href);
  };
  const rewriteImage = (src: string, alt: string) => {
    counts.imagesRead += 1;
    return rewriteSource(work, src, alt);
  };
  const onUnknown = (name: string) => void found.unknown.push(name);
  if (item.format === 'markdown') {
    const converted = convertMarkdown(item.body, isMdx(item), {
      rewriteLink,
      rewriteImage,
      title: item.title,
      onUnknown,
    });
    counts.linksWritten = converted.links;
    counts.imagesWritten = converted.images;
    return converted.markdown;
  }
  const html =
    item.format === 'html' ? item.body : expandWordPressBody(item, listReferences(work), onUnknown);
  const hasLineBreaks = item.format === 'classic';
  const findProduct = (number: string) => conversion.products.get(number);
  const converted = convertHtml(html, { hasLineBreaks, rewriteLink, rewriteImage, findProduct });
  counts.productBoxes = converted.boxes;
  counts.linksWritten = converted.links;
  counts.imagesWritten = converted.images;
  const [links, images] = [counts.linksRead - found.droppedLinks, counts.imagesRead - found.droppedImages];
  const tags = html.match(/<a\s[^<>]*?\bhref\s*=/gi)?.length ?? 0;
  if (counts.linksRead < tags)
    note(work, 'lost', `${tags - counts.linksRead} of ${tags} links, which its HTML breaks`);
  if (converted.links < links) note(work, 'lost', `${links - converted.links} of ${counts.linksRead} links`);
  if (converted.images < images) note(work, 'lost', `${images - converted.images} of ${images} images`);
  for (const [name, amount] of converted.removed)
    note(work, 'lost', `${amount} <${name}>, which the site does not show`);
  for (const [name, amount] of converted.hidden)
    note(work, 'changed', `${amount} <${name}> that was hidden is shown: remove it unless readers need it`);
  for (const [name, amount] of converted.html) {
    counts.htmlBlocks += amount;
    note(work, 'changed', `${amount} <${name}> stays HTML: Markdown has no form for it`);
  }
  return converted.markdown;
}

/** Shows the tags of images as text that only a reader of the whole text takes for tags, as in code without a fence. */
function escapeStrayImages(body: string): string {
  if (!/<img\b/i.test(body)) return body;
  const images = inspectHtml(renderMarkdown(body)).images.filter(
    ({ src }) => isContentReference(src) && !src.startsWith(`../${IMAGE_FOLDER}/`),
  );
  return body.replace(/<(img\b[^<>]{0,1000})/gi, (tag, rest: string) =>
    images.some(({ src }) => rest.includes(src)) ? `&lt;${rest}` : tag,
  );
}

/** The names of the products that boxes of an article show. */
const listBoxNames = (body: string, { products }: Conversion) =>
  [...body.matchAll(/\{\{product-box product="([^"]*)"/g)].flatMap(
    ([, key]) => [...products.values()].find((product) => product.key === key)?.name ?? [],
  );

const listReferences = (work: Work) => ({
  ...listSiteReferences(work.conversion),
  findTable(id: string) {
    const { tables } = work.conversion.scan;
    const table = tables[Number(id) - 1];
    if (table === undefined) return null;
    const text = `[table id=${id}] is taken for "${table.title}", number ${id} of ${tables.length} tables: compare it`;
    note(work, 'changed', text);
    return table.html;
  },
});

const listSiteReferences = ({ scan, settings }: Conversion) => ({
  findImage: (id: string) => scan.attachments.get(id) ?? null,
  findLink: (id: string) => scan.pluginPosts.get(id) ?? null,
  findBlock: (id: string) => scan.blocks.get(id) ?? null,
  buildAmazonLink: createAmazonLinks(scan, settings),
});

function rewriteHref(work: Work, written: string): RewrittenLink | null {
  const { scan, partnerPaths } = work.conversion;
  const [, file] = LINKED_FILE.exec(written) ?? [];
  const href = file === undefined ? locateLink(scan, work.item, written) : written;
  if (isFile(work.item) && /(?:\{|%7B)(?:\{|%7B|%25|%)/i.test(written)) {
    note(work, 'lost', `the link to ${decodePercent(written)} has a tag in its address: its words stay`);
    return null;
  }
  if (file !== undefined && (href.startsWith(FILE_SCHEME) || isFile(work.item))) {
    const post = findByFile(scan, decodePercent(file));
    if (post !== undefined) return { href: buildDefaultPath(post.slug) + (/#.*$/.exec(href)?.[0] ?? '') };
    note(
      work,
      'lost',
      `the link to ${href.replace(FILE_SCHEME, '')} leads to no file that is imported: its words stay`,
    );
    return null;
  }
  const { counts } = work.found;
  const own = findOwnPath(scan, href);
  const given = own === null ? href : scan.pluginTargets.get(own);
  const target = own === null || given === undefined ? given : followTarget(scan, given);
  if (own !== null && target !== undefined && toOwnPath(scan.address, target) !== null)
    return { href: target };
  if (target !== undefined) {
    if (own === null && scan.merchants.isUntagged(target)) counts.untaggedLinks += 1;
    const path = partnerPaths.get(target);
    if (path !== undefined) {
      counts.partnerLinks += 1;
      return { href: path };
    }
    if (own === null && !scan.merchants.isPaid(target)) return { href: target };
    counts.sponsoredLinks += 1;
    return { href: target, isSponsored: true };
  }
  return own === null ? { href } : rewriteOwnHref(work, href, own);
}

/** A link to the file of a post: with a tag of the generator, or by its path. */
const LINKED_FILE = new RegExp(
  String.raw`^(?:${FILE_SCHEME}|(?![a-z][a-z\d+.-]*:|//)(?=[^?#]*\.mdx?(?:#|$)))([^?#]+)`,
  'i',
);

/** The post of a file that is named by its path, its end or its last part. */
function findByFile({ posts }: SiteScan, wanted: string): FoundPost | undefined {
  const trim = (name: string) =>
    name.replace(/(?<![^/])_posts\/|^(?:\.{0,2}\/)+|(?:\/_?index)?(?:\.\w+)?$/g, '');
  const end = trim(wanted);
  const undated = (name: string) => name.replace(/\d{4}-\d{1,2}-\d{1,2}-(?=[^/]+$)/, '');
  for (const read of [trim, (name: string) => undated(trim(name))]) {
    const found = [...posts].filter(([id]) => `/${read(id)}`.endsWith(`/${end}`));
    if (found.length === 1) return found[0]?.[1];
  }
  return undefined;
}

/** `own`: the path of a link that leads to the former site itself. */
function rewriteOwnHref(work: Work, href: string, own: string): RewrittenLink | null {
  const { scan } = work.conversion;
  const hash = /#.*$/.exec(href)?.[0] ?? '';
  const article = scan.postsByPath.get(own);
  if (article !== undefined) return { href: buildDefaultPath(article.slug) + hash };
  if (own === '/' || own === scan.prefix) return { href: '/' };
  if (parseMediaPath(href) !== null) {
    work.found.droppedLinks += 1;
    note(work, 'changed', `the link to the image ${href} is left out`);
    return null;
  }
  const listed = findListing(work, own);
  if (listed !== undefined) return { href: listed };
  const isFile = /\.(?!html?$|php$|aspx?$)[a-z]\w{1,4}$/i.test(own);
  if (isFile) work.found.linkedFiles.push(own);
  const reason = `the link to ${href} leads to nothing that is imported`;
  note(work, 'lost', isFile ? `${href} ${OTHER_FILE}` : reason);
  return { href: toAbsolute(scan.address, href) };
}

/** Where a list of the former site leads, or the page of an attachment, as their redirects do; undefined for another path. */
function findListing({ conversion, item }: Work, own: string): string | undefined {
  const { scan, settings } = conversion;
  const base = splitLaterPage(own)?.base ?? own;
  const term = (scan.terms.get(base) ?? scan.listings.get(base))?.to;
  if (term !== undefined || (item.format !== 'classic' && item.format !== 'blocks')) return term;
  const parent = scan.attachments.get(scan.attachmentIds.get(own) ?? '')?.parent;
  const name = /[^/]\/([^/]+)\/?$/.exec(base)?.[1] ?? '';
  const post = scan.postsByPath.get(base) ?? scan.posts.get(parent ?? '') ?? scan.postsByName.get(name);
  if (post?.isPublic) return buildDefaultPath(post.slug);
  const [first = '', ...others] = base.slice(scan.prefix.length + 1).split('/');
  if (/(?:^|\/)feed(?:\/(?:atom|rss2?|rdf))?$/.test(own)) return RSS_PATH;
  const isDate = /^\d{4}(?:\/\d\d){0,2}$/.test([first, ...others].join('/'));
  const isAuthor = first === (settings.archives.author ?? 'author') && others.length === 1;
  return isDate || isAuthor || (first === '' && base !== own) || parent !== undefined ? BLOG_PATH : undefined;
}

/** What the report says of a file that is no image; continues a sentence that begins with its address. */
export const OTHER_FILE =
  'is a file that this site has no place for: put it on a host for files, change the links, and lead its old address there ' +
  'with a line in redirects/files.csv';

/** An image that is in its own address, as a file; what is wrong with it instead, as the end of a sentence. */
function readInlineImage(src: string) {
  const [, type = '', data] =
    /^data:image\/(png|jpe?g|webp|avif);base64,([A-Za-z0-9+/=\s]+)$/i.exec(src) ?? [];
  const bytes = Buffer.from(data ?? '', 'base64');
  const extension = type.toLowerCase().replace('jpeg', 'jpg');
  if (bytes.length === 0 || !isImage(`x.${extension}`, bytes))
    return { problem: 'is in the text itself, in a form that is no file of an image: it is left out' };
  const name = `inline/${hash('sha256', bytes, 'hex').slice(0, 16)}.${extension}`;
  return { name, read: () => Promise.resolve(new Uint8Array(bytes)) };
}

function rewriteSource(work: Work, written: string, given: string): RewrittenImage | null {
  const { conversion, item } = work;
  const src = locateImage(item, written);
  if (/^data:/i.test(src)) {
    const inline = readInlineImage(src);
    if (!('problem' in inline) && !conversion.unreadable.has(inline.name)) {
      const alt = cleanText(given.trim() || item.title, 400);
      return { src: addImage(work, inline, ''), alt };
    }
    work.found.droppedImages += 1;
    note(
      work,
      'lost',
      `an image ${'problem' in inline ? inline.problem : 'in the text itself cannot be read'}`,
    );
    return null;
  }
  const { scan, media } = conversion;
  const file = findImage(conversion, src);
  if ('problem' in file) {
    if (media !== null || toOwnPath(scan.address, src) !== null)
      note(work, 'lost', `the image ${written} ${file.problem}; it stays on its host`);
    const address = toAbsolute(scan.address, src);
    if (isContentReference(address)) {
      work.found.droppedImages += 1;
      note(work, 'lost', `the image ${written} is left out: its address is of no site`);
      return null;
    }
    const reason = whyHidden(address, conversion.imageHosts);
    if (reason === null) work.found.counts.imagesElsewhere += 1;
    else {
      work.found.counts.imagesHidden += 1;
      note(work, 'lost', `the image ${written} will not be shown: ${reason}`);
    }
    return { src: address, alt: given };
  }
  const words = given.trim() || findAlt(conversion, src).trim() || describeFile(file.name) || item.title;
  if (given.trim() === '')
    note(work, 'changed', `the image ${file.name} had no alternative text; it is "${words}" now`);
  return { src: addImage(work, file, src), alt: cleanText(words, 400) };
}

/** Why the site does not show an image of another host; null when it does. */
function whyHidden(address: string, hosts: ReadonlySet<string>): string | null {
  if (!URL.canParse(address)) return 'its address is of no site';
  const { protocol, host, port, pathname } = new URL(address);
  if (!/^https?:$/.test(protocol)) return `its address begins with ${protocol}`;
  if (/\.svgz?$/i.test(pathname)) return 'SVG files of other hosts are not allowed';
  if (protocol === 'http:' && port !== '') return 'its host needs https';
  return hosts.has(host) ? null : `add ${host} to imageHosts in content/site.yaml`;
}

/** The file of an image with its name in the folder of images, or what is wrong with it, as the end of a sentence. */
export function findImage({ scan, media, gifs, unreadable }: Conversion, src: string) {
  const file = src === '' ? null : (media?.find(toAbsolute(scan.address, src)) ?? null);
  if (file === null) return { problem: 'is in no file' };
  const reason = unreadable.get(file.name);
  if (reason !== undefined) return { problem: `cannot be shown: ${reason}` };
  if (!/\.gif$/i.test(file.name)) return file;
  const gif = gifs.get(file.name) ?? { problem: 'is a GIF that was not converted' };
  return 'problem' in gif ? gif : { ...gif, read: null };
}

/** The alternative text that an image has in the library of the former site; empty without one. */
function findAlt({ alts }: Conversion, src: string): string {
  const wanted = parseMediaPath(src)?.replace(/-\d+x\d+(?=\.\w+$)/, '');
  return wanted === undefined ? '' : (alts.get(wanted) ?? '');
}

/** Adds an image of the former address `src`, and returns how an article names it. */
function addImage(
  { found, conversion }: Work,
  { name, read }: { name: string; read: ShownImage['read'] },
  src: string,
) {
  const file = `${IMAGE_FOLDER}/${name}`;
  found.images.push({ file, read });
  const reference = nameImage(file);
  const own = toOwnPath(conversion.scan.address, src);
  if (own !== null) found.imagePaths.set(own, reference);
  return reference;
}

/** The folder of the images that are moved in, below the content folder. */
export const IMAGE_FOLDER = 'images/imported';

/** How an article or a redirect names a file of the content folder. */
export const nameImage = (file: string) =>
  `../${encodeURI(file).replace(/[?#()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;

function findFeatured(work: Work): RewrittenImage | null {
  const { item, conversion } = work;
  if (item.image === '') return null;
  const attachment = conversion.scan.attachments.get(item.image);
  const src = attachment?.src ?? (/^\d+$/.test(item.image) ? '' : locateImage(item, item.image));
  const file = findImage(conversion, src);
  if ('problem' in file) {
    const advice = conversion.media === null ? ': give the uploads with --media' : '';
    note(work, 'lost', `its featured image ${src || item.image} ${file.problem}${advice}`);
    return null;
  }
  const words = item.imageAlt || attachment?.alt || describeFile(file.name) || item.title;
  return { src: addImage(work, file, src), alt: cleanText(words, 400) || 'Image' };
}

/** The words of a file's name: `red-shoes_2.jpg` → `red shoes 2`. */
function describeFile(name: string): string {
  const base = name.split('/').at(-1) ?? '';
  return base
    .replace(/(?:\.gif)?\.\w+$/i, '')
    .replace(/[-_\s]+/g, ' ')
    .trim();
}
