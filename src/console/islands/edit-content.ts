import { buildElement } from './command-palette.ts';
import { createDraftStore } from './edit-drafts.ts';
import { applyEditorStyles } from './editor-styles.ts';
import type { EditorPreview } from './show-preview.ts';

// The form of a content file works without this script, which adds a preview that follows the text, a better field for long
// texts, keys, and a copy of unsaved text in the browser.
const form = document.querySelector<HTMLFormElement>('form#editor');
if (form !== null) startEditor(form);
const sheet = document.querySelector<HTMLElement>('[data-sheet]');
if (sheet !== null) void import('../../editor/open-prices.tsx').then((own) => own.openPrices(sheet));

function startEditor(form: HTMLFormElement): void {
  const state = form.querySelector<HTMLElement>('[data-editor-state]');
  applyEditorStyles();
  if (form.querySelector('.publish') !== null) void loadPreview(form);
  // A viewer, or a folder that cannot be written: there is nothing to write here.
  if (state === null) return;
  const live = buildElement('p', { class: 'hidden-text', 'aria-live': 'polite' });
  form.append(live);
  const announce = (text: string) => {
    live.textContent = '';
    setTimeout(() => {
      live.textContent = text;
    }, 50);
  };
  const drafts = createDraftStore(form, state, announce);
  let preview: EditorPreview | null = null;
  let timer: number | undefined;
  form.addEventListener('input', ({ target }) => {
    // The width of the preview, for one, is chosen in the form and belongs to no form.
    if (target instanceof HTMLInputElement && target.form !== form) return;
    drafts.note();
    clearTimeout(timer);
    timer = window.setTimeout(() => preview?.update(), PREVIEW_DELAY_MS);
  });
  form.addEventListener('focusin', () => preview?.show());
  let isSent = false;
  form.addEventListener('submit', async (event) => {
    const { submitter } = event;
    if (!(submitter instanceof HTMLButtonElement) || submitter.value === 'preview') return;
    const { value } = submitter;
    const isDiscarded = value === 'drop-copy';
    if (isSent || isDiscarded) {
      clearTimeout(timer);
      preview?.leave();
      drafts.leave(isDiscarded);
      return;
    }
    event.preventDefault();
    // The page is left when the server has the text: one that cannot be reached would take it along.
    const stays = form.querySelector('.desk, [data-form]') !== null;
    if (value === 'save' && stays) {
      if (await drafts.save((problems) => showProblems(form, problems))) return;
    } else {
      const isKept = await drafts.flush();
      if (value === 'keep') announce(state.textContent ?? '');
      if (!isKept || value === 'keep') return;
    }
    // What is said meanwhile takes the place of its button.
    if (submitter.form !== form) form.append(submitter);
    // A form is sent by no script while this event is being handled.
    setTimeout(() => {
      isSent = true;
      form.requestSubmit(submitter);
      isSent = false;
    });
  });
  // Before the palette of the console, which knows no fields.
  const search = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    // In the text of an article it makes a link.
    if (event.target instanceof Element && event.target.closest('.desk-text') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    void import('./search-fields.ts').then(({ openSearch }) => openSearch(form, showField));
  };
  document.addEventListener('keydown', search, { capture: true });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    form.requestSubmit(
      form.querySelector<HTMLButtonElement>(
        ':is(.editor-bar, .desk-bar) button:is([value="save"], [value="keep"])',
      ),
    );
  });
  // Enter leads from the title to the summary and from there to the text.
  for (const field of form.querySelectorAll<HTMLTextAreaElement>('.desk-title, .desk-summary')) {
    if (field.dataset['placeholder'] !== undefined)
      field.onfocus = field.onclick = () => {
        if (field.value === field.defaultValue) field.select();
      };
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      // Until the editor of the text is there, its field takes what is written.
      const text = field.matches('.desk-title') ? null : findText(form);
      (text ?? findNext(form, field))?.focus();
    });
    if (field === document.activeElement) moveBehindBreak(field, findNext(form, field));
  }
  // A new piece begins with what has to be written first.
  if (document.activeElement === document.body)
    form.querySelector<HTMLElement>('[data-placeholder]')?.focus({ preventScroll: true });
  const host = form.querySelector<HTMLElement>('[data-form]');
  const front = form.querySelector<HTMLTextAreaElement>('textarea[name="front"]');
  const body = form.querySelector<HTMLTextAreaElement>('textarea[name="body"].editor-code');
  let showSettings: (() => void) | undefined;
  let opening: Promise<void> = Promise.resolve();
  if (host !== null && front !== null) {
    const open = () =>
      import('../../editor/open-form.tsx').then((own) =>
        own.openForm(host, { form, field: front, announce }),
      );
    if (body === null) opening = open();
    else showSettings = openLater(host, open);
  }
  if (body !== null) {
    openBody(body).catch((error: unknown) => {
      // The text stands there as text, at once.
      body.style.contentVisibility = 'visible';
      throw error;
    });
    return;
  }
  // What is done in the page is done by its form, which is there first.
  void opening.finally(async () => {
    preview = await loadPreview(form);
    const text = form.querySelector<HTMLTextAreaElement>('textarea[name="text"].editor-code');
    if (text !== null) preview?.onLine((line) => goToLine(text, line));
  });

  /** The desk shows the text as readers see it: the page itself is loaded when it is asked for. */
  async function openBody(body: HTMLTextAreaElement) {
    const { openDesk } = await import('../../editor/desk.tsx');
    const goToLine = openDesk(body, form, (heading) => preview?.show(heading));
    const line = Number(/\bline=(\d+)/.exec(location.search)?.[1]);
    if (line > 0) goToLine(line);
    if (showSettings !== undefined) setTimeout(showSettings, SETTINGS_MS);
    form.querySelector('[data-editor-preview]')?.addEventListener('click', async (event) => {
      event.preventDefault();
      preview ??= await loadPreview(form);
      preview?.choose('preview');
      preview?.onLine((line) => {
        preview?.choose('form');
        goToLine(line);
      });
    });
  }
}

/** Where Enter leads from the title or the summary. */
function findNext(form: HTMLFormElement, field: HTMLTextAreaElement) {
  return form.querySelector<HTMLTextAreaElement>(
    field.matches('.desk-title') ? '.desk-summary' : 'textarea[name="body"]',
  );
}

/** What was typed after Enter before this script was there is put where Enter leads. */
function moveBehindBreak(field: HTMLTextAreaElement, next: HTMLTextAreaElement | null): void {
  const [line = '', ...typed] = field.value.split('\n');
  if (next === null || typed.length === 0 || field.defaultValue.includes('\n')) return;
  const kept = next.dataset['placeholder'] === undefined ? next.value.trim() : '';
  [field.value, next.value] = [line, typed.join('\n')];
  next.focus();
  if (kept !== '') next.setRangeText(`\n\n${kept}`);
  // Either is a change of the form.
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** How long after the text of an article its settings can be written in, also where nothing was touched. */
const SETTINGS_MS = 3_000;

/** Opens the settings of an article after its text: with the first key or touch, or a pointer above them. */
function openLater(settings: HTMLElement, open: () => Promise<void>): () => void {
  const waiting = new AbortController();
  let isOpening = false;
  let tapped: PointerEvent | undefined;
  const tryOpening = () => {
    if (isOpening || waiting.signal.aborted) return;
    isOpening = true;
    open().then(
      () => {
        waiting.abort();
        // What was tapped meanwhile stands there still, and can be used now.
        const { clientX = 0, clientY = 0 } = tapped ?? {};
        const place = tapped === undefined ? null : document.elementFromPoint(clientX, clientY);
        const field = place?.closest('label, input, select, textarea, button');
        const control = field instanceof HTMLLabelElement ? field.control : field;
        if (!(control instanceof HTMLElement)) return;
        control.focus();
        if (control.matches('button, [type="checkbox"]')) control.click();
      },
      () => {
        // Without a network, the next key tries again.
        isOpening = false;
      },
    );
  };
  const options = { capture: true, signal: waiting.signal };
  for (const name of ['keydown', 'pointerdown']) document.addEventListener(name, tryOpening, options);
  settings.addEventListener('pointerover', tryOpening, options);
  settings.addEventListener(
    'pointerdown',
    (event) => {
      tapped = event;
    },
    options,
  );
  return tryOpening;
}

/** Opens the preview of a form; null without one. */
async function loadPreview(form: HTMLFormElement) {
  return (await import('./show-preview.ts')).openPreview(form);
}

/** Lists below the bar what keeps a text from being saved, in place of what was listed before. */
function showProblems(form: HTMLFormElement, problems: readonly unknown[]): void {
  form.querySelector('.desk-problems')?.remove();
  document.querySelector('#file-problems')?.remove();
  form.dispatchEvent(new CustomEvent('problems-found', { detail: problems }));
  if (problems.length === 0) return;
  const list = buildElement('ul', { class: 'desk-problems', role: 'alert' });
  for (const problem of problems) {
    const { text, id }: Readonly<Record<string, unknown>> = Object(problem);
    const item = buildElement('li');
    const link = document.getElementById(String(id)) === null ? 'span' : 'a';
    item.append(buildElement(link, { href: `#${id}` }, String(text)));
    item.addEventListener('click', () => showField(String(id)));
    list.append(item);
  }
  form.querySelector('.desk-bar, .editor-bar')?.append(list);
}

function showField(id: string): void {
  const field = document.getElementById(id);
  document.querySelector<HTMLInputElement>('.editor-tabs [value="form"]')?.click();
  for (let box = field?.closest('details'); box; box = box.parentElement?.closest('details')) box.open = true;
  if (field?.hidden === false) field.focus();
  else findText(field?.parentElement ?? document)?.focus();
}

/** What is written in, in place of a text area. */
const findText = (box: ParentNode) => box.querySelector<HTMLElement>('.desk-body');

/** Puts the cursor on a line of a field, from 1. */
function goToLine(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from);
  field.scrollTop = (field.scrollHeight * (line - 1)) / lines.length - field.clientHeight / 2;
}

/** After the last key: long enough to finish a word. */
const PREVIEW_DELAY_MS = 500;
