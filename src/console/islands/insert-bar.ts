import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { buildElement, openPicker } from './command-palette.ts';
import { type Choices, readChoices } from './read-choices.ts';

/** Adds the buttons above the text of an article. Links, figures and images are chosen from those that the site has. */
export function addInsertBar(view: EditorView, host: HTMLElement, form: HTMLFormElement): void {
  const bar = buildElement('div', { class: 'editor-insert', role: 'group', 'aria-label': 'Insert' });
  const pick = (label: string, kind: keyof Choices, insert: (value: string) => void) => async () => {
    openPicker(label, (await readChoices(form))[kind], insert);
  };
  const buttons: readonly (readonly [name: string, act: () => void])[] = [
    ['Heading', () => prefixLine(view, '## ')],
    ['Link', pick('Link to a page of this site or to a partner', 'links', (href) => insertLink(view, href))],
    ['List', () => prefixLine(view, '- ')],
    ['Table', () => insertBlock(view, '| Name | Value |\n| --- | ---: |\n| First | 1 |')],
    ['Image', pick('Image of the site', 'images', (image) => insertBlock(view, image))],
    ['Figure', pick('Figure with its date', 'figures', (name) => insertText(view, `{${name}}`))],
  ];
  for (const [name, act] of buttons) {
    const button = buildElement('button', { type: 'button', class: 'text-button' }, name);
    button.addEventListener('click', act);
    bar.append(button);
  }
  host.before(bar);
}

function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text));
  view.focus();
}

/** The selected words become those of the link; without any, they are left to write. */
function insertLink(view: EditorView, href: string): void {
  const { from, to } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to) || 'words';
  view.dispatch({
    changes: { from, to, insert: `[${words}](${href})` },
    selection: EditorSelection.range(from + 1, from + 1 + words.length),
  });
  view.focus();
}

/** Begins the line of the cursor with a mark, or takes it away. */
function prefixLine(view: EditorView, mark: string): void {
  const { from, text } = view.state.doc.lineAt(view.state.selection.main.head);
  const has = text.startsWith(mark);
  view.dispatch({ changes: { from, to: from + (has ? mark.length : 0), insert: has ? '' : mark } });
  view.focus();
}

/** Puts a block between blank lines below the line of the cursor. */
function insertBlock(view: EditorView, block: string): void {
  const { to, text } = view.state.doc.lineAt(view.state.selection.main.head);
  const before = text.trim() === '' ? '' : '\n\n';
  const insert = `${before}${block}\n`;
  view.dispatch({ changes: { from: to, insert }, selection: EditorSelection.cursor(to + insert.length - 1) });
  view.focus();
}
