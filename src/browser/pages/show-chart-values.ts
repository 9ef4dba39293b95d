// Shows the tooltip of the value of a chart that is under the pointer, or that the arrow keys move to.

/** Distance in px between the tooltip and what it is about. */
const GAP = 10;

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

for (const plot of document.querySelectorAll<HTMLElement>('[data-chart]')) {
  const place = plot.querySelector<HTMLElement>('[role]');
  if (place !== null) startTooltips(plot, place);
}

function startTooltips(plot: HTMLElement, place: HTMLElement): void {
  const values = [...plot.querySelectorAll('g')];
  const tooltips = [...place.querySelectorAll('p')];
  let chosen = -1;

  function show(index: number, x: number, y: number): void {
    chosen = index;
    for (const [i, tooltip] of tooltips.entries()) tooltip.hidden = i !== index;
    const box = plot.getBoundingClientRect();
    place.style.left = `${findStart(x - box.x, place.offsetWidth, box.width)}px`;
    place.style.top = `${findStart(y - box.y, place.offsetHeight, box.height)}px`;
  }

  /** Shows the tooltip of a value, if there is one, in the middle of the value. */
  function choose(index: number): void {
    const box = values[index]?.getBoundingClientRect();
    if (box) show(index, box.x + box.width / 2, box.y + box.height / 2);
  }

  const hide = () => show(-1, 0, 0);

  const point = (event: PointerEvent) => {
    const index = values.findIndex((value) => event.composedPath().includes(value));
    show(index, event.clientX, event.clientY);
  };

  // Browsers send one `pointermove` for each frame (16.7 ms), so the tooltip moves no more often.
  plot.addEventListener('pointermove', point);
  // What a finger showed stays when it is lifted, until it touches something else or scrolls the page.
  addEventListener('pointerdown', point);
  plot.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'touch' || hide());
  plot.addEventListener('pointercancel', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('focus', () => plot.matches(':focus-visible') && choose(0));
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    const step = STEPS[event.key];
    // With another key, the arrow keys go back and forward in the history.
    if (step === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(Math.max(0, chosen + step));
  });

  plot.tabIndex = 0;
  // Screen readers leave the arrow keys to an application.
  plot.role = 'application';
  plot.ariaLabel = plot.closest('figure')?.querySelector('figcaption')?.textContent ?? null;
}

/** Where the tooltip begins: after `at` if it has room there, otherwise before it. All in px. */
function findStart(at: number, size: number, room: number): number {
  return at + GAP + size <= room ? at + GAP : Math.max(0, at - GAP - size);
}
