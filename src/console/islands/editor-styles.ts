/**
 * Styles of what the scripts of the editor add. They are here and not in the style sheet of the console, which every view
 * carries.
 */
const STYLES = `
.editor-choice {
  width: max-content;
}
.editor-choice .segment {
  cursor: pointer;
}
.editor-choice .segment:has(:checked) {
  background: var(--ink);
  color: var(--surface);
}
.editor-choice .segment:has(:focus-visible) {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.editor-preview {
  min-width: 0;
}
.editor-pane-head {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.4rem 1rem;
  padding-bottom: 0.6rem;
}
.editor-stage {
  position: relative;
  height: min(70vh, 44rem);
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: var(--radius-sm);
  background: var(--sunken);
}
/* Beside a form, it is as high as the form. */
@container (min-width: 57rem) {
  .editor-panes > .editor-preview {
    display: flex;
    flex-direction: column;
    align-self: stretch;
  }
  .editor-panes > .editor-preview > .editor-stage {
    flex: 1 1 20rem;
    max-height: min(70vh, 44rem);
  }
}
.editor-frame {
  position: absolute;
  top: 0;
  left: 0;
  border: 0;
  background: var(--surface);
  transform-origin: 0 0;
}
.editor-frame[data-focused] {
  outline: 3px solid var(--accent);
  outline-offset: -3px;
}
.editor-frame[data-loading] {
  visibility: hidden;
}
.editor-notes {
  padding: 0.8rem 0;
  font-size: var(--small);
}
.editor-notes > li {
  padding: 0.2rem 0;
}
.editor-notes > [data-kind="error"] b {
  color: var(--danger);
}
.editor-notes > [data-kind="warning"] b {
  color: var(--warning);
}
.editor-notes > [data-kind="fact"] {
  color: var(--muted);
}
.editor-offer {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.4rem 1rem;
  max-width: 52rem;
  margin-top: 0.8rem;
  padding: 0.7rem 0.9rem;
  border-left: 3px solid var(--marker);
  background: color-mix(in oklab, var(--marker) 16%, transparent);
}
@container (max-width: 56.99rem) {
  .editor-panes[data-shows="form"] > .editor-preview,
  .editor-panes[data-shows="preview"] > :not(.editor-preview) {
    display: none;
  }
}
@container (min-width: 57rem) {
  .editor-tabs {
    display: none;
  }
  .editor-preview {
    position: sticky;
    top: 0.6rem;
    max-height: calc(100dvh - 6rem);
    overflow-y: auto;
  }
}
.desk-bar:has(.editor-tabs) [data-editor-preview] {
  display: none;
}
.desk-text {
  min-width: 0;
}
.desk-tools {
  position: sticky;
  bottom: 0;
  z-index: 3;
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem;
  padding: 0.4rem 0;
  border-top: 1px solid var(--line);
  background: var(--surface);
}
.desk-tools button {
  min-width: 1.65rem;
  min-height: 2.25rem;
  padding: 0 0.2rem;
  border: 1px solid transparent;
  border-radius: var(--radius-sm);
  font-size: 0.82rem;
}
.desk-tools button:is(:hover, [aria-pressed="true"]) {
  background: var(--sunken);
}
.desk-tools [data-tool="Bold"] {
  font-weight: 700;
}
.desk-tools [data-tool="Italic"] {
  font-style: italic;
}
.desk-tools [data-tool="Insert"] {
  border-color: var(--line-strong);
}
.desk-says {
  flex-basis: 100%;
  color: var(--muted);
  font-size: var(--small);
}
.desk-says:empty {
  display: none;
}
.desk-dialog form {
  display: grid;
  gap: 0.7rem;
  padding: 1.2rem;
}
.desk-dialog label {
  display: grid;
  gap: 0.2rem;
}
.editor .desk > .editor-preview {
  position: static;
  grid-column: 1 / -1;
  max-height: none;
}
.editor:has(.desk) .editor-tabs {
  display: flex;
}
.editor-panes.desk[data-shows="form"] > .editor-preview,
.editor-panes.desk[data-shows="preview"] > :not(.editor-preview) {
  display: none;
}
.editor-panes.publish > .editor-preview {
  display: block;
  grid-column: 1 / -1;
}
.editor:has(.publish) .editor-tabs,
.publish:has(.editor-preview) [data-editor-preview] {
  display: none;
}
@media (max-width: 47.99rem) {
  .desk-tools {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: max-content;
    justify-content: start;
    overflow-x: auto;
  }
  .desk-says {
    position: sticky;
    left: 0;
    grid-area: 2 / 1 / auto / span 16;
    max-width: calc(100vw - 2rem);
  }
  .desk-tools button {
    flex: none;
    min-width: 2.75rem;
    min-height: 2.75rem;
  }
}
@media (forced-colors: active) {
  .editor-choice .segment:has(:checked) {
    outline: 2px solid Highlight;
    outline-offset: -2px;
  }
}
`;

/** Applies the styles, or others. A style element would be refused by the policy of the console. */
export function applyEditorStyles(styles = STYLES): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
