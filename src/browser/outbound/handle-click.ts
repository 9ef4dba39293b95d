import { buildLinkQuery } from '../../core/outbound/link-query.ts';
import { getVisit, writeCopy } from '../events/capture-visit.ts';
import { createId } from '../events/create-id.ts';
import { readAction, recordAction } from '../events/record-action.ts';

/** Within this time, in ms, a second click on the same element counts as the same. */
const SAME_CLICK_MS = 1000;

let last: Element | undefined;
let since = 0;

/**
 * Handles a click on a link or button, by mouse, touch or key, before the browser does: a call to action is recorded,
 * and a link to a partner carries the visit and a token of this click. A double click is one click and opens one tab.
 */
export function handleClick(event: Event): void {
  const clicked = (event.target as Element).closest('a,button');
  writeCopy();
  // The right button opens a menu.
  if (!clicked || (event as MouseEvent).button > 1) return;
  // A button has none of these.
  const link = clicked as HTMLAnchorElement;
  const isPartner = link.origin === location.origin && /sponsored/.test(link.rel);
  const isSame = clicked === last && event.timeStamp < since + SAME_CLICK_MS;
  if (isSame && isPartner) event.preventDefault();
  if (isSame) return;
  last = clicked;
  since = event.timeStamp;
  const action = readAction(clicked);
  if (isPartner) {
    action.name ||= 'call_to_action';
    action.data['click'] = createId();
    // The link is decorated for the navigation after this event alone: one that is copied later names no visitor.
    const href = link.getAttribute('href') ?? '';
    link.search = buildLinkQuery(link.search, getVisit(), action.data['click']);
    setTimeout(() => {
      link.href = href;
    });
  }
  if (action.name) recordAction(action);
}
