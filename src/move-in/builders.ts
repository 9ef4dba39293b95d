import { escapeHtml } from '../core/text/parse-text.ts';
import type { ShortcodeAttributes } from './shortcodes.ts';
import type { WordPressReferences } from './wordpress-body.ts';

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
export function renderBuilderShortcode(
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
  const address = given === undefined ? text : decodePercent(given);
  return /^(?:https?:\/\/|\/|#|mailto:)\S+$/i.test(address.trim()) ? address.trim() : '';
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
