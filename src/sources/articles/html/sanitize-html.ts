import sanitizeHtml, { type Attributes, type IFrame, type IOptions, type Transformer } from 'sanitize-html';
import {
  buildImageAddress,
  buildImageSet,
  type ImagePolicy,
} from '../../../core/articles/article-image-address.ts';
import { buildArticleLink, buildFragment, type LinkPolicy } from '../../../core/articles/article-link.ts';

const ALLOWED_TAGS = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'section', 'hr', 'br', 'wbr', 'blockquote', 'pre'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...['figure', 'figcaption', 'picture', 'source', 'img'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var'],
];

const REMOVED_WITH_CONTENT = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'plaintext', 'xmp', 'title'],
  ...['svg', 'math', 'object', 'embed', 'applet', 'canvas', 'frameset', 'portal'],
  ...['textarea', 'select', 'option', 'datalist', 'button', 'marquee', 'head', 'form'],
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
    nonTextTags: REMOVED_WITH_CONTENT,
    disallowedTagsMode: 'discard',
    nestingLimit: 40,
    allowedAttributes: {
      '*': ['id', 'lang', 'dir'],
      a: ['href', 'rel', 'target', 'title', 'data-action', 'data-article', 'data-label', 'data-source'],
      img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading', 'decoding', 'class'],
      source: ['type', 'srcset', 'sizes', 'data-media'],
      figure: ['data-video', 'data-media', 'title', 'class'],
      code: ['class'],
      ol: ['start', 'reversed'],
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
    iframe: (_, attributes) => ({ tagName: 'figure', attribs: transformFrame(attributes) }),
    video: (_, attributes) => ({ tagName: 'figure', attribs: transformMedia(attributes, 'Watch the video') }),
    audio: (_, attributes) => ({
      tagName: 'figure',
      attribs: transformMedia(attributes, 'Listen to the audio'),
    }),
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
  return { ...link, ...(title && { title }), ...(id !== undefined && { id }) };
}

/** Width of an image in the column of an article. */
const SIZES = 'auto, (min-width: 48rem) 44rem, 100vw';

function transformSource(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const srcset = buildImageSet(attributes['srcset'] ?? '', policy);
  const type = attributes['type'] ?? '';
  if (srcset && /^image\/[a-z]+$/.test(type)) return { type, srcset, sizes: SIZES };
  const media = parseMediaAddress(attributes['src']);
  return media ? { 'data-media': media } : {};
}

/** A film or recording becomes a link to its file: the page loads nothing of it. */
function transformMedia(attributes: Attributes, title: string): Attributes {
  const media = parseMediaAddress(attributes['src']);
  return { 'data-media': media || 'source', title: attributes['title'] || title };
}

/** An https address; empty when it is another. */
function parseMediaAddress(src = ''): string {
  if (!URL.canParse(src)) return '';
  const url = new URL(src);
  return url.protocol === 'https:' && !url.username && !url.password ? url.href : '';
}

/** WordPress has the alignment of cells in a class, Markdown in `align`, which is obsolete in HTML. */
function transformCell({ align, 'data-align': dataAlign, ...attributes }: Attributes): Attributes {
  const inClass = /\bhas-text-align-(right|center)\b/.exec(attributes['class'] ?? '')?.[1];
  const found = align ?? inClass ?? dataAlign ?? '';
  return { ...attributes, ...(/^(?:right|center)$/i.test(found) && { 'data-align': found.toLowerCase() }) };
}

function transformImage(attributes: Attributes, policy: SanitizePolicy): Attributes {
  const src = buildImageAddress(attributes['src'] ?? '', policy);
  const width = readPixels(attributes['width']);
  const height = readPixels(attributes['height']);
  const isBeacon = width !== null && height !== null && width <= 2 && height <= 2;
  if (!src || isBeacon) return {};
  const srcset = buildImageSet(attributes['srcset'] ?? '', policy);
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

const VIDEO_ID = /^[\w-]{11}$/;
const VIDEO_HOSTS = ['www.youtube.com', 'youtube.com', 'www.youtube-nocookie.com', 'm.youtube.com'];

function transformFrame(attributes: Attributes): Attributes {
  const src = attributes['src'] ?? '';
  const url = URL.canParse(src, 'https://x.invalid') ? new URL(src, 'https://x.invalid') : null;
  const film = url?.hostname === 'player.vimeo.com' && /^\/video\/(\d{1,12})$/.exec(url.pathname)?.[1];
  if (film) {
    return {
      'data-media': `https://vimeo.com/${film}`,
      title: attributes['title'] || 'Watch the video on Vimeo',
    };
  }
  const id = url && VIDEO_HOSTS.includes(url.hostname) && /^\/embed\/([\w-]{11})$/.exec(url.pathname)?.[1];
  return { 'data-video': id || NO_VIDEO, title: attributes['title'] || 'Watch the video on YouTube' };
}

function filterVideo(attributes: Attributes): Attributes {
  const id = attributes['data-video'] ?? '';
  const { 'data-video': _, 'data-media': __, title: ___, ...others } = attributes;
  return VIDEO_ID.test(id) ? { ...others, 'data-video': id } : others;
}

function readPixels(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : null;
}
