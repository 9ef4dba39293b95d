import { buildElement } from './command-palette.ts';
import { createDraftStore } from './edit-drafts.ts';
import { startParts } from './edit-parts.ts';
import { applyEditorStyles } from './editor-styles.ts';
import { openPreview } from './show-preview.ts';

// The form of a content file works without this script, which adds a preview that follows the text, a better field for long
// texts, keys, and a copy of unsaved text in the browser.
const form = document.querySelector<HTMLFormElement>('form#editor');
if (form !== null) startEditor(form);

function startEditor(form: HTMLFormElement): void {
  const state = form.querySelector<HTMLElement>('[data-editor-state]');
  // A viewer, or a folder that cannot be written: there is nothing to write here.
  if (state === null) return;
  applyEditorStyles();
  const live = buildElement('p', { class: 'hidden-text', 'aria-live': 'polite' });
  form.append(live);
  const announce = (text: string) => {
    live.textContent = '';
    setTimeout(() => {
      live.textContent = text;
    }, 50);
  };
  const drafts = createDraftStore(form, state);
  const preview = openPreview(form, startParts(form, announce));
  let timer: number | undefined;
  form.addEventListener('input', () => {
    drafts.note();
    clearTimeout(timer);
    timer = window.setTimeout(() => preview?.update(), PREVIEW_DELAY_MS);
  });
  form.addEventListener('focusin', () => preview?.show());
  form.addEventListener('submit', ({ submitter }) => {
    if (!(submitter instanceof HTMLButtonElement) || submitter.value === 'preview') return;
    drafts.send();
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    form.requestSubmit(form.querySelector<HTMLButtonElement>('.editor-bar button[value="save"]'));
  });
  for (const field of form.querySelectorAll<HTMLTextAreaElement>('textarea.editor-code'))
    void import('./code-editor.ts').then(({ openCodeEditor }) => openCodeEditor(field, { form, preview }));
}

/** After the last key: long enough to finish a word. */
const PREVIEW_DELAY_MS = 500;
