import type { WireEvent } from '../core/journey/wire-event.ts';
import { newId } from './new-id.ts';
import { deliver } from './outbox.ts';
import { hasPrivacySignal } from './privacy-signal.ts';
import { readVisit } from './session.ts';

/** Something a visitor did. */
export interface Action {
  /** An event name that browsers report; the server refuses any other. */
  readonly name: string;
  readonly label: string;
  readonly value: number;
  /** Keys in snake_case. */
  readonly data: NonNullable<WireEvent['data']>;
}

/** Reports an action at this moment, and raises `utm_conversion` for whoever listens in the page. */
export function recordAction(action: Action): void {
  sendEvent(action);
  const { name, ...detail } = action;
  document.dispatchEvent(
    new CustomEvent('utm_conversion', { bubbles: true, detail: { action: name, ...detail } }),
  );
}

/** Reports an event without raising anything. */
export function sendEvent({ name, label, value, data }: Action): void {
  const { session, page, campaign, now } = readVisit();
  // Label and data of the assessment are its answers.
  const isWithheld = hasPrivacySignal() && name.startsWith('assessment');
  deliver({
    id: newId(),
    name: name as WireEvent['name'],
    session,
    page,
    time: now,
    label: isWithheld ? '' : label,
    value,
    data: isWithheld ? {} : data,
    campaign,
  });
}
