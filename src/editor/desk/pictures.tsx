import { closeHistory } from 'prosemirror-history';
import { Plugin, PluginKey, Selection } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { flushSync } from 'react-dom';
import { buildElement } from '../../console/islands/command-palette.ts';
import { resolveImageReference } from '../../core/pages/images/content-image.ts';
import type { DeskEditor } from '../desk.tsx';
import { adoptStyles, ask, readPictures, readText, type SitePicture } from './ask-site.ts';
import { goToDescription, type PartView } from './parts.tsx';
import {
  buildPictureAddress,
  chooseFiles,
  findFileProblem,
  PICTURE_STYLES,
  searchPictures,
} from './picture-files.ts';
import { schema } from './schema.ts';

const { nodes } = schema;

/** Where pictures will stand that are being added. They are not in the text yet. */
const places = new PluginKey<DecorationSet>('places');
type Change = { readonly add: readonly Place[] } | { readonly remove: Place };

function install({ view }: DeskEditor): void {
  adoptStyles(document, PICTURE_STYLES);
  if (places.getState(view.state) !== undefined) return;
  const plugin = new Plugin<DecorationSet>({
    key: places,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const change: Change | undefined = transaction.getMeta(places);
        const mapped = before.map(transaction.mapping, transaction.doc);
        if (change === undefined) return mapped;
        if ('remove' in change)
          return mapped.remove(mapped.find(undefined, undefined, ({ place }) => place === change.remove));
        const added = change.add.map((place) =>
          Decoration.widget(place.at, place.element, {
            side: 1,
            place,
            key: place.id,
            stopEvent: () => true,
            ignoreSelection: true,
          }),
        );
        return mapped.add(transaction.doc, added);
      },
    },
    props: { decorations: (state) => places.getState(state) },
  });
  view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, plugin] }));
  // What is not in the text yet would be lost with the page.
  addEventListener('beforeunload', (event) => {
    if (view.dom.querySelector('[data-waits]') !== null) event.preventDefault();
  });
}

const change = (desk: DeskEditor, what: Change) =>
  desk.view.dispatch(desk.view.state.tr.setMeta(places, what));

/** What becomes a picture: a file, or the address of one in what was pasted; neither: it could not be read. */
export interface PictureSource {
  readonly at: number;
  readonly name: string;
  readonly alt?: string;
  readonly file?: File;
  readonly address?: string;
  readonly problem?: string;
}

/** Below the block of a position. */
export function findBlockEnd({ view }: DeskEditor, at: number): number {
  const place = view.state.doc.resolve(Math.min(at, view.state.doc.content.size));
  return place.depth === 0 ? place.pos : place.after(1);
}

/** One after the other: a picture that takes long keeps no other request waiting. */
let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Shows places for pictures and adds those that can be read; the description of the first has the focus. */
export function addPictures(desk: DeskEditor, sources: readonly PictureSource[], hasFocus = true): void {
  install(desk);
  const built = sources.map((source) => new Place(desk, source));
  change(desk, { add: built });
  for (const place of built) place.start();
  if (hasFocus) built[0]?.focus();
}

/** The files that were dropped, pasted or chosen. Folders and other files say why they cannot be used. */
export function addFiles(desk: DeskEditor, files: readonly File[], folders: readonly string[] = []): void {
  const at = desk.view.state.selection.head;
  const title = desk.form.querySelector<HTMLTextAreaElement>('.desk-title')?.value ?? '';
  const found = files
    .filter(({ name }) => !folders.includes(name))
    .map((file) => {
      const problem = findFileProblem(file) ?? undefined;
      // Screenshots have no names of their own.
      const name = /^image\.\w+$/.test(file.name) && title !== '' ? title : file.name.replace(/\.\w+$/, '');
      return { at, file, name, ...(problem !== undefined && { problem }) };
    });
  const refused = folders.map((name) => ({
    at,
    name,
    problem: `“${name}” is a folder: open it, and drop its pictures.`,
  }));
  addPictures(desk, [...found, ...refused]);
}

/** Puts a picture below a position: in place of an empty paragraph. Returns where it is. */
function insertFigure(desk: DeskEditor, at: number, attrs: Readonly<Record<string, unknown>>): number {
  const { view } = desk;
  const { tr, doc } = view.state;
  const before = doc.resolve(at).nodeBefore;
  const isEmpty = before?.type === nodes.paragraph && before.content.size === 0;
  const start = isEmpty ? at - before.nodeSize : at;
  tr.replaceWith(start, at, nodes.figure.create(attrs));
  if (tr.doc.nodeAt(start + 1) === null) tr.insert(start + 1, nodes.paragraph.create());
  if (isEmpty) tr.setSelection(Selection.near(tr.doc.resolve(start + 2)));
  view.dispatch(closeHistory(tr));
  return start;
}

/** The place of one picture, with what it shows and what becomes of it. */
class Place {
  readonly element: HTMLElement;
  readonly id: string;
  readonly at: number;
  readonly #desk: DeskEditor;
  readonly #source: PictureSource;
  readonly #status = buildElement('p', { role: 'status' });
  readonly #progress = buildElement('progress', { max: '1', 'aria-label': 'Upload' });
  readonly #alt = buildElement('input', { type: 'text', maxlength: '300' });
  readonly #decoration = buildElement('input', { type: 'checkbox' });
  readonly #row = buildElement('p', { class: 'desk-row' });

  constructor(desk: DeskEditor, source: PictureSource) {
    count += 1;
    this.id = `place ${count}`;
    this.#desk = desk;
    this.#source = source;
    this.at = findBlockEnd(desk, source.at);
    const named = { role: 'group', 'aria-label': `Picture: ${source.name}`, contenteditable: 'false' };
    this.element = buildElement('div', { class: 'desk-place', ...named });
    this.#alt.setAttribute('aria-label', 'What the picture shows, for readers who cannot see it');
    this.#alt.placeholder = 'What does it show? Readers who cannot see it read this.';
    this.#alt.value = source.alt ?? '';
    this.#alt.addEventListener('keydown', (event) => {
      // The form is not sent.
      if (event.key === 'Enter') event.preventDefault();
    });
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

  /** Where it is now; null: it was removed. */
  #find(): number | null {
    const [found] =
      places.getState(this.#desk.view.state)?.find(undefined, undefined, ({ place }) => place === this) ?? [];
    return found?.from ?? null;
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
  }

  async #upload(): Promise<void> {
    if (this.#find() === null) return;
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
    const answer = await ask(this.#desk.form, sent, say);
    const path = readText(answer, 'path');
    if (path === '') this.#fail(readText(answer, 'problem') || 'The server has refused it.', true);
    else this.#finish(path, readText(answer, 'src'));
  }

  #finish(path: string, src: string): void {
    const at = this.#find();
    const desk = this.#desk;
    if (at === null) return;
    const canvas = this.element.querySelector('canvas');
    desk.known.pictures.set(buildPictureAddress(path), src || (canvas?.toDataURL('image/webp') ?? ''));
    const isDecoration = this.#decoration.checked;
    const attrs = { src: buildPictureAddress(path), alt: isDecoration ? '' : this.#alt.value, isDecoration };
    const start = insertFigure(desk, at, attrs);
    const isWriting = () => document.activeElement === this.#alt;
    const end = () => change(desk, { remove: this });
    if (!isWriting()) {
      end();
      return;
    }
    // What is typed until the picture has a field of its own goes on in it.
    requestAnimationFrame(() => {
      const { view } = desk;
      const { value, selectionStart } = this.#alt;
      if (isWriting() && view.state.doc.nodeAt(start)?.type === nodes.figure) {
        flushSync(() => view.dispatch(view.state.tr.setNodeAttribute(start, 'alt', value)));
        goToDescription(view, start)?.setSelectionRange(selectionStart, selectionStart);
      }
      end();
    });
  }

  #fail(reason: string, canRetry: boolean): void {
    const { file, address, name } = this.#source;
    this.element.dataset['failed'] = '';
    this.#status.setAttribute('role', 'alert');
    this.#status.textContent = canRetry ? `Could not add “${name}”. ${reason}` : reason;
    const again = this.#buildButton('Try again', () => {
      delete this.element.dataset['failed'];
      this.start();
    });
    const choose = this.#buildButton('Choose a picture', () =>
      chooseFiles(([chosen]) => chosen && this.#replace(chosen)),
    );
    const isMissing = file === undefined && address === undefined && this.#source.problem === undefined;
    this.#row.replaceChildren(
      ...(canRetry ? [again] : []),
      ...(isMissing || (canRetry && file === undefined) ? [choose] : []),
      this.#buildButton('Remove', () => this.#remove()),
    );
    this.#progress.remove();
    if (!canRetry) this.#alt.remove();
    this.element.append(this.#row);
  }

  /** Another file takes the place, and what it shows stays. */
  #replace(file: File): void {
    const at = this.#find();
    if (at === null) return;
    change(this.#desk, { remove: this });
    const problem = findFileProblem(file) ?? undefined;
    const { alt = '' } = this.#source;
    const source = { at, file, alt, name: file.name.replace(/\.\w+$/, '') };
    addPictures(this.#desk, [{ ...source, ...(problem !== undefined && { problem }) }]);
  }

  #remove(): void {
    change(this.#desk, { remove: this });
    this.#desk.view.focus();
  }

  #buildButton(name: string, act: () => void): HTMLButtonElement {
    const button = buildElement('button', { type: 'button', class: 'desk-tool' }, name);
    button.addEventListener('click', act);
    return button;
  }
}

/** As many are drawn at once. */
const MAX_SHOWN = 60;

/** Lets the operator choose a picture of the site, or upload others. */
export async function openPictures(desk: DeskEditor): Promise<void> {
  install(desk);
  const dialog = buildElement('dialog', { class: 'desk-dialog desk-pictures', 'aria-label': 'Picture' });
  const form = buildElement('form', { method: 'dialog' });
  const label = buildElement('label', {}, 'Find by name, description or the piece that shows it');
  const search = buildElement('input', { type: 'search' });
  label.append(search);
  const status = buildElement('p', { role: 'status', class: 'desk-count' }, 'Reading the pictures …');
  const grid = buildElement('div', { class: 'desk-grid-of-pictures' });
  const row = buildElement('p', { class: 'form-row' });
  const upload = buildElement('button', { type: 'button', class: 'button' }, 'Upload pictures');
  // A button that submits would be pressed by Enter in the search.
  const cancel = buildElement('button', { type: 'button', class: 'text-button' }, 'Cancel');
  cancel.addEventListener('click', () => dialog.close());
  row.append(upload, cancel);
  form.append(buildElement('h2', {}, 'Picture'), label, status, grid, row);
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const leave = (act: () => void) => {
    dialog.close();
    desk.view.focus();
    act();
  };
  upload.addEventListener('click', () => chooseFiles((files) => leave(() => addFiles(desk, files))));
  const all = await readPictures(desk.form);
  const choose = ({ path, alt, src }: SitePicture) =>
    leave(() => {
      desk.known.pictures.set(buildPictureAddress(path), src);
      const at = findBlockEnd(desk, desk.view.state.selection.head);
      const start = insertFigure(desk, at, { src: buildPictureAddress(path), alt });
      if (alt === '') requestAnimationFrame(() => goToDescription(desk.view, start));
    });
  const show = () => {
    const found = searchPictures(all, search.value);
    const more = found.length > MAX_SHOWN ? `, the ${MAX_SHOWN} newest are shown` : '';
    status.textContent = `${found.length} of ${all.length} pictures${more}`;
    grid.replaceChildren(
      ...found.slice(0, MAX_SHOWN).map((one) => {
        const title = one.uses === '' ? 'Not used' : `In: ${one.uses}`;
        const button = buildElement('button', { type: 'button', title });
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
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [first] = search.value === '' ? [] : searchPictures(all, search.value);
    if (first !== undefined) choose(first);
  });
  show();
}

export async function cropPicture(part: PartView): Promise<void> {
  const { desk } = part;
  const { openCrop } = await import('./crop.ts');
  await openCrop(desk.form, resolveImageReference(part.node.attrs['src']) ?? '', (cropped, src) => {
    desk.known.pictures.set(buildPictureAddress(cropped), src);
    part.change({ src: buildPictureAddress(cropped) });
  });
}
