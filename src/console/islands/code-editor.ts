import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorSelection, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { getFormAddress } from './command-palette.ts';
import { addInsertBar } from './insert-bar.ts';
import type { EditorPreview } from './show-preview.ts';

const KEYS = 'Tab leaves the text, Ctrl and ] indents a line.';

/**
 * Puts CodeMirror over a text area, which stays in the form and has the text. A line that is not edited stays as it is: the
 * text is copied back when it changes, and at no other time.
 */
export function openCodeEditor(
  field: HTMLTextAreaElement,
  { form, preview }: { readonly form: HTMLFormElement; readonly preview: EditorPreview | null },
): void {
  const isMarkdown = field.name === 'body' || getFormAddress(form).includes('.md');
  const label = form.querySelector<HTMLLabelElement>(`label[for="${field.id}"]`);
  const name = label?.textContent ?? '';
  const host = createHost(field);
  let isCopying = false;
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        EditorState.readOnly.of(field.readOnly),
        syntaxHighlighting(HIGHLIGHT),
        isMarkdown ? markdown() : yaml(),
        keymap.of([...defaultKeymap.filter(({ key }) => !SECTION_KEYS.has(key ?? '')), ...historyKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': `${name}. ${KEYS}`,
          spellcheck: isMarkdown ? 'true' : 'false',
          autocapitalize: isMarkdown ? 'sentences' : 'off',
        }),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged && !isCopying) {
            field.value = state.doc.toString();
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
          if (docChanged || selectionSet) preview?.show(findHeading(state));
        }),
        // Chromium gives what replaces a selection a style of its own, which the policy of the console reports.
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        THEME,
      ],
    }),
    root: host.attachShadow({ mode: 'open' }),
    parent: host.shadowRoot ?? host,
  });
  field.hidden = true;
  label?.addEventListener('click', () => view.focus());
  // What else changes the text area, such as a browser that fills in what it had before.
  field.addEventListener('input', () => {
    if (field.value === view.state.doc.toString()) return;
    isCopying = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
    isCopying = false;
  });
  const firstLine = field.name === 'body' ? Number(field.dataset['firstLine'] ?? 1) : 1;
  preview?.onLine((line) => goToLine(view, line - firstLine + 1));
  if (field.name === 'body' && !field.readOnly) addInsertBar(view, host, form);
}

/** Puts the element for the editor before its text area, with a hint above it. */
function createHost(field: HTMLTextAreaElement): HTMLElement {
  const hint = document.createElement('p');
  hint.className = 'editor-help';
  hint.textContent = KEYS;
  // The policy of the console refuses style elements, which CodeMirror needs outside of a shadow root.
  const host = document.createElement('div');
  host.className = 'editor-code-host';
  host.dataset['typing'] = '';
  field.before(hint, host);
  return host;
}

/** Puts the cursor on a line of the text, from 1. */
function goToLine(view: EditorView, number: number): void {
  if (number < 1 || number > view.state.doc.lines) return;
  const { from } = view.state.doc.line(number);
  view.dispatch({
    selection: EditorSelection.cursor(from),
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
  view.focus();
}

function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event;
  if (inputType !== 'insertText' || data === null || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(data));
  return true;
}

/** These keys move sections. */
const SECTION_KEYS: ReadonlySet<string> = new Set(['Alt-ArrowUp', 'Alt-ArrowDown']);

/** The position of the heading above the cursor, from 0; undefined above the first. */
function findHeading({ doc, selection }: EditorState): number | undefined {
  let count = -1;
  let isCode = false;
  const last = doc.lineAt(selection.main.head).number;
  for (let number = 1; number <= last; number += 1) {
    const { text } = doc.line(number);
    if (/^(?:```|~~~)/.test(text)) isCode = !isCode;
    else if (!isCode && /^#{1,6}\s/.test(text)) count += 1;
  }
  return count < 0 ? undefined : count;
}

/** The colors of the console, so that they fit both modes. */
const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.monospace], color: 'var(--positive)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)' },
]);

const THEME = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    fontSize: '0.85rem',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.55',
    maxHeight: '70vh',
    minHeight: '16rem',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--muted)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': {
    background: 'color-mix(in oklab, var(--accent) 8%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--accent) 28%, transparent)',
  },
});
