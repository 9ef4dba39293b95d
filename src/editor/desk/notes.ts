import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { buildElement, type PickedItem, parseItems } from '../../console/islands/command-palette.ts';
import { type Choices, readChoices } from '../../console/islands/read-choices.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { DeskEditor } from '../desk.tsx';
import { ask, parseNotes } from './ask-site.ts';
import { schema } from './schema.ts';
import { readPage } from './site-blocks.ts';

const { nodes, marks } = schema;

/** What is said of a block, and what one button does about it. */
interface Note {
  readonly kind: 'error' | 'link' | 'warning' | 'earns';
  readonly text: string;
  /** The number of the block. */
  readonly block: number;
  /** The words that become a link. */
  readonly link?: { readonly words: string; readonly href: string };
}

/** After the last key: the server renders the text for its notes. */
const PAUSE_MS = 2_000;
/** The heaviest first. */
const WEIGHTS = ['error', 'link', 'warning', 'earns'];
const NOTES = new PluginKey<DecorationSet>('notes');

/**
 * Shows beside a block what the site knows of it: what is wrong, what is too old, what is named and not linked, what its links
 * earn; one note for a block, the heaviest.
 */
export function listMarginNotes(desk: DeskEditor): Plugin {
  const earned = ask(desk.form, { action: 'choices', of: 'money' });
  let timer: number | undefined;
  const read = async () => {
    const { doc } = desk.view.state;
    const [page, choices, money] = await Promise.all([readPage(desk.form), readChoices(desk.form), earned]);
    // Blocks are those of the text that was asked about.
    if (doc !== desk.view.state.doc || desk.view.composing) return;
    const found = [
      ...listServerNotes(desk, page),
      ...listLinkNotes(doc, choices, parseItems(money, 'earned')),
    ];
    const byBlock = Map.groupBy(found, ({ block }) => block);
    const shown = listAdded(doc, page);
    doc.forEach((child, at, index) => {
      const [note] = (byBlock.get(index) ?? []).sort(
        (one, other) => WEIGHTS.indexOf(one.kind) - WEIGHTS.indexOf(other.kind),
      );
      if (note === undefined) return;
      const key = `${note.kind} ${note.text} ${index}`;
      const spec = { side: 1, key, stopEvent: () => true, ignoreSelection: true };
      shown.push(Decoration.widget(at + child.nodeSize, () => buildNote(desk, note, at), spec));
    });
    desk.view.dispatch(desk.view.state.tr.setMeta(NOTES, DecorationSet.create(doc, shown)));
    spread(desk.view.dom);
  };
  const schedule = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void read(), ms);
  };
  schedule(0);
  return new Plugin<DecorationSet>({
    key: NOTES,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, before) =>
        transaction.getMeta(NOTES) ?? before.map(transaction.mapping, transaction.doc),
    },
    props: { decorations: (state) => NOTES.getState(state) },
    view: () => ({
      update: (view, before) => {
        if (view.state.doc !== before.doc) schedule(PAUSE_MS);
      },
      destroy: () => clearTimeout(timer),
    }),
  });
}

/** px between two notes. */
const SPACE = 8;

/** A note ends where its block does; one that would cover the note above it goes further down. */
function spread(text: HTMLElement): void {
  let end = Number.NEGATIVE_INFINITY;
  const placed = [...text.querySelectorAll<HTMLElement>('.desk-note')].map((note) => {
    note.style.translate = '';
    const { top, bottom } = note.getBoundingClientRect();
    // In the margin it takes no place in the text.
    const down = getComputedStyle(note).position === 'absolute' ? Math.max(0, end + SPACE - top) : 0;
    end = bottom + down;
    return { note, down };
  });
  for (const { note, down } of placed) note.style.translate = `0 ${down}px`;
}

const NOT_OWN = 'Not in this piece';

/** What the site adds to an article, at its place: its call before a heading or at the end, and its button after all. */
function listAdded(doc: Node, page: Document | null): Decoration[] {
  if (page === null) return [];
  const headings = [...page.querySelectorAll('.article-body > :is(h1, h2, h3, h4, h5, h6)')];
  const places: number[] = [];
  doc.forEach(({ type, textContent }, at) => {
    if (type === nodes.heading && textContent.trim() !== '') places.push(at);
  });
  const calls = [...page.querySelectorAll('[aria-labelledby="offer"], [aria-label="Next step"]')];
  return calls.map((call) => {
    const next = headings.findIndex(
      (one) => call.compareDocumentPosition(one) === call.DOCUMENT_POSITION_FOLLOWING,
    );
    const words = [NOT_OWN, ...[...call.children].map(({ textContent }) => textContent.trim())].join(' · ');
    const attributes = { class: 'desk-added', contenteditable: 'false', role: 'note', 'aria-label': NOT_OWN };
    const build = () => buildElement('div', attributes, words);
    return Decoration.widget(places[next] ?? doc.content.size, build, {
      side: -1,
      key: words,
      stopEvent: () => true,
    });
  });
}

function buildNote(desk: DeskEditor, { kind, text, link }: Note, at: number): HTMLElement {
  const place = buildElement('div', { class: 'desk-note-place', contenteditable: 'false' });
  const box = buildElement(
    'div',
    { class: 'desk-note', 'data-kind': kind, role: 'note', 'aria-label': 'Note' },
    text,
  );
  place.append(box);
  if (link === undefined) return place;
  const button = buildElement('button', { type: 'button', class: 'desk-tool' }, 'Link it');
  button.addEventListener('click', () => {
    const { view } = desk;
    // The words were moved or changed meanwhile.
    const { doc, tr } = view.state;
    const from = findWords(doc, link.words, at) ?? findWords(doc, link.words, 0);
    if (from === null) return;
    const to = from + link.words.length;
    tr.addMark(from, to, marks.link.create({ href: link.href }));
    view.dispatch(tr.setSelection(TextSelection.create(tr.doc, to)));
    view.focus();
  });
  box.append(' ', button);
  return place;
}

/** Finds words that are not linked, from a position of the document on; null: there are none. */
function findWords(doc: Node, words: string, start: number): number | null {
  let found: number | null = null;
  const isWord = (letter: string) => /[\p{L}\p{N}]/u.test(letter);
  doc.descendants((node, at, parent) => {
    if (found !== null || node.type === nodes.table || node.type === nodes.fence) return false;
    if (!node.isText || at + node.nodeSize < start || parent?.type === nodes.heading) return true;
    const { text = '' } = node;
    if (marks.link.isInSet(node.marks) || marks.code.isInSet(node.marks)) return false;
    for (let index = text.indexOf(words); index >= 0; index = text.indexOf(words, index + 1))
      if (!isWord(text.charAt(index - 1)) && !isWord(text.charAt(index + words.length))) {
        found = at + index;
        return false;
      }
    return false;
  });
  return found;
}

/** On which line of the text each block begins, from 0. */
function listBlockLines(desk: DeskEditor): readonly number[] {
  const text = desk.read();
  let [line, done] = [0, 0];
  return desk.place().map(({ from }) => {
    line += text.slice(done, from).split('\n').length - 1;
    done = from;
    return line;
  });
}

function* listServerNotes(desk: DeskEditor, page: Document | null): Generator<Note> {
  const read = parseJson(page?.getElementById('preview-notes')?.textContent ?? '');
  const lines = listBlockLines(desk);
  const first = Number(desk.field.dataset['firstLine'] ?? 1);
  for (const { kind, text, line } of parseNotes(read)?.notes ?? []) {
    const block = lines.findLastIndex((one) => one <= (line ?? 0) - first);
    if (kind === 'fact' || line === null || block < 0) continue;
    yield { kind: kind === 'error' ? 'error' : 'warning', text: `${text}.`, block };
  }
}

/**
 * Products with a shop that the piece names, where it has neither a link to it nor a box; and what links earn, at the first one
 * to each partner. `earned`: the money of partners by their links; empty for who may not see it.
 */
export function* listLinkNotes(
  doc: Node,
  { products, shops }: Choices,
  earned: readonly PickedItem[],
): Generator<Note> {
  const linked = new Map<string, number>();
  const boxed = new Set<string>();
  doc.descendants((node, at) => {
    const href: unknown = marks.link.isInSet(node.marks)?.attrs['href'];
    if (typeof href === 'string' && !linked.has(href)) linked.set(href, at);
    if (node.type !== nodes.part) return;
    for (const [, list = ''] of String(node.attrs['raw']).matchAll(/\bproducts?="([^"]*)"/g))
      for (const key of list.split(/[\s,]+/)) boxed.add(key);
  });
  const findBlock = (at: number) => doc.resolve(at).index(0);
  const money = new Map(earned.map(({ value, kind }) => [value, kind]));
  for (const { name: key, value: href, kind } of shops) {
    const name = products.find(({ value }) => value === key)?.name ?? '';
    if (name.length < 3 || boxed.has(key) || linked.has(href)) continue;
    const at = findWords(doc, name, 0);
    if (at === null) continue;
    const amount = money.get(href.split('?')[0] ?? '');
    const more = amount === undefined ? '' : ` Its links earned ${amount}.`;
    const text = `${name} is named and not linked (${kind}).${more}`;
    yield { kind: 'link', text, block: findBlock(at), link: { words: name, href } };
  }
  for (const { name, value, kind } of earned) {
    const at = [...linked].find(([href]) => href.split('?')[0] === value)?.[1];
    if (at !== undefined)
      yield { kind: 'earns', text: `Links to ${name} earned ${kind}.`, block: findBlock(at) };
  }
}
