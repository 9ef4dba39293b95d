import { decodePercent, escapeHtml } from '../core/text/parse-text.ts';
import { decodeAmpersands, type FormerItem } from './former-item.ts';
import { CLASSIC } from './html-to-markdown.ts';
import {
  type BuildAmazonLink,
  expandAmazonAds,
  renderAmazonShortcode,
  writeProduct,
} from './product-boxes.ts';
import {
  expandShortcodes,
  type RenderShortcode,
  renderCode,
  type ShortcodeAttributes,
} from './shortcodes.ts';

/** What bodies of a WordPress site refer to by a number. */
export interface WordPressReferences {
  /** Image of an attachment's id; null: there is no such image. */
  readonly findImage: (
    id: string,
  ) => { readonly src: string; readonly alt: string; readonly caption: string } | null;
  /** Link of a plugin by the id of its post: its address on the former site, and its name. */
  readonly findLink: (id: string) => { readonly href: string; readonly name: string } | null;
  /** Body of a reusable block. */
  readonly findBlock: (id: string) => string | null;
  /** A table of TablePress by the id that texts name. */
  readonly findTable: (id: string) => string | null;
  readonly buildAmazonLink: BuildAmazonLink;
}

/**
 * Turns the body of a post into plain HTML: shortcodes and blocks that WordPress would fill in when it shows the page.
 * `onUnknown` gets the name of what has no HTML here, such as `[contact-form]` or `block core/latest-posts`.
 */
export function expandWordPressBody(
  { body, format, footnotes }: FormerItem,
  references: WordPressReferences,
  onUnknown: (name: string) => void,
): string {
  const expanded =
    format === 'blocks' ? expandBlocks(markClassic(body), references, footnotes, onUnknown, 0) : body;
  const blocks = expanded.replace(QUESTION, '<h3>$1</h3>');
  const tagged = blocks.replace(
    /<ta\s([^<>]*)>((?:(?!<ta\s)[\s\S])*?)<\/ta>/gi,
    (_, attributes: string, text: string) => {
      const id = /linkid="(\d+)"/i.exec(attributes)?.[1] ?? '';
      const href = references.findLink(id)?.href ?? /href="([^"]*)"/i.exec(attributes)?.[1] ?? '';
      return href === '' ? text : writeLink(href, text);
    },
  );
  // AAWP gives the address alone for a link of one's own.
  const linked = tagged.replace(
    /href=(["'])\[(?:amazon|aawp)\s([^[\]<>]*value=["']?url["']?[^[\]<>]*)\]\1/gi,
    (found, _, words: string) => {
      const asin = /\b[A-Z0-9]{10}\b/.exec(words)?.[0];
      return asin === undefined ? found : `href="${escapeHtml(references.buildAmazonLink(asin, '', ''))}"`;
    },
  );
  const ads = expandAmazonAds(linked, references.buildAmazonLink);
  const html = expandShortcodes(ads, createRenderer(references), (name) => onUnknown(`[${name}]`));
  return embedAddresses(html);
}

/** A question of Yoast's block of questions, which search engines take for a heading. */
const QUESTION = /<strong class="schema-faq-question"[^<>]*>((?:(?!<\/?strong\b)[\s\S])*)<\/strong>/gi;

/** WordPress escapes two hyphens in the JSON of a block. */
const BLOCK = /<!--\s+wp:([a-z][a-z0-9-]*(?:\/[a-z][a-z0-9-]*)?)\s+(?:(\{(?:(?!--)[\s\S])*?\})\s+)?(\/)?-->/g;
/** Blocks without content that show nothing. */
const SILENT = /^(?:more|nextpage|spacer|separator|navigation-link|page-break)$/;
const MAX_NESTED_BLOCKS = 5;

function expandBlocks(
  body: string,
  references: WordPressReferences,
  footnotes: FormerItem['footnotes'],
  onUnknown: (name: string) => void,
  depth: number,
): string {
  return body.replace(BLOCK, (text, name: string, json: string | undefined, end: string | undefined) => {
    if (end === undefined) return text;
    if (name === 'block') {
      const nested = references.findBlock(readReference(json));
      if (nested !== null && depth < MAX_NESTED_BLOCKS)
        return expandBlocks(nested, references, footnotes, onUnknown, depth + 1);
    }
    if (name === 'footnotes') return writeFootnotes(footnotes);
    if (!SILENT.test(name)) onUnknown(`block ${name}`);
    return '';
  });
}

const BOUNDARY = /<!--\s+(\/?)wp:([a-z][a-z0-9/-]*)\s+(?:\{(?:(?!--)[\s\S])*?\}\s+)?(\/?)-->/g;

/** Marks the text between blocks and in those of the classic editor: its line breaks are line breaks. */
function markClassic(body: string): string {
  let [out, end, depth] = ['', 0, 0];
  let isClassic = true;
  const add = (text: string) => {
    out += isClassic && text.trim().includes('\n') ? `<div ${CLASSIC}>${text}</div>` : text;
  };
  for (const match of body.matchAll(BOUNDARY)) {
    const [text, closing, name, single] = match;
    add(body.slice(end, match.index));
    out += text;
    end = match.index + text.length;
    if (closing !== '') depth = Math.max(0, depth - 1);
    else if (single === '') depth += 1;
    isClassic = depth === 0 || (closing === '' && name === 'freeform');
  }
  add(body.slice(end));
  return out;
}

function readReference(json: string | undefined): string {
  return /"ref"\s*:\s*"?(\d+)/.exec(json ?? '')?.[1] ?? '';
}

function writeFootnotes(footnotes: FormerItem['footnotes']): string {
  const items = [...footnotes].map(
    ([id, text]) => `<li id="${escapeHtml(id)}">${text} <a href="#${escapeHtml(id)}-link">↩</a></li>`,
  );
  return items.length === 0 ? '' : `<ol>${items.join('')}</ol>`;
}

const writeLink = (href: string, html: string) => `<a href="${escapeHtml(href)}">${html}</a>`;

const CODE =
  /^(?:code|sourcecode|source|crayon|prism|php|html|css|js|javascript|python|bash|sql|xml|ruby|java)$/;

const createRenderer =
  (references: WordPressReferences): RenderShortcode =>
  (name, attributes, content) => {
    const { findImage, findLink, findTable, buildAmazonLink } = references;
    const find = (...names: readonly string[]) =>
      names.map((key) => attributes[key] ?? '').find((value) => value !== '') ?? '';
    const listIds = (text: string) => text.split(/[\s,]+/).filter(Boolean);
    if (name === 'caption' || name === 'wp_caption') return writeCaption(content, find('caption'));
    if (name === 'gallery') {
      const images = listIds(find('ids', 'include')).map(findImage);
      return images.length === 0 || images.includes(null)
        ? null
        : writeGallery(images.flatMap((image) => image ?? []));
    }
    if (name === 'embed' || name === 'youtube' || name === 'vimeo') {
      const address = content.trim() || find('url', 'src', 'id', '0');
      return address === '' ? null : `\n\n${writeEmbed(address)}\n\n`;
    }
    if (name === 'video' || name === 'audio') {
      const src =
        find('src', 'mp4', 'webm', 'm4v', 'ogv', 'mp3', 'm4a', 'ogg', 'wav') ||
        /href="([^"]+)"/.exec(content)?.[1];
      return src ? `\n\n<figure><${name} src="${escapeHtml(src)}"></${name}></figure>\n\n` : null;
    }
    if (name === 'thirstylink') {
      const link = listIds(find('ids', 'linkid', 'id'))
        .map(findLink)
        .find((found) => found !== null);
      return link ? writeLink(link.href, content.trim() || escapeHtml(find('linktext') || link.name)) : null;
    }
    if (name === 'lasso') {
      const id = find('id');
      const link = /^(?:table|grid|list|gallery)$/.test(find('type')) ? null : findLink(id);
      const words = content.trim() || escapeHtml(find('title') || (link?.name ?? ''));
      return link && writeProduct(`post:${id}`, !/^(?:button|image)$/.test(find('type')), link.href, words);
    }
    const product = renderAmazonShortcode(name, attributes, content, buildAmazonLink);
    if (product !== undefined) return product;
    if (name === 'table' || name === 'tablepress') return findTable(find('id'));
    if (CODE.test(name))
      return content === ''
        ? null
        : renderCode(
            content,
            find('lang', 'language') || (name.length > 4 && name.endsWith('code') ? '' : name),
          );
    return renderBuilderShortcode(name, attributes, content, findImage);
  };

function writeCaption(content: string, caption: string): string | null {
  const [, image, rest = ''] =
    /^\s*((?:<a\s[^<>]*>\s*)?<img[^<>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(content) ?? [];
  if (image === undefined) return null;
  const words = rest.trim() || caption;
  return `\n\n<figure>${image}${words === '' ? '' : `<figcaption>${words}</figcaption>`}</figure>\n\n`;
}

function writeGallery(
  images: readonly { readonly src: string; readonly alt: string; readonly caption: string }[],
): string {
  const items = images.map(({ src, alt, caption }) => {
    const words = caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`;
    return `<figure><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}">${words}</figure>`;
  });
  return `\n\n<figure class="gallery">${items.join('')}</figure>\n\n`;
}

/** A film becomes the frame that the site shows as a link with its image; everything else a link. */
export function writeEmbed(address: string): string {
  const url = address.replaceAll('&amp;', '&').trim();
  const id =
    /^(?:https?:)?\/\/(?:(?:www|m)\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#\s]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})/i.exec(
      url,
    )?.[1] ?? /^[\w-]{11}$/.exec(url)?.[0];
  if (id !== undefined)
    return `<iframe src="https://www.youtube.com/embed/${id}" title="Watch the video on YouTube"></iframe>`;
  const film = /^(?:https?:)?\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{1,12})/i.exec(url)?.[1];
  if (film !== undefined)
    return `<iframe src="https://player.vimeo.com/video/${film}" title="Watch the video on Vimeo"></iframe>`;
  return `<p>${writeLink(url, escapeHtml(url))}</p>`;
}

const ADDRESS = String.raw`https?:\/\/[^\s<>"]+`;
const WRAPPED = new RegExp(
  String.raw`(<div class="wp-block-embed__wrapper">)\s*(${ADDRESS})\s*(?=<\/div>)`,
  'gi',
);
const ALONE = new RegExp(String.raw`^(?:<p>\s*)?[^\S\n]*(${ADDRESS})\s*(?:<\/p>)?$`, 'gim');

/** WordPress shows an address that is alone in its line as what it leads to. */
function embedAddresses(html: string): string {
  return html
    .replace(WRAPPED, (_, before: string, address: string) => before + writeEmbed(address))
    .replace(ALONE, (_, address: string) => writeEmbed(address));
}

/** Shortcodes of builders: Divi, WPBakery, Avada, Enfold, Cornerstone, Beaver, Shortcodes Ultimate and themes. */
const BUILDER =
  /^(?:et_pb|vc|fusion|av|x|cs|fl|su|nectar|ultimate|mk|thrive|tcb|button|btn|link|cta)(?:_|$)|_?(?:button|btn|cta)$/;
/** Those that only arrange what they enclose. */
const LAYOUT =
  /_(?:section|row|column|container|text|inner|wrapper|row_inner|column_inner|column_text|builder_(?:container|row|column)(?:_inner)?|one_(?:full|half|third|fourth)|tabs|tabbed|accordion|tta_(?:tabs|accordion|tour)|toggles?|code|raw_html|slider)$/;
const ENCODED = /_(?:raw_html|raw_js|code|fullwidth_code|codeblock)$/;

/**
 * Renders a shortcode of a builder: its image, its heading, what it encloses, and its button, whose names are similar in all
 * of them. null: it has nothing of these, so that it is unknown.
 */
function renderBuilderShortcode(
  name: string,
  attributes: ShortcodeAttributes,
  content: string,
  findImage: WordPressReferences['findImage'],
): string | null {
  const decoded = decodeContent(name, content);
  if (decoded === null) return '';
  if (!BUILDER.test(name)) return decoded === content ? null : decoded;
  const find = (...names: readonly string[]) =>
    names.map((key) => attributes[key]?.trim() ?? '').find((value) => value !== '') ?? '';
  const images = find(
    'images',
    'gallery_ids',
    'image_ids',
    'include',
    'image',
    'image_id',
    'src',
    'image_url',
    'portrait_url',
    'url_image',
    'attachment',
    'photo_src',
  )
    .split(',')
    .flatMap((image) => readImage(image.trim(), find('alt', 'title_text', 'image_alt'), findImage));
  // Avada's image is the address that its shortcode encloses.
  const [, enclosed] =
    /^\s*(https?:\/\/[^\s<>"]+\.(?:jpe?g|png|webp|gif|avif|svg)(?:\|[^\s<>"]*)?)\s*$/i.exec(decoded) ?? [];
  if (enclosed !== undefined) images.push({ src: enclosed.split('|')[0] ?? '', alt: find('alt') });
  const rest = enclosed === undefined ? decoded : '';
  const link = readLink(
    find(
      'button_url',
      'button_link',
      'btn_link',
      'button_one_url',
      'link',
      'url',
      'href',
      'link_url',
      'img_link_url',
      'custom_link',
    ),
  );
  const words = find(
    'button_text',
    'btn_title',
    'button_one_text',
    'linktext',
    'link_text',
    'label',
    'btn_text',
  );
  const isButton = /button|btn|cta|link$/.test(name);
  const heading = find('title', 'heading', 'h2', 'author', 'headline', 'text');
  const figures = images.map(({ src, alt }) => {
    const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}">`;
    return `\n\n<figure>${link !== '' && !isButton && words === '' ? `<a href="${escapeHtml(link)}">${image}</a>` : image}</figure>\n\n`;
  });
  const isUsed = figures.length > 0 && words === '';
  if (link === '' && figures.length === 0 && heading === '')
    return rest.trim() !== '' || LAYOUT.test(name) || decoded !== content ? rest : null;
  if (isButton && link !== '' && (heading === '' || words === '')) {
    const label = rest.trim() || escapeHtml(words || heading || link);
    return `${figures.join('')}<p><a href="${escapeHtml(link)}">${label}</a></p>`;
  }
  const title = heading === '' || LAYOUT.test(name) ? '' : `\n\n<h3>${escapeHtml(heading)}</h3>\n\n`;
  const button =
    link === '' || isUsed
      ? ''
      : `\n\n<p><a href="${escapeHtml(link)}">${escapeHtml(words || heading || link)}</a></p>\n\n`;
  return figures.join('') + title + rest + button;
}

function readImage(image: string, alt: string, findImage: WordPressReferences['findImage']) {
  if (/^\d+$/.test(image)) {
    const found = findImage(image);
    return found === null ? [] : [{ src: found.src, alt: alt || found.alt }];
  }
  return /^(?:https?:)?\/\/\S+$|^\/\S+\.\w{3,4}$/.test(image) ? [{ src: image, alt }] : [];
}

/** The address of a link, which WPBakery writes as `url:https%3A%2F%2Fshop.example|title:Buy`. */
function readLink(text: string): string {
  const given = /(?:^|\|)url:([^|]*)/.exec(text)?.[1];
  const address = given === undefined ? text : decodeAmpersands(decodePercent(given));
  return /^(?:https?:\/\/|\/|#|mailto:)\S+$/i.test(address.trim()) ? address.trim() : '';
}

/** HTML that builders enclose in Base64, with its signs percent-encoded or not. null: it cannot be read, or it is a script. */
function decodeContent(name: string, content: string): string | null {
  const text = content.trim();
  const isEncoded = /^[A-Za-z0-9+/\s]{16,}={0,2}$/.test(text) && (ENCODED.test(name) || !/\s/.test(text));
  if (name.endsWith('_raw_js')) return null;
  if (isEncoded) {
    const plain = decodePercent(Buffer.from(text, 'base64').toString());
    if (/^\s*[<[]/.test(plain)) return plain;
    return ENCODED.test(name) ? null : content;
  }
  if (/^%3C[\w%]/i.test(text)) return decodePercent(text);
  return content;
}
