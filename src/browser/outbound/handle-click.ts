import { buildLinkQuery } from '../../core/outbound/outbound-link.ts';
import { getVisit, writeCopy } from '../events/capture-campaign.ts';
import { createId } from '../events/outbox.ts';
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
  // Buttons have no `href` or `rel`.
  const link = (event.target as Element).closest<HTMLAnchorElement>('a,button,[data-action]');
  writeCopy();
  // The right button opens a menu.
  if (!link || (event as MouseEvent).button > 1) return;
  const isPartner = link.origin === location.origin && /sponsored/.test(link.rel);
  const isSame = link === last && event.timeStamp < since + SAME_CLICK_MS;
  if (isSame) {
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
    if (position) action.data['position'] = position;
    // The href is restored afterwards, so that a copied link does not carry the visit.
    const href = link.getAttribute('href') ?? '';
    link.search = buildLinkQuery(link.search, getVisit(), action.data['click']);
    setTimeout(() => {
      link.href = href;
    });
  }
  if (action.name) recordAction(action);
}
