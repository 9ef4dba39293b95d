import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { buildElement, openPicker, type PickedItem } from './command-palette.ts';

/** What the server offers to put into a text. */
interface Choices {
  readonly links: readonly PickedItem[];
  readonly figures: readonly PickedItem[];
  readonly images: readonly PickedItem[];
}

/** Adds the buttons above the text of an article. Links, figures and images are chosen from those that the site has. */
export function addInsertBar(view: EditorView, host: HTMLElement, form: HTMLFormElement): void {
  const bar = buildElement('div', { class: 'editor-insert', role: 'group', 'aria-label': 'Insert' });
  let choices: Promise<Choices> | undefined;
  const load = () => {
    choices ??= readChoices(form);
    return choices;
  };
  const pick = (label: string, kind: keyof Choices, insert: (value: string) => void) => async () => {
    const offered = (await load())[kind];
    if (offered.length === 0) choices = undefined;
    openPicker(label, offered, insert);
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

async function readChoices(form: HTMLFormElement): Promise<Choices> {
  const none: Choices = { links: [], figures: [], images: [] };
  const body = new FormData();
  body.set('token', String(new FormData(form).get('token') ?? ''));
  body.set('do', 'choices');
  const response = await fetch(form.action, { method: 'POST', body, redirect: 'error' }).catch(() => null);
  const read: unknown = response?.ok === true ? await response.json().catch(() => null) : null;
  if (typeof read !== 'object' || read === null) return none;
  const list = (name: string): readonly PickedItem[] => {
    const value: unknown = Reflect.get(read, name);
    return Array.isArray(value) ? value.flatMap(parseItem) : [];
  };
  return { links: list('links'), figures: list('figures'), images: list('images') };
}

function parseItem(item: unknown): PickedItem[] {
  if (typeof item !== 'object' || item === null || !('name' in item && 'kind' in item && 'value' in item))
    return [];
  return [{ name: String(item.name), kind: String(item.kind), value: String(item.value) }];
}
