import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { type EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { DECORATION_MARK } from '../../../core/articles/markdown-words.ts';
import { resolveImageReference } from '../../../core/pages/images/content-image.ts';
import { buildElement } from '../command-palette.ts';
import { adoptStyles, ask, readPictures, readText, type SitePicture } from './ask-site.ts';
import { addedPictures, findPicture } from './write-keys.ts';

/** Where a picture will stand that is being added, or says why it cannot be. It is not in the text yet. */
interface Place {
  readonly element: HTMLElement;
  readonly at: number;
}

const addPlaces = StateEffect.define<readonly Place[]>();
const removePlace = StateEffect.define<HTMLElement>();

const places = StateField.define<readonly Place[]>({
  create: () => [],
  update(before, { changes, effects }) {
    const removed = effects.find((effect) => effect.is(removePlace))?.value;
    const index = before.findIndex(({ element }) => element === removed);
    // What is put in for one comes before the places after it.
    const mapped = before.map(({ element, at }, own) => ({
      element,
      at: changes.mapPos(at, index >= 0 && own > index ? 1 : -1),
    }));
    const added = effects.flatMap((effect) => (effect.is(addPlaces) ? effect.value : []));
    return [...mapped.filter(({ element }) => element !== removed), ...added];
  },
  provide: (field) =>
    EditorView.decorations.compute(['doc', field], (state) =>
      Decoration.set(
        state.field(field).map(({ element, at }) => {
          const widget = new PlaceWidget(element);
          return Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.lineAt(at).to);
        }),
        true,
      ),
    ),
});

class PlaceWidget extends WidgetType {
  readonly element: HTMLElement;

  constructor(element: HTMLElement) {
    super();
    this.element = element;
  }

  override eq(other: PlaceWidget): boolean {
    return other.element === this.element;
  }

  toDOM(): HTMLElement {
    return this.element;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const STYLES = `
.desk-place { padding: .8rem; border: 1px dashed var(--line); border-radius: var(--radius-sm); background: var(--sunken); font: .95rem/1.45 var(--font-text); }
.desk-place canvas { display: block; max-width: 100%; max-height: 14rem; margin-bottom: .5rem; opacity: .7; }
.desk-place { scroll-margin-bottom: 7rem; }
.desk-place * { box-sizing: border-box; }
.desk-place p { margin: 0; }
.desk-place[data-failed] { border: 1px solid var(--danger); }
.desk-place progress { width: 100%; }
.desk-place input[type="text"] { width: 100%; padding: .4rem .5rem; border: 1px solid var(--line); background: var(--raised); color: var(--ink); font: inherit; }
.desk-row { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding-top: .4rem; }
.desk-row label { display: flex; gap: .4rem; align-items: center; font: .85rem var(--font-text); }
:is(.desk-place, .desk-row) :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.desk-dialog:is(.desk-pictures, .desk-crop-dialog) { max-height: 94vh; margin: auto; }
.desk-pictures { width: min(56rem, 94vw); }
.desk-grid-of-pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .7rem; grid-auto-rows: max-content; max-height: 56vh; padding: 3px; overflow-y: auto; }
.desk-grid-of-pictures button { display: grid; gap: .3rem; align-content: start; padding: .3rem; border: 1px solid var(--line); border-radius: var(--radius-sm); background: var(--raised); color: var(--ink); font: .8rem/1.35 var(--font-text); text-align: left; overflow-wrap: anywhere; cursor: pointer; }
.desk-grid-of-pictures button:is(:hover, :focus-visible) { border-color: var(--accent); }
.desk-grid-of-pictures span { max-height: 4.05em; overflow: hidden; }
.desk-grid-of-pictures img { width: 100%; height: auto; aspect-ratio: 3 / 2; object-fit: cover; background: var(--sunken); }
`;
function install(view: EditorView): void {
  for (const root of [view.root, document]) adoptStyles(root, STYLES);
  if (view.state.field(places, false) !== undefined) return;
  view.dispatch({ effects: StateEffect.appendConfig.of(places) });
  // What is not in the text yet would be lost with the page.
  addEventListener('beforeunload', (event) => {
    if (view.state.field(places).some(({ element }) => 'waits' in element.dataset)) event.preventDefault();
  });
}

/** The form around the text. */
function getForm(view: EditorView): HTMLFormElement | null {
  return view.root instanceof ShadowRoot ? view.root.host.closest('form') : null;
}

const MAX_BYTES = 20_000_000;
const SHOWN = 'JPEG, PNG, WebP, AVIF, GIF and SVG';
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/svg+xml';

/** Why a file is no picture of a text, as a sentence; null: the server looks at it. */
export function findFileProblem({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const refuse = (what: string) => `“${name}” ${what}`;
  if (ACCEPTED.split(',').includes(type)) {
    if (size === 0) return refuse('is empty.');
    if (size <= MAX_BYTES) return null;
    return refuse(
      `is ${Math.ceil(size / 1_000_000)} MB, the limit is ${MAX_BYTES / 1_000_000}: make it smaller.`,
    );
  }
  if (/heic|heif/.test(type) || /\.hei[cf]$/i.test(name))
    return refuse('is a HEIC photo, which browsers cannot show: save it as JPEG.');
  if (type === 'application/pdf')
    return refuse('is a PDF. A text shows pictures: save the page of it as PNG.');
  if (type.startsWith('video/')) return refuse('is a video. A text shows pictures: choose a frame of it.');
  return refuse(`is no picture that a page can show. These can: ${SHOWN}.`);
}

/** Where a block can stand that is put in at a position: below the paragraph, list or table of it. */
function findBlockEnd(state: EditorState, at: number): number {
  const line = state.doc.lineAt(at);
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling)
    if (node.from <= line.to && node.to >= line.from) return state.doc.lineAt(node.to).to;
  return line.to;
}

/** The change that puts a block between blank lines: in place of the empty line at a position, else below its line. */
export function buildBlockChange({ doc }: EditorState, at: number, block: string) {
  const line = doc.lineAt(at);
  const isEmpty = line.text.trim() === '';
  const from = isEmpty ? line.from : line.to;
  const isAlone = from === 0 || (line.number > 1 && doc.line(line.number - 1).length === 0);
  const present = /^\n{0,2}/.exec(doc.sliceString(line.to, line.to + 2))?.[0].length ?? 0;
  const before = isEmpty ? (isAlone ? '' : '\n') : '\n\n';
  const after = '\n'.repeat(2 - present);
  return { from, to: line.to, insert: `${before}${block}${after}`, start: from + before.length };
}

const escapeWords = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[[\]\\]/g, '\\$&');
const buildAddress = (path: string) => `../images/${encodeURI(path).replace(/[()]/g, encodeURIComponent)}`;
const buildMarkdown = (address: string, alt: string, isDecoration: boolean) =>
  isDecoration ? `![](${address})${DECORATION_MARK}` : `![${escapeWords(alt)}](${address})`;

/** What becomes a picture: a file, or the address of one in what was pasted; neither: it could not be read. */
export interface PictureSource {
  readonly at: number;
  readonly name: string;
  readonly alt?: string;
  readonly file?: File;
  readonly address?: string;
  readonly problem?: string;
}

/** One after the other: a picture that takes long keeps no other request waiting. */
let last: Promise<unknown> = Promise.resolve();

/** Shows places for pictures and adds those that can be read; the description of the first has the focus. */
export function addPictures(view: EditorView, sources: readonly PictureSource[], hasFocus = true): void {
  install(view);
  const built = sources.map((source) => {
    const place = new PicturePlace(view, source);
    return { place, element: place.element, at: findBlockEnd(view.state, source.at) };
  });
  view.dispatch({ effects: addPlaces.of(built.map(({ element, at }) => ({ element, at }))) });
  for (const { place } of built) place.start();
  if (hasFocus) built[0]?.place.focus();
}

/** The files that were dropped, pasted or chosen. Folders and other files say why they cannot be used. */
export function addFiles(
  view: EditorView,
  { files, folders }: { readonly files: readonly File[]; readonly folders: readonly string[] },
): void {
  const at = view.state.selection.main.head;
  const title = getForm(view)?.querySelector<HTMLTextAreaElement>('.desk-title')?.value ?? '';
  addPictures(view, [
    ...files
      .filter(({ name }) => !folders.includes(name))
      .map((file) => {
        const problem = findFileProblem(file) ?? undefined;
        // Screenshots have no names of their own.
        const name = /^image\.\w+$/.test(file.name) && title !== '' ? title : file.name.replace(/\.\w+$/, '');
        return { at, file, name, ...(problem !== undefined && { problem }) };
      }),
    ...folders.map((name) => ({
      at,
      name,
      problem: `“${name}” is a folder: open it, and drop its pictures.`,
    })),
  ]);
}

/** Goes to the field for what the picture at a position shows, and returns it; undefined: no picture is drawn there. */
export function goToDescription(view: EditorView, at: number) {
  const boxes = [...view.dom.querySelectorAll<HTMLElement>('.desk-picture')];
  const box = boxes.find((one) => view.posAtDOM(one) === at);
  const field = box?.querySelector('input');
  field?.focus({ preventScroll: true });
  // The bar of buttons is at the end of the window, and a picture moves its field when it is loaded.
  const show = () => field === view.root.activeElement && field?.scrollIntoView({ block: 'center' });
  show();
  box?.addEventListener('load', show, { capture: true });
  return field;
}

/** Goes to the field of a picture whose line is about to be shown: it is drawn when it is measured. */
export const goToPicture = (view: EditorView, at: number): void =>
  view.requestMeasure({ read: () => undefined, write: () => void goToDescription(view, at) });

/** The place of one picture, with what it shows and what becomes of it. */
class PicturePlace {
  readonly element: HTMLElement;
  readonly #view: EditorView;
  readonly #source: PictureSource;
  readonly #status = buildElement('p', { role: 'status' });
  readonly #progress = buildElement('progress', { max: '1', 'aria-label': 'Upload' });
  readonly #alt = buildElement('input', { type: 'text', maxlength: '300' });
  readonly #decoration = buildElement('input', { type: 'checkbox' });
  readonly #row = buildElement('p', { class: 'desk-row' });

  constructor(view: EditorView, source: PictureSource) {
    this.#view = view;
    this.#source = source;
    this.element = buildElement('div', {
      class: 'desk-place',
      role: 'group',
      'aria-label': `Picture: ${source.name}`,
    });
    this.#alt.setAttribute('aria-label', 'What the picture shows, for readers who cannot see it');
    this.#alt.placeholder = 'What does it show? Readers who cannot see it read this.';
    this.#alt.value = source.alt ?? '';
    this.#decoration.addEventListener('change', () => {
      this.#alt.disabled = this.#decoration.checked;
    });
    this.element.addEventListener('drop', (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined || source.file !== undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#replace(file);
    });
    this.element.append(this.#status);
  }

  start(): void {
    const { file, address, problem } = this.#source;
    const isMissing = file === undefined && address === undefined;
    this.element.toggleAttribute('data-waits', problem === undefined && !isMissing);
    const reason = problem ?? (isMissing ? 'This picture could not be read. Drop the picture here.' : '');
    if (reason !== '') {
      this.#fail(reason, false);
      return;
    }
    if (file !== undefined) void this.#preview(file);
    const label = buildElement('label');
    label.append(this.#decoration, 'Only decoration');
    this.#row.replaceChildren(
      label,
      this.#buildButton('Remove', () => this.#remove()),
    );
    this.element.append(this.#progress, this.#alt, this.#row);
    last = last.then(() => this.#upload());
  }

  focus(): void {
    (this.#alt.isConnected ? this.#alt : this.#row.querySelector('button'))?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** What was dropped is shown from memory; a drawing, or what the browser cannot read, when the server has it. */
  async #preview(file: File): Promise<void> {
    const options = { resizeWidth: 760, resizeQuality: 'medium' } as const;
    const bitmap = await createImageBitmap(file, options).catch(() => null);
    if (bitmap === null) return;
    const canvas = buildElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    this.element.prepend(canvas);
    this.#view.requestMeasure();
    if (this.#view.root.activeElement === this.#alt) this.element.scrollIntoView({ block: 'nearest' });
  }

  #isThere = () => this.#view.state.field(places).some(({ element }) => element === this.element);

  async #upload(): Promise<void> {
    if (!this.#isThere()) return;
    const { file, address, name } = this.#source;
    const say = (part: number) => {
      this.#progress.value = part;
      this.#status.textContent = part < 1 ? `Uploading “${name}” …` : `Preparing “${name}” for the site …`;
    };
    say(0);
    const sent = {
      action: 'add-picture',
      name,
      ...(file === undefined ? { address: address ?? '' } : { file }),
    };
    const answer = await ask(getForm(this.#view), sent, say);
    const path = readText(answer, 'path');
    if (path === '') this.#fail(readText(answer, 'problem') || 'The server has refused it.', true);
    else this.#finish(path, readText(answer, 'src'));
  }

  #finish(path: string, src: string): void {
    const view = this.#view;
    const place = view.state.field(places).find(({ element }) => element === this.element);
    if (place === undefined) return;
    const canvas = this.element.querySelector('canvas');
    addedPictures.set(buildAddress(path), src || (canvas?.toDataURL('image/webp') ?? ''));
    const cursor = view.root.activeElement === this.#alt ? this.#alt.selectionStart : null;
    const markdown = buildMarkdown(buildAddress(path), this.#alt.value, this.#decoration.checked);
    const { start, ...changes } = buildBlockChange(view.state, place.at, markdown);
    view.dispatch({
      changes,
      effects: removePlace.of(this.element),
      userEvent: 'input.picture',
      annotations: isolateHistory.of('full'),
    });
    if (cursor === null) return;
    const field = goToDescription(view, start);
    if (!field) return;
    // With the space between two words that are being typed.
    field.value = this.#alt.value;
    field.setSelectionRange(cursor, cursor);
  }

  #fail(reason: string, canRetry: boolean): void {
    const { file, address } = this.#source;
    this.element.dataset['failed'] = '';
    this.#status.setAttribute('role', 'alert');
    this.#status.textContent = canRetry ? `Could not add “${this.#source.name}”. ${reason}` : reason;
    const again = this.#buildButton('Try again', () => {
      delete this.element.dataset['failed'];
      this.start();
    });
    const choose = this.#buildButton('Choose a picture', () =>
      chooseFiles(([chosen]) => chosen && this.#replace(chosen)),
    );
    const isMissing = file === undefined && address === undefined && this.#source.problem === undefined;
    const buttons = [
      ...(canRetry ? [again] : []),
      ...(isMissing || (canRetry && file === undefined) ? [choose] : []),
    ];
    this.#row.replaceChildren(
      ...buttons,
      this.#buildButton('Remove', () => this.#remove()),
    );
    this.#progress.remove();
    if (!canRetry) this.#alt.remove();
    this.element.append(this.#row);
  }

  /** Another file takes the place, and what it shows stays. */
  #replace(file: File): void {
    const [place] = this.#view.state.field(places).filter(({ element }) => element === this.element);
    if (place === undefined) return;
    this.#view.dispatch({ effects: removePlace.of(this.element) });
    const problem = findFileProblem(file) ?? undefined;
    const { alt = '' } = this.#source;
    const source = { at: place.at, file, alt, name: file.name.replace(/\.\w+$/, '') };
    addPictures(this.#view, [{ ...source, ...(problem !== undefined && { problem }) }]);
  }

  #remove(): void {
    this.#view.dispatch({ effects: removePlace.of(this.element) });
    this.#view.focus();
  }

  #buildButton(name: string, act: () => void): HTMLButtonElement {
    const button = buildElement('button', { type: 'button', class: 'desk-tool' }, name);
    button.addEventListener('click', act);
    return button;
  }
}

function chooseFiles(choose: (files: readonly File[]) => void): void {
  const input = buildElement('input', { type: 'file', accept: ACCEPTED, multiple: '' });
  input.addEventListener('change', () => choose([...(input.files ?? [])]));
  input.click();
}

/** As many are drawn at once. */
const MAX_SHOWN = 60;

/** Pictures whose name, description or pieces have all words of a text. */
export const searchPictures = <T extends Pick<SitePicture, 'path' | 'alt' | 'uses'>>(
  all: readonly T[],
  text: string,
) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({ path, alt, uses }) =>
    words.every((word) => `${path} ${alt} ${uses}`.toLowerCase().includes(word)),
  );
};

/** Lets the operator choose a picture of the site, or upload others. */
export async function openPictures(view: EditorView): Promise<void> {
  install(view);
  const dialog = buildElement('dialog', { class: 'desk-dialog desk-pictures', 'aria-label': 'Picture' });
  const form = buildElement('form', { method: 'dialog' });
  const label = buildElement('label', {}, 'Find by name, description or the piece that shows it');
  const search = buildElement('input', { type: 'search' });
  label.append(search);
  const count = buildElement('p', { role: 'status', class: 'desk-count' }, 'Reading the pictures …');
  const grid = buildElement('div', { class: 'desk-grid-of-pictures' });
  const row = buildElement('p', { class: 'form-row' });
  const upload = buildElement('button', { type: 'button', class: 'button' }, 'Upload pictures');
  // A button that submits would be pressed by Enter in the search.
  const cancel = buildElement('button', { type: 'button', class: 'text-button' }, 'Cancel');
  cancel.addEventListener('click', () => dialog.close());
  row.append(upload, cancel);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.append(buildElement('h2', {}, 'Picture'), label, count, grid, row);
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const leave = (act: () => void) => {
    dialog.close();
    view.focus();
    act();
  };
  upload.addEventListener('click', () =>
    chooseFiles((files) => leave(() => addFiles(view, { files, folders: [] }))),
  );
  const all = await readPictures(getForm(view));
  const choose = ({ path, alt, src }: SitePicture) => {
    addedPictures.set(buildAddress(path), src);
    const at = findBlockEnd(view.state, view.state.selection.main.head);
    const { start, ...changes } = buildBlockChange(
      view.state,
      at,
      buildMarkdown(buildAddress(path), alt, false),
    );
    leave(() => {
      view.dispatch({ changes, userEvent: 'input.picture', scrollIntoView: true });
      if (alt === '') goToDescription(view, start);
    });
  };
  const show = () => {
    const found = searchPictures(all, search.value);
    const more = found.length > MAX_SHOWN ? `, the ${MAX_SHOWN} newest are shown` : '';
    count.textContent = `${found.length} of ${all.length} pictures${more}`;
    grid.replaceChildren(
      ...found.slice(0, MAX_SHOWN).map((one) => {
        const button = buildElement('button', {
          type: 'button',
          title: one.uses === '' ? 'Not used' : `In: ${one.uses}`,
        });
        button.append(
          buildElement('img', { src: one.thumb, alt: '', loading: 'lazy', width: '480', height: '320' }),
          buildElement('span', {}, one.alt || one.path),
        );
        button.addEventListener('click', () => choose(one));
        return button;
      }),
    );
  };
  search.addEventListener('input', show);
  // Enter in the search takes the first.
  form.addEventListener('submit', () => {
    const [first] = search.value === '' ? [] : searchPictures(all, search.value);
    if (first !== undefined) choose(first);
  });
  show();
}

/** What can be done with a picture of the text, added to its row when it is used. `findText`: the next line to write in. */
export function addPictureTools(
  view: EditorView,
  box: HTMLElement,
  findText: (state: EditorState, own: number, step: 1) => number | null,
): void {
  const row = box.querySelector('.desk-block-bar');
  if (row === null || row.classList.contains('desk-row')) return;
  install(view);
  row.classList.add('desk-row');
  box.querySelector('input')?.addEventListener('keydown', (event) => {
    const found = event.key === 'Enter' && !event.isComposing ? findPicture(view, box) : null;
    if (found === null) return;
    event.preventDefault();
    const below = findText(view.state, view.state.doc.lineAt(found.end).number, 1);
    view.dispatch({ selection: { anchor: below === null ? found.end : view.state.doc.line(below).from } });
    view.focus();
  });
  const label = buildElement('label');
  const decoration = buildElement('input', { type: 'checkbox' });
  decoration.checked = box.dataset['decoration'] !== undefined;
  decoration.addEventListener('change', () => {
    const found = findPicture(view, box);
    if (found === null) return;
    const insert = buildMarkdown(found.href, '', decoration.checked);
    view.dispatch({ changes: { from: found.start, to: found.end, insert }, userEvent: 'input.alt' });
  });
  label.append(decoration, 'Only decoration');
  row.prepend(label);
  const image = box.querySelector('img');
  if (image !== null && !image.src.endsWith('.svg')) {
    const crop = buildElement('button', { type: 'button', class: 'desk-tool' }, 'Crop');
    crop.addEventListener('click', async () => {
      const found = findPicture(view, box);
      if (found === null) return;
      const { openCrop } = await import('./crop.ts');
      await openCrop(getForm(view), resolveImageReference(found.href) ?? '', (cropped, src) => {
        const now = findPicture(view, box);
        if (now === null) return;
        addedPictures.set(buildAddress(cropped), src);
        const changes = { from: now.address.from, to: now.address.to, insert: buildAddress(cropped) };
        view.dispatch({ changes, userEvent: 'input.crop' });
      });
    });
    label.after(crop);
  }
  view.requestMeasure();
}
