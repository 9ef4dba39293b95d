import { parseNotes, type ReadNotes } from '../../editor/desk/ask-site.ts';
import { buildElement, getFormAddress } from './command-palette.ts';
import { applyEditorStyles } from './editor-styles.ts';

/** Widths of a phone and of a desktop screen, in CSS pixels. */
const WIDTHS = { phone: 390, desktop: 1_280 } as const;
/** After that, it is said that a preview is slow; after the longer one, that there is none. */
const SLOW_MS = 8_000;
const LOST_MS = 60_000;

/** A page is written in its frame: it has the height of the window, and the form scrolls beside it. */
const CANVAS_STYLES = `
.editor-canvas > .editor-preview > .editor-stage {
  height: calc(100dvh - 11rem);
  min-height: 24rem;
}
@container (min-width: 57rem) {
  .editor-panes.editor-canvas {
    grid-template-columns: minmax(0, 1fr) minmax(17rem, 23rem);
  }
  .editor-panes.editor-canvas > .editor-preview {
    grid-row: 1 / span 2;
    align-self: start;
    max-height: none;
    overflow: visible;
  }
  .editor-panes.editor-canvas > .editor-preview > .editor-stage {
    flex: none;
    max-height: none;
  }
  .editor-panes.editor-canvas > :has([data-form]) {
    position: sticky;
    top: 0.6rem;
    max-height: calc(100dvh - 6rem);
    overflow-y: auto;
  }
}
`;

/** Opens the preview beside a form that has one; null without. */
export function openPreview(form: HTMLFormElement): EditorPreview | null {
  const offered = form.querySelector<HTMLButtonElement>('[data-editor-preview]');
  if (offered === null) return null;
  const preview = new EditorPreview(form);
  preview.show();
  preview.update();
  return preview;
}

/** The preview beside the form. */
export class EditorPreview {
  readonly #form: HTMLFormElement;
  readonly #panes: HTMLElement;
  #tabs: HTMLElement | undefined;
  readonly #stage = buildElement('div', { class: 'editor-stage' });
  readonly #status = buildElement('p', { class: 'editor-pane-status', 'aria-live': 'polite' });
  readonly #notes = buildElement('ul', { class: 'editor-notes' });
  #width: keyof typeof WIDTHS = innerWidth < 700 ? 'phone' : 'desktop';
  #shown: HTMLIFrameElement | null = null;
  #loading: HTMLIFrameElement | null = null;
  #isStale = false;
  /** The section that is shown has the focus: it was moved, added or brought back there. */
  #isFocused = false;
  #isLeaving = false;
  /** The cursor is in a text of the page that is shown. */
  #isWritten = false;
  #timer: number | undefined;
  #count = 0;
  /** How far the page is scrolled, and the heading of an article that is edited, from 0. */
  #top = 0;
  #heading: number | undefined;
  #place = '';
  /** The section of a page that has the focus, or had it last, from 0. */
  #section: number | undefined;
  #chooseLine: ((line: number) => void) | undefined;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#panes = findPanes(form);
    this.#build();
    new ResizeObserver(() => this.#scaleFrames()).observe(this.#stage);
    // The focus of a frame is that of another document, so its element does not match `:focus`.
    const markFocus = () => {
      for (const frame of this.#stage.querySelectorAll('iframe'))
        frame.toggleAttribute('data-focused', frame === document.activeElement);
    };
    addEventListener('blur', () => setTimeout(markFocus));
    addEventListener('focus', () => setTimeout(markFocus));
    addEventListener('pageshow', () => {
      this.#isLeaving = false;
    });
    addEventListener('message', (message) => this.#listen(message));
  }

  /** The page is a desk of sections, which stands before the form of the one that is chosen. */
  get #isPage(): boolean {
    return this.#panes.querySelector('[data-sections]') !== null;
  }

  #build(): void {
    // A field that is asked for is in the form.
    const isAsked =
      /[?&](?:at|line)=/.test(location.search) || document.querySelector('#file-problems') !== null;
    const shows = this.#isPage && !isAsked ? 'preview' : 'form';
    this.#panes.dataset['shows'] = shows;
    const pane = buildElement('aside', { class: 'editor-preview', 'aria-label': 'Preview' });
    const noteBox = buildElement('section', { 'aria-label': 'Notes about the text' });
    noteBox.append(this.#notes);
    const panes = this.#isPage
      ? { preview: 'Page', form: 'Settings' }
      : { form: 'Write', preview: 'Preview' };
    const tabs = buildChoice('Form or preview', panes, shows, (name) => this.#showPane(name));
    tabs.classList.add('editor-tabs');
    this.#tabs = tabs;
    const names = { phone: 'Phone', desktop: 'Desktop' };
    const widths = buildChoice('Width of the preview', names, this.#width, (name) => {
      this.#width = name === 'phone' ? 'phone' : 'desktop';
      this.#scaleFrames();
    });
    const head = buildElement('div', { class: 'editor-pane-head' });
    head.append(widths);
    if (this.#isPage)
      for (const act of ['Undo', 'Redo']) {
        const button = buildElement('button', { type: 'button', class: 'text-button' }, act);
        button.addEventListener('click', () => this.#act({ act: act.toLowerCase() }, false));
        head.append(button);
      }
    head.append(this.#status);
    pane.append(head, this.#stage, noteBox);
    const bar = this.#form.querySelector('[data-desk-bar]');
    if (bar === null) this.#panes.before(tabs);
    else bar.prepend(tabs);
    if (this.#isPage) {
      applyEditorStyles(CANVAS_STYLES);
      this.#panes.classList.add('editor-canvas');
      this.#panes.prepend(pane);
    } else this.#panes.append(pane);
  }

  /** Shows what is written or the page, as its tab does. */
  choose(name: 'form' | 'preview'): void {
    this.#tabs?.querySelector<HTMLInputElement>(`[value="${name}"]`)?.click();
  }

  #showPane(name: string): void {
    this.#panes.dataset['shows'] = name;
    this.#scaleFrames();
    if (this.#isStale) this.update();
  }

  /** Renders the text again. */
  update(): void {
    if (this.#isLeaving) return;
    const isHidden = this.#panes.matches('.desk[data-shows="form"]');
    if (isHidden || this.#isWritten || this.#loading !== null) {
      this.#isStale = true;
      return;
    }
    this.#isStale = false;
    this.#count += 1;
    // A new frame for each text: the one before stays until this one is there, and the browser's history does not grow.
    const name = `editor-preview-${this.#count}`;
    const frame = buildElement('iframe', { name, title: 'Preview of the page', sandbox: 'allow-scripts' });
    frame.className = 'editor-frame';
    frame.dataset['loading'] = '';
    this.#loading = frame;
    this.#stage.append(frame);
    this.#scaleFrames();
    postCopy(this.#form, name);
    this.#timer = window.setTimeout(() => {
      this.#status.textContent = 'The preview takes longer than usual.';
      this.#timer = window.setTimeout(() => this.#fail(frame), LOST_MS - SLOW_MS);
    }, SLOW_MS);
  }

  /** Scrolls to the part that is edited and marks it. `heading`: its position among those of an article, from 0. */
  show(heading?: number): void {
    this.#heading = heading;
    const item = document.activeElement?.closest<HTMLElement>('[data-section]');
    if (item != null) this.#section = Number(item.dataset['section']);
    const now = `${this.#section} ${heading}`;
    if (now !== this.#place) this.#mark(true);
    this.#place = now;
  }

  /** Calls a function with the line of the file (from 1) that the operator has chosen in the notes. */
  onLine(listener: (line: number) => void): void {
    this.#chooseLine = listener;
  }

  /** The form is being sent: another request would only take its time. */
  leave(): void {
    this.#isLeaving = true;
  }

  #scaleFrames(): void {
    const available = this.#stage.clientWidth;
    const screen = WIDTHS[this.#width];
    const scale = Math.min(1, available / screen);
    for (const frame of [this.#shown, this.#loading]) {
      if (frame === null) continue;
      frame.style.width = `${screen}px`;
      frame.style.height = `${this.#stage.clientHeight / scale}px`;
      frame.style.transform = `scale(${scale})`;
      frame.style.left = `${Math.max(0, (available - screen * scale) / 2)}px`;
    }
  }

  #mark(isScrolled: boolean): void {
    const [section, heading] = [this.#section, this.#heading];
    const target = section === undefined ? (heading === undefined ? {} : { heading }) : { section };
    const isFocused = this.#isFocused && this.#shown === document.activeElement;
    this.#shown?.contentWindow?.postMessage(
      { ...target, isScrolled: isScrolled || isFocused, isFocused },
      '*',
    );
    this.#isFocused = false;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#loading = null;
    if (this.#isStale) this.update();
  }

  #fail(frame: HTMLIFrameElement): void {
    if (frame !== this.#loading) return;
    frame.remove();
    this.#status.textContent = 'The preview did not load: the connection is lost, or the session has ended.';
    this.#end();
  }

  #listen({ source, data }: MessageEvent): void {
    if (source === null || typeof data !== 'object' || data === null || data.preview !== true) return;
    if (source === this.#loading?.contentWindow) {
      const read = parseNotes(data.notes);
      if (read !== null) this.#receive(this.#loading, read);
    } else if (source === this.#shown?.contentWindow) {
      if (typeof data.top === 'number') this.#top = data.top;
      if (Number.isSafeInteger(data.section)) {
        this.#section = data.section;
        this.#tell({ act: 'choose', section: data.section });
      }
      // The key is that of the form.
      if (data.isSaved === true)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, cancelable: true }));
      if (typeof data.act === 'string') this.#act(data, true);
      if (data.isBegun === true) this.#isWritten = true;
      if (typeof data.text === 'string') {
        this.#isWritten = true;
        this.#isStale = true;
        this.#tell({ ...data, act: 'write' });
      }
      if (data.isDone === true && this.#isWritten) {
        this.#isWritten = false;
        if (this.#isStale) this.update();
      }
    }
  }

  /** Does something with the section that is chosen, and draws the page anew. `isHere`: the focus is in the page. */
  #act(wanted: Readonly<Record<string, unknown>>, isHere: boolean): void {
    const section = this.#section;
    const frame = this.#shown;
    let isDone = false;
    if (wanted['act'] === 'open' && section !== undefined) this.#openSection(section);
    else if (wanted['act'] !== 'open')
      this.#tell({
        ...wanted,
        section,
        show: (chosen = section) => {
          isDone = true;
          this.#section = chosen;
          this.#isWritten = false;
          const focus = () => this.#shown?.focus();
          if (isHere) focus();
          // While a key of one document is handled, Firefox gives the focus to no other.
          if (isHere) setTimeout(focus);
          this.#isFocused = isHere;
          this.update();
        },
      });
    // The page may be another one than that to which the dialog gives the focus back.
    if (isHere)
      document.querySelector('dialog[open]')?.addEventListener('close', () => {
        if (isDone) return;
        this.#shown?.focus();
        if (this.#shown === frame) return;
        this.#isFocused = true;
        this.#mark(false);
      });
  }

  /** Tells the form what was done in the page. */
  #tell(detail: Readonly<Record<string, unknown>>): void {
    this.#form.dispatchEvent(new CustomEvent('page-act', { detail }));
  }

  /** Opens the fields of a section that was chosen in the page. */
  #openSection(section: number): void {
    const details = this.#form.querySelector<HTMLDetailsElement>(`[data-section="${section}"] > details`);
    if (details === null) return;
    this.choose('form');
    details.open = true;
    details.querySelector('summary')?.focus();
  }

  #receive(frame: HTMLIFrameElement, { isShown, notes }: ReadNotes): void {
    this.#notes.replaceChildren(...notes.map((note) => this.#buildNote(note)));
    if (this.#isWritten) {
      frame.remove();
      this.#isStale = true;
    } else if (isShown) {
      const before = this.#shown;
      const hasFocus = before !== null && before === document.activeElement;
      before?.remove();
      this.#shown = frame;
      // What is not seen takes no focus.
      delete frame.dataset['loading'];
      if (hasFocus) frame.focus();
      if (hasFocus && this.#isPage) this.#isFocused = true;
      this.#status.textContent = '';
      frame.contentWindow?.postMessage({ top: this.#top }, '*');
      this.#mark(before === null);
    } else {
      frame.remove();
      this.#status.textContent = 'Not shown until the errors are corrected.';
    }
    this.#end();
  }

  #buildNote({ kind, text, line }: ReadNotes['notes'][number]): HTMLLIElement {
    const item = buildElement('li', { 'data-kind': kind });
    if (kind !== 'fact') item.append(buildElement('b', {}, kind === 'error' ? 'Error ' : 'Check '));
    item.append(`${text}.`);
    if (line === null) return item;
    // Without a text, the form opens the field at the line.
    const address = new URL(getFormAddress(this.#form));
    address.search = `?line=${line}`;
    const open = { type: 'submit', name: 'action', value: 'open', formaction: address.href };
    const does = this.#chooseLine === undefined ? open : { type: 'button' };
    const button = buildElement('button', { ...does, class: 'text-button' }, `Line ${line}`);
    button.addEventListener('click', () => this.#chooseLine?.(line));
    item.append(' ', button);
    return item;
  }
}

/** Posts what the form has to a frame. A copy: Firefox does not save a form while it is sent somewhere else. */
function postCopy(form: HTMLFormElement, target: string): void {
  const copy = buildElement('form', {
    method: 'post',
    action: getFormAddress(form),
    enctype: 'multipart/form-data',
    target,
  });
  copy.hidden = true;
  for (const [name, value] of [...new FormData(form), ['action', 'preview'] as const]) {
    if (typeof value !== 'string') continue;
    const field = buildElement('textarea', { name });
    field.value = value;
    copy.append(field);
  }
  document.body.append(copy);
  copy.submit();
  copy.remove();
}

/** The panes of the form; of the text of a file, which has none, they are made. */
function findPanes(form: HTMLFormElement): HTMLElement {
  const found = form.querySelector<HTMLElement>('.editor-panes');
  if (found !== null) return found;
  const made = buildElement('div', { class: 'editor-panes' });
  const field = form.querySelector('.editor-field');
  field?.before(made);
  if (field !== null) made.append(field);
  return made;
}

/** Radio buttons that look like the segments of the console. */
function buildChoice(
  label: string,
  names: Readonly<Record<string, string>>,
  chosen: string,
  choose: (name: string) => void,
): HTMLFieldSetElement {
  const group = buildElement('fieldset', { class: 'segments editor-choice' });
  group.append(buildElement('legend', { class: 'hidden-text' }, label));
  for (const [value, text] of Object.entries(names)) {
    const option = buildElement('label', { class: 'segment' }, text);
    // It belongs to no form: what it chooses is not posted.
    const input = buildElement('input', {
      type: 'radio',
      name: label,
      value,
      form: 'none',
      class: 'hidden-text',
    });
    input.checked = value === chosen;
    input.addEventListener('change', () => choose(value));
    option.prepend(input);
    group.append(option);
  }
  return group;
}
