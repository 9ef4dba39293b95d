import path from 'node:path';
import render from 'dom-serializer';
import { parseDocument } from 'htmlparser2';
import { type HtmlElement, type HtmlNode, parseHtml } from '../sources/articles/html/html-text.ts';
import { decodeText } from './decode-text.ts';
import {
  createFormerItem,
  type FormerItem,
  type FormerSite,
  MoveInError,
  readEach,
  toInstant,
} from './former-item.ts';
import { getText } from './html-to-markdown.ts';
import { FILE_SCHEME } from './markdown-body.ts';
import { openFileTree } from './open-archive.ts';

/** Opens an export of Medium: a folder or archive with `posts/`. */
export async function openMedium(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const names = tree.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name));
  const ids = new Set(names.map((name) => findId(path.posix.basename(name, '.html'))).filter(Boolean));
  if (names.length === 0)
    throw new MoveInError(`${location} has no posts/*.html: it is no export of Medium.`);
  return {
    address: () => '',
    archives: null,
    feeds: [],
    read: (onProblem) =>
      readEach(
        names,
        (name) => name,
        onProblem,
        async (name) =>
          readPost(
            decodeText(name, await tree.read(name), (reason) => onProblem(name, reason)),
            name,
            ids,
          ),
      ),
  };
}

/** An address of Medium ends in the id of its post. */
const findId = (address: string) => /(?:^|[-/])([0-9a-f]{8,12})$/.exec(address)?.[1] ?? '';

/** `ids`: of all posts, which link to one another by addresses of several hosts. */
function readPost(html: string, name: string, ids: ReadonlySet<string>): FormerItem {
  // The conversion refuses it as a whole.
  const isTooDeep = !parseHtml(html, {});
  const elements = isTooDeep ? [] : [...walk(parseDocument(html).children)];
  const find = (tag: string, isWanted: (attributes: HtmlElement['attribs']) => boolean = () => true) =>
    elements.find((element) => element.name === tag && isWanted(element.attribs));
  const hasClass = (tag: string, wanted: string) =>
    find(tag, (attributes) => (attributes['class'] ?? '').split(/\s+/).includes(wanted));
  const findPart = (field: string) => find('section', (attributes) => attributes['data-field'] === field);
  const address = hasClass('a', 'p-canonical')?.attribs['href'] ?? '';
  const isOwn = address !== '' && !/^https:\/\/(?:[\w-]+\.)?medium\.com\//.test(address);
  const file = path.posix.basename(name, '.html');
  const title = readWords(hasClass('h1', 'p-name')) || readWords(find('title'));
  const hash = findId(file);
  return createFormerItem({
    type: 'post',
    id: hash || file,
    place: name,
    title,
    slug: file
      .replace(/^(?:draft|\d{4}-\d\d-\d\d)_/, '')
      .replace(/-+[0-9a-f]{8,12}$/, '')
      .replace(/-+/g, '-'),
    // Addresses below medium.com stay there.
    address: isOwn ? address : '',
    formerAddresses: isOwn && hash !== '' ? [`/p/${hash}`] : [],
    hidden: file.startsWith('draft_') ? 'a draft' : '',
    publishedAt: toInstant(hasClass('time', 'dt-published')?.attribs['datetime']),
    author: readWords(hasClass('a', 'p-author')),
    body: isTooDeep ? html : readBody(findPart('body'), title, ids),
    excerpt: readWords(findPart('subtitle')),
  });
}

/** Every element in the order of the file. */
export function* walk(nodes: readonly HtmlNode[]): Generator<HtmlElement> {
  const open = nodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('attribs' in node)) continue;
    yield node;
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(...node.children.slice(at, at + 1));
  }
}

const readWords = (element: HtmlElement | undefined) =>
  element === undefined ? '' : getText(element).replace(/\s+/g, ' ').trim();

function readBody(section: HtmlElement | undefined, title: string, ids: ReadonlySet<string>): string {
  if (section === undefined) return '';
  for (const element of walk([section])) {
    // The title is the first heading of the text too; another heading than the title stays.
    element.children = element.children.filter(
      (child) =>
        !('attribs' in child && /graf--title/.test(child.attribs['class'] ?? '')) ||
        readWords(child) !== title,
    );
    if (element.name === 'h3') element.name = 'h2';
    const [, address = '', part = ''] =
      /^https?:\/\/([^?#]*)[^#]*(.*)$/.exec(element.attribs['href'] ?? '') ?? [];
    const id = findId(address.replace(/\/$/, ''));
    if (ids.has(id)) element.attribs['href'] = FILE_SCHEME + id + part;
  }
  return render(section.children, { encodeEntities: 'utf8', emptyAttrs: true });
}
