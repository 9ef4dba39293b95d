import sanitizeHtml, { type Attributes, type IFrame, type IOptions, type Transformer } from 'sanitize-html';
import {
  buildImageAddress,
  buildImageSet,
  type ImagePolicy,
} from '../../../core/articles/article-image-address.ts';
import { buildArticleLink, buildFragment, type LinkPolicy } from '../../../core/articles/article-link.ts';
import { REMOVED_ELEMENTS } from '../../../core/articles/check-article.ts';
import { listSources } from './html-text.ts';

/** What a body can have. */
export const ALLOWED_TAGS = [
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'p',
  'div',
  'section',
  'hr',
  'br',
  'wbr',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'details',
  'summary',
  'figure',
  'figcaption',
  'picture',
  'source',
  'img',
  'table',
  'caption',
  'colgroup',
  'col',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'a',
  'abbr',
  'b',
  'bdi',
  'cite',
  'code',
  'del',
  'dfn',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'rp',
  'rt',
  'ruby',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'u',
  'var',
];

/** Overrides and embeddings of text direction (CVE-2021-42574): HTML has the `dir` attribute instead. */
const DIRECTION_OVERRIDES = /[\u202A-\u202E]/g;

/**
 * Creates the function that reduces any HTML to an allow list of tags and attributes. Links and images follow the
 * policy, ids get a prefix of their own, videos become `<figure data-video="ID" title="…">`. No style, handler, frame
 * or form is left, and every element is closed.
 */
export function createSanitizer(policy: SanitizePolicy): (html: string) => string {
  const options: IOptions = {
    allowedTags: ALLOWED_TAGS,
    nonTextTags: [...REMOVED_ELEMENTS],
    disallowedTagsMode: 'discard',
    nestingLimit: 40,
    allowedAttributes: {
      '*': ['id', 'lang', 'dir'],
      a: ['href', 'rel', 'target', 'title', 'data-action', 'data-article', 'data-label', 'data-source'],
      img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading', 'decoding', 'class'],
      source: ['type', 'srcset', 'sizes', 'data-media'],
      figure: ['data-video', 'data-start', 'data-media', 'title', 'class'],
      span: ['data-fallback'],
      code: ['class'],
      ol: ['start', 'reversed', { name: 'type', values: ['a', 'A', 'i', 'I'] }],
      li: ['value'],
      time: ['datetime'],
      abbr: ['title'],
      details: ['open'],
      th: ['data-align', 'colspan', 'rowspan', 'scope'],
      td: ['data-align', 'colspan', 'rowspan'],
      col: ['span'],
      colgroup: ['span'],
    },
    allowedClasses: {
      code: [/^language-[\w+#-]{1,30}$/],
      img: ['unsized'],
      div: ['table-scroll', 'callout', 'columns', 'gallery'],
      figure: ['gallery'],
    },
    selfClosing: ['br', 'col', 'hr', 'img', 'source', 'wbr'],
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: buildTransforms(policy),
    exclusiveFilter: excludeTag,
  };
  return (html) => sanitizeHtml(html.replace(DIRECTION_OVERRIDES, ''), options);
}

/** What links, ids and images of an article may refer to. */
export interface SanitizePolicy extends LinkPolicy, ImagePolicy {}

/** Builds the transformations of the tags that need more than the allow list. */
function buildTransforms(policy: SanitizePolicy): Record<string, Transformer> {
  return {
    '*': transformAny,
    h1: (_, attributes) => ({ tagName: 'h2', attribs: attributes }),
    a: (tagName, attributes) =>
      hasClass(attributes, 'wp-block-file__button')
        ? REMOVED
        : { tagName, attribs: transformLink(attributes, policy) },
    img: (tagName, attributes) => ({ tagName, attribs: transformImage(attributes, policy) }),
    source: (tagName, attributes) => ({ tagName, attribs: transformSource(attributes, policy) }),
    iframe: (_, attributes) => ({ tagName: 'figure', attribs: transformFrame(attributes, policy) }),
    object: (_, attributes) => ({ tagName: 'figure', attribs: transformObject(attributes, policy) }),
    embed: (_, attributes) => ({ tagName: 'figure', attribs: transformObject(attributes, policy) }),
    video: (_, attributes) => ({
      tagName: 'figure',
      attribs: transformMedia(attributes, 'Watch the video', policy),
    }),
    audio: (_, attributes) => ({
      tagName: 'figure',
      attribs: transformMedia(attributes, 'Listen to the audio', policy),
    }),
    noscript: () => ({ tagName: 'span', attribs: { 'data-fallback': '' } }),
    span: (tagName, { 'data-fallback': _, ...attribs }) => ({ tagName, attribs }),
    figure: (tagName, attributes) => ({ tagName, attribs: filterVideo(attributes) }),
    th: (tagName, attributes) => ({ tagName, attribs: transformCell(attributes) }),
    td: (tagName, attributes) => ({ tagName, attribs: transformCell(attributes) }),
  };
}

const NO_VIDEO = 'none';
/** What an element is transformed to that is removed with its content. */
const REMOVED = { tagName: 'figure', attribs: { 'data-video': NO_VIDEO } };

/**
 * Parts of Ghost's and WordPress's blocks that are nothing without their scripts, or that only their owner can show.
 */
const SCRIPTED_CLASSES = [
  'kg-video-overlay',
  'kg-video-player-container',
  'kg-audio-player',
  'kg-audio-thumbnail',
  'kg-signup-card',
  String.raw`kg-product-card-rating\S*`,
  'wp-block-search',
  // A link to the file follows.
  'wp-block-file__embed',
];
const SCRIPTED = new RegExp(String.raw`(?:^|\s)(?:${SCRIPTED_CLASSES.join('|')})(?:\s|$)`);

/** What blocks of Ghost and WordPress become, by class: an element, or a class of the article's style sheet. */
const BLOCKS: readonly (readonly [name: string, change: { tagName?: string; class?: string }])[] = [
  ['kg-bookmark-author', { tagName: 'div' }],
  ['kg-bookmark-publisher', { tagName: 'div' }],
  ['kg-toggle-card', { tagName: 'details' }],
  ['kg-toggle-heading', { tagName: 'summary' }],
  ['kg-callout-card', { class: 'callout' }],
  ['kg-gallery-row', { class: 'gallery' }],
  ['wp-block-gallery', { class: 'gallery' }],
  ['gallery', { class: 'gallery' }],
  ['wp-block-columns', { class: 'columns' }],
  ['wp-block-media-text', { class: 'columns' }],
  ['columns', { class: 'columns' }],
  ['callout', { class: 'callout' }],
];

/** Applies to every element, after the transformation of its own. */
const transformAny: Transformer = (tagName, attributes) => {
  const { class: names = '', ...others } = attributes;
  if (SCRIPTED.test(names)) return REMOVED;
  const block = BLOCKS.find(([name]) => hasClass(attributes, name))?.[1];
  if (block === undefined) return { tagName, attribs: checkGlobals(attributes) };
  const attribs = { ...others, ...(block.class !== undefined && { class: block.class }) };
  return { tagName: block.tagName ?? tagName, attribs: checkGlobals(attribs) };
};

function hasClass(attributes: Attributes, name: string): boolean {
  return (attributes['class'] ?? '').split(/\s+/).includes(name);
}

/**
 * Excludes elements whose tag is allowed: true removes the content too, `excludeTag` only the tag. Transforming it to
 * a forbidden tag name does not work: sanitize-html 2.17 then closes a later element by that name.
 */
function excludeTag({ tag, attribs }: IFrame): boolean | 'excludeTag' {
  if (attribs['data-video'] === NO_VIDEO || (tag === 'img' && !attribs['src'])) return true;
  if (tag === 'source' && !attribs['srcset'] && !attribs['data-media']) return true;
  const isBareLink = tag === 'a' && !attribs['href'] && !attribs['id'];
  const isOwnWrapper = tag === 'div' && attribs['class'] === 'table-scroll';
  return isBareLink || isOwnWrapper ? 'excludeTag' : false;
}

function checkGlobals({ id, dir, ...others }: Attributes): Attributes {
  const own = id === undefined ? '' : buildFragment(id);
  const direction = dir !== undefined && /^(ltr|rtl|auto)$/.test(dir);
  return { ...others, ...(direction && { dir }), ...(own && { id: own }) };
}

function transformLink(attributes: Attributes, policy: LinkPolicy): Attributes {
  const link = buildArticleLink(attributes['href'] ?? '', policy);
  const id = attributes['id'] ?? attributes['name'];
  const title = link && attributes['title'];
  // A paid link that leads to no partner of the site keeps its mark.
  const isPaid = link?.['rel'] !== undefined && /\bsponsored\b/.test(attributes['rel'] ?? '');
  const rel = isPaid && !link['rel']?.includes('sponsored') ? `sponsored ${link['rel']}` : link?.['rel'];
  return {
    ...link,
    ...(rel !== undefined && { rel }),
    ...(title && { title }),
    ...(id !== undefined && { id }),
  };
}

/** Width of an image in the column of an article. */
const SIZES = 'auto, (min-width: 48rem) 44rem, 100vw';

function transformSource(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const srcset = buildImageSet(findSrcset(attributes), policy);
  const type = attributes['type'] ?? '';
  if (srcset && /^image\/[a-z]+$/.test(type)) return { type, srcset, sizes: SIZES };
  const media = buildMediaAddress(attributes['src'], policy);
  return media ? { 'data-media': media } : {};
}

/** A film or recording becomes a link to its file: the page loads nothing of it. */
function transformMedia(attributes: Attributes, title: string, policy: SanitizePolicy): Attributes {
  const media = buildMediaAddress(listSources(attributes)[0], policy);
  return { 'data-media': media || 'source', title: attributes['title'] || title };
}

/** A document or a program becomes a link to it. */
function transformObject(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const address = attributes['data'] ?? attributes['src'];
  const media = buildMediaAddress(address, policy);
  const isPdf = attributes['type'] === 'application/pdf' || /\.pdf(?:[?#]|$)/i.test(address ?? '');
  const title = attributes['title'] || attributes['aria-label'] || (isPdf ? 'Open the PDF' : nameHost(media));
  return { 'data-media': media || 'source', title };
}

/** Where the link to a film, a file or a frame leads; empty without a web address. */
function buildMediaAddress(src: string | undefined, policy: SanitizePolicy): string {
  const base = policy.articleSite === '' ? undefined : policy.articleSite;
  if (src === undefined || !URL.canParse(src.replace(/^\/\//, 'https://'), base)) return '';
  const url = new URL(src.replace(/^\/\//, 'https://'), base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return '';
  return buildArticleLink(url.href, policy)?.href ?? '';
}

function nameHost(address: string): string {
  return URL.canParse(address) ? `Open ${new URL(address).host}` : 'Open the page';
}

/** WordPress has the alignment of cells in a class, Markdown in `align`, which is obsolete in HTML. */
function transformCell({ align, 'data-align': dataAlign, ...attributes }: Attributes): Attributes {
  const inClass = /\bhas-text-align-(right|center)\b/.exec(attributes['class'] ?? '')?.[1];
  const found = align ?? inClass ?? dataAlign ?? '';
  return { ...attributes, ...(/^(?:right|center)$/i.test(found) && { 'data-align': found.toLowerCase() }) };
}

function transformImage(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const [src] = listSources(attributes).flatMap((address) => buildImageAddress(address, policy) ?? []);
  const width = readPixels(attributes['width']);
  const height = readPixels(attributes['height']);
  const isBeacon = width !== null && height !== null && width <= 2 && height <= 2;
  if (!src || isBeacon) return {};
  const srcset = buildImageSet(findSrcset(attributes), policy);
  const sized: Attributes =
    width && height ? { width: String(width), height: String(height) } : { class: 'unsized' };
  return {
    src,
    ...(srcset && { srcset, sizes: SIZES }),
    alt: attributes['alt'] ?? '',
    ...(attributes['title'] && { title: attributes['title'] }),
    ...sized,
    loading: 'lazy',
    decoding: 'async',
  };
}

function findSrcset(attributes: Attributes): string {
  return attributes['data-lazy-srcset'] || attributes['data-srcset'] || attributes['srcset'] || '';
}

const VIDEO_ID = /^[\w-]{11}$/;
const VIDEO_HOSTS = ['www.youtube.com', 'youtube.com', 'www.youtube-nocookie.com', 'm.youtube.com'];

/** A film becomes a link that shows what it is, any other frame one to the page that it shows. */
function transformFrame(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const src = listSources(attributes).find((address) => address !== 'about:blank') ?? '';
  const url = URL.canParse(src, 'https://x.invalid') ? new URL(src, 'https://x.invalid') : null;
  const film = url?.hostname === 'player.vimeo.com' && /^\/video\/(\d{1,12})$/.exec(url.pathname)?.[1];
  if (film) {
    return {
      'data-media': `https://vimeo.com/${film}`,
      title: attributes['title'] || 'Watch the video on Vimeo',
    };
  }
  const id = url && VIDEO_HOSTS.includes(url.hostname) && /^\/embed\/([\w-]{11})$/.exec(url.pathname)?.[1];
  if (id) {
    const start = /^(\d{1,6})s?$/.exec(url.searchParams.get('start') ?? url.searchParams.get('t') ?? '')?.[1];
    const title = attributes['title'] || 'Watch the video on YouTube';
    return { 'data-video': id, ...(start && { 'data-start': start }), title };
  }
  const media = isInvisible(attributes) ? '' : buildMediaAddress(src, policy);
  if (media === '') return { 'data-video': NO_VIDEO };
  return { 'data-media': media, title: attributes['title'] || nameHost(media) };
}

/** Frames that only count visitors are no content. */
function isInvisible({ width, height, style = '', hidden }: Attributes): boolean {
  const isTiny = [width, height].every((size) => size !== undefined && Number(size) <= 2);
  return isTiny || hidden !== undefined || /display:\s*none|visibility:\s*hidden/i.test(style);
}

function filterVideo(attributes: Attributes): Attributes {
  const id = attributes['data-video'] ?? '';
  const { 'data-video': _, 'data-media': __, 'data-start': ___, title: ____, ...others } = attributes;
  return VIDEO_ID.test(id) ? { ...others, 'data-video': id } : others;
}

function readPixels(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : null;
}
