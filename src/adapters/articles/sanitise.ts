import sanitizeHtml, { type IOptions } from 'sanitize-html';
import { addHeadingIds, dropRepeatedIds } from '../../core/articles/headings.ts';
import { wrapTables } from '../../core/articles/table-scroll.ts';
import { linkVideos } from '../../core/articles/video-link.ts';
import { buildTransforms, excludeTag, type SanitisePolicy } from './sanitise-rules.ts';

const TAGS = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'section', 'hr', 'br', 'wbr', 'blockquote', 'pre'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'img', 'details', 'summary'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var'],
];

/** Elements whose content is not for readers: it goes with them. */
const WITH_CONTENT = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'plaintext', 'xmp', 'title'],
  ...['svg', 'math', 'object', 'embed', 'applet', 'audio', 'video', 'canvas', 'frameset', 'portal'],
  ...['textarea', 'select', 'option', 'datalist', 'button', 'marquee', 'head'],
];

const NOTHING_INSIDE = /<(h[2-6]|p|strong|em)>\s*<\/\1>/g;

/** Overrides and embeddings of text direction (CVE-2021-42574): without a use in HTML, which has `dir`. */
const DIRECTION_OVERRIDES = /[\u202A-\u202E]/g;

/**
 * Creates the function that turns HTML from anywhere into the HTML of an article: an allow list of tags and
 * attributes, links and pictures by the policy, ids in a name space of their own, videos as
 * `<figure data-video="ID">` with a link inside, headings with ids, tables in a scroll region.
 * Doing it twice changes nothing. No style, no handler, no frame, no form comes through.
 */
export function createSanitiser(policy: SanitisePolicy): (html: string) => string {
  const options = buildOptions(policy);
  return (html) => {
    const clean = sanitizeHtml(html.replace(DIRECTION_OVERRIDES, ''), options).replaceAll(' />', '>');
    return wrapTables(addHeadingIds(dropRepeatedIds(linkVideos(clean).replace(NOTHING_INSIDE, '')))).trim();
  };
}

function buildOptions(policy: SanitisePolicy): IOptions {
  return {
    allowedTags: TAGS,
    nonTextTags: WITH_CONTENT,
    disallowedTagsMode: 'discard',
    nestingLimit: 40,
    allowedAttributes: {
      '*': ['id', 'lang', 'dir'],
      a: ['href', 'rel', 'target', 'title', 'data-action', 'data-label', 'data-source'],
      img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading', 'decoding', 'class'],
      figure: ['data-video', 'title'],
      code: ['class'],
      ol: ['start', 'reversed'],
      li: ['value'],
      time: ['datetime'],
      abbr: ['title'],
      details: ['open'],
      th: ['align', 'colspan', 'rowspan', 'scope'],
      td: ['align', 'colspan', 'rowspan'],
      col: ['span'],
      colgroup: ['span'],
    },
    allowedClasses: { code: [/^language-[\w+#-]{1,30}$/], img: ['unsized'], div: ['table-scroll'] },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: buildTransforms(policy),
    exclusiveFilter: excludeTag,
  };
}
