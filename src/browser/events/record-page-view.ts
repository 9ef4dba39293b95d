import { captureVisit } from './capture-visit.ts';
import { takeDropped } from './outbox.ts';
import { readAction, recordAction, sendEvent } from './record-action.ts';

let observer: IntersectionObserver | undefined;

/**
 * Reports the page as viewed, and any that was left before this script had loaded; then each kind of `[data-view]`
 * element once, when it first scrolls into view.
 */
export function recordPageView(): void {
  captureVisit((arrival, referrer) => {
    const dropped = takeDropped();
    const data = { ...(referrer && { referrer }), ...(dropped && { dropped }) };
    sendEvent({ name: 'page_view', data }, arrival);
  });
  observer?.disconnect();
  const seen = new Set<string>();
  observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const action = readAction(target);
        if (!isIntersecting || seen.has(action.name)) continue;
        seen.add(action.name);
        recordAction(action);
      }
    },
    // In view: it reaches the upper three quarters of the window. A share of itself would fail tall sections.
    { rootMargin: '0px 0px -25%' },
  );
  for (const element of document.querySelectorAll('[data-view]')) observer.observe(element);
}
