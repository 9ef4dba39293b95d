import sanitizeHtml, { type IOptions } from 'sanitize-html';
import { buildTransforms, excludeTag, type SanitizePolicy } from './sanitize-rules.ts';

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
