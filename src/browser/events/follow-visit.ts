import type { Campaign } from '../../core/events/campaign.ts';
import type { Arrival } from '../../core/events/journey.ts';
import type { EventDatum } from '../../core/events/site-event.ts';
import type { WireEvent } from '../../core/events/wire-event.ts';
import { createId } from './outbox.ts';

/** How a page follows its visit: with records in the browser's storage, or without any. */
export interface FollowedVisit {
  /** Adds the page that is shown, and calls `onView` for it and for each page that was left unreported. */
  readonly enter: (onView: (arrival: Arrival, data: Partial<VisitorAction['data']>) => void) => void;
  /** Returns session and last campaign at this moment. */
  readonly read: () => { readonly session: string; readonly lastTouch: Campaign };
  /** Adds the visit at this moment, and the token of a click, to the query of a link to a partner. */
  readonly addToLink: (query: string, click: string) => string;
  /** Keeps the visit for tabs that a click may open. */
  readonly keep: () => void;
  /** Sends an event to the server, or keeps it for a later attempt. */
  readonly deliver: (event: WireEvent) => void;
  /** Sends what waits: the network is back. */
  readonly resume: () => void;
}

let visit: FollowedVisit;

/** Something that a visitor did. */
interface VisitorAction {
  /** An event name that browsers report; the server refuses any other. */
  name: string;
  readonly label: string;
  readonly value: number;
  /** Keys in snake_case. */
  readonly data: Record<string, EventDatum | undefined>;
}

/**
 * Reads the action that an element names: `data-action` (or `data-view`), `data-label` and `data-value`; every other
 * data attribute is custom data, `data-business-type` as `business_type`.
 */
function readAction(element: Element): VisitorAction {
  const { action, view, label = '', value, ...rest } = (element as HTMLElement).dataset;
  const data: Record<string, string> = {};
  for (const [key, text = ''] of Object.entries(rest)) {
    data[key.replace(/[A-Z]/g, '_$&').toLowerCase()] = text;
  }
  return { name: action ?? view ?? '', label, value: Number(value) || 0, data };
}

/** Reports an action, and raises `utm_conversion` for listeners in the page. */
function recordAction(action: VisitorAction): void {
  sendEvent(action);
  const { name, ...detail } = action;
  document.dispatchEvent(
    new CustomEvent('utm_conversion', { bubbles: true, detail: { action: name, ...detail } }),
  );
}

/** Reports an event without raising anything in the page. `arrival`: the page and time of the event. */
function sendEvent(
  content: { readonly name: VisitorAction['name']; readonly id?: string } & Partial<VisitorAction>,
  { path: page, now: time }: Arrival = window.readArrival(),
): void {
  const known = visit.read();
  visit.deliver({
    id: createId(),
    session: known.session,
    campaign: known.lastTouch,
    page,
    time,
    ...(content as { name: WireEvent['name'] }),
  });
}

/** Within this time, in ms, a second click on the same element counts as the same. */
const SAME_CLICK_MS = 1000;

let last: Element | undefined;
let since = 0;

/**
 * Handles a click on a link or button, by mouse, touch or key, before the browser does: a call to action is recorded,
 * and a link to a partner carries the visit and a token of this click. A double click is one click and opens one tab.
 */
function handleClick(event: Event): void {
  // Buttons have no `href` or `rel`.
  const link = (event.target as Element).closest<HTMLAnchorElement>('a,button,[data-action]');
  visit.keep();
  // The right button opens a menu.
  if (!link || (event as MouseEvent).button > 1) return;
  const isPartner = link.origin === location.origin && /sponsored/.test(link.rel);
  if (link === last && event.timeStamp < since + SAME_CLICK_MS) {
    if (isPartner) event.preventDefault();
    return;
  }
  last = link;
  since = event.timeStamp;
  const action = readAction(link);
  if (isPartner) {
    action.name ||= 'call_to_action';
    action.data['click'] = createId();
    const position = new URLSearchParams(link.search).get('position');
    // The href is restored afterwards, so that a copied link does not carry the visit.
    const href = link.getAttribute('href') ?? '';
    if (position) action.data['position'] = position;
    link.search = visit.addToLink(link.search, action.data['click']);
    setTimeout(() => {
      link.href = href;
    });
  }
  if (action.name) recordAction(action);
}

let observer: IntersectionObserver | undefined;

/**
 * Reports the page as viewed, and any that was left before this script had loaded; then each kind of `[data-view]`
 * element once, when it first scrolls into view.
 */
function recordPageView(): void {
  visit.enter((arrival, data) => {
    sendEvent({ name: 'page_view', data, ...window.leftView }, arrival);
    delete window.leftView;
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

/**
 * Follows a visit. Nothing in here may harm or delay the page: what fails is left
 * out. A page that comes back from the back/forward cache is viewed again.
 */
export function followVisit(followed: FollowedVisit): void {
  visit = followed;
  window.visit = followed;
  const guard = (work: (event: never) => void) => (event?: Event) => {
    try {
      work(event as never);
    } catch {
      // The page matters more than its events.
    }
  };
  const view = guard(recordPageView);
  addEventListener('click', guard(handleClick), true);
  addEventListener('auxclick', guard(handleClick), true);
  addEventListener('pageshow', (event) => event.persisted && view());
  addEventListener('online', followed.resume);
  view();
}
