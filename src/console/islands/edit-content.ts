import { buildElement, openPicker } from './command-palette.ts';
import { createDraftStore } from './edit-drafts.ts';
import { applyEditorStyles } from './editor-styles.ts';
import { readChoices } from './read-choices.ts';
import type { EditorPreview } from './show-preview.ts';

// The form of a content file works without this script, which adds a preview that follows the text, a better field for long
// texts, keys, and a copy of unsaved text in the browser.
const form = document.querySelector<HTMLFormElement>('form#editor');
if (form !== null) startEditor(form);

function startEditor(form: HTMLFormElement): void {
  const state = form.querySelector<HTMLElement>('[data-editor-state]');
  applyEditorStyles();
  if (form.querySelector('.publish') !== null) void loadPreview(form, () => undefined);
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
    const isDesk = form.querySelector('.desk') !== null;
    if (value === 'save' && isDesk) {
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
    if (event.target instanceof Element && event.target.matches('.desk-text')) return;
    event.preventDefault();
    event.stopPropagation();
    void openSearch(form);
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
      field.addEventListener('focus', () => {
        if (field.value === field.defaultValue) field.select();
      });
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      const isTitle = field.matches('.desk-title');
      if (isTitle) form.querySelector<HTMLElement>('.desk-summary')?.focus();
      else {
        // Until the editor of the text is there, its field takes what is written.
        const text = form.querySelector('.desk-text')?.shadowRoot?.querySelector<HTMLElement>('.cm-content');
        (text ?? form.querySelector<HTMLElement>('textarea[name="body"]'))?.focus();
      }
    });
  }
  // A new piece begins with what has to be written first.
  if (document.activeElement === document.body)
    form.querySelector<HTMLElement>('[data-placeholder]')?.focus({ preventScroll: true });
  for (const box of form.querySelectorAll<HTMLElement>('[data-chooser]')) startChooser(box);
  const body = form.querySelector<HTMLTextAreaElement>('textarea[name="body"].editor-code');
  if (body !== null) {
    void openBody(body);
    return;
  }
  void loadPreview(form, announce).then(async (opened) => {
    preview = opened;
    const text = form.querySelector<HTMLTextAreaElement>('textarea[name="text"].editor-code');
    if (text === null) return;
    const { openCodeEditor } = await import('./code-editor.ts');
    openCodeEditor(text, { form, preview });
  });

  /** The desk shows the text as readers see it: the page itself is loaded when it is asked for. */
  async function openBody(body: HTMLTextAreaElement) {
    const { openDesk } = await import('./desk/desk.ts');
    const goToLine = openDesk(body, form, (heading) => preview?.show(heading));
    const line = Number(/\bline=(\d+)/.exec(location.search)?.[1]);
    if (line > 0) goToLine(line);
    form.querySelector('[data-editor-preview]')?.addEventListener('click', async (event) => {
      event.preventDefault();
      preview ??= await loadPreview(form, announce);
      preview?.choose('preview');
      preview?.onLine((line) => {
        preview?.choose('form');
        goToLine(line);
      });
    });
  }
}

/** Opens the preview and the parts that it shows; `announce` says to screen readers what has moved. */
async function loadPreview(form: HTMLFormElement, announce: (text: string) => void) {
  const [{ openPreview }, { startParts }] = await Promise.all([
    import('./show-preview.ts'),
    import('./edit-parts.ts'),
  ]);
  return openPreview(form, startParts(form, announce));
}

/** Lists below the bar what keeps a text from being saved, in place of what was listed before. */
function showProblems(form: HTMLFormElement, problems: readonly unknown[]): void {
  form.querySelector('.desk-problems')?.remove();
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
  form.querySelector('.desk-bar')?.append(list);
}

/** Fewer are seen at once in the list of the browser. */
const MIN_SEARCHED = 8;

/** Adds to a choice the picture of what is chosen, a search over many, and to a color its picker. */
function startChooser(box: HTMLElement): void {
  const field = box.querySelector<HTMLSelectElement | HTMLInputElement>('select, input');
  if (field === null) return;
  const label = box.dataset['chooser'] ?? '';
  const change = (value: string) => {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change'));
  };
  if (field instanceof HTMLInputElement) {
    if (field.dataset['color'] === undefined) return;
    const picker = buildElement('input', { type: 'color', 'aria-label': `Pick: ${label}` });
    const show = () => {
      if (/^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value;
    };
    picker.addEventListener('input', () => change(picker.value));
    field.addEventListener('input', show);
    show();
    box.prepend(picker);
    return;
  }
  const options = [...field.options].filter(({ value }) => value !== '');
  if (options.some(({ dataset }) => dataset['picture'] !== undefined)) {
    const image = buildElement('img', { class: 'image-thumb', alt: '' });
    const show = () => {
      const { picture } = field.selectedOptions[0]?.dataset ?? {};
      image.hidden = picture === undefined;
      if (picture !== undefined) image.src = picture;
    };
    field.addEventListener('change', show);
    show();
    box.prepend(image);
    const focus = document.getElementById(field.id.replace(/src-$/, 'focus-'));
    if (focus instanceof HTMLInputElement) {
      const crop = buildElement('button', { type: 'button', class: 'text-button' }, 'Crop');
      crop.addEventListener('click', () => {
        void import('./desk/crop.ts').then((desk) => desk.openFieldCrop(field, focus, change));
      });
      box.append(crop);
    }
  }
  if (options.length < MIN_SEARCHED) return;
  const search = buildElement('button', { type: 'button', class: 'text-button' }, 'Search');
  search.append(buildElement('span', { class: 'hidden-text' }, ` ${label}`));
  search.addEventListener('click', () => {
    const items = options.map(({ value, text, dataset: { kind = '', picture } }) => ({
      name: text.trim(),
      kind,
      value,
      ...(picture !== undefined && { picture }),
    }));
    openPicker(label, items, (value) => {
      change(value);
      field.focus();
    });
  });
  box.append(search);
}

/** Finds the fields of this form, all pieces with their sections, and the views. */
async function openSearch(form: HTMLFormElement): Promise<void> {
  const fields = [...form.querySelectorAll<HTMLLabelElement>('.editor-field > label')].flatMap((label) => {
    const name = (label.firstChild?.textContent ?? '').trim();
    return label.htmlFor === '' ? [] : [{ name, kind: 'Field', value: `#${label.htmlFor}` }];
  });
  const views = [...document.querySelectorAll<HTMLAnchorElement>('[data-palette="view"]')].map((link) => ({
    name: link.dataset['name'] ?? '',
    kind: 'View',
    value: link.href,
  }));
  const { pieces } = await readChoices(form);
  openPicker('Find a piece, a section, a field or a view', [...fields, ...pieces, ...views], (value) => {
    if (value.startsWith('#')) showField(value.slice(1));
    else location.assign(value);
  });
}

function showField(id: string): void {
  const field = document.getElementById(id);
  for (let box = field?.closest('details'); box; box = box.parentElement?.closest('details')) box.open = true;
  if (field?.hidden === false) field.focus();
  else
    field?.parentElement
      ?.querySelector('.editor-code-host')
      ?.shadowRoot?.querySelector<HTMLElement>('.cm-content')
      ?.focus();
}

/** After the last key: long enough to finish a word. */
const PREVIEW_DELAY_MS = 500;
