import { EditorView } from '@codemirror/view';

const BUTTON = {
  minHeight: '1.75rem',
  padding: '0 .5rem',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius-sm)',
  background: 'var(--raised)',
  color: 'var(--ink)',
  font: '500 .8rem var(--font-text)',
  cursor: 'pointer',
} as const;

/** What every text of the editor has; its frame shows the focus. */
export const SHARED_STYLES = {
  '&.cm-focused': { outline: 'none' },
  '::selection': { background: 'color-mix(in oklab, var(--accent) 28%, transparent)' },
} as const;

/** The text as the site sets it; Markdown has a theme of its own on top. */
export const DESK_THEME = EditorView.theme({
  ...SHARED_STYLES,
  '&': { color: 'var(--ink)', background: 'transparent', fontSize: '1.0625rem' },
  '.cm-scroller': {
    fontFamily: 'var(--font-text)',
    lineHeight: '1.62',
    overflow: 'visible',
  },
  // A click below the last line is one in the text.
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '24rem', padding: '.4rem 0 4rem' },
  '.cm-line': { padding: '0 2px' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.desk-gap': { lineHeight: '.72' },
  '.desk-h1, .desk-h2, .desk-h3, .desk-h4, .desk-h5, .desk-h6': {
    fontFamily: 'var(--font-display)',
    fontWeight: '640',
    lineHeight: '1.2',
    paddingTop: '.5rem',
  },
  '.desk-h1, .desk-h2': { fontSize: '1.5rem' },
  '.desk-h3': { fontSize: '1.22rem' },
  '.desk-strong': { fontWeight: '650' },
  '.desk-em': { fontStyle: 'italic' },
  '.desk-code, .desk-fence': { fontFamily: 'var(--font-mono)', fontSize: '.88em' },
  '.desk-code': { background: 'var(--sunken)', borderRadius: '3px' },
  '.desk-fence, .desk-raw': { background: 'var(--sunken)' },
  '.desk-raw': { fontFamily: 'var(--font-mono)', fontSize: '.82rem', color: 'var(--muted)' },
  '.desk-link': { color: 'var(--accent)', textDecoration: 'underline', textUnderlineOffset: '.2em' },
  '.desk-shop': {
    margin: '0 .2em',
    padding: '0 .4em',
    border: '1px solid currentColor',
    borderRadius: '1em',
    color: 'var(--accent)',
    fontSize: '.75rem',
    verticalAlign: '.1em',
  },
  '.desk-figure': { background: 'linear-gradient(transparent 62%, var(--marker) 62% 94%, transparent 94%)' },
  '.desk-source': { color: 'var(--accent)', fontSize: '.7em', verticalAlign: 'super' },
  '.desk-chip': { padding: '0 .3em', background: 'var(--sunken)', borderRadius: '3px' },
  '.desk-item': { paddingLeft: '1.6em', textIndent: '-1.2em' },
  '.desk-item[data-depth="2"]': { paddingLeft: '3.2em' },
  '.desk-item[data-depth="3"]': { paddingLeft: '4.8em' },
  '.desk-bullet': { display: 'inline-block', width: '1.2em', textIndent: '0', color: 'var(--accent)' },
  '.desk-quote': { paddingLeft: '1em', borderLeft: '3px solid var(--marker)', color: 'var(--muted)' },
  '.desk-callout': { paddingLeft: '1em', background: 'var(--sunken)' },
  '.desk-rule': { margin: '1.2rem 0', borderTop: '1px solid var(--line)' },
  '.desk-picture': { margin: '0' },
  '.desk-picture img': {
    display: 'block',
    maxWidth: '100%',
    maxHeight: '28rem',
    borderRadius: 'var(--radius-sm)',
  },
  '.desk-picture > input': {
    width: '100%',
    padding: '.4rem 0',
    border: '0',
    background: 'transparent',
    color: 'var(--ink)',
    font: '.9rem var(--font-text)',
  },
  '.desk-block': { position: 'relative', minHeight: '3rem' },
  '.desk-block > div': { display: 'block' },
  '.desk-block-bar': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '.4rem',
    alignItems: 'center',
    margin: '0',
    padding: '.2rem 0',
    color: 'var(--muted)',
    fontSize: '.8rem',
  },
  '.desk-waits': { padding: '1rem', background: 'var(--sunken)', borderRadius: 'var(--radius-sm)' },
  '.desk-tool': BUTTON,
  '.desk-grid': { overflowX: 'auto' },
  '.desk-grid table': { width: '100%', borderCollapse: 'collapse', fontSize: '.95rem', lineHeight: '1.4' },
  '.desk-grid :is(td, th)': {
    padding: '0',
    border: '1px solid var(--line)',
    textAlign: 'left',
    verticalAlign: 'top',
  },
  '.desk-grid th': { fontWeight: '640' },
  '.desk-grid [contenteditable]': { minHeight: '1.4em', padding: '.4rem .5rem' },
  ':is(.desk-grid [contenteditable], .desk-tool, .desk-picture > input, .desk-link-bar *):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '-2px',
  },
});

/**
 * Chromium gives what replaces a selection a style of its own, which the policy of the console reports; at the edge of a block
 * it has no place for what is typed.
 */
export function replaceSelection(event: InputEvent, view: EditorView, isAtBlock = false): boolean {
  const { inputType, data } = event;
  if (inputType !== 'insertText' || data === null || (view.state.selection.main.empty && !isAtBlock))
    return false;
  view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type' });
  return true;
}
