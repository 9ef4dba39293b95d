import { startChartReadouts } from './chart-readouts.ts';
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

// A menu closes when something else is used.
document.addEventListener('pointerdown', (event) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
});
