import { HYDRATE_EVENT } from './client-interaction.ts';
// `?worker&url` bundles the loader by itself and gives its address, without Vite's helper for dynamic imports.
import loaderUrl from './island-loader.ts?worker&url';

const INTERACTIVE = '[data-hydrates],astro-island[client=interaction]';
/** How long a held click or submit waits for the island before the browser carries it out. */
const MAX_WAIT_MS = 4_000;

const listening = new AbortController();
const options = { signal: listening.signal, capture: true };
const findTarget = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest(selector) : null;

let loader: Promise<boolean> | undefined;
/**
 * Loads Astro's island loader, which hydrates `client:visible` and `client:idle` islands on its own. Resolves with
 * whether it has loaded: a page whose loader cannot load works as it does without scripts.
 */
const load = () => {
  loader ??= import(/* @vite-ignore */ loaderUrl).then(
    () => true,
    () => false,
  );
  return loader;
};

let hydration: Promise<boolean> | undefined;
/** Hydrates the `client:interaction` islands. Resolves with whether they are ready to handle events. */
const hydrate = () => {
  hydration ??= new Promise<boolean>((resolve) => {
    addEventListener('island:hydrated', () => resolve(true));
    addEventListener('astro:hydration-error', () => resolve(false));
    setTimeout(resolve, MAX_WAIT_MS, false);
    void load().then((isLoaded) => {
      if (!isLoaded) resolve(false);
      for (const island of document.querySelectorAll('[client=interaction]'))
        island.dispatchEvent(new Event(HYDRATE_EVENT));
    });
  }).finally(() => listening.abort());
  return hydration;
};

for (const type of ['pointerover', 'pointerdown', 'keydown', 'focusin', 'scroll']) {
  addEventListener(
    type,
    (event) => {
      void load();
      if (findTarget(event, INTERACTIVE)) void hydrate();
    },
    { ...options, passive: true },
  );
}
if (document.querySelector('[client=idle]')) void load();

// A marked link or form that is used before its island has hydrated waits, and is then used again for the island to
// handle. When the island cannot load, the browser follows the link or submits the form.
addEventListener(
  'click',
  (event) => {
    const link = findTarget(event, 'a[data-hydrates]');
    if (!(link instanceof HTMLAnchorElement)) return;
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void hydrate().then((isHydrated) => (isHydrated ? link.click() : location.assign(link.href)));
  },
  options,
);
addEventListener(
  'submit',
  (event) => {
    const form = findTarget(event, 'form[data-hydrates]');
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    void hydrate().then((isHydrated) => (isHydrated ? form.requestSubmit() : form.submit()));
  },
  options,
);
