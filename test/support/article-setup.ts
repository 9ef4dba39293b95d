import { createArticleMaker } from '../../src/adapters/articles/article-maker.ts';
import { createSanitiser } from '../../src/adapters/articles/sanitise.ts';

const SITE_ORIGIN = 'https://hub.example';

/** The process's own clock. */
export const realClock = { now: Date.now, monotonic: () => performance.now() };

/** A sanitiser without partners. */
export const sanitise = createSanitiser({
  siteOrigin: SITE_ORIGIN,
  partners: [],
  articleHosts: [],
  nofollow: true,
  imageHosts: ['images.example'],
});

/** A maker whose dropped articles end up in `dropped`. */
export function createTestMaker(name: string, dropped: string[] = []) {
  return createArticleMaker({
    name,
    sanitise,
    siteOrigin: SITE_ORIGIN,
    imageHosts: ['images.example'],
    author: 'Editorial desk',
    clock: realClock,
    onDropped: (reason) => dropped.push(reason),
  });
}
