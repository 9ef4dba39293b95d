import { historyKeymap, standardKeymap } from '@codemirror/commands';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { Compartment, EditorSelection, EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { nameShortcode } from '../../../core/articles/name-shortcode.ts';
import { buildReadingTime, countWords } from '../../../core/articles/reading-time.ts';
import { buildElement } from '../command-palette.ts';
import { CHOICES_CHANGED, readChoices } from '../read-choices.ts';
import { DESK_THEME, replaceSelection } from './desk-theme.ts';
import { findBlock, liveText, NOTHING_KNOWN, setKnown } from './live-text.ts';
import type { SiteBlocks } from './site-blocks.ts';
import { siteMarkdown } from './site-markdown.ts';
import { deskHistory, PARAGRAPH_KEYS, readPicture } from './write-keys.ts';

/** Whether an operator reads the Markdown itself. */
const MODE_KEY = 'desk-markdown';
/** After the last key. */
const PAUSE_MS = 600;
/** What keeps the text hears of several keys at once. */
const TELL_MS = 100;
/** Longer texts are parsed later, in pauses. */
const PARSE_MS = 200;

/**
 * Puts the desk over the text area of an article, which stays in the form and has the text. The Markdown is the document: what
 * is not edited stays as it is. `move` gets the position of the heading above the cursor, from 0; the function that is
 * returned shows a line of the file, from 1.
 */
export function openDesk(
  field: HTMLTextAreaElement,
  form: HTMLFormElement,
  move: (heading: number | undefined) => void,
): (line: number) => void {
  const host = buildElement('div', { class: 'editor-code-host desk-text' });
  host.dataset['typing'] = '';
  field.before(host);
  const firstLine = Number(field.dataset['firstLine'] ?? 1);
  const [mode, menu] = [new Compartment(), new Compartment()];
  let bar: HTMLElement | undefined;
  let isOwn = false;
  let tellTimer: number | undefined;
  // The field of a long text takes several ms to set: it is set when the form is sent or the page is left.
  const tell = () => {
    clearTimeout(tellTimer);
    tellTimer = undefined;
    // Something that was undone would be kept once more, after what was saved.
    if (view.state.doc.eq(told)) return;
    told = view.state.doc;
    isOwn = true;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    isOwn = false;
  };
  const copy = () => {
    tell();
    field.value = read();
  };
  const opened = field.value;
  const read = () => (view.state.doc.eq(start) ? opened : view.state.doc.toString());
  // What is sent or stored is what is written now.
  form.addEventListener('formdata', ({ formData }) => formData.set(field.name, read()));
  const take = (event: ClipboardEvent | DragEvent, target: EditorView) => {
    const isDrop = event instanceof DragEvent;
    const data = isDrop ? event.dataTransfer : event.clipboardData;
    if (data === null || field.readOnly) return false;
    const files = [...data.files];
    const [html, plain] = [data.getData('text/html'), data.getData('text/plain')];
    // Words alone are put in by the library. With Shift a browser pastes no more.
    if (files.length === 0 && (isDrop || (html === '' && !/^\s*https?:\S+\s*$|\t/.test(plain)))) return false;
    event.preventDefault();
    // The clipboard is empty after the event.
    const folders = [...data.items].flatMap((item) => {
      const entry = item.webkitGetAsEntry();
      return entry?.isDirectory ? [entry.name] : [];
    });
    const at = isDrop ? target.posAtCoords({ x: event.clientX, y: event.clientY }, false) : undefined;
    void import('./paste.ts').then((paste) => paste.take(target, form, { html, plain, files, folders, at }));
    return true;
  };
  let isMarkdown = readMode();
  const view = new EditorView({
    state: EditorState.create({
      // Below a block at the end there is a line to write in; it is saved when something is written.
      doc: /(?:^|\n)(?:\||\{\{|!\[|---$)[^\n]*$/.test(field.value) ? `${field.value}\n\n` : field.value,
      extensions: [
        deskHistory,
        siteMarkdown,
        EditorView.lineWrapping,
        EditorState.readOnly.of(field.readOnly),
        Prec.high(
          keymap.of([
            {
              key: 'Mod-k',
              run: (view) => withMenu((menu) => menu.openLink(view, form)),
              preventDefault: true,
            },
            { key: 'Mod-f', run: openFind, preventDefault: true },
            {
              key: 'Alt-ArrowUp',
              run: (view) => withMenu((menu) => menu.movePart(-1)(view)),
              preventDefault: true,
            },
            {
              key: 'Alt-ArrowDown',
              run: (view) => withMenu((menu) => menu.movePart(1)(view)),
              preventDefault: true,
            },
            {
              key: 'Shift-Alt-ArrowDown',
              run: (view) => withMenu((menu) => menu.duplicatePart(view)),
              preventDefault: true,
            },
            ...FORMAT_KEYS,
          ]),
        ),
        menu.of([]),
        mode.of(isMarkdown ? [] : WRITE_MODE),
        keymap.of([...standardKeymap, ...historyKeymap]),
        placeholder('Write, or press / for a product, a picture, a table'),
        EditorView.contentAttributes.of({
          'aria-label': 'Text of the article',
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged) tellTimer ??= window.setTimeout(tell, TELL_MS);
          if (docChanged) schedule();
          if (docChanged || selectionSet) move(findHeading(state));
        }),
        EditorView.domEventHandlers({
          beforeinput: (event, target) =>
            replaceSelection(
              event,
              target,
              findBlock(target.state, target.state.selection.main.head) !== null,
            ),
          paste: take,
          drop: take,
        }),
        DESK_THEME,
      ],
    }),
    root: host.attachShadow({ mode: 'open' }),
    parent: host.shadowRoot ?? host,
  });
  const { doc: start } = view.state;
  let told = start;
  const showMode = () => {
    view.dispatch({ effects: mode.reconfigure(isMarkdown ? [] : WRITE_MODE) });
    if (isMarkdown)
      void import('./markdown-mode.ts').then(({ MARKDOWN_MODE }) => {
        if (isMarkdown) view.dispatch({ effects: mode.reconfigure(MARKDOWN_MODE) });
      });
    else show();
  };
  // Loaded when the text is used: writing begins without it.
  const addOnFocus = () =>
    host.addEventListener('focusin', () => void addMenu().catch(addOnFocus), { once: true });
  addOnFocus();
  const addMenu = async () => {
    const [{ insertMenu, linkBar, showIfAsked }, { marginNotes }, { typedMark, showMarks }] =
      await Promise.all([loadMenu(), import('./margin-notes.ts'), loadFormats()]);
    const used = [insertMenu(form), linkBar(form), marginNotes(form, firstLine), typedMark];
    if (bar !== undefined) used.push(showMarks(bar));
    view.dispatch({ effects: menu.reconfigure(used) });
    showIfAsked(view);
  };
  // An operator who is already typing keeps the selection and the focus.
  const isWriting = document.activeElement === field;
  if (isWriting) view.dispatch({ selection: { anchor: field.selectionStart, head: field.selectionEnd } });
  field.hidden = true;
  if (isWriting) view.focus();
  // Before what is written is sent, for the last time or with a button.
  addEventListener('pagehide', copy, { capture: true });
  form.addEventListener('submit', copy, { capture: true });
  form.querySelector(`label[for="${field.id}"]`)?.addEventListener('click', () => view.focus());
  field.addEventListener('input', () => {
    if (isOwn || field.value === read()) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
    told = view.state.doc;
  });
  const outline = form.querySelector<HTMLElement>('[data-desk-outline]');
  let blocks: SiteBlocks | undefined;
  const readBlocks = async (shortcodes: readonly string[]) => {
    const loaded = await import('./site-blocks.ts');
    blocks ??= new loaded.SiteBlocks(form, () => show());
    await blocks.read(shortcodes);
  };
  let known = NOTHING_KNOWN;
  const show = () => {
    known = {
      ...known,
      draw: (text, element) => blocks?.draw(text, element) ?? false,
      version: known.version + 1,
    };
    view.dispatch({ effects: setKnown.of(known) });
  };
  const learn = async () => {
    const { figures, images, products } = await readChoices(form);
    const values = figures.map(({ name, value }) => [value, name.split('  ')[0] ?? ''] as const);
    const pictures = images.map(
      ({ value, picture = '' }) => [/\]\((.*)\)$/.exec(value)?.[1] ?? '', picture] as const,
    );
    const names = products.map(({ value, name }) => [value, name] as const);
    known = { ...known, figures: new Map(values), pictures: new Map(pictures), products: new Map(names) };
    show();
    if (outline !== null) fillOutline(outline, view, known.products);
  };
  void learn();
  form.addEventListener(CHOICES_CHANGED, () => void learn());
  if (isMarkdown) showMode();
  let timer: number | undefined;
  const look = () => {
    ensureSyntaxTree(view.state, view.state.doc.length, PARSE_MS);
    const shortcodes = listShortcodes(view.state);
    if (shortcodes.length > 0) void readBlocks(shortcodes);
    if (outline !== null) fillOutline(outline, view, known.products);
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = window.setTimeout(look, PAUSE_MS);
  };
  // The text can be written in before all of it is parsed.
  requestAnimationFrame(() => setTimeout(look));
  const goToLine = (line: number) => {
    const { doc } = view.state;
    const { from } = doc.line(clamp(line - firstLine + 1, doc.lines));
    goTo(view, from);
    void loadPictures().then((pictures) => pictures.goToPicture(view, from));
  };
  if (field.readOnly) return goToLine;
  bar = buildToolbar(view, form);
  const named = { 'data-tool': 'Markdown', 'data-keys': 'Ctrl Shift M' };
  const pressed = { type: 'button', 'aria-pressed': String(isMarkdown) };
  const toggle = buildElement('button', { ...pressed, ...named }, 'Markdown');
  toggle.addEventListener('click', () => {
    isMarkdown = !isMarkdown;
    localStorage.setItem(MODE_KEY, String(isMarkdown));
    toggle.setAttribute('aria-pressed', String(isMarkdown));
    showMode();
    view.focus();
  });
  // Also when nothing has the focus, as after the outline has been drawn anew.
  document.addEventListener('keydown', (event) => followKey(event, form, toggle));
  bar.append(toggle, buildElement('span', { class: 'desk-says', role: 'status', 'data-desk-says': '' }));
  joinTabStops(bar);
  host.after(bar);
  return goToLine;
}

const loadMenu = () => import('./insert-menu.ts');
const loadPictures = () => import('./pictures.ts');
let formats: typeof import('./formats.ts') | undefined;
const loadFormats = async () => {
  formats ??= await import('./formats.ts');
  return formats;
};

function withMenu(act: (menu: Awaited<ReturnType<typeof loadMenu>>) => unknown): true {
  void loadMenu().then(act);
  return true;
}

function openFind(view: EditorView): boolean {
  void import('./find-text.ts').then(({ openFindPanel }) => openFindPanel(view));
  return true;
}

function format(view: EditorView, name: keyof typeof import('./formats.ts')['FORMATS']): boolean {
  // At once, where it is loaded: the next key may have been pressed already.
  if (formats !== undefined) return formats.FORMATS[name](view);
  void loadFormats().then(({ FORMATS }) => FORMATS[name](view));
  return true;
}

/** None has Ctrl and Alt together, which types characters on many layouts. */
const FORMAT_KEYS = (
  [
    ['b', 'bold'],
    ['i', 'italic'],
    ['e', 'code'],
    ['Shift-7', 'numbers'],
    ['Shift-8', 'list'],
  ] as const
).map(([key, name]) => ({
  key: `Mod-${key}`,
  preventDefault: true,
  run: (view: EditorView) => format(view, name),
}));

/** The buttons below the text, each for a key or a choice of the menu. */
function buildToolbar(view: EditorView, form: HTMLFormElement): HTMLElement {
  const bar = buildElement('div', { class: 'desk-tools', role: 'toolbar', 'aria-label': 'Write' });
  const add = (text: string, name: string, key: string, act: () => void, keepsFocus = true) => {
    const label = name.split(' ').includes(text) ? name : `${name} (${text})`;
    const named = { title: `${name} (${key})`, 'aria-label': label, 'data-tool': name, 'data-keys': key };
    const button = buildElement('button', { type: 'button', ...named }, text);
    // The text keeps its selection and, on phones, its keyboard.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      act();
      if (keepsFocus) view.focus();
    });
    bar.append(button);
  };
  add('Insert', 'Insert', '/', () => withMenu((menu) => menu.openInsertMenu(view)), false);
  add('B', 'Bold', 'Ctrl B', () => format(view, 'bold'));
  add('I', 'Italic', 'Ctrl I', () => format(view, 'italic'));
  add('Link', 'Link', 'Ctrl K', () => withMenu((menu) => menu.openLink(view, form)), false);
  const openPictures = () => void loadPictures().then((pictures) => pictures.openPictures(view));
  add('Picture', 'Picture', '/picture', openPictures, false);
  add('H2', 'Heading', '##', () => format(view, 'heading'));
  add('H3', 'Subheading', '###', () => format(view, 'subheading'));
  add('•', 'List', 'Ctrl Shift 8', () => format(view, 'list'));
  add('1.', 'Numbers', 'Ctrl Shift 7', () => format(view, 'numbers'));
  add('“', 'Quote', '>', () => format(view, 'quote'));
  add('<>', 'Code', 'Ctrl E', () => format(view, 'code'));
  add('↑', 'Move this part up', 'Alt ↑', () => withMenu((menu) => menu.movePart(-1)(view)));
  add('↓', 'Move this part down', 'Alt ↓', () => withMenu((menu) => menu.movePart(1)(view)));
  add('×2', 'Duplicate this part', 'Alt Shift ↓', () => withMenu((menu) => menu.duplicatePart(view)));
  add('Find', 'Find and replace in this piece', 'Ctrl F', () => openFind(view), false);
  return bar;
}

/** Makes the buttons of a toolbar one stop of Tab: arrows, Home and End go on from there (WAI-ARIA APG, toolbar). */
function joinTabStops(bar: HTMLElement): void {
  const listButtons = () => [...bar.querySelectorAll('button')].filter((button) => button.checkVisibility());
  const choose = (chosen: EventTarget | null | undefined) => {
    for (const button of bar.querySelectorAll('button')) button.tabIndex = button === chosen ? 0 : -1;
  };
  bar.addEventListener('focusin', ({ target }) => choose(target));
  bar.addEventListener('keydown', (event) => {
    const buttons = listButtons();
    const at = buttons.findIndex((button) => button === event.target);
    const steps = new Map([
      ['ArrowRight', at + 1],
      ['ArrowLeft', at - 1],
      ['Home', 0],
      ['End', -1],
    ]);
    const to = steps.get(event.key);
    if (to === undefined) return;
    event.preventDefault();
    buttons.at(to === buttons.length ? 0 : to)?.focus();
  });
  choose(bar.querySelector('button'));
}

/** The keys that lead out of the text, each to what has a button. */
function followKey(event: KeyboardEvent, form: HTMLFormElement, markdown: HTMLButtonElement): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const key = `${event.shiftKey ? 'Shift ' : ''}${event.key.toLowerCase()}`;
  const find = (selector: string) => form.querySelector<HTMLElement>(selector);
  if (key === '.') find('#settings :is(input, select, textarea)')?.focus();
  else if (key === 'Shift o') find('.outline-link')?.focus();
  else if (key === 'Shift m') markdown.click();
  else if (key === 'Shift enter') find('[data-tool="Publish"]')?.click();
  else return;
  event.preventDefault();
}

/** How the text is seen that is no Markdown; both ways have one document with one history. */
const WRITE_MODE: Extension = [liveText, Prec.high(keymap.of([...PARAGRAPH_KEYS]))];

function readMode(): boolean {
  try {
    return localStorage.getItem(MODE_KEY) === 'true';
  } catch {
    return false;
  }
}

const clamp = (value: number, max: number) => Math.min(Math.max(1, value), max);

function goTo(view: EditorView, from: number): void {
  view.dispatch({
    selection: EditorSelection.cursor(from),
    effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 120 }),
  });
  view.focus();
}

/** The position of the heading above the cursor, from 0; undefined above the first. */
function findHeading({ doc, selection }: EditorState): number | undefined {
  const lines = doc.sliceString(0, doc.lineAt(selection.main.head).to).replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const count = lines.match(/^#{1,6}\s/gm)?.length ?? 0;
  return count === 0 ? undefined : count - 1;
}

function listShortcodes(state: EditorState): readonly string[] {
  const found: string[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling)
    if (node.name === 'Shortcode') found.push(state.sliceDoc(node.from, node.to).trim());
  return found;
}

/** Lists the headings and blocks of the piece; each leads to its place. */
function fillOutline(outline: HTMLElement, view: EditorView, products: ReadonlyMap<string, string>): void {
  const { state } = view;
  const items: HTMLLIElement[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const text = state.sliceDoc(node.from, Math.min(node.to, node.from + 200));
    const [, level] = /^ATXHeading(\d)/.exec(node.name) ?? [];
    const name =
      level !== undefined
        ? text.replace(/^#+\s*/, '').replace(/\[([^\]]*)\]\([^)]*\)|[*_`]/g, '$1')
        : node.name === 'Shortcode'
          ? nameShortcode(text, products)
          : node.name === 'Table'
            ? `Table: ${text
                .split('|', 3)
                .flatMap((cell) => cell.trim() || [])
                .join(', ')}`
            : node.firstChild?.name === 'Image' && node.firstChild.to === node.to
              ? `Picture: ${readPicture(state.doc, node.firstChild).alt}`
              : '';
    if (name === '') continue;
    const item = buildElement('li', { 'data-level': level ?? 'block' });
    const button = buildElement('button', { type: 'button', class: 'outline-link' }, name);
    const { from } = node;
    button.addEventListener('click', () => goTo(view, Math.min(from, view.state.doc.length)));
    item.append(button);
    items.push(item);
  }
  const text = state.doc.toString();
  const count = `${countWords(text).toLocaleString('en')} words, ${buildReadingTime(text)} min`;
  outline.replaceChildren(...items, buildElement('li', { class: 'desk-count' }, count));
}
