import { buildElement, getFormAddress, type PickedItem } from '../../console/islands/command-palette.ts';
import { CHOICES_CHANGED, forgetChoices, readChoices } from '../../console/islands/read-choices.ts';
import { buildConsolePath } from '../../core/paths.ts';

/** What is asked of the server; null: there is no answer that can be read. */
export function ask(
  form: HTMLFormElement | null,
  fields: Readonly<Record<string, string | File>>,
  onProgress: (part: number) => void = () => undefined,
): Promise<unknown> {
  if (form === null) return Promise.resolve(null);
  const body = new FormData();
  body.set('token', form.querySelector<HTMLInputElement>('[name="token"]')?.value ?? '');
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const request = new XMLHttpRequest();
  request.open('POST', getFormAddress(form));
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  return new Promise((resolve) => {
    request.addEventListener('loadend', () =>
      resolve(
        request.status === 0
          ? { problem: 'The connection is lost.' }
          : (request.response ?? { problem: 'The server asks who you are: sign in again in another tab.' }),
      ),
    );
    request.send(body);
  });
}

/** A member of an answer as text. */
export const readText = (answer: unknown, name: string): string => {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Says something below the text, and to screen readers. */
export function say(form: HTMLFormElement | null, text: string): void {
  const said = form?.querySelector('[data-desk-says]');
  if (said) said.textContent = text;
}

/** Opens the form of a new product in another tab; `added` is called once, with the first product that is new. */
export function buildProductLink(
  form: HTMLFormElement,
  name: string,
  added: (product: PickedItem) => void,
): HTMLAnchorElement {
  const query = new URLSearchParams({ kind: 'product', title: name });
  const href = `${buildConsolePath('content', 'new')}?${query}`;
  const link = buildElement('a', { href, target: '_blank', rel: 'noopener' }, `Add “${name}” as a product`);
  const before = readChoices(form);
  const look = async () => {
    const known = new Set((await before).products.map(({ value }) => value));
    forgetChoices();
    const product = (await readChoices(form)).products.find(({ value }) => !known.has(value));
    if (product === undefined || !link.dataset['waits']) return;
    removeEventListener('focus', look);
    delete link.dataset['waits'];
    form.dispatchEvent(new Event(CHOICES_CHANGED));
    added(product);
  };
  link.addEventListener('click', () => {
    link.dataset['waits'] = 'yes';
    addEventListener('focus', look);
  });
  return link;
}

/** A picture that the site has. */
export interface SitePicture {
  readonly path: string;
  readonly thumb: string;
  readonly src: string;
  readonly alt: string;
  readonly uses: string;
  readonly width: number;
  readonly height: number;
}

/** Reads the pictures of the site, newest first. */
export async function readPictures(form: HTMLFormElement | null): Promise<readonly SitePicture[]> {
  const answer = await ask(form, { action: 'pictures' });
  const list: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'pictures') : null;
  return (Array.isArray(list) ? list : []).map((one: unknown) => ({
    path: readText(one, 'path'),
    thumb: readText(one, 'thumb'),
    src: readText(one, 'src'),
    alt: readText(one, 'alt'),
    uses: readText(one, 'uses'),
    width: Number(readText(one, 'width')),
    height: Number(readText(one, 'height')),
  }));
}

const sheets = new Map<string, CSSStyleSheet>();

/** Puts styles in a root once: the text has one of its own, and the policy of the console refuses style elements. */
export function adoptStyles(root: DocumentOrShadowRoot, css: string): void {
  const sheet = sheets.get(css) ?? new CSSStyleSheet();
  if (!sheets.has(css)) sheet.replaceSync(css);
  sheets.set(css, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** What a preview says of a text. */
export interface ReadNotes {
  readonly isShown: boolean;
  readonly notes: readonly { readonly kind: string; readonly text: string; readonly line: number | null }[];
}

/** Parses what a preview says of a text; null: it is something else. */
export function parseNotes(value: unknown): ReadNotes | null {
  if (typeof value !== 'object' || value === null || !('isShown' in value && 'notes' in value)) return null;
  if (!Array.isArray(value.notes)) return null;
  const notes = value.notes.flatMap((note: unknown) => {
    if (typeof note !== 'object' || note === null || !('kind' in note && 'text' in note)) return [];
    const line = 'line' in note && typeof note.line === 'number' ? note.line : null;
    return [{ kind: String(note.kind), text: String(note.text), line }];
  });
  return { isShown: value.isShown === true, notes };
}
