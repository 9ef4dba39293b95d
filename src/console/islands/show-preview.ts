import { buildElement, getFormAddress } from './command-palette.ts';
import type { EditedParts } from './edit-parts.ts';

/** The preview beside the form. */
export interface EditorPreview {
  /** Renders the text again. */
  update(): void;
  /** Scrolls to the part that is edited and marks it. `heading`: its position among those of an article, from 0. */
  show(heading?: number): void;
  /** Calls a function with the line of the file (from 1) that the operator has chosen in the notes. */
  onLine(listener: (line: number) => void): void;
  /** The form is being sent: another request would only take its time. */
  leave(): void;
}

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
  const panes = findPanes(form);
  panes.dataset['shows'] = 'form';
  const pane = buildElement('aside', { class: 'editor-preview', 'aria-label': 'Preview' });
  const stage = buildElement('div', { class: 'editor-stage' });
  const status = buildElement('p', { class: 'editor-pane-status', 'aria-live': 'polite' });
  const noteList = buildElement('ul', { class: 'editor-notes' });
  const noteBox = buildElement('section', { 'aria-label': 'Notes about the text' });
  noteBox.append(noteList);
  const tabs = buildChoice('Form or preview', { form: 'Write', preview: 'Preview' }, 'form', (name) => {
    panes.dataset['shows'] = name;
    scaleFrames();
  });
  tabs.classList.add('editor-tabs');
  let width: keyof typeof WIDTHS = innerWidth < 700 ? 'phone' : 'desktop';
  const widths = buildChoice(
    'Width of the preview',
    { phone: 'Phone', desktop: 'Desktop' },
    width,
    (name) => {
      width = name === 'phone' ? 'phone' : 'desktop';
      scaleFrames();
    },
  );
  const head = buildElement('div', { class: 'editor-pane-head' });
  head.append(widths, status);
  pane.append(head, stage, noteBox);
  panes.before(tabs);
  panes.append(pane);

  let shown: HTMLIFrameElement | null = null;
  let loading: HTMLIFrameElement | null = null;
  let isStale = false;
  let timer: number | undefined;
  let top = 0;
  let heading: number | undefined;
  let place = '';
  let count = 0;
  let isLeaving = false;
  let chooseLine: ((line: number) => void) | undefined;

  const scaleFrames = () => {
    const available = stage.clientWidth;
    const screen = WIDTHS[width];
    const scale = Math.min(1, available / screen);
    for (const frame of [shown, loading]) {
      if (frame === null) continue;
      frame.style.width = `${screen}px`;
      frame.style.height = `${stage.clientHeight / scale}px`;
      frame.style.transform = `scale(${scale})`;
      frame.style.left = `${Math.max(0, (available - screen * scale) / 2)}px`;
    }
  };
  new ResizeObserver(scaleFrames).observe(stage);

  const post = (isScrolled: boolean) => {
    const section = parts.getSection();
    const target = section === null ? (heading === undefined ? {} : { heading }) : { section };
    shown?.contentWindow?.postMessage({ ...target, isScrolled }, '*');
  };

  const update = () => {
    if (isLeaving) return;
    if (loading !== null) {
      isStale = true;
      return;
    }
    count += 1;
    // A new frame for each text: the one before stays until this one is there, and the browser's history does not grow.
    const name = `editor-preview-${count}`;
    const frame = buildElement('iframe', { name, title: 'Preview of the page', sandbox: 'allow-scripts' });
    frame.className = 'editor-frame';
    frame.dataset['loading'] = '';
    loading = frame;
    stage.append(frame);
    scaleFrames();
    postCopy(form, name);
    timer = window.setTimeout(() => fail(frame), SLOW_MS);
  };

  const end = () => {
    clearTimeout(timer);
    loading = null;
    if (!isStale) return;
    isStale = false;
    update();
  };

  const fail = (frame: HTMLIFrameElement) => {
    if (frame !== loading) return;
    frame.remove();
    status.textContent = 'The preview did not load: the connection is lost, or the session has ended.';
    end();
  };

  const receive = (frame: HTMLIFrameElement, { isShown, notes }: ReadNotes) => {
    listNotes(notes);
    if (isShown) {
      const isFirst = shown === null;
      const hasFocus = shown !== null && shown === document.activeElement;
      shown?.remove();
      shown = frame;
      if (hasFocus) frame.focus();
      delete frame.dataset['loading'];
      status.textContent = '';
      frame.contentWindow?.postMessage({ top }, '*');
      post(isFirst);
    } else {
      frame.remove();
      status.textContent = 'Not shown until the errors are corrected.';
    }
    end();
  };

  const listNotes = (notes: readonly Note[]) => {
    noteList.replaceChildren(
      ...notes.map(({ kind, text, line }) => {
        const item = buildElement('li', { 'data-kind': kind });
        if (kind !== 'fact') item.append(buildElement('b', {}, kind === 'error' ? 'Error ' : 'Check '));
        item.append(`${text}.`);
        if (line !== null) {
          // Without a text, the form opens the field at the line.
          const address = new URL(getFormAddress(form));
          address.search = `?line=${line}`;
          const open = { type: 'submit', name: 'action', value: 'open', formaction: address.href };
          const kind = chooseLine === undefined ? open : { type: 'button' };
          const button = buildElement('button', { ...kind, class: 'text-button' }, `Line ${line}`);
          button.addEventListener('click', () => chooseLine?.(line));
          item.append(' ', button);
        }
        return item;
      }),
    );
  };

  // The focus of a frame is that of another document, so its element does not match `:focus`.
  const markFocus = () => {
    for (const frame of stage.querySelectorAll('iframe'))
      frame.toggleAttribute('data-focused', frame === document.activeElement);
  };
  addEventListener('blur', () => setTimeout(markFocus));
  addEventListener('focus', () => setTimeout(markFocus));

  addEventListener('pageshow', () => {
    isLeaving = false;
  });

  addEventListener('message', ({ source, data }) => {
    if (source === null || typeof data !== 'object' || data === null || data.preview !== true) return;
    if (source === loading?.contentWindow) {
      const read = parseNotes(data.notes);
      if (loading !== null && read !== null) receive(loading, read);
    } else if (source === shown?.contentWindow) {
      if (typeof data.top === 'number') top = data.top;
      if (Number.isSafeInteger(data.section)) {
        parts.openSection(data.section);
      }
    }
  });
  update();
  return {
    update,
    show(next) {
      heading = next;
      const now = `${parts.getSection()} ${heading}`;
      if (now !== place) post(true);
      place = now;
    },
    onLine(listener) {
      chooseLine = listener;
    },
    leave() {
      isLeaving = true;
    },
  };
}

/** Posts what the form has to a frame. A copy: Firefox does not save a form while it is sent somewhere else. */
function postCopy(form: HTMLFormElement, target: string): void {
  const copy = buildElement('form', {
    ...{ method: 'post', action: getFormAddress(form), enctype: 'multipart/form-data', target },
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

function parseNotes(value: unknown): ReadNotes | null {
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
