import { handleClick } from '../outbound/handle-click.ts';
import { captureCampaign } from './capture-campaign.ts';
import { resumeDelivery, takeDropped } from './outbox.ts';
import { readAction, recordAction, sendEvent } from './record-action.ts';

let observer: IntersectionObserver | undefined;

/**
 * Reports the page as viewed, and any that was left before this script had loaded; then each kind of `[data-view]`
 * element once, when it first scrolls into view.
 */
function recordPageView(): void {
  captureCampaign((arrival, referrer) => {
    const dropped = takeDropped();
    const data = { ...(referrer && { referrer }), ...(dropped && { dropped }) };
    sendEvent({ name: 'page_view', data }, arrival);
  });
  observer?.disconnect();
  const seen: Record<string, boolean> = {};
  observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const action = readAction(target);
        if (!isIntersecting || seen[action.name]) continue;
        seen[action.name] = true;
        recordAction(action);
      }
    },
    // In view: it reaches the upper three quarters of the window. A share of itself would fail tall sections.
    { rootMargin: '0px 0px -25%' },
  );
  for (const element of document.querySelectorAll('[data-view]')) observer.observe(element);
}

// The visit script, loaded after the first paint (src/browser/shell/load-visit.ts). Nothing in here may harm or delay
// the page: what fails is left out. A page that comes back from the back/forward cache is viewed again.
const click = guard(handleClick);
const view = guard(recordPageView);
for (const type of ['click', 'auxclick']) addEventListener(type, click, true);
addEventListener('pageshow', (event) => event.persisted && view());
addEventListener('online', resumeDelivery);
view();

function guard<T extends readonly unknown[]>(work: (...args: T) => void): (...args: T) => void {
  return (...args) => {
    try {
      work(...args);
    } catch {
      // The page matters more than its events.
    }
  };
}
