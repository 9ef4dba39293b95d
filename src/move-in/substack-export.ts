import { parse } from 'csv-parse/sync';
import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import { z } from 'zod';
import { escapeHtml, parseJson } from '../core/text/parse-text.ts';
import { type HtmlElement, parseHtml } from '../sources/articles/html/html-text.ts';
import { decodeText } from './decode-text.ts';
import { createFormerItem, type FormerSite, MoveInError, readEach, toInstant } from './former-item.ts';
import { explainCsvError } from './link-plugins.ts';
import { walk } from './medium-export.ts';
import { openFileTree } from './open-archive.ts';

const text = z.string().default('');
const postsSchema = z.array(
  z.object({
    post_id: z.string(),
    post_date: text,
    is_published: text,
    title: text,
    subtitle: text,
    audience: text,
    type: text,
    podcast_url: text,
  }),
);

const found = z.string().optional().catch(undefined);
const pictures = z
  .array(z.object({ src: found, img_url: found, alt: found, alt_text: found }))
  .optional()
  .catch(undefined);
/** What an embed has in its attribute alone; other embeds have nothing that could be shown. */
const embedSchema = z.object({
  canonical_url: found,
  url: found,
  title: found,
  name: found,
  text: found,
  full_text: found,
  caption: found,
  persistentExpression: found,
  photos: pictures,
  gallery: z.object({ images: pictures, caption: found }).optional().catch(undefined),
});

/** Opens an export of Substack: a folder or archive with `posts.csv` and `posts/`. */
export async function openSubstack(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const list = tree.names.find((name) => /(?:^|\/)posts\.csv$/.test(name));
  if (list === undefined) throw new MoveInError(`${location} has no posts.csv: it is no export of Substack.`);
  const posts = postsSchema.safeParse(readRows(decodeText(list, await tree.read(list)), list));
  if (!posts.success) throw new MoveInError(`${list} does not have the columns of Substack.`);
  const addresses = new Map(
    posts.data.flatMap(({ post_id: id }) => {
      const [, number = '', slug = ''] = /^(\d*)\.?(.*)$/.exec(id) ?? [];
      return slug === '' ? [] : [number, `/p/${slug}`].map((key) => [key, `/p/${slug}`] as const);
    }),
  );
  const files = new Map(tree.names.map((name) => [name.split('/').at(-1) ?? '', name]));
  const locate = ([index]: readonly [index: number, ...others: unknown[]]) => `${list}, line ${index + 2}`;
  return {
    address: () => '',
    archives: null,
    feeds: ['/feed'],
    read: (onProblem) =>
      readEach(posts.data.entries(), locate, onProblem, async ([index, post]) => {
        const slug = post.post_id.replace(/^\d+\.?/, '');
        const file = files.get(`${post.post_id}.html`);
        const isOpen = !/only_paid|founding/.test(post.audience);
        const html =
          file === undefined
            ? ''
            : decodeText(file, await tree.read(file), (reason) => onProblem(file, reason));
        const episode =
          post.podcast_url === '' ? '' : `<audio src="${escapeHtml(post.podcast_url)}"></audio>`;
        return createFormerItem({
          type: post.type === 'page' ? 'page' : 'post',
          id: post.post_id,
          place: locate([index]),
          title: post.title,
          slug,
          address: slug === '' ? '' : `/p/${slug}`,
          hidden: !/^true$/i.test(post.is_published) ? 'a draft' : isOpen ? '' : 'for paying subscribers',
          publishedAt: toInstant(post.post_date),
          body: episode + fillBody(html, addresses, (reason) => onProblem(file ?? '', reason)),
          excerpt: post.subtitle,
        });
      }),
  };
}

/** An address of a post: by its name, by its number, or of one of its headings. */
const ADDRESS =
  /^https?:\/\/[^/?#]+(?:\/pub\/[^/?#]+)?(?:(?<post>\/p\/[^/?#]+)|(?:\/home\/post\/p-|\/i\/)(?<id>\d+)(?:\/(?<heading>[^/?#]+))?)\/?(?:\?[^#]*)?(?<part>#.*)?$/;

/** Fills in what embeds have in an attribute alone, and leads links to posts of the export, on whatever host, there. */
function fillBody(
  html: string,
  addresses: ReadonlyMap<string, string>,
  onProblem: (reason: string) => void,
): string {
  // The conversion refuses it as a whole.
  if (!parseHtml(html, {})) return html;
  const root = parseDocument(html);
  for (const element of walk(root.children)) {
    const { href = '', 'data-attrs': attributes } = element.attribs;
    const { post = '', id = '', heading, part = '' } = ADDRESS.exec(href)?.groups ?? {};
    const own = addresses.get(post || id);
    if (own !== undefined) element.attribs['href'] = own + (heading === undefined ? part : `#${heading}`);
    // A note to the author.
    element.children = element.children.filter(
      (child) => !('attribs' in child && child.attribs['class'] === 'hide-text'),
    );
    if (attributes === undefined || hasContent(element)) continue;
    const embed = writeEmbed(attributes);
    if (embed === '') onProblem(`an embed (${element.attribs['class'] ?? ''}) has nothing in the export`);
    element.children = parseDocument(embed).children;
  }
  return render(root.children, { encodeEntities: 'utf8', emptyAttrs: true });
}

function hasContent(element: HtmlElement): boolean {
  for (const { name, children } of walk([element]))
    if (
      /^(?:a|img|iframe|video|audio|input)$/.test(name) ||
      children.some((child) => 'data' in child && child.data.trim() !== '')
    )
      return true;
  return false;
}

/** The HTML of an embed: its pictures, its words and its link; empty without these. */
function writeEmbed(attributes: string): string {
  const { data: embed } = embedSchema.safeParse(parseJson(attributes));
  const {
    gallery,
    photos = [],
    full_text: words,
    caption,
    persistentExpression,
    title,
    name,
    text,
  } = embed ?? {};
  const shown = [...(gallery?.images ?? []), ...photos].map(
    ({ src, img_url: other, alt, alt_text: words }) =>
      `<figure><img src="${escapeHtml(src ?? other ?? '')}" alt="${escapeHtml(alt ?? words ?? '')}"></figure>`,
  );
  const address = embed?.canonical_url ?? embed?.url;
  const link =
    address === undefined
      ? ''
      : `<p><a href="${escapeHtml(address)}">${escapeHtml(title ?? name ?? text ?? address)}</a></p>`;
  const below = caption ?? gallery?.caption ?? '';
  const said = words === undefined ? '' : `<p>${words}</p>`;
  const formula =
    persistentExpression === undefined ? '' : `<pre><code>${escapeHtml(persistentExpression)}</code></pre>`;
  const quoted = words === undefined ? link : `<blockquote>${said}${link}</blockquote>`;
  return shown.join('') + quoted + (below === '' ? '' : `<p>${escapeHtml(below)}</p>`) + formula;
}

function readRows(csv: string, name: string): unknown {
  try {
    return parse(csv, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw explainCsvError(name, error);
  }
}
