import type { ClientDirective } from 'astro';

/** Event that `defer-islands.ts` sends to the islands that a visitor is about to use. */
export const HYDRATE_EVENT = 'island:hydrate';

/**
 * `client:interaction`: hydrates an island when a visitor first points at it, focuses it or types in it, or does so
 * with an element marked `data-hydrates` anywhere on the page.
 */
const hydrateOnInteraction: ClientDirective = (load, _options, island) => {
  island.addEventListener(HYDRATE_EVENT, async () => (await load())(), { once: true });
};

export default hydrateOnInteraction;
