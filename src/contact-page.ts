// Vite bundles `?worker&url` on its own and gives its address: no helper for dynamic imports comes with the page.
import address from './contact-script.ts?worker&url';

document
  .querySelector('[data-contact]')
  ?.addEventListener('focusin', () => import(/* @vite-ignore */ address), { once: true });
