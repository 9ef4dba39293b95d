/** The parts of a content file, such as the sections of a page: one is open, the list beside it leads to the others. */
export type EditedParts = ReturnType<typeof startParts>;

interface Part {
  readonly item: HTMLElement;
  /** Address of the part, such as `sections.2`; empty for what is in none. */
  readonly at: string;
  /** What the list is called, and the position in it; null for parts that are no items of a list. */
  readonly place: { readonly list: string; readonly index: number } | null;
}

/** What a move tells the page that is loaded after it. */
const MOVED_KEY = 'content-moved';

/** Adds keys and dragging to the parts of a form. `announce` reads a sentence out. */
export function startParts(form: HTMLFormElement, announce: (text: string) => void) {
  const parts = [...form.querySelectorAll<HTMLElement>('.editor-outline li[data-at]')].map(readPart);
  const openAt = form.dataset['part'] ?? '';
  const current = parts.findIndex(({ at }) => at === openAt);

  const open = (part: Part | undefined) => {
    const button = part?.item.querySelector<HTMLButtonElement>('button[value="open"]');
    if (button) form.requestSubmit(button);
  };

  const move = ({ place, item }: Part, to: number) => {
    if (place === null || to === place.index) return;
    const length = parts.filter((one) => one.place?.list === place.list).length;
    if (to < 0 || to >= length) {
      announce(to < 0 ? 'This is the first.' : 'This is the last.');
      return;
    }
    storeMove({ path: location.pathname, to, length, label: item.textContent ?? '' });
    const button = document.createElement('button');
    button.name = 'action';
    button.value = 'move-item';
    button.formAction = `?${new URLSearchParams({ item: `${place.list}.${place.index}`, to: String(to) })}`;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
  };

  document.addEventListener('keydown', (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = event.key.endsWith('Up') ? -1 : event.key.endsWith('Down') ? 1 : 0;
    const part = parts[current];
    if (step === 0 || part === undefined) return;
    if (/^Page/.test(event.key)) {
      event.preventDefault();
      open(parts[current + step]);
    } else if (/^Arrow/.test(event.key) && part.place !== null) {
      event.preventDefault();
      move(part, part.place.index + step);
    }
  });

  addDragging(parts, move);
  const moved = takeMove();
  if (moved !== null)
    announce(`Moved to ${moved.to + 1} of ${moved.length}: ${moved.label.replace(/^\d+ /, '')}.`);
  return {
    /** Position of the section that is open, from 0; null: none is. */
    getSection() {
      const [, index] = /^sections\.(\d+)/.exec(openAt) ?? [];
      return index === undefined ? null : Number(index);
    },
    /** Opens the form of a section, with the unsaved text. */
    openSection: (section: number) => open(parts.find(({ at }) => at === `sections.${section}`)),
  };
}

function readPart(item: HTMLElement): Part {
  const at = item.dataset['at'] ?? '';
  const [, list = '', index] = /^(.+)\.(\d+)$/.exec(at) ?? [];
  return { item, at, place: index === undefined ? null : { list, index: Number(index) } };
}

function addDragging(parts: readonly Part[], move: (part: Part, to: number) => void): void {
  let dragged: Part | null = null;
  const clear = () => {
    for (const { item } of parts) item.removeAttribute('data-drop');
  };
  for (const part of parts) {
    const { item, place } = part;
    if (place === null) continue;
    item.draggable = true;
    item.addEventListener('dragstart', (event) => {
      dragged = part;
      event.dataTransfer?.setData('text/plain', item.textContent ?? '');
    });
    item.addEventListener('dragend', () => {
      dragged = null;
      clear();
    });
    item.addEventListener('dragover', (event) => {
      if (dragged?.place?.list !== place.list || dragged === part) return;
      event.preventDefault();
      clear();
      item.setAttribute('data-drop', dragged.place.index < place.index ? 'after' : 'before');
    });
    item.addEventListener('drop', (event) => {
      if (dragged?.place?.list !== place.list) return;
      event.preventDefault();
      move(dragged, place.index);
    });
  }
}

interface Move {
  readonly path: string;
  /** Position in the list, from 0. */
  readonly to: number;
  readonly length: number;
  readonly label: string;
}

function storeMove(move: Move): void {
  try {
    sessionStorage.setItem(MOVED_KEY, JSON.stringify(move));
  } catch {
    // The move is not announced then.
  }
}

function takeMove(): Move | null {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(MOVED_KEY) ?? 'null');
    sessionStorage.removeItem(MOVED_KEY);
    if (typeof read !== 'object' || read === null) return null;
    if (!('path' in read && 'to' in read && 'length' in read && 'label' in read)) return null;
    const { path, to, length, label } = read;
    if (path !== location.pathname || typeof to !== 'number' || typeof length !== 'number') return null;
    return { path, to, length, label: String(label) };
  } catch {
    return null;
  }
}
