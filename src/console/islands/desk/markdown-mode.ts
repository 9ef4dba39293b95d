import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colors of the console, so that they fit both modes. */
export const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.monospace], color: 'var(--positive)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)' },
]);

/** Shows the Markdown of the text as it is in the file. */
export const MARKDOWN_MODE: Extension = [
  syntaxHighlighting(HIGHLIGHT),
  EditorView.theme({ '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: '.85rem' } }),
];
