import type { Arrival } from '../../core/events/journey.ts';
import type { EventDatum } from '../../core/events/site-event.ts';
import type { WireEvent } from '../../core/events/wire-event.ts';
import { hasGpc } from '../consent/gpc.ts';
import { getVisit } from './capture-campaign.ts';
import { createId, deliver } from './outbox.ts';

/** Something that a visitor did. */
export interface VisitorAction {
  /** An event name that browsers report; the server refuses any other. */
  name: string;
  readonly label: string;
  readonly value: number;
  /** Keys in snake_case. */
  readonly data: Record<string, EventDatum>;
}

/**
 * Reads the action that an element names: `data-action` (or `data-view`), `data-label` and `data-value`; every other
 * data attribute is custom data, `data-business-type` as `business_type`.
 */
export function readAction(element: Element): VisitorAction {
  const { action, view, label = '', value, ...rest } = (element as HTMLElement).dataset;
  const data: Record<string, string> = {};
  for (const [key, text = ''] of Object.entries(rest)) {
    data[key.replace(/[A-Z]/g, '_$&').toLowerCase()] = text;
  }
  return { name: action ?? view ?? '', label, value: Number(value) || 0, data };
}

/** Reports an action, and raises `utm_conversion` for listeners in the page. */
export function recordAction(action: VisitorAction): void {
  sendEvent(action);
  const { name, ...detail } = action;
  document.dispatchEvent(
    new CustomEvent('utm_conversion', { bubbles: true, detail: { action: name, ...detail } }),
  );
}

/** Reports an event without raising anything in the page. `arrival`: the page and time of the event. */
export function sendEvent(
  { name, ...content }: { readonly name: VisitorAction['name'] } & Partial<VisitorAction>,
  arrival: Arrival = window.readArrival(),
): void {
  const { session, lastTouch } = getVisit();
  // Label and data of the assessment's events are its answers.
  const isWithheld = hasGpc() && name.startsWith('assessment');
  deliver({
    id: createId(),
    name: name as WireEvent['name'],
    session,
    page: arrival.path,
    time: arrival.now,
    campaign: lastTouch,
    ...(!isWithheld && content),
  } satisfies WireEvent);
}
