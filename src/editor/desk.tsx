import { diffArrays } from 'diff';
import { baseKeymap } from 'prosemirror-commands';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import {
  type Command,
  EditorState,
  NodeSelection,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
} from 'prosemirror-state';
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { buildElement } from '../console/islands/command-palette.ts';
import { CHOICES_CHANGED, readChoices } from '../console/islands/read-choices.ts';
import { nameShortcode } from '../core/articles/name-shortcode.ts';
import { buildReadingTime, countWords } from '../core/articles/reading-time.ts';
import { MarkdownText } from './codec.ts';
import { duplicatePart, FORMATS, joinLists, listDeskKeys, movePart } from './desk/keys.ts';
import { Parts, PartView, Signal, useSignal, WordView } from './desk/parts.tsx';
import { schema } from './desk/schema.ts';
import type { SiteBlocks } from './desk/site-blocks.ts';
import { DESK_STYLES } from './desk/styles.ts';
import { mergeTexts } from './merge.ts';

const { nodes } = schema;

/** What is loaded when the text is used. */
type Menus = typeof import('./desk/menus.tsx');

/** After the last key. */
const PAUSE_MS = 600;
/** What keeps the text hears of several keys at once. */
const TELL_MS = 100;
const CANNOT_KEEP = 'This part cannot be kept as it looks: open it in Markdown.';

/** The desk over the text area of an article: one document, its view, and what components show of it. */
export class DeskEditor {
  readonly field: HTMLTextAreaElement;
  readonly form: HTMLFormElement;
  readonly host = buildElement('div', { class: 'desk-text' });
  readonly view: EditorView;
  /** The parts that React draws, and when there are other ones. */
  readonly parts = new Set<PartView>();
  readonly drawn = new Signal();
  readonly changed = new Signal();
  readonly learned = new Signal();
  readonly loaded = new Signal();
  /** What the server says of the site. */
  known = {
    figures: new Map<string, string>(),
    pictures: new Map<string, string>(),
    products: new Map<string, string>(),
  };
  blocks: SiteBlocks | undefined;
  menus: Menus | undefined;
  isMarkdown = false;
  /** What takes a key before the text does. */
  readonly keys: ((event: KeyboardEvent) => boolean)[] = [];
  readonly #file = new MarkdownText();
  readonly #numbers = new WeakMap<PartView, number>();
  readonly #said = buildElement('div', {
    class: 'hidden-text',
    'aria-live': 'polite',
    'data-desk-announced': '',
  });
  #told: Node;
  #kept: string;
  #tellTimer: number | undefined;
  #isOwn = false;
  #count = 0;

  constructor(
    field: HTMLTextAreaElement,
    form: HTMLFormElement,
    move: (heading: number | undefined) => void,
  ) {
    this.field = field;
    this.form = form;
    this.#kept = field.value;
    const doc = this.#file.open(field.value);
    this.#told = doc;
    this.view = new EditorView(
      { mount: buildElement('div') },
      {
        state: EditorState.create({ doc, plugins: this.#listPlugins() }),
        editable: () => !field.readOnly,
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': 'Text of the article',
          spellcheck: 'true',
          autocapitalize: 'sentences',
          class: 'desk-body',
        },
        nodeViews: Object.fromEntries([
          ...['part', 'figure', 'table'].map((name) => [
            name,
            (node: Node, _: EditorView, find: () => number | undefined) => new PartView(this, node, find),
          ]),
          ['word', (node: Node) => new WordView(this, node)],
        ]),
        handleKeyDown: (_, event) => this.keys.some((take) => take(event)),
        handleDOMEvents: {
          beforeinput: (_, event) => this.#replaceSelection(event),
          paste: (_, event) => this.#take(event, event.clipboardData),
          drop: (_, event) => this.#take(event, event.dataTransfer),
          copy: (view, event) => this.#copy(view, event),
          cut: (view, event) => this.#copy(view, event),
        },
        dispatchTransaction: (transaction) => {
          const { state } = this.view;
          const next = state.apply(transaction);
          this.view.updateState(next);
          if (next.doc !== state.doc) this.#noteChange();
          if (next.doc !== state.doc || !next.selection.eq(state.selection)) {
            move(findHeading(next));
            this.changed.tell();
          }
        },
      },
    );
    this.host.append(this.view.dom, this.#said);
    // The form hears of changes from the desk, once for several keys.
    this.host.addEventListener('input', (event) => event.stopPropagation());
    form.addEventListener('formdata', ({ formData }) => formData.set(field.name, this.read()));
    const copy = () => {
      this.#tell();
      field.value = this.read();
    };
    addEventListener('pagehide', copy, { capture: true });
    form.addEventListener(
      'submit',
      (event) => {
        copy();
        if (this.#file.write(this.view.state.doc) !== null) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.announce(CANNOT_KEEP);
      },
      { capture: true },
    );
    form.addEventListener('joined', (event) => {
      const { sent, joined } = event instanceof CustomEvent ? event.detail : {};
      // What was typed last is counted before the page may be loaded anew.
      this.#tell();
      const text = mergeTexts(sent, joined, this.read(), 'none');
      // The field of the Markdown has a text of its own, as has what is being composed.
      if (text === null || this.isMarkdown || this.view.composing) event.preventDefault();
      else this.#join(text);
    });
    field.addEventListener('input', () => {
      if (!this.#isOwn && field.value !== this.read()) this.replace(field.value);
    });
  }

  #listPlugins(): readonly Plugin[] {
    const placeholder = new Plugin({
      props: {
        decorations: ({ doc }) => {
          const { firstChild, childCount } = doc;
          const isEmpty =
            childCount === 1 && firstChild?.type === nodes.paragraph && firstChild.content.size === 0;
          return isEmpty
            ? DecorationSet.create(doc, [
                Decoration.node(0, firstChild.nodeSize, { class: 'desk-placeholder' }),
              ])
            : DecorationSet.empty;
        },
      },
    });
    const open: Readonly<Record<string, Command>> = {
      'Mod-k': () => this.withMenus((menus) => menus.openLink(this)),
      'Mod-f': () => this.withMenus((menus) => menus.openFind(this)),
    };
    return [
      history({ depth: 2_000 }),
      joinLists,
      keymap(open),
      keymap(listDeskKeys(this.announce)),
      keymap(baseKeymap),
      placeholder,
      settled,
    ];
  }

  /** The text as it is kept; one that Markdown cannot say stays as it was. */
  readonly read = (): string => {
    this.#kept = this.#file.write(this.view.state.doc) ?? this.#kept;
    return this.#kept;
  };

  /** Puts another text in place of all. */
  replace(text: string): void {
    const { tr, doc } = this.view.state;
    const next = this.#file.open(text);
    this.#kept = text;
    const start = doc.content.findDiffStart(next.content);
    const end = doc.content.findDiffEnd(next.content);
    if (start !== null && end !== null) {
      // Where the same letters were added or removed twice, both ends overlap.
      const overlap = Math.max(0, start - Math.min(end.a, end.b));
      this.view.dispatch(tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap)));
    }
    this.#told = this.view.state.doc;
  }

  /** Takes over a text in which other blocks were changed by somebody else: to undo takes back one's own changes alone. */
  #join(text: string): void {
    const { tr, doc } = this.view.state;
    const next = this.#file.open(text);
    const isSame = (one: Node, other: Node) =>
      one.content.eq(other.content) && one.hasMarkup(other.type, { ...other.attrs, key: one.attrs['key'] });
    const gone: (readonly [from: number, to: number])[] = [];
    let [at, index] = [0, 0];
    for (const { added, removed, value } of diffArrays([...doc.children], [...next.children], {
      comparator: isSame,
    }))
      for (const block of value) {
        if (removed) {
          gone.unshift([at, at + block.nodeSize]);
          at += block.nodeSize;
          continue;
        }
        const now = next.child(index);
        if (added) tr.insert(at, now);
        else if (block.attrs['key'] !== now.attrs['key']) tr.setNodeAttribute(at, 'key', now.attrs['key']);
        at += now.nodeSize;
        index += 1;
      }
    for (const [from, to] of gone) tr.delete(from, to);
    this.#kept = text;
    this.view.dispatch(tr.setMeta('addToHistory', false));
    this.#told = this.view.state.doc;
  }

  /** Reads Markdown as blocks to put in. */
  readonly parse = (markdown: string): Node => new MarkdownText().open(markdown);

  /** Says something to screen readers. */
  readonly announce = (text: string): void => {
    this.#said.textContent = '';
    setTimeout(() => {
      this.#said.textContent = text;
    }, 50);
  };

  /** A name for React. */
  number(part: PartView): number {
    const known = this.#numbers.get(part) ?? this.#count++;
    this.#numbers.set(part, known);
    return known;
  }

  withMenus(act: (menus: Menus) => unknown): true {
    if (this.menus !== undefined) act(this.menus);
    else void this.load().then(act, () => this.announce('There is no connection.'));
    return true;
  }

  async load(): Promise<Menus> {
    const [menus, { TYPING }, { listMarginNotes }] = await Promise.all([
      import('./desk/menus.tsx'),
      import('./desk/typing.ts'),
      import('./desk/notes.ts'),
    ]);
    if (this.menus === undefined) {
      this.menus = menus;
      const { state } = this.view;
      const notes = this.field.readOnly ? [] : [listMarginNotes(this)];
      this.view.updateState(state.reconfigure({ plugins: [...TYPING, ...state.plugins, ...notes] }));
      this.loaded.tell();
    }
    return menus;
  }

  /** Puts the whole text in the place of the desk as it is in the file, and back. */
  showMarkdown(isMarkdown: boolean): void {
    this.withMenus(() => {
      this.isMarkdown = isMarkdown;
      this.changed.tell();
    });
  }

  async crop(part: PartView): Promise<void> {
    const menus = await this.load();
    await menus.cropPicture(part);
  }

  /** Where the blocks stand in the text that `read` gives. */
  readonly place = () => this.#file.place(this.view.state.doc);

  goTo(at: number): void {
    const { doc, tr } = this.view.state;
    const node = doc.nodeAt(at);
    const selection = node?.isAtom ? NodeSelection.create(doc, at) : Selection.near(doc.resolve(at + 1));
    this.view.dispatch(tr.setSelection(selection));
    const dom = this.view.nodeDOM(at);
    if (dom instanceof HTMLElement) dom.scrollIntoView({ block: 'center' });
    this.view.focus();
  }

  #noteChange(): void {
    this.#tellTimer ??= window.setTimeout(() => this.#tell(), TELL_MS);
  }

  #tell(): void {
    clearTimeout(this.#tellTimer);
    this.#tellTimer = undefined;
    const { doc } = this.view.state;
    // Something that was undone would be kept once more, after what was saved.
    if (doc.eq(this.#told)) return;
    this.#told = doc;
    const says = this.form.querySelector('[data-desk-says]');
    const isLost = this.#file.write(doc) === null;
    if (isLost && says) says.textContent = CANNOT_KEEP;
    else if (says?.textContent === CANNOT_KEEP) says.textContent = '';
    // Nothing says that it is kept.
    if (isLost) return;
    this.#isOwn = true;
    this.field.dispatchEvent(new Event('input', { bubbles: true }));
    this.#isOwn = false;
  }

  /** Chromium gives what replaces a selection a style of its own, which the policy of the console reports. */
  #replaceSelection(event: InputEvent): boolean {
    const { state } = this.view;
    if (
      event.inputType !== 'insertText' ||
      event.data === null ||
      state.selection.empty ||
      this.view.composing
    )
      return false;
    event.preventDefault();
    if (state.selection instanceof NodeSelection) return true;
    this.view.dispatch(state.tr.insertText(event.data).scrollIntoView());
    return true;
  }

  #take(event: ClipboardEvent | DragEvent, data: DataTransfer | null): boolean {
    // Blocks that are dragged inside of the text are moved by the library.
    if (this.field.readOnly || data === null || (event instanceof DragEvent && this.view.dragging !== null))
      return false;
    event.preventDefault();
    const folders = [...data.items].flatMap((item) => {
      const entry = item.webkitGetAsEntry();
      return entry?.isDirectory ? [entry.name] : [];
    });
    const [html = '', plain = ''] = ['text/html', 'text/plain'].map((type) => data.getData(type));
    const at =
      event instanceof DragEvent
        ? this.view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        : undefined;
    const taken = { html, plain, files: [...data.files], folders, at };
    void import('./desk/paste.ts').then((paste) =>
      paste.take(this, { ...taken, isDrop: event instanceof DragEvent }),
    );
    return true;
  }

  /**
   * What is copied is the same blocks in each desk, by an attribute of its HTML, since some clipboards keep no type of one's own,
   * and Markdown in other programs; the HTML is made without parsing.
   */
  #copy(view: EditorView, event: ClipboardEvent): boolean {
    const { selection, tr } = view.state;
    if (selection.empty || event.clipboardData === null) return false;
    const slice = selection.content();
    const { dom, text } = view.serializeForClipboard(slice);
    event.preventDefault();
    const html = buildElement('div', { 'data-desk-slice': encodeURIComponent(JSON.stringify(slice)) });
    html.append(...dom.childNodes);
    event.clipboardData.setData('text/html', html.outerHTML);
    const copied = slice.content.firstChild?.isBlock ? nodes.doc.create(null, slice.content) : null;
    event.clipboardData.setData('text/plain', (copied && new MarkdownText().write(copied)) ?? text);
    if (event.type === 'cut' && view.editable) view.dispatch(tr.deleteSelection().scrollIntoView());
    return true;
  }
}

const SETTLED = new PluginKey<DecorationSet>('settled');

const listSettled = ({ doc, selection }: Pick<EditorState, 'doc' | 'selection'>): DecorationSet => {
  const own = selection.$head.index(0);
  const found: Decoration[] = [];
  doc.forEach((block, at, index) => {
    const isNear = Math.abs(index - own) < 2;
    if (!isNear) found.push(Decoration.node(at, at + block.nodeSize, { class: 'desk-settled' }));
  });
  return DecorationSet.create(doc, found);
};

/**
 * Blocks that are not on the screen are not laid out, which makes a key in a long text six times as fast. A new block is: in
 * one that was not laid out yet, what is typed comes to stand at the wrong place.
 */
const settled = new Plugin<DecorationSet>({
  key: SETTLED,
  state: {
    init: (_, state) => listSettled(state),
    apply: (transaction, before) =>
      transaction.getMeta(SETTLED) === true
        ? listSettled(transaction)
        : before.map(transaction.mapping, transaction.doc),
  },
  props: { decorations: (state) => SETTLED.getState(state) },
});

/**
 * Puts the desk over the text area of an article, which stays in the form. `move` gets the position of the heading above the
 * cursor, from 0; the function that is returned shows a line of the file, from 1.
 */
export function openDesk(
  field: HTMLTextAreaElement,
  form: HTMLFormElement,
  move: (heading: number | undefined) => void,
): (line: number) => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(DESK_STYLES);
  document.adoptedStyleSheets.push(sheet);
  const desk = new DeskEditor(field, form, move);
  const { host, view } = desk;
  field.before(host);
  // Writing begins without it, and again when the connection is back.
  const loadOnFocus = () =>
    host.addEventListener('focusin', () => void desk.load().catch(loadOnFocus), { once: true });
  loadOnFocus();
  const tools = buildElement('div', { class: 'desk-app' });
  host.after(tools);
  createRoot(tools).render(<Around desk={desk} />);
  // An operator who is already typing keeps the place and the focus.
  const isWriting = document.activeElement === field;
  if (isWriting) {
    const written = field.value.slice(0, field.selectionStart);
    const before = desk.parse(written);
    const spaces = /[ \t]*$/.exec(written)?.[0].length ?? 0;
    const at = before.content.size - (before.lastChild?.isTextblock ? 1 : 0) + spaces;
    const { doc, tr } = view.state;
    tr.setSelection(TextSelection.near(doc.resolve(Math.min(at, doc.content.size)), -1));
    const { parent, parentOffset } = tr.selection.$from;
    // Markdown has no spaces at the end of a paragraph; the next word would be one with the last.
    const isCut = spaces > 0 && parentOffset > 0 && parentOffset === parent.content.size;
    view.dispatch(isCut && !parent.textContent.endsWith(' ') ? tr.insertText(' ') : tr);
  }
  field.hidden = true;
  if (isWriting) view.focus();
  form.querySelector(`label[for="${field.id}"]`)?.addEventListener('click', () => view.focus());
  const learn = async () => {
    const { figures, images, products } = await readChoices(form);
    const pictures = images.map(
      ({ value, picture = '' }) => [/\]\((.*)\)$/.exec(value)?.[1] ?? '', picture] as const,
    );
    desk.known = {
      figures: new Map(figures.map(({ name, value }) => [value, name.split('  ')[0] ?? ''])),
      pictures: new Map([...desk.known.pictures, ...pictures]),
      products: new Map(products.map(({ value, name }) => [value, name])),
    };
    desk.learned.tell();
  };
  void learn();
  form.addEventListener(CHOICES_CHANGED, () => void learn());
  const firstLine = Number(field.dataset['firstLine'] ?? 1);
  return (line) => desk.withMenus((menus) => menus.goToLine(desk, line - firstLine));
}

interface DeskProps {
  readonly desk: DeskEditor;
}

/** Everything around the text: its parts, the outline, the buttons, and the menus when they are loaded. */
function Around({ desk }: DeskProps) {
  useSignal(desk.loaded);
  const isMarkdown = useSyncExternalStore(desk.changed.subscribe, () => desk.isMarkdown);
  useEffect(() => {
    desk.view.dom.hidden = isMarkdown;
  }, [desk, isMarkdown]);
  const { menus } = desk;
  const outline = desk.form.querySelector('[data-desk-outline]');
  return (
    <>
      <Parts desk={desk} />
      {outline !== null && createPortal(<Outline desk={desk} />, outline)}
      {menus !== undefined && createPortal(<menus.Menus desk={desk} />, desk.host)}
      {!desk.field.readOnly && <Toolbar desk={desk} isMarkdown={isMarkdown} />}
    </>
  );
}

/** The buttons below the text, each for a key or a choice of the menu; one stop of Tab (WAI-ARIA APG, toolbar). */
function Toolbar({ desk, isMarkdown }: DeskProps & { readonly isMarkdown: boolean }) {
  const [stop, setStop] = useState(0);
  const pressed = useSyncExternalStore(desk.changed.subscribe, () => listPressed(desk.view.state));
  const { view, announce } = desk;
  const run = (command: Command) => () => {
    command(view.state, view.dispatch);
    view.focus();
  };
  const tools: readonly (readonly [text: string, name: string, key: string, act: () => void])[] = [
    ['Insert', 'Insert', '/', () => desk.withMenus((menus) => menus.openInsertMenu(desk))],
    ['B', 'Bold', 'Ctrl B', run(FORMATS.bold)],
    ['I', 'Italic', 'Ctrl I', run(FORMATS.italic)],
    ['Link', 'Link', 'Ctrl K', () => desk.withMenus((menus) => menus.openLink(desk))],
    ['Picture', 'Picture', '/picture', () => desk.withMenus((menus) => menus.openPictures(desk))],
    ['H2', 'Heading', '##', run(FORMATS.heading)],
    ['H3', 'Subheading', '###', run(FORMATS.subheading)],
    ['•', 'List', 'Ctrl Shift 8', run(FORMATS.list)],
    ['1.', 'Numbers', 'Ctrl Shift 7', run(FORMATS.numbers)],
    ['“', 'Quote', '>', run(FORMATS.quote)],
    ['<>', 'Code', 'Ctrl E', run(FORMATS.code)],
    ['↑', 'Move this part up', 'Alt ↑', run(movePart(-1, announce))],
    ['↓', 'Move this part down', 'Alt ↓', run(movePart(1, announce))],
    ['×2', 'Duplicate this part', 'Alt Shift ↓', run(duplicatePart(announce))],
    [
      'Find',
      'Find and replace in this piece',
      'Ctrl F',
      () => desk.withMenus((menus) => menus.openFind(desk)),
    ],
    ['Markdown', 'Markdown', 'Ctrl Shift M', () => desk.showMarkdown(!isMarkdown)],
  ];
  useEffect(() => {
    const follow = (event: KeyboardEvent) => followKey(event, desk);
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, [desk]);
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: (stop + 1) % tools.length,
    ArrowLeft: (stop + tools.length - 1) % tools.length,
    Home: 0,
    End: tools.length - 1,
  };
  return (
    <div className="desk-tools" role="toolbar" aria-label="Write">
      {tools.map(([text, name, key, act], index) => (
        <button
          key={name}
          type="button"
          tabIndex={index === stop ? 0 : -1}
          title={`${name} (${key})`}
          aria-label={name.split(' ').includes(text) ? name : `${name} (${text})`}
          aria-pressed={
            name === 'Markdown' ? isMarkdown : MARKED.has(name) ? pressed.includes(name) : undefined
          }
          data-tool={name}
          data-keys={key}
          // The text keeps its selection and, on phones, its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setStop(index)}
          onKeyDown={(event) => {
            const to = steps[event.key];
            if (to === undefined) return;
            event.preventDefault();
            event.currentTarget.parentElement?.querySelectorAll('button')[to]?.focus();
          }}
          onClick={act}
        >
          {text}
        </button>
      ))}
      <span className="desk-says" role="status" data-desk-says="" />
    </div>
  );
}

const MARKED = new Map([
  ['Bold', schema.marks.bold],
  ['Italic', schema.marks.italic],
  ['Code', schema.marks.code],
]);

/** The marks around the selection, or around what is typed next. */
function listPressed({ selection, storedMarks, doc }: EditorState): string {
  const { from, to, empty, $from } = selection;
  const isOn = [...MARKED].filter(([, mark]) =>
    empty ? mark.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, mark),
  );
  return isOn.map(([name]) => name).join();
}

/** The keys that lead out of the text, each to what has a button. */
function followKey(event: KeyboardEvent, desk: DeskEditor): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const key = `${event.shiftKey ? 'Shift ' : ''}${event.key.toLowerCase()}`;
  const find = (selector: string) => desk.form.querySelector<HTMLElement>(selector);
  if (key === '.') find('#settings :is(input, select, textarea)')?.focus();
  else if (key === 'Shift o') find('.outline-link')?.focus();
  else if (key === 'Shift m') desk.showMarkdown(!desk.isMarkdown);
  else if (key === 'Shift enter') find('[data-tool="Publish"]')?.click();
  else return;
  event.preventDefault();
}

/** The position of the heading above the cursor, from 0; undefined above the first. */
function findHeading({ doc, selection }: EditorState): number | undefined {
  const above = doc.children.slice(0, selection.$from.index(0) + 1);
  const count = above.filter(({ type }) => type === nodes.heading).length;
  return count === 0 ? undefined : count - 1;
}

/** The headings and blocks of the piece, after a pause; each leads to its place. What is not drawn yet is asked for. */
function Outline({ desk }: DeskProps) {
  const [doc, setDoc] = useState(desk.view.state.doc);
  useSignal(desk.learned);
  useEffect(() => {
    let timer: number | undefined;
    const look = () => {
      const now = desk.view.state.doc;
      if (!desk.view.composing) desk.view.dispatch(desk.view.state.tr.setMeta(SETTLED, true));
      setDoc(now);
      const shortcodes = now.children.flatMap(({ type, attrs }) =>
        type === nodes.part && attrs['raw'].startsWith('{{') ? [String(attrs['raw'])] : [],
      );
      if (shortcodes.length > 0)
        void import('./desk/site-blocks.ts').then(({ SiteBlocks }) => {
          desk.blocks ??= new SiteBlocks(desk.form, () => desk.learned.tell());
          return desk.blocks.read(shortcodes);
        });
    };
    look();
    return desk.changed.subscribe(() => {
      if (desk.view.state.doc === doc) return;
      clearTimeout(timer);
      timer = window.setTimeout(look, PAUSE_MS);
    });
  }, [desk, doc]);
  let at = 0;
  const items = doc.children.flatMap((block, index) => {
    const start = at;
    at += block.nodeSize;
    const name = nameBlockOf(block, desk.known.products);
    return name === '' ? [] : [{ name, start, index, level: String(block.attrs['level'] ?? 'block') }];
  });
  const text = doc.textBetween(0, doc.content.size, '\n\n', ' ');
  return (
    <>
      {items.map(({ name, start, index, level }) => (
        <li key={`${index} ${name}`} data-level={level}>
          <button type="button" className="outline-link" onClick={() => desk.goTo(start)}>
            {name}
          </button>
        </li>
      ))}
      <li className="desk-count">
        {countWords(text).toLocaleString('en')} words, {buildReadingTime(text)} min
      </li>
    </>
  );
}

function nameBlockOf(
  { type, attrs, textContent, firstChild }: Node,
  products: ReadonlyMap<string, string>,
): string {
  if (type === nodes.heading) return textContent;
  if (type === nodes.part) return attrs['raw'].startsWith('{{') ? nameShortcode(attrs['raw'], products) : '';
  if (type === nodes.figure) return `Picture: ${attrs['alt']}`;
  if (type !== nodes.table) return '';
  const cells = firstChild?.children.flatMap((cell) => cell.textContent.trim() || []) ?? [];
  return `Table: ${cells.slice(0, 2).join(', ')}`;
}
