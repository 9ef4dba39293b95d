// No other script of the browser imports it: an import that two share would become a file of its own.

import type { JOURNEY_KEY } from '../../core/consent/storage-keys.ts';
import { decideStorageMode } from '../../core/consent/storage-mode.ts';
import type { Arrival } from '../../core/events/journey.ts';
// `?worker&url` bundles a script by itself and gives its address: nothing that it shares with islands becomes a file of
// its own.
import freeVisitUrl from '../events/free-visit-script.ts?worker&url';
import visitUrl from '../events/visit-script.ts?worker&url';

/** A page in a background tab never paints, so nothing waits longer than this. */
const MAX_WAIT_MS = 2_000;
/** How long a click on a link to a partner waits for the rest of the script. */
const MAX_CLICK_WAIT_MS = 1_000;
// An import would put the name into a file of its own, and this script with it.
const RECORD: typeof JOURNEY_KEY = 'user_journey_data';

// The part of the visit script that is in the page. It decides whether anything may be stored, takes what the link
// carried out of the address, loads the rest after the first paint, which no script delays, and keeps what would be
// missed until then: a page that is left, and clicks.
let isLoaded = false;
const wait = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

const { dataset } = document.documentElement;
/** Whether nothing may be stored; undefined until that is decided, and while the region has to be asked for. */
let isStorageFree: boolean | undefined;
let held: typeof window.held | null = null;

// Decided when a script first asks, usually after the first paint: a browser needs up to 25 ms to name its time zone.
Object.defineProperty(window, 'held', {
  get() {
    if (held !== null) return held;
    isStorageFree = decideStorageMode(
      dataset,
      navigator.globalPrivacyControl,
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      window.choice,
    );
    held = isStorageFree === false ? undefined : { local: {}, session: {} };
    return held;
  },
  set(kept: typeof window.held) {
    held = kept;
  },
});

const carried = location.hash.split('~e=')[1];
if (carried) history.replaceState(null, '', location.href.replace(/#?~e=.*/, ''));

Object.assign(window, {
  carried,
  readArrival: () => ({
    now: Date.now(),
    path: location.pathname,
    query: location.search,
    referrer: document.referrer,
    userAgent: navigator.userAgent,
    isShownAgain: /^[rb]/.test(
      (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming)?.type,
    ),
  }),
});

// A script that cannot be loaded, or cannot run here, leaves the page as it is.
const loaded = loadVisit().catch(() => {});

async function loadVisit(): Promise<void> {
  if (document.prerendering)
    await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve));
  // Not the first paint of any kind: what is slow here would be in the way of the content.
  const painted = new Promise((resolve) =>
    new PerformanceObserver((list) =>
      list.getEntriesByName('first-contentful-paint').forEach(resolve),
    ).observe({ type: 'paint', buffered: true }),
  );
  await Promise.race([painted, wait(MAX_WAIT_MS)]).catch(() => {});
  // The manifest names the site on a home screen; browsers fetch it while the page loads when it is in the head.
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }),
  );
  // The proxy has to be asked for the visitor's region (`load-consent.ts`).
  if (window.held && isStorageFree === undefined) await Promise.race([window.regionKnown, wait(MAX_WAIT_MS)]);
  await import(/* @vite-ignore */ window.held ? freeVisitUrl : visitUrl);
  isLoaded = true;
}

addEventListener('pagehide', () => {
  if (isLoaded || document.prerendering) return;
  const arrival = window.readArrival();
  if (window.held) return sendView(arrival);
  try {
    const record = JSON.parse(sessionStorage[RECORD] ?? '{}');
    record.left ??= [];
    record.left.push(arrival);
    sessionStorage[RECORD] = JSON.stringify(record);
  } catch {
    // Storage is denied or damaged: the page is missing from the journey.
  }
});

/**
 * Reports the page where nothing of it may be stored; the server reads its campaign from the Referer. The page may be shown
 * again and load the rest of the script, which reports it with the same id: the server counts it once.
 */
function sendView({ path: page, now: time, referrer, isShownAgain }: Arrival): void {
  const origin = referrer.split('/', 3).join('/') || 'direct';
  window.leftView ??= { id: URL.createObjectURL(new Blob()).slice(-36) };
  const arrival = { entry: true, referrer: navigator.globalPrivacyControl ? undefined : origin };
  const data = isShownAgain || origin === location.origin ? undefined : arrival;
  const event = { ...window.leftView, name: 'page_view', page, time, free: true, data };
  const body = new Blob([JSON.stringify({ events: [event] })], { type: 'application/json' });
  navigator.sendBeacon(String(dataset['events']), body);
}

const onClick = (event: MouseEvent) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[rel~=sponsored],[data-action]');
  if (isLoaded || !link || !event.isTrusted || event.button > 1) return;
  // An event that does nothing else tells the rest of the script of a click that it has missed.
  const tell = () => loaded.then(() => link.dispatchEvent(new Event('auxclick')));
  // Buttons have no `rel`, and a click with the middle button cannot be repeated.
  if (event.button || !link.rel) void tell();
  else {
    // A link to a partner waits a moment for the rest; then the same click again, with its modifier keys.
    event.preventDefault();
    void Promise.race([loaded, wait(MAX_CLICK_WAIT_MS)]).then(() => {
      if (!isLoaded) void tell();
      link.dispatchEvent(new MouseEvent('click', event));
    });
  }
};
addEventListener('click', onClick, true);
addEventListener('auxclick', onClick, true);
