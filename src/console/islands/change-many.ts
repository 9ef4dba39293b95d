// Ticks of lists: with Shift, all between the last one and this one; the button of lines says how many it takes.
const last = new WeakMap<HTMLFormElement, HTMLInputElement>();

const listBoxes = (form: HTMLFormElement) => [
  ...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]'),
];

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox' || target.form === null) return;
  const boxes = listBoxes(target.form);
  const from = last.get(target.form);
  const [start = 0, end = 0] = [from, target]
    .map((box) => (box ? boxes.indexOf(box) : -1))
    .sort((a, b) => a - b);
  if (shiftKey && start >= 0) for (const box of boxes.slice(start, end)) box.checked = target.checked;
  last.set(target.form, target);
  count(target.form);
});

function count(form: HTMLFormElement): void {
  const verb = form.dataset['lines'] ?? form.dataset['choose'];
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  if (verb === undefined || button === null) return;
  const boxes = listBoxes(form);
  const ticked = boxes.filter(({ checked }) => checked).length;
  const isLines = form.dataset['lines'] !== undefined;
  const all = isLines && ticked < boxes.length ? ` of ${boxes.length}` : '';
  button.textContent = isLines || ticked > 0 ? `${verb} ${ticked}${all}` : verb;
  button.disabled = isLines && ticked === 0;
}

// Moves what is scheduled to another day: by dragging, or with Alt ← and →. Each move is the form of its piece.
/** The piece that was moved: it has the focus again. */
const MOVED_KEY = 'console-calendar-moved';
const isMovable = document.querySelector('[data-movable]') !== null;
const pieces = isMovable ? [...document.querySelectorAll<HTMLElement>('[data-piece]')] : [];

function move(file: string, day: string): void {
  const form = pieces.find((one) => one.dataset['piece'] === file)?.nextElementSibling;
  const field = form?.querySelector<HTMLInputElement>('[name="day"]');
  if (!(form instanceof HTMLFormElement) || !field) return;
  // The server says why a day cannot be.
  field.removeAttribute('min');
  field.value = day;
  sessionStorage.setItem(MOVED_KEY, file);
  form.requestSubmit();
}

for (const item of pieces) {
  const file = item.dataset['piece'] ?? '';
  item.draggable = true;
  item.addEventListener('dragstart', (event) => event.dataTransfer?.setData('text/x-piece', file));
  item.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || !event.altKey) return;
    event.preventDefault();
    const day = new Date(`${item.dataset['day']}T00:00:00Z`);
    day.setUTCDate(day.getUTCDate() + step);
    move(file, day.toISOString().slice(0, 10));
  });
}
for (const cell of document.querySelectorAll<HTMLElement>('[data-date]')) {
  cell.addEventListener('dragover', (event) => event.preventDefault());
  cell.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.getData('text/x-piece') ?? '';
    if (file === '') return;
    event.preventDefault();
    move(file, cell.dataset['date'] ?? '');
  });
}
const moved = sessionStorage.getItem(MOVED_KEY);
sessionStorage.removeItem(MOVED_KEY);
pieces.find((one) => one.dataset['piece'] === moved)?.focus();

export {};
