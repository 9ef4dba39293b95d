import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

const FIND_THEME = EditorView.theme({
  '.cm-panels': {
    border: '0',
    background: 'var(--raised)',
    color: 'var(--ink)',
    position: 'sticky',
    top: '3.5rem',
  },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '.4rem',
    alignItems: 'center',
    padding: '.6rem 2rem .6rem .6rem',
    border: '1px solid var(--line)',
    fontSize: '.9rem',
  },
  '.cm-panel.cm-search > br': { display: 'none' },
  '.cm-panel.cm-search > :is(input, button)': {
    minHeight: '2.25rem',
    margin: '0',
    padding: '.2rem .6rem',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-sm)',
    background: 'var(--surface)',
    color: 'inherit',
    font: 'inherit',
  },
  '.cm-panel.cm-search > label': { fontSize: 'inherit' },
  '.cm-panel.cm-search > label:has([name=re])': { display: 'none' },
  '.cm-panel.cm-search > button[name=close]': { minWidth: '2rem', border: '0', fontSize: '1.2rem' },
  // Forced colors show the outline, and no background.
  '.cm-searchMatch': { background: 'var(--marker)', outline: '1px solid transparent' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
});
const WORDS = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  Replace: 'Replace with',
};
const installed = new WeakSet<EditorView>();

/** Opens the fields that find and replace in the text, with the selected words; they are installed by the first use. */
export function openFindPanel(view: EditorView): void {
  if (!installed.has(view)) {
    installed.add(view);
    const extension = [
      search({ top: true }),
      keymap.of(searchKeymap),
      EditorState.phrases.of(WORDS),
      FIND_THEME,
    ];
    view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  }
  openSearchPanel(view);
}
