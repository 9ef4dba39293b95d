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
import { openFileTree } from './open-archive.ts';

/** Opens an export of Medium: a folder or archive with `posts/`. */
export async function openMedium(location: string): Promise<FormerSite> {
  const tree = await openFileTree(location);
  const names = tree.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name));
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
          ),
      ),
  };
}

function readPost(html: string, name: string): FormerItem {
  // The conversion refuses it as a whole.
  const isTooDeep = !parseHtml(html, {});
  const elements = isTooDeep ? [] : [...walk(parseDocument(html).children)];
  const find = (tag: string, isWanted: (attributes: HtmlElement['attribs']) => boolean = () => true) =>
    elements.find((element) => element.name === tag && isWanted(element.attribs));
  const hasClass = (tag: string, wanted: string) =>
    find(tag, (attributes) => (attributes['class'] ?? '').split(/\s+/).includes(wanted));
  const findPart = (field: string) => find('section', (attributes) => attributes['data-field'] === field);
  const address = hasClass('a', 'p-canonical')?.attribs['href'] ?? '';
  const file = path.posix.basename(name, '.html');
  const hash = /-([0-9a-f]{8,12})$/.exec(file)?.[1] ?? '';
  return createFormerItem({
    type: 'post',
    id: hash || file,
    place: name,
    title: readWords(hasClass('h1', 'p-name')) || readWords(find('title')),
    slug: file
      .replace(/^(?:draft|\d{4}-\d\d-\d\d)_/, '')
      .replace(/-+[0-9a-f]{8,12}$/, '')
      .replace(/-+/g, '-'),
    // Addresses below medium.com stay there.
    address: /^https:\/\/(?:[\w-]+\.)?medium\.com\//.test(address) ? '' : address,
    hidden: file.startsWith('draft_') ? 'a draft' : '',
    publishedAt: toInstant(hasClass('time', 'dt-published')?.attribs['datetime']),
    author: readWords(hasClass('a', 'p-author')),
    body: isTooDeep ? html : readBody(findPart('body')),
    excerpt: readWords(findPart('subtitle')),
  });
}

/** Every element in the order of the file. */
function* walk(nodes: readonly HtmlNode[]): Generator<HtmlElement> {
  const open = nodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('attribs' in node)) continue;
    yield node;
    for (let at = node.children.length - 1; at >= 0; at -= 1) open.push(...node.children.slice(at, at + 1));
  }
}

function readWords(element: HtmlElement | undefined): string {
  const words: string[] = [];
  const open: HtmlNode[] = element === undefined ? [] : [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'text' && 'data' in node) words.push(node.data);
    if ('children' in node) open.push(...node.children.toReversed());
  }
  return words.join('').trim();
}

function readBody(section: HtmlElement | undefined): string {
  if (section === undefined) return '';
  for (const element of walk([section])) {
    // The title is the first heading of the text too.
    element.children = element.children.filter(
      (child) => !('attribs' in child && /graf--title/.test(child.attribs['class'] ?? '')),
    );
    if (element.name === 'h3') element.name = 'h2';
  }
  return render(section.children, { encodeEntities: 'utf8', emptyAttrs: true });
}
