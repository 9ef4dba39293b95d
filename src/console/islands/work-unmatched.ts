// Keeps the place in the list of unmatched commissions: on the page that follows a form of the list, the focus is where it was.
const PLACE_KEY = 'console-unmatched-place';
const items = [...document.querySelectorAll<HTMLElement>('[data-work-item]')];

for (const [index, item] of items.entries())
  item.addEventListener('submit', () => sessionStorage.setItem(PLACE_KEY, String(index)));

const stored = sessionStorage.getItem(PLACE_KEY);
sessionStorage.removeItem(PLACE_KEY);
if (stored !== null) {
  const item = items[Math.min(items.length - 1, Number(stored))];
  item?.focus();
  item?.scrollIntoView({ block: 'nearest' });
}

export {};
