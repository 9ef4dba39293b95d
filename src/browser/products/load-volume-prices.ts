import address from './update-volume-prices.ts?worker&url';

// The script is loaded when the table is used. Until then its form and links work as they do without scripts.
for (const place of document.querySelectorAll('[data-volume-prices]'))
  place.addEventListener('focusin', () => import(/* @vite-ignore */ address), { once: true });
