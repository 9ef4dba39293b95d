import { buildElement, getFormAddress } from './command-palette.ts';
import type { EditedParts } from './edit-parts.ts';

interface Note {
  readonly kind: string;
  readonly text: string;
  readonly line: number | null;
}

/** Widths of a phone and of a desktop screen, in CSS pixels. */
const WIDTHS = { phone: 390, desktop: 1_280 } as const;
const SLOW_MS = 8_000;

/** Opens the preview beside a form that has one; null without. */
export function openPreview(form: HTMLFormElement, parts: EditedParts): EditorPreview | null {
  const offered = form.querySelector<HTMLButtonElement>('[data-editor-preview]');
  if (offered === null) return null;
  const preview = new EditorPreview(form, parts);
  preview.update();
  return preview;
}

/** The preview beside the form. */
export class EditorPreview {
  readonly #form: HTMLFormElement;
  readonly #parts: EditedParts;
  readonly #panes: HTMLElement;
  #tabs: HTMLElement | undefined;
  readonly #stage = buildElement('div', { class: 'editor-stage' });
  readonly #status = buildElement('p', { class: 'editor-pane-status', 'aria-live': 'polite' });
  readonly #notes = buildElement('ul', { class: 'editor-notes' });
  #width: keyof typeof WIDTHS = innerWidth < 700 ? 'phone' : 'desktop';
  #shown: HTMLIFrameElement | null = null;
  #loading: HTMLIFrameElement | null = null;
  #isStale = false;
  #isLeaving = false;
  #timer: number | undefined;
  #count = 0;
  /** How far the page is scrolled, and the heading of an article that is edited, from 0. */
  #top = 0;
  #heading: number | undefined;
  #place = '';
  #chooseLine: ((line: number) => void) | undefined;

  constructor(form: HTMLFormElement, parts: EditedParts) {
    this.#form = form;
    this.#parts = parts;
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

  #build(): void {
    this.#panes.dataset['shows'] = 'form';
    const pane = buildElement('aside', { class: 'editor-preview', 'aria-label': 'Preview' });
    const noteBox = buildElement('section', { 'aria-label': 'Notes about the text' });
    noteBox.append(this.#notes);
    const tabs = buildChoice('Form or preview', { form: 'Write', preview: 'Preview' }, 'form', (name) =>
      this.#showPane(name),
    );
    tabs.classList.add('editor-tabs');
    this.#tabs = tabs;
    const names = { phone: 'Phone', desktop: 'Desktop' };
    const widths = buildChoice('Width of the preview', names, this.#width, (name) => {
      this.#width = name === 'phone' ? 'phone' : 'desktop';
      this.#scaleFrames();
    });
    const head = buildElement('div', { class: 'editor-pane-head' });
    head.append(widths, this.#status);
    pane.append(head, this.#stage, noteBox);
    const bar = this.#form.querySelector('[data-desk-bar]');
    if (bar === null) this.#panes.before(tabs);
    else bar.prepend(tabs);
    this.#panes.append(pane);
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
    if (isHidden || this.#loading !== null) {
      this.#isStale = true;
      return;
    }
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
    this.#timer = window.setTimeout(() => this.#fail(frame), SLOW_MS);
  }

  /** Scrolls to the part that is edited and marks it. `heading`: its position among those of an article, from 0. */
  show(heading?: number): void {
    this.#heading = heading;
    const now = `${this.#parts.getSection()} ${heading}`;
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
    const section = this.#parts.getSection();
    const heading = this.#heading;
    const target = section === null ? (heading === undefined ? {} : { heading }) : { section };
    this.#shown?.contentWindow?.postMessage({ ...target, isScrolled }, '*');
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#loading = null;
    if (!this.#isStale) return;
    this.#isStale = false;
    this.update();
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
      if (Number.isSafeInteger(data.section)) this.#parts.openSection(data.section);
    }
  }

  #receive(frame: HTMLIFrameElement, { isShown, notes }: ReadNotes): void {
    this.#notes.replaceChildren(...notes.map((note) => this.#buildNote(note)));
    if (isShown) {
      const before = this.#shown;
      const hasFocus = before !== null && before === document.activeElement;
      before?.remove();
      this.#shown = frame;
      if (hasFocus) frame.focus();
      delete frame.dataset['loading'];
      this.#status.textContent = '';
      frame.contentWindow?.postMessage({ top: this.#top }, '*');
      this.#mark(before === null);
    } else {
      frame.remove();
      this.#status.textContent = 'Not shown until the errors are corrected.';
    }
    this.#end();
  }

  #buildNote({ kind, text, line }: Note): HTMLLIElement {
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

interface ReadNotes {
  readonly isShown: boolean;
  readonly notes: readonly Note[];
}

/** Parses what a preview says of a text; null: it is something else. */
export function parseNotes(value: unknown): ReadNotes | null {
  if (typeof value !== 'object' || value === null || !('isShown' in value && 'notes' in value)) return null;
  if (!Array.isArray(value.notes)) return null;
  const notes = value.notes.flatMap((note: unknown) => {
    if (typeof note !== 'object' || note === null || !('kind' in note && 'text' in note)) return [];
    const line = 'line' in note && typeof note.line === 'number' ? note.line : null;
    return [{ kind: String(note.kind), text: String(note.text), line }];
  });
  return { isShown: value.isShown === true, notes };
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
