import type { ClientDirective } from 'astro';

const TOUCHES = ['pointerenter', 'pointerdown', 'focusin', 'keydown'] as const;
/** Longest wait in ms for an island that was asked for something. */
const PATIENCE = 4_000;

/**
 * `client:touch`: an island loads when a visitor first points at it, focuses it, or types in it.
 * `client:touch="selector"`: when that happens to one of these elements instead, wherever they stand. A link or
 * form among them that is used before the island is there is held and then handed to it: the island says that it
 * is there by an `island:live` event. When it does not come, the link is followed and the form is sent.
 */
const clientTouch: ClientDirective = (load, options, element) => {
  const selector = typeof options.value === 'string' ? options.value : '';
  const waiting = new AbortController();
  const { signal } = waiting;
  const held: ((isLive: boolean) => void)[] = [];
  const settle = (isLive: boolean) => {
    waiting.abort();
    for (const go of held.splice(0)) go(isLive);
  };
  let isLoading = false;
  const hydrate = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      const start = await load();
      await start();
    } catch {
      settle(false);
    }
  };
  const hold = (event: Event, go: (isLive: boolean) => void) => {
    event.preventDefault();
    event.stopPropagation();
    held.push(go);
    setTimeout(settle, PATIENCE, false);
    void hydrate();
  };

  element.addEventListener('island:live', () => settle(true), { signal });
  for (const target of selector === '' ? [element] : document.querySelectorAll(selector)) {
    for (const touch of TOUCHES) target.addEventListener(touch, hydrate, { signal, passive: true });
    // This came because somebody began to use the page, with this perhaps.
    if (target.matches(':hover, :focus-within')) void hydrate();
  }
  if (selector === '') return;
  const capture = { signal, capture: true };
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest(selector) : null;
      if (!(link instanceof HTMLAnchorElement) || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      hold(event, (isLive) => (isLive ? link.click() : location.assign(link.href)));
    },
    capture,
  );
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.matches(selector)) return;
      hold(event, (isLive) => (isLive ? form.requestSubmit() : form.submit()));
    },
    capture,
  );
};

export default clientTouch;
