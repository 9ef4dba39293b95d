import { closeHistory } from 'prosemirror-history';
import { Slice } from 'prosemirror-model';
import { Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { readChoices } from '../../console/islands/read-choices.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { DeskEditor } from '../desk.tsx';
import { ask, buildProductLink, readText, say } from './ask-site.ts';
import { isInside } from './keys.ts';
import { schema } from './schema.ts';
import { buildTableNode, fillCells } from './table.ts';

const { nodes, marks } = schema;

/** What was pasted or dropped. */
export interface Taken {
  readonly html: string;
  readonly plain: string;
  readonly files: readonly File[];
  readonly folders: readonly string[];
  readonly isDrop: boolean;
  /** Where it was dropped. */
  readonly at?: number | undefined;
}

/** HTML that a text has no more of than its words. */
const PLAIN =
  /^(?:<(?:meta|html|body|span|!--)[^>]*>|<\/(?:html|body|span)>|\s)*[^<]*(?:<\/?(?:span|html|body|!--)[^>]*>|\s)*$/i;
/** Blocks that were copied in a desk. */
const OWN_SLICE = /<div data-desk-slice="([^"]+)">/;
const WEB_ADDRESS = /^\s*https?:\/\/\S+\s*$/;
const MAX_TEXT = 1_000_000;

const readMenus = () => import('./menus.tsx');
const readPictures = () => import('./pictures.tsx');

/** Puts what was pasted or dropped into the text. Nothing is swallowed: what cannot be used says why. */
export async function take(desk: DeskEditor, taken: Taken): Promise<void> {
  const { html, plain, files, folders, isDrop, at } = taken;
  const { view } = desk;
  if (isDrop && at !== undefined)
    view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at))));
  // Word processors and spreadsheets copy a picture of their text with it.
  const hasWords = html.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, '').trim() !== '';
  if (files.length > 0 && (isDrop || !hasWords)) {
    const isText = ({ name, type, size }: File) =>
      (/^text\/(?:plain|markdown)$/.test(type) || /\.(?:md|txt)$/i.test(name)) && size <= MAX_TEXT;
    for (const file of files.filter(isText)) {
      insertMarkdown(desk, await file.text());
      say(desk.form, `Put in the text of “${file.name}”. Ctrl Z takes it back.`);
    }
    const others = files.filter((file) => !isText(file));
    if (others.length > 0 || folders.length > 0) (await readPictures()).addFiles(desk, others, folders);
    return;
  }
  const own = OWN_SLICE.exec(html)?.[1];
  if (own !== undefined && insertOwn(desk, own)) return;
  const rows = plain
    .replace(/\n+$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  const isSheet = rows.length > 1 && rows.every(({ length }) => length > 1);
  if (isInside(view.state, nodes.head, nodes.cell)) {
    const filled =
      rows.some(({ length }) => length > 1) || rows.length > 1 ? fillCells(view.state, rows) : null;
    view.dispatch(filled ?? view.state.tr.insertText(plain.replace(/\s+/g, ' ')));
  } else if (isInside(view.state, nodes.fence))
    view.dispatch(view.state.tr.insertText(plain).scrollIntoView());
  else if (html !== '' && !PLAIN.test(html)) await pasteHtml(desk, taken);
  else if (WEB_ADDRESS.test(plain)) await pasteAddress(desk, plain.trim());
  else if (isSheet) {
    const width = Math.max(...rows.map(({ length }) => length));
    const table = buildTableNode(
      rows.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? '')),
    );
    insertSlice(desk, new Slice(nodes.doc.create(null, table).content, 0, 0));
  } else insertPlain(desk, plain);
}

/** Marks what is put in as pasted, in a step of its own. */
const finish = (desk: DeskEditor, changed: Transaction) =>
  desk.view.dispatch(closeHistory(changed).scrollIntoView());

function insertSlice(desk: DeskEditor, slice: Slice): void {
  finish(desk, desk.view.state.tr.replaceSelection(slice));
}

function insertOwn(desk: DeskEditor, own: string): boolean {
  try {
    const slice = Slice.fromJSON(schema, parseJson(decodeURIComponent(own)));
    for (const node of slice.content.content) node.check();
    insertSlice(desk, slice);
    return true;
  } catch {
    return false;
  }
}

/** Words as they are; empty lines part paragraphs. */
function insertPlain(desk: DeskEditor, plain: string): void {
  const { state } = desk.view;
  const paragraphs = plain.replaceAll('\r\n', '\n').split(/\n[ \t]*\n\s*/);
  if (paragraphs.length === 1) finish(desk, state.tr.insertText(plain.replace(/\s*\n\s*/g, ' ')));
  else insertMarkdown(desk, plain);
}

/** Puts Markdown in: one paragraph joins the words around it, blocks stand below each other. */
function insertMarkdown(desk: DeskEditor, markdown: string): number {
  const blocks = desk.parse(markdown).content;
  const [first, last] = [blocks.firstChild, blocks.lastChild];
  const isOpen = first?.type === nodes.paragraph ? 1 : 0;
  const isEnd = last?.type === nodes.paragraph ? 1 : 0;
  const { from } = desk.view.state.selection;
  insertSlice(desk, new Slice(blocks, isOpen, isEnd));
  return from;
}

/** An address alone is a link with the name of its page of the site; at one of a partner, its own link is offered. */
async function pasteAddress(desk: DeskEditor, address: string): Promise<void> {
  const { view } = desk;
  const { from, to } = view.state.selection;
  const words = view.state.doc.textBetween(from, to, ' ').trim();
  const link = (href: string) => [marks.link.create({ href })];
  if (words === '') finish(desk, view.state.tr.insertText(address));
  else
    view.dispatch(view.state.tr.addMark(from, to, link(address)[0] ?? marks.link.create({ href: address })));
  const end = words === '' ? from + address.length : to;
  const answer = await ask(desk.form, { action: 'paste', address });
  const read = (name: string) => readText(answer, name);
  const [href, partner] = [read('href'), read('partner')];
  const isThere = () =>
    view.state.doc.textBetween(from, Math.min(end, view.state.doc.content.size)) === (words || address);
  if (!isThere() || href === '') return;
  const text = words || read('name');
  const replace = () => {
    if (!isThere()) return;
    const { tr } = view.state;
    tr.replaceWith(from, end, schema.text(text, link(href)));
    finish(desk, tr.setSelection(TextSelection.create(tr.doc, from + text.length)).setStoredMarks([]));
  };
  if (partner === '') return replace();
  const page = read('page') === 'pricing' ? '' : `, page “${read('page')}”`;
  const tag = read('tag') === '' ? '' : ` The address pays somebody else: “${read('tag')}”.`;
  const { shops } = await readChoices(desk.form);
  const isSold = shops.some(({ value }) => value.split('?')[0] === href.split('?')[0]);
  const menus = await readMenus();
  const more = isSold
    ? undefined
    : buildProductLink(desk.form, partner, (product) => menus.offerBox(desk, product));
  menus.askInText(desk, {
    text: `This is ${partner}${page}. Use your link?${tag}`,
    names: ['Use my link', 'Keep the address'],
    at: end,
    take: replace,
    ...(more !== undefined && { more }),
  });
}

const DATA = /(\ssrc\s*=\s*)(["'])data:(image\/[\w+.-]+);base64,([\w+/=\s]*)\2/gi;

/** Puts what was copied elsewhere into the text, as the server converts it; says what was left out. */
async function pasteHtml(desk: DeskEditor, { html, plain }: Taken): Promise<void> {
  const files: File[] = [];
  // What is in the HTML is sent once, as a file.
  const light = html.replace(DATA, (_, start: string, quote: string, type: string, data: string) => {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
    files.push(new File([bytes], 'picture', { type }));
    return `${start}${quote}own:${files.length - 1}${quote}`;
  });
  const answer = await ask(desk.form, { action: 'paste', html: light });
  const markdown = readText(answer, 'markdown');
  if (markdown === '') {
    insertPlain(desk, plain);
    const problem = readText(answer, 'problem');
    return say(desk.form, problem === '' ? '' : `${problem} The words alone were pasted.`);
  }
  const read = (name: string): unknown =>
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : null;
  const from = insertMarkdown(desk, markdown);
  const pictures = takePictures(desk, from, read('sources'), files);
  if (pictures.length > 0) (await readPictures()).addPictures(desk, pictures, false);
  const count = (number: number, name: string) =>
    number === 0 ? [] : [`${number.toLocaleString('en')} ${number === 1 ? name : `${name}s`}`];
  const lost = pictures.filter(({ file, address }) => file === undefined && address === undefined).length;
  const [words, tables] = [Number(readText(answer, 'words')), Number(readText(answer, 'tables'))];
  const counted = [...count(words, 'word'), ...count(pictures.length, 'picture'), ...count(tables, 'table')];
  const missing =
    lost === 0
      ? ''
      : lost === 1
        ? ' 1 picture could not be read: drop it at its place.'
        : ` ${lost} pictures could not be read: drop them at their places.`;
  const said = `Pasted ${counted.join(', ')}.${missing} Ctrl Z takes it back.`;
  say(desk.form, said);
  const links = new Map(Object.entries(read('own') ?? {}).map(([address, href]) => [address, String(href)]));
  if (links.size === 0) return;
  const { view } = desk;
  (await readMenus()).askInText(desk, {
    text: `It has links to ${readText(answer, 'owned')}. Use your links?`,
    names: ['Use my links', 'Keep what was pasted'],
    at: view.state.selection.head,
    take: () => {
      const { tr, doc } = view.state;
      doc.descendants((node, at) => {
        const mark = marks.link.isInSet(node.marks);
        const href = mark && at >= from - 1 ? links.get(mark.attrs['href']) : undefined;
        if (href !== undefined) tr.addMark(at, at + node.nodeSize, marks.link.create({ href }));
      });
      finish(desk, tr);
    },
  });
}

/** Takes the places of pictures out of what was pasted, and says where each was. */
function takePictures(desk: DeskEditor, from: number, listed: unknown, files: readonly File[]) {
  const { view } = desk;
  const { tr } = view.state;
  const found: { at: number; index: number }[] = [];
  view.state.doc.descendants((node, at) => {
    const [, index] = /^pasted\/(\d+)$/.exec(node.attrs['src'] ?? '') ?? [];
    if (index === undefined || at < from - 1) return;
    const start = tr.mapping.map(at);
    tr.delete(start, start + node.nodeSize);
    found.push({ at: Math.max(0, start - (node.isBlock ? 1 : 0)), index: Number(index) });
  });
  if (found.length > 0) view.dispatch(tr);
  return found.map(({ at, index }) => {
    const source: unknown = Array.isArray(listed) ? listed[index] : null;
    const [src, alt] = [readText(source, 'src'), readText(source, 'alt')];
    const file = src.startsWith('own:') ? files[Number(src.slice(4))] : undefined;
    return {
      at: Math.min(at, view.state.doc.content.size),
      alt,
      name: alt || 'picture',
      ...(file !== undefined && { file }),
      ...(/^https?:/.test(src) && { address: src }),
    };
  });
}
