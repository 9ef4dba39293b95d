// Keys of the list of unmatched commissions. Every key does what a form of the page does.
const items = [...document.querySelectorAll<HTMLElement>('[data-work-item]')];
/** Where the list was, for the page that comes after a form. */
const PLACE_KEY = 'console-unmatched-place';

let place = -1;

function moveTo(index: number): void {
  const item = items[Math.max(0, Math.min(items.length - 1, index))];
  if (item === undefined) return;
  place = items.indexOf(item);
  item.focus();
  item.scrollIntoView({ block: 'nearest' });
}

function findForm(action: string): HTMLFormElement | null {
  return items[place]?.querySelector<HTMLFormElement>(`form[data-action="${action}"]`) ?? null;
}

function submit(form: HTMLFormElement | null): void {
  if (form === null) return;
  sessionStorage.setItem(PLACE_KEY, String(Math.max(0, place)));
  form.requestSubmit();
}

const KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveTo(place + 1),
  k: () => moveTo(place - 1),
  i: () => findForm('assign')?.querySelector<HTMLInputElement>('input[name="click"]')?.focus(),
  x: () => submit(findForm('dismiss')),
  u: () => submit(document.querySelector<HTMLFormElement>('[data-decided-list] form[data-action="undo"]')),
};

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

for (const [index, item] of items.entries()) {
  item.addEventListener('focusin', () => {
    place = index;
  });
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event)) {
    if (event.key === 'Escape') moveTo(place);
    return;
  }
  // Enter on a link or button does what it always does.
  const isOnItem = document.activeElement === items[place];
  const run = event.key === 'Enter' && isOnItem ? () => submit(findForm('suggestion')) : KEYS[event.key];
  if (run === undefined) return;
  event.preventDefault();
  run();
});

const stored = sessionStorage.getItem(PLACE_KEY);
sessionStorage.removeItem(PLACE_KEY);
if (stored !== null) moveTo(Number(stored));

export {};
