// `?worker&url` bundles the script by itself, and loads it when it is used.
import address from './show-visit.ts?worker&url';

document.querySelector('[data-visit-record]')?.addEventListener(
  'click',
  ({ target }) => {
    if (target instanceof HTMLButtonElement)
      void import(/* @vite-ignore */ address).then(() => target.click());
  },
  { once: true },
);
