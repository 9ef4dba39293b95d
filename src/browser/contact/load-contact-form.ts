// `?worker&url` bundles the script by itself and gives its address. A dynamic `import()` would add Vite's preload
// helper, which is larger than this file.
import address from './enhance-contact-form.ts?worker&url';

document
  .querySelector('form[data-contact]')
  ?.addEventListener('focusin', () => import(/* @vite-ignore */ address), { once: true });
