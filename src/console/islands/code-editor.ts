import { history, historyKeymap, indentLess, indentMore, standardKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { getFormAddress } from './command-palette.ts';
import { replaceSelection, SHARED_STYLES } from './desk/desk-theme.ts';
import { HIGHLIGHT } from './desk/markdown-mode.ts';
import { siteMarkdown } from './desk/site-markdown.ts';
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
  const isMarkdown = getFormAddress(form).includes('.md');
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
        EditorView.lineWrapping,
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        EditorState.readOnly.of(field.readOnly),
        syntaxHighlighting(HIGHLIGHT),
        isMarkdown ? siteMarkdown : yaml(),
        keymap.of([...INDENT_KEYS, ...standardKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': `${name}. ${KEYS}`,
          spellcheck: isMarkdown ? 'true' : 'false',
          autocapitalize: isMarkdown ? 'sentences' : 'off',
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isCopying) {
            field.value = state.doc.toString();
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
        }),
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
  preview?.onLine((line) => goToLine(view, line));
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

const INDENT_KEYS = [
  { key: 'Mod-]', run: indentMore },
  { key: 'Mod-[', run: indentLess },
];

const THEME = EditorView.theme({
  ...SHARED_STYLES,
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    fontSize: '0.85rem',
  },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.55',
    maxHeight: '70vh',
    minHeight: '16rem',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--muted)', border: '0' },
});
