import type { ClientDirective } from 'astro';

/** `client:touch`: an island loads when a visitor first points at it, focuses it, or types in it. */
const clientTouch: ClientDirective = (load, _options, element) => {
  const events = ['pointerenter', 'pointerdown', 'focusin', 'keydown'] as const;
  const stop = new AbortController();
  const hydrate = async () => {
    stop.abort();
    const start = await load();
    await start();
  };
  for (const event of events)
    element.addEventListener(event, hydrate, { signal: stop.signal, passive: true });
};

export default clientTouch;
