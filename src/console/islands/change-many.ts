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

export {};
