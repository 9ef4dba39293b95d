import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { findCrawler } from '../../core/events/crawlers.ts';
import type { EventFlag } from '../../core/events/site-event.ts';

/** What the headers of a request say about its visitor. */
export interface VisitorSignals {
  /** The visitor sent `Sec-GPC: 1` (Global Privacy Control, https://w3c.github.io/gpc/). */
  readonly gpc: boolean;
  /** `bot` and `prefetch`, as they apply: the request's events are stored with these flags and not counted. */
  readonly flags: readonly EventFlag[];
}

/**
 * Programs that isbot takes for a person: checks of speed and security, clients of HTTP, and Office and Viber, which request a
 * link before they hand it to the browser or show it.
 */
const MORE_BOTS =
  /gtmetrix|^dart\/|ms-?office|microsoft office|^viber\/|powershell|jsdom|assetnote|\bYLT\b|miniature\.io|turingos/i;

/** Words of browsers that isbot takes for programs. */
const BROWSERS = /Sogou(?:MobileBrowser|Search)\S*|\(nt:[^)]*\)/gi;

/** Values of `Sec-Purpose`, `Purpose` and `X-Moz` on a page that a browser loads ahead of the visitor. */
const LOADED_AHEAD = /prefetch|prerender|preview/i;

/** Reads the signals of a request: the one place that knows these headers. */
export function readVisitorSignals(request: {
  readonly headers: { get(name: string): string | null | undefined };
}): VisitorSignals {
  const read = (name: string) => request.headers.get(name) ?? '';
  const flags: EventFlag[] = [];
  if (bots.memo(read('user-agent'))) flags.push('bot');
  if (['sec-purpose', 'purpose', 'x-moz'].some((name) => LOADED_AHEAD.test(read(name))))
    flags.push('prefetch');
  return { gpc: read('sec-gpc') === '1', flags };
}

/**
 * Whether a browser requested a page for something else than showing it in a tab: as an image, a frame, a script or by
 * `fetch`. Any page of any site can cause such requests without a visitor's click. Browsers send `Sec-Fetch-Dest` and
 * `Sec-Fetch-Mode`, and no page can set them; a request without them is not judged.
 */
export function isEmbedded({ headers }: { readonly headers: { get(name: string): string | null } }): boolean {
  const destination = headers.get('sec-fetch-dest') ?? 'document';
  const mode = headers.get('sec-fetch-mode') ?? 'navigate';
  return destination !== 'document' || mode !== 'navigate';
}

/** An empty user agent, or one that names no product (`name/version`), is sent by no browser. */
function isBot(userAgent: string): boolean {
  return (
    !userAgent.includes('/') ||
    isbot(userAgent.replace(BROWSERS, '')) ||
    MORE_BOTS.test(userAgent) ||
    findCrawler(userAgent) !== null
  );
}

/** isbot takes two microseconds for a browser, which is 5 % of what the collector spends on an event. */
const bots = new LRUCache<string, boolean>({
  max: 1_000,
  maxSize: 500_000,
  sizeCalculation: (_, userAgent) => userAgent.length + 1,
  memoMethod: isBot,
});
