import { buildConsolePath } from '../../core/paths.ts';
import { findNearest } from '../../core/text/words.ts';

/** Where a form is posted to: a button that is named `action` hides that property of it. */
export const getFormAddress = (form: HTMLFormElement): string =>
  new URL(form.getAttribute('action') ?? '', location.href).href;

/** Creates an element with attributes and text; no markup is ever parsed. */
export function buildElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** Finds views, values and actions by name. */
export interface CommandPalette {
  open(): void;
}

interface Command {
  readonly name: string;
  readonly kind: string;
  readonly href: string;
  /** By which it is found too. */
  readonly words?: string;
  /** Address of a small picture. */
  readonly picture?: string;
}

/** Something to choose, by its name. */
export interface PickedItem {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
  readonly picture?: string;
}

const MAX_SHOWN = 12;
/** A list to choose from is seen as a whole, where it is one of few. */
const MAX_PICKED = 50;

/** Everything that the view links to: views, periods and choices, values that filter, exports. */
const SOURCES: readonly (readonly [selector: string, kind: string])[] = [
  ['[data-palette="view"]', 'View'],
  ['.filter-link', 'Show only'],
  ['.bar .menu-link', 'Choose'],
  ['.block-links a', 'Open'],
];

function listCommands(): readonly Command[] {
  const found = new Map<string, Command>();
  for (const [selector, kind] of SOURCES) {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
      const name = (link.dataset['name'] ?? link.textContent ?? '').trim();
      const { words = '' } = link.dataset;
      if (!found.has(link.href)) found.set(link.href, { name, kind, href: link.href, words });
    }
  }
  return [...found.values()];
}

/** Commands whose name has all words of a text; those that begin with it first. */
function findCommands(commands: readonly Command[], text: string, most = MAX_SHOWN): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = commands.filter(({ name, kind, words: more = '' }) =>
    words.every((word) => `${kind} ${name} ${more}`.toLowerCase().includes(word)),
  );
  const isFirst = ({ name }: Command) => name.toLowerCase().startsWith(text.toLowerCase());
  return [...matches.filter(isFirst), ...matches.filter((one) => !isFirst(one))].slice(0, most);
}

/** Commands by words that are nearly those of a text of which none has all: `lelt` finds Lelit. */
export function findNearCommands(commands: readonly Command[], text: string): readonly Command[] {
  const all = commands.map(({ kind, name, words = '' }) => `${kind} ${name} ${words}`).join(' ');
  const known = [...new Set(all.toLowerCase().split(/[^\p{L}\p{N}]+/u))];
  const meant = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => {
      const isKnown = word.length < 3 || known.some((one) => one.includes(word));
      return isKnown ? word : (findNearest(word, known, word.length < 6 ? 1 : 2) ?? word);
    });
  return findCommands(commands, meant.join(' ')).map((one) => ({
    ...one,
    kind: `Did you mean? ${one.kind}`,
  }));
}

/** Searches the ids of commissions, where that view exists. */
function buildIdSearch(text: string): readonly Command[] {
  const link = document.querySelector<HTMLAnchorElement>('a[data-go="commissions"]');
  if (link === null || text.trim() === '') return [];
  const address = new URL(link.href);
  address.searchParams.set('q', text.trim());
  return [{ name: `Commissions with “${text.trim()}”`, kind: 'Search', href: address.href }];
}

/** Creates the palette; its dialog exists while it is open. */
export function createCommandPalette(): CommandPalette {
  return {
    open() {
      if (document.querySelector('dialog[open]') !== null) return;
      const run = (address: string) => location.assign(address);
      const dialog = new PaletteDialog('Find anything', listCommands(), buildIdSearch, run);
      dialog.show(readFindable());
    },
  };
}

let findable: Promise<readonly Command[]> | undefined;

/** Reads what is found in every view, once; nothing without a connection. */
function readFindable(): Promise<readonly Command[]> {
  findable ??= fetchFindable().catch(() => []);
  return findable;
}

async function fetchFindable(): Promise<readonly Command[]> {
  const items = parseItems(await callAction('find', document, location.search), 'pieces');
  return items.map(({ value, ...item }) => ({ ...item, href: new URL(value, location.href).href }));
}

/** Asks the server for what an action of the console answers; null: there is no answer. `search`: as in an address. */
export async function callAction(action: string, page: ParentNode = document, search = ''): Promise<unknown> {
  const token = page.querySelector<HTMLInputElement>('input[name="token"]')?.value ?? '';
  const headers = { 'content-type': 'application/json', 'x-form-token': token };
  const init = { method: 'POST', body: '{}', headers, redirect: 'error' } as const;
  const response = await fetch(buildConsolePath('api', action) + search, init).catch(() => null);
  return response?.ok === true ? response.json().catch(() => null) : null;
}

/** The items of a list that the server has sent. */
export function parseItems(read: unknown, name: string): readonly PickedItem[] {
  const list: unknown = typeof read === 'object' && read !== null ? Reflect.get(read, name) : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): PickedItem[] => {
    if (typeof item !== 'object' || item === null || !('name' in item && 'kind' in item && 'value' in item))
      return [];
    const picture = 'picture' in item && { picture: String(item.picture) };
    return [{ name: String(item.name), kind: String(item.kind), value: String(item.value), ...picture }];
  });
}

/** Lets the operator choose one of several items; `choose` gets its value. `search` adds what only a text leads to. */
export function openPicker(
  label: string,
  items: readonly PickedItem[],
  choose: (value: string) => void,
  search: (text: string) => readonly PickedItem[] = () => [],
): void {
  const toCommand = ({ value, ...item }: PickedItem) => ({ ...item, href: value });
  const find = (text: string) => search(text).map(toCommand);
  new PaletteDialog(label, items.map(toCommand), find, choose, MAX_PICKED).show();
}

class PaletteDialog {
  #commands: readonly Command[];
  readonly #search: (text: string) => readonly Command[];
  readonly #open: (href: string) => void;
  readonly #dialog: HTMLDialogElement;
  readonly #input = buildElement('input', {
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #list = buildElement('ul', { id: 'palette-list', role: 'listbox', 'aria-label': 'Results' });
  #shown: readonly Command[] = [];
  #chosen = 0;
  /** Whether what is shown has all words. */
  #isFound = false;
  /** Until everything is there. */
  #reading: Promise<void> | undefined;

  readonly #most: number;

  /** `search` adds what only a text leads to; `open` gets the address of what is chosen. */
  constructor(
    label: string,
    commands: readonly Command[],
    search: (text: string) => readonly Command[],
    open: (href: string) => void,
    most = MAX_SHOWN,
  ) {
    this.#most = most;
    this.#commands = commands;
    this.#search = search;
    this.#open = open;
    this.#dialog = buildElement('dialog', { 'aria-label': label });
    this.#input.setAttribute('aria-label', label);
    this.#input.placeholder = label;
  }

  #add(more: readonly Command[]): void {
    this.#reading = undefined;
    const known = new Set(this.#commands.map(({ name, href }) => name + href));
    this.#commands = [...this.#commands, ...more.filter(({ name, href }) => !known.has(name + href))];
    if (this.#input.value.trim() !== '') this.#find();
  }

  /** `reading`: more to choose from, which is being read. */
  show(reading?: Promise<readonly Command[]>): void {
    this.#input.addEventListener('input', () => this.#find());
    this.#input.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#list.addEventListener('click', (event) => {
      const item = event.target instanceof Element ? event.target.closest('li') : null;
      if (item !== null) this.#run([...this.#list.children].indexOf(item));
    });
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#dialog.addEventListener('close', () => this.#dialog.remove());
    this.#dialog.append(this.#input, this.#list);
    document.body.append(this.#dialog);
    this.#reading = reading?.then((more) => this.#add(more));
    this.#find();
    this.#dialog.showModal();
  }

  #find(): void {
    const text = this.#input.value;
    const found = findCommands(this.#commands, text.trim(), this.#most);
    this.#isFound = found.length > 0;
    const isNear = !this.#isFound && this.#reading === undefined;
    const near = isNear ? findNearCommands(this.#commands, text.trim()) : found;
    this.#shown = [...near, ...this.#search(text)];
    this.#list.replaceChildren(
      ...this.#shown.map(({ name, kind, picture }, index) => {
        const item = buildElement('li', { role: 'option', id: `palette-${index}` }, name);
        if (picture !== undefined)
          item.prepend(buildElement('img', { src: picture, alt: '', class: 'image-thumb' }));
        item.append(buildElement('small', {}, kind));
        return item;
      }),
    );
    this.#choose(0);
  }

  #choose(chosen: number): void {
    this.#chosen = chosen;
    this.#list.childNodes.forEach((item, index) => {
      if (item instanceof HTMLElement) item.setAttribute('aria-selected', String(index === chosen));
    });
    const item = this.#list.children[chosen];
    if (item === undefined) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', item.id);
    item?.scrollIntoView({ block: 'nearest' });
  }

  #handleKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && this.#shown.length > 0) {
      event.preventDefault();
      this.#choose((this.#chosen + step + this.#shown.length) % this.#shown.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // What was typed may be among what is still being read.
      const reading = this.#isFound || this.#chosen > 0 ? undefined : this.#reading;
      if (reading === undefined) this.#run(this.#chosen);
      else void reading.then(() => this.#run(this.#chosen));
    }
  }

  #run(index: number): void {
    const command = this.#shown[index];
    if (command === undefined) return;
    this.#dialog.close();
    this.#open(command.href);
  }
}
