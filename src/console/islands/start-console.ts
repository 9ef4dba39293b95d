import { createCommandPalette } from './command-palette.ts';
import { startShortcuts } from './shortcuts.ts';

// Scripts only add speed: every link and form of a view works without them.
const palette = createCommandPalette();
startShortcuts(palette);
startChartReadouts();

for (const element of document.querySelectorAll<HTMLElement>('[data-needs-script]')) element.hidden = false;

// A click on a value with Alt held shows everything but this value.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-not]') : null;
  const address = link?.dataset['not'];
  if (!event.altKey || address === undefined) return;
  event.preventDefault();
  location.assign(address);
});

// What goes on in the background is looked at again.
if (document.querySelector('[data-refresh]') !== null) setTimeout(() => location.reload(), 2_000);

// What an operator has written and not saved does not stay in the browser after signing out.
document.addEventListener('submit', ({ target }) => {
  // A field called `action` hides the property of that name.
  if (!(target instanceof HTMLFormElement) || !target.getAttribute('action')?.endsWith('/sign-out')) return;
  for (const key of Object.keys(localStorage))
    if (key.startsWith('content-draft ')) localStorage.removeItem(key);
});

// A menu closes when something else is used.
document.addEventListener('pointerdown', (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});

// A button copies the text of a field; without the right to do so, the text is selected.
document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
  const field = button && document.getElementById(button.dataset['copy'] ?? '');
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.select();
  const isCopied = await navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  );
  const status = button?.parentElement?.querySelector('[data-copy-status]');
  if (status) status.textContent = isCopied ? 'Copied.' : 'The text is selected: copy it.';
});

/** Reads out the columns of charts below them, for a pointer and for the arrow keys; Enter opens one. */
function startChartReadouts(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]')) {
    const readout = figure.querySelector<HTMLElement>('.chart-readout');
    if (readout === null) continue;
    for (const drawing of figure.querySelectorAll('svg')) {
      const columns = [...drawing.querySelectorAll('.chart-column')];
      if (columns.length === 0) continue;
      const texts = columns.map((column) => column.querySelector('title')?.textContent ?? '');
      // The browser's own tooltip would repeat the read-out.
      for (const column of columns) column.querySelector('title')?.remove();
      let chosen = -1;
      const choose = (index: number) => {
        if (index < 0 || index >= columns.length) return;
        columns[chosen]?.removeAttribute('data-chosen');
        chosen = index;
        columns[chosen]?.setAttribute('data-chosen', '');
        readout.hidden = false;
        readout.textContent = texts[chosen] ?? '';
      };
      drawing.setAttribute('tabindex', '0');
      drawing.addEventListener('pointermove', ({ target }) => {
        const index = target instanceof Element ? columns.indexOf(target) : -1;
        if (index >= 0 && index !== chosen) choose(index);
      });
      drawing.addEventListener('keydown', (event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (event.key === 'Enter' && chosen >= 0) {
          const href = columns[chosen]?.closest('a')?.getAttribute('href');
          if (href) location.assign(href);
        }
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        choose(chosen < 0 && step < 0 ? columns.length - 1 : Math.max(0, chosen + step));
      });
    }
  }
}
