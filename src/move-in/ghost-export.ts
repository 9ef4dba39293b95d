import { z } from 'zod';
import { escapeHtml, parseJson } from '../core/text/parse-text.ts';
import { renderMarkdown } from '../sources/articles/html/prepare-body.ts';
import {
  createFormerItem,
  decodeAmpersands,
  type FormerItem,
  type FormerSite,
  type FormerTerm,
  MoveInError,
  readEach,
  toInstant,
} from './former-item.ts';
import { writeProduct } from './product-boxes.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const id = z.union([z.string(), z.number()]).transform(String);

const time = z.union([z.string(), z.number()]).nullish();
const named = { id, name: text, slug: text };
const SOCIAL = {
  og_title: text,
  og_description: text,
  og_image: text,
  twitter_title: text,
  twitter_description: text,
};
const postSchema = z.object({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  status: text,
  visibility: text,
  type: text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  published_at: time,
  updated_at: time,
  custom_excerpt: text,
  meta_title: text,
  meta_description: text,
  canonical_url: text,
  author_id: id.catch(''),
  ...SOCIAL,
});
/** Converters write it as a text too. */
const order = z.coerce.number().catch(0);
const dataSchema = z.object({
  posts: z.array(z.unknown()),
  settings: z.array(z.object({ key: text, value: z.unknown() })).default([]),
  tags: z.array(z.object(named)).default([]),
  posts_tags: z.array(z.object({ post_id: id, tag_id: id, sort_order: order })).default([]),
  users: z.array(z.object(named)).default([]),
  posts_authors: z.array(z.object({ post_id: id, author_id: id, sort_order: order })).default([]),
  posts_meta: z
    .array(
      z.object({ post_id: id, meta_title: text, meta_description: text, feature_image_alt: text, ...SOCIAL }),
    )
    .default([]),
});
/** Ghost takes the form without `db` too, which converters write. */
const ghostSchema = z.union([
  z
    .object({ db: z.tuple([z.object({ data: dataSchema })]).rest(z.unknown()) })
    .transform(({ db }) => db[0].data),
  z.object({ data: dataSchema }).transform(({ data }) => data),
]);

/** Opens the JSON export of Ghost. */
export function openGhost(json: string, name: string): FormerSite {
  const parsed = ghostSchema.safeParse(parseExport(json, name));
  if (!parsed.success)
    throw new MoveInError(
      `${name} is not an export of Ghost: its field ${parsed.error.issues[0]?.path.join('.') || 'db'} is not as Ghost writes it.`,
    );
  const { data } = parsed;
  const tags = new Map(data.tags.map((tag) => [tag.id, tag]));
  const users = new Map(data.users.map((user) => [user.id, user]));
  const tagsByPost = Map.groupBy(data.posts_tags, ({ post_id }) => post_id);
  const metaByPost = new Map(data.posts_meta.map((meta) => [meta.post_id, meta]));
  const authors = Map.groupBy(
    data.posts_authors.toSorted((one, other) => one.sort_order - other.sort_order),
    ({ post_id }) => post_id,
  );
  const readSetting = (wanted: string) =>
    text.catch('').parse(data.settings.find(({ key }) => key === wanted)?.value);
  const locate = ([index]: readonly [index: number, ...others: unknown[]]) => `${name}, post ${index + 1}`;
  return {
    address: () => '',
    title: () => [readSetting('title'), readSetting('description')],
    archives: ['tag', 'tag'],
    feeds: ['/rss'],
    read: (onProblem) =>
      readEach(data.posts.entries(), locate, onProblem, ([index, given]) => {
        const place = locate([index]);
        const parsed = postSchema.safeParse(given);
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          throw new MoveInError(`its field ${issue?.path.join('.')} is not as Ghost writes it.`);
        }
        const post = parsed.data;
        const own = (tagsByPost.get(post.id) ?? [])
          .sort((one, other) => one.sort_order - other.sort_order)
          .flatMap(({ tag_id }): FormerTerm[] => {
            const tag = tags.get(tag_id);
            return tag === undefined || tag.name.startsWith('#') ? [] : [{ name: tag.name, slug: tag.slug }];
          });
        const body = readBody(post, (reason) => onProblem(place, reason));
        return buildItem(post, {
          place,
          body,
          tags: own,
          meta: metaByPost.get(post.id),
          authors: (authors.get(post.id) ?? [{ author_id: post.author_id }]).flatMap(
            ({ author_id }) => users.get(author_id) ?? [],
          ),
        });
      }),
  };
}

type GhostData = z.infer<typeof dataSchema>;
type GhostPost = z.infer<typeof postSchema>;

/** A product card as Ghost renders it. */
const PRODUCT_CARD =
  /<h4 class="kg-product-card-title">((?:(?!<\/h4>)[\s\S]){0,500})<\/h4>((?:(?!<\/a>|<h4 )[\s\S]){0,8000}?)<a href="([^"]*)" class="kg-product-card-button[^<>]*>(?:(?!<\/a>)[\s\S]){0,500}<\/a>/g;
const NO_STARS = 'the stars of a product card are left out: a score needs a test';

function readBody({ html, lexical, mobiledoc }: GhostPost, report: (reason: string) => void): string {
  if (html !== '')
    return html.replace(PRODUCT_CARD, (_, title: string, rest: string, href: string) => {
      report(NO_STARS);
      const address = decodeAmpersands(href);
      return rest + writeProduct(address, true, address, title);
    });
  if (lexical !== '') {
    const rendered = renderLexical(lexical, (type) => report(`a card "${type}" of Ghost has no form here`));
    if (rendered !== null) return rendered;
    report('its text is damaged');
  } else
    report(
      mobiledoc === ''
        ? 'it has no text'
        : 'its text is in the format of Ghost 4: export it from Ghost 5 or later',
    );
  return '';
}

function buildItem(
  post: GhostPost,
  known: {
    readonly place: string;
    readonly body: string;
    readonly tags: readonly FormerTerm[];
    readonly meta: GhostData['posts_meta'][number] | undefined;
    readonly authors: GhostData['users'];
  },
): FormerItem {
  const { place, body, tags, meta, authors } = known;
  const [author, ...others] = authors;
  const find = (field: keyof typeof SOCIAL) => meta?.[field] || post[field];
  const isOpen = post.visibility === '' || post.visibility === 'public';
  return createFormerItem({
    type: post.type === 'page' || post.page ? 'page' : 'post',
    id: post.id,
    place,
    title: post.title,
    slug: post.slug,
    address: `/${post.slug}/`,
    hidden: post.status !== 'published' ? post.status || 'a draft' : isOpen ? '' : `for ${post.visibility}`,
    publishedAt: toInstant(post.published_at),
    updatedAt: toInstant(post.updated_at),
    author: author?.name ?? '',
    authorSlug: author?.slug ?? '',
    categories: tags.slice(0, 1),
    tags: tags.slice(1),
    body: body.replaceAll('__GHOST_URL__', ''),
    excerpt: post.custom_excerpt,
    seoTitle: meta?.meta_title ?? post.meta_title,
    seoDescription: meta?.meta_description ?? post.meta_description,
    canonicalUrl: post.canonical_url.replaceAll('__GHOST_URL__', ''),
    socialTitle: find('og_title') || find('twitter_title'),
    socialDescription: find('og_description') || find('twitter_description'),
    lostSettings: [
      ...(find('og_image') === '' ? [] : ['an image for social networks']),
      ...others.map(({ name }) => `the author ${name}, who was not the first`),
    ],
    assumed: 'routes.yaml of Ghost is not in its export',
    image: post.feature_image.replaceAll('__GHOST_URL__', ''),
    imageAlt: meta?.feature_image_alt ?? '',
  });
}

function parseExport(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new MoveInError(`${name} is not JSON, or not all of it: export it in Ghost again.`);
  }
}

const word = z
  .string()
  .nullish()
  .catch('')
  .transform((value) => value ?? '');

const nodeSchema = z.object({
  type: word,
  tag: word,
  text: word,
  url: word,
  src: word,
  alt: word,
  caption: word,
  href: word,
  code: word,
  language: word,
  html: word,
  markdown: word,
  listType: word,
  heading: word,
  content: word,
  calloutText: word,
  buttonText: word,
  buttonUrl: word,
  fileTitle: word,
  fileName: word,
  title: word,
  productTitle: word,
  productUrl: word,
  productImageSrc: word,
  productDescription: word,
  productButton: word,
  header: word,
  subheader: word,
  subheading: word,
  productRatingEnabled: z.boolean().catch(false),
  buttonEnabled: z.boolean().catch(false),
  format: z.number().catch(0),
  start: z.number().catch(1),
  metadata: z.object({ title: word }).nullish().catch(null),
  images: z.array(z.object({ src: word, alt: word, caption: word })).catch([]),
  children: z.array(z.unknown()).catch([]),
});
type LexicalNode = z.infer<typeof nodeSchema>;

/** Emphasis of a text by its bit. */
const FORMATS = [
  [1, 'strong'],
  [2, 'em'],
  [4, 'del'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const;
/** Cards that readers of an article do not see. */
const SILENT = /^(?:paywall|email|email-cta|signup|transistor)$/;
const MAX_DEPTH = 50;

/**
 * Writes a text of Ghost's editor, which is Lexical as JSON, as HTML. `onUnknown` gets the type of what has no HTML here; its
 * words stay. Null when the JSON is no such text.
 */
function renderLexical(json: string, onUnknown: (type: string) => void): string | null {
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
    case 'product':
      return renderProduct(node, onUnknown);
    case 'header': {
      const action = node.buttonEnabled
        ? link(node.buttonUrl, escapeHtml(node.buttonText || node.buttonUrl))
        : '';
      return `<h2>${node.heading || node.header}</h2><p>${node.subheading || node.subheader}</p><p>${action}</p>`;
    }
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

/** A product card: its image, then the product, which becomes a box, then its text. */
function renderProduct(node: LexicalNode, onUnknown: (type: string) => void): string {
  const { productTitle: title, productUrl: href, productImageSrc: src, productDescription: text } = node;
  if (node.productRatingEnabled) onUnknown('stars of a product');
  const shown = src === '' ? '' : figure(image({ src, alt: title }), '');
  const product =
    href === ''
      ? `<h3>${title}</h3>`
      : writeProduct(href, true, href, title || escapeHtml(node.productButton));
  return `${shown}${product}${text.startsWith('<') || text === '' ? text : `<p>${text}</p>`}`;
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
