import { syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { parseJson } from '../../../core/text/parse-text.ts';
import { buildElement, type PickedItem, parseItems } from '../command-palette.ts';
import { type Choices, readChoices } from '../read-choices.ts';
import { parseNotes } from '../show-preview.ts';
import { ask } from './ask-site.ts';
import { readPage } from './site-blocks.ts';
import { findAround } from './write-keys.ts';

/** What is said of a paragraph, and what one button does about it. */
interface MarginNote {
  readonly kind: 'error' | 'warning' | 'link' | 'earns';
  readonly text: string;
  /** Position in the line that it is about. */
  readonly at: number;
  /** The words that become a link. */
  readonly link?: { readonly words: string; readonly href: string };
}

/** After the last key: the server renders the text for its notes. */
const PAUSE_MS = 2_000;
const WEIGHTS = ['error', 'link', 'warning', 'earns'];

/**
 * Shows beside a paragraph what the site knows of it: what is wrong, what is too old, what is named and not linked, what its
 * links earn; one note for a paragraph, the heaviest. `firstLine`: that of the text in its file, from 1.
 */
export function marginNotes(form: HTMLFormElement, firstLine: number): Extension {
  const reader = ViewPlugin.define((view) => {
    let timer: number | undefined;
    const earned = ask(form, { action: 'choices', of: 'money' });
    const read = async () => {
      const text = view.state.doc;
      const [page, choices, money] = await Promise.all([readPage(form), readChoices(form), earned]);
      // Positions are those of the text that was asked about.
      if (!text.eq(view.state.doc)) return;
      const links = listLinkNotes(view.state, choices, parseItems(money, 'earned'));
      view.dispatch({ effects: setNotes.of([...listServerNotes(page, view.state, firstLine), ...links]) });
    };
    const schedule = (ms: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void read(), ms);
    };
    schedule(0);
    return {
      update: ({ docChanged, geometryChanged }) => {
        if (docChanged) schedule(PAUSE_MS);
        if (docChanged || geometryChanged) view.requestMeasure(spread);
      },
      destroy: () => clearTimeout(timer),
    };
  });
  return [shownNotes, reader, NOTE_THEME];
}

/** px between two notes. */
const SPACE = 8;

/** A note ends where its paragraph does; one that would cover the note above it goes further down. */
const spread = {
  key: 'margin-notes',
  read({ contentDOM }: EditorView) {
    let end = Number.NEGATIVE_INFINITY;
    return [...contentDOM.querySelectorAll<HTMLElement>('.desk-note')].map((note) => {
      const { top, height } = note.parentElement?.getBoundingClientRect() ?? { top: 0, height: 0 };
      // In the margin it takes no place in the text.
      const down = height > 0 ? 0 : Math.max(0, end + SPACE - (top - note.offsetHeight));
      end = top + height + down;
      return { note, down };
    });
  },
  write(notes: readonly { readonly note: HTMLElement; readonly down: number }[]) {
    for (const { note, down } of notes) note.style.translate = `0 ${down}px`;
  },
};

const setNotes = StateEffect.define<readonly MarginNote[]>();

const shownNotes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    const notes = effects.find((effect) => effect.is(setNotes))?.value;
    if (notes === undefined) return shown.map(changes);
    const byLine = Map.groupBy(notes, ({ at }) => state.doc.lineAt(at).to);
    return Decoration.set(
      [...byLine].flatMap(([to, list]) => {
        const [note] = list.sort((one, other) => WEIGHTS.indexOf(one.kind) - WEIGHTS.indexOf(other.kind));
        if (note === undefined) return [];
        return Decoration.widget({ widget: new NoteWidget(note), side: 1, block: true }).range(to);
      }),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

class NoteWidget extends WidgetType {
  readonly note: MarginNote;

  constructor(note: MarginNote) {
    super();
    this.note = note;
  }

  override eq({ note }: NoteWidget): boolean {
    return note.kind === this.note.kind && note.text === this.note.text && note.at === this.note.at;
  }

  toDOM(view: EditorView): HTMLElement {
    const { kind, text, link } = this.note;
    const place = buildElement('div', { class: 'desk-note-place' });
    const box = buildElement(
      'div',
      { class: 'desk-note', 'data-kind': kind, role: 'note', 'aria-label': 'Note' },
      text,
    );
    place.append(box);
    if (link === undefined) return place;
    const button = buildElement('button', { type: 'button', class: 'desk-tool' }, 'Link it');
    button.addEventListener('click', () => {
      const end = view.posAtDOM(place);
      const line = view.state.doc.lineAt(end);
      const from = line.from + line.text.indexOf(link.words);
      // The words were changed meanwhile.
      if (from < line.from || findAround(view.state, from, 'Link') !== null) return;
      const insert = `[${link.words}](${link.href})`;
      view.dispatch({
        changes: { from, to: from + link.words.length, insert },
        userEvent: 'input.link',
        selection: { anchor: from + insert.length },
      });
      view.focus();
    });
    box.append(' ', button);
    return place;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function* listServerNotes(
  page: Document | null,
  { doc }: EditorState,
  firstLine: number,
): Generator<MarginNote> {
  const read = parseJson(page?.getElementById('preview-notes')?.textContent ?? '');
  for (const { kind, text, line } of parseNotes(read)?.notes ?? []) {
    const number = (line ?? 0) - firstLine + 1;
    if (kind === 'fact' || number < 1 || number > doc.lines) continue;
    yield { kind: kind === 'error' ? 'error' : 'warning', text: `${text}.`, at: doc.line(number).from };
  }
}

/**
 * Products with a shop that a paragraph names, where the piece has neither a link to it nor a box; and what links earn, at the
 * first one to each partner. `earned`: the money of partners by their links; empty for who may not see it.
 */
export function* listLinkNotes(
  state: EditorState,
  { products, shops }: Choices,
  earned: readonly PickedItem[],
): Generator<MarginNote> {
  const text = state.doc.toString();
  const money = new Map(earned.map(({ value, kind }) => [value, kind]));
  for (const { name: key, value: href, kind } of shops) {
    const name = products.find(({ value }) => value === key)?.name ?? '';
    const isBoxed = [...text.matchAll(/\bproducts?="([^"]*)"/g)].some(([, list = '']) =>
      list.split(/[\s,]+/).includes(key),
    );
    if (name.length < 3 || isBoxed || text.includes(`](${href})`)) continue;
    const at = findMention(state, text, name);
    if (at === null) continue;
    const amount = money.get(href.split('?')[0] ?? '');
    const more = amount === undefined ? '' : ` Its links earned ${amount}.`;
    const note = `${name} is named and not linked (${kind}).${more}`;
    yield { kind: 'link', text: note, at, link: { words: name, href } };
  }
  for (const { name, value, kind } of earned) {
    const [at] = ['?', ')'].map((end) => text.indexOf(`](${value}${end}`)).filter((found) => found >= 0);
    if (at !== undefined) yield { kind: 'earns', text: `Links to ${name} earned ${kind}.`, at };
  }
}

function findMention(state: EditorState, text: string, name: string): number | null {
  const isWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (isWord(at - 1) || isWord(at + name.length)) continue;
    let node = syntaxTree(state).resolveInner(at, 1);
    // In words of a paragraph or an item, and not in a link, a picture, a code or a table.
    while (/^(?:StrongEmphasis|Emphasis)$/.test(node.name) && node.parent !== null) node = node.parent;
    if (node.name === 'Paragraph') return at;
  }
  return null;
}

const NOTE_THEME = EditorView.theme({
  '.desk-note': {
    margin: '.2rem 0',
    padding: '.1rem .6rem',
    borderLeft: '3px solid var(--accent)',
    color: 'var(--muted)',
    font: '.82rem/1.4 var(--font-text)',
  },
  '.desk-note[data-kind="earns"]': { borderColor: 'var(--positive)' },
  '.desk-note[data-kind="warning"]': { borderColor: 'var(--warning)' },
  '.desk-note[data-kind="error"]': { borderColor: 'var(--danger)' },
  // In the margin, where there is one.
  '@media (min-width: 1400px)': {
    '.desk-note-place': { position: 'relative', height: '0' },
    '.desk-note': {
      position: 'absolute',
      left: 'calc(100% + .8rem)',
      bottom: '0',
      width: '8.5rem',
      margin: '0',
    },
  },
});
