import { buildLinkQuery } from '../core/journey/link-query.ts';
import { newId } from './new-id.ts';
import { readAction } from './read-action.ts';
import { recordAction } from './record.ts';
import { readVisit } from './session.ts';

const PARTNER_PATH = /^\/(go\/|(activecampaign|kit|hubspot)-trial$)/;

/** Within this time, in ms, the same element pressed again is the same click. */
const SAME_CLICK_MS = 1000;

let element: Element | null = null;
let since = 0;
let click = '';
let isDone = false;

/**
 * Handles a press on a link or button, by mouse, touch, key or menu: a link to a partner gets the visit and a
 * token of this click put on it, a call to action is reported. A double click is one click and opens one tab.
 */
export function handlePress(event: Event): void {
  const pressed = (event.target as Element).closest('a,button');
  if (!pressed) return;
  if (pressed !== element || event.timeStamp - since > SAME_CLICK_MS) {
    element = pressed;
    since = event.timeStamp;
    click = newId();
    isDone = false;
  }
  // A button has none of these.
  const link = pressed as HTMLAnchorElement;
  const isPartner = link.origin === location.origin && PARTNER_PATH.test(link.pathname);
  if (isPartner) link.search = buildLinkQuery(link.search, { ...readVisit(), click });
  // A press without a click: the button is still down, or a menu opens.
  if (!event.type.endsWith('click') || (event as MouseEvent).button > 1) return;
  if (isDone && isPartner) event.preventDefault();
  const action = readAction(pressed);
  const name = action.name || (isPartner && 'call_to_action');
  if (isDone || !name) return;
  isDone = true;
  recordAction({ ...action, name, data: { ...action.data, ...(isPartner && { click }) } });
}
