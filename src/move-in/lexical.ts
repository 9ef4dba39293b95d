import { z } from 'zod';
import { escapeHtml, parseJson } from '../core/text/parse-text.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';

const text = z
  .string()
  .nullish()
  .catch('')
  .transform((value) => value ?? '');

const nodeSchema = z.object({
  ...{ type: text, tag: text, text, url: text, src: text, alt: text, caption: text, href: text },
  ...{ code: text, language: text, html: text, markdown: text, listType: text, heading: text, content: text },
  ...{ calloutText: text, buttonText: text, buttonUrl: text, fileTitle: text, fileName: text, title: text },
  format: z.number().catch(0),
  start: z.number().catch(1),
  metadata: z.object({ title: text }).nullish().catch(null),
  images: z.array(z.object({ src: text, alt: text, caption: text })).catch([]),
  children: z.array(z.unknown()).catch([]),
});
type LexicalNode = z.infer<typeof nodeSchema>;

/** Emphasis of a text by its bit. */
const FORMATS = [
  ...([
    [1, 'strong'],
    [2, 'em'],
    [4, 'del'],
    [8, 'u'],
  ] as const),
  ...([
    [16, 'code'],
    [32, 'sub'],
    [64, 'sup'],
    [128, 'mark'],
  ] as const),
] as const;
/** Cards that readers of an article do not see. */
const SILENT = /^(?:paywall|email|email-cta|signup|transistor)$/;
const MAX_DEPTH = 50;

/**
 * Writes a text of Ghost's editor, which is Lexical as JSON, as HTML. `onUnknown` gets the type of what has no HTML here; its
 * words stay. Null when the JSON is no such text.
 */
export function renderLexical(json: string, onUnknown: (type: string) => void): string | null {
  const parsed = z.object({ root: nodeSchema }).safeParse(parseJson(json));
  return parsed.success ? renderChildren(parsed.data.root, onUnknown, 0) : null;
}

function renderChildren({ children }: LexicalNode, onUnknown: (type: string) => void, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  return children
    .map((child) => {
      const parsed = nodeSchema.safeParse(child);
      return parsed.success ? renderNode(parsed.data, onUnknown, depth + 1) : '';
    })
    .join('');
}

const link = (address: string, html: string) =>
  address === '' ? html : `<a href="${escapeHtml(address)}">${html}</a>`;

/** `caption` is HTML, as Ghost stores it. */
const figure = (html: string, caption: string) =>
  `<figure>${html}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;

const image = ({ src, alt }: { readonly src: string; readonly alt: string }) =>
  `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}">`;

function renderNode(node: LexicalNode, onUnknown: (type: string) => void, depth: number): string {
  const type = node.type.replace(/^extended-/, '');
  const inner = () => renderChildren(node, onUnknown, depth);
  switch (type) {
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
      return /^h[1-6]$/.test(node.tag) ? `<${node.tag}>${inner()}</${node.tag}>` : `<h2>${inner()}</h2>`;
    case 'text':
      return FORMATS.reduce(
        (html, [bit, name]) => ((node.format & bit) === 0 ? html : `<${name}>${html}</${name}>`),
        escapeHtml(node.text),
      );
    case 'linebreak':
      return '<br>';
    case 'tab':
      return ' ';
    case 'link':
    case 'autolink':
    case 'at-link':
      return link(node.url, inner());
    case 'list': {
      const start = node.start === 1 ? '' : ` start="${Math.trunc(node.start)}"`;
      return node.listType === 'number' || node.tag === 'ol'
        ? `<ol${start}>${inner()}</ol>`
        : `<ul>${inner()}</ul>`;
    }
    case 'listitem':
      return `<li>${inner()}</li>`;
    case 'quote':
    case 'aside':
      return `<blockquote><p>${inner()}</p></blockquote>`;
    case 'horizontalrule':
      return '<hr>';
    case 'image':
      return figure(link(node.href, image(node)), node.caption);
    case 'gallery':
      return `<figure class="gallery">${node.images.map((item) => figure(image(item), item.caption)).join('')}</figure>`;
    case 'codeblock': {
      const name = /^[\w+#-]{1,30}$/.test(node.language) ? ` class="language-${node.language}"` : '';
      const code = `<pre><code${name}>${escapeHtml(node.code)}</code></pre>`;
      return node.caption === '' ? code : figure(code, node.caption);
    }
    case 'html':
      return `\n${node.html}\n`;
    case 'markdown':
      return renderMarkdown(node.markdown);
    case 'embed':
      return renderEmbed(node);
    case 'bookmark':
      return `<p>${link(node.url, escapeHtml(node.metadata?.title || node.title || node.url))}</p>`;
    case 'button':
      return `<p>${link(node.buttonUrl, escapeHtml(node.buttonText || node.buttonUrl))}</p>`;
    case 'callout':
      return `<blockquote>${node.calloutText.startsWith('<p') ? node.calloutText : `<p>${node.calloutText}</p>`}</blockquote>`;
    case 'toggle':
      return `<details><summary>${node.heading}</summary>${node.content}</details>`;
    case 'video':
    case 'audio':
      return node.src === '' ? '' : figure(`<${type} src="${escapeHtml(node.src)}"></${type}>`, node.caption);
    case 'file':
      return `<p>${link(node.src, escapeHtml(node.fileTitle || node.fileName || node.src))}</p>`;
    default:
      onUnknown(type);
      if (node.children.length > 0) return `<p>${inner()}</p>`;
      return SILENT.test(type) ? '' : `<!-- [${type.replace(/[^\w-]/g, '')}] -->`;
  }
}

/** A film stays the frame that the site turns into its own video; everything else is a link. */
function renderEmbed({ url, html, caption }: LexicalNode): string {
  const frame =
    /<iframe[^>]*\ssrc="(https:\/\/(?:www\.youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com\/video)\/[\w-]+)/.exec(
      html,
    )?.[1];
  if (frame !== undefined) return figure(`<iframe src="${frame}" title="Watch the video"></iframe>`, caption);
  return `<p>${link(url, escapeHtml(url))}</p>${caption === '' ? '' : `<p>${caption}</p>`}`;
}
