import type { EventName } from './event-definitions.ts';

/** A UUID of any version, in either case: the id of an event and the token of a click. */
export const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The random id of a browser session; empty when the browser could not store one. */
export const SESSION_PATTERN = /^[A-Za-z0-9_-]{0,64}$/;

/** Values of custom data. They are flat, so that an export has one column for each. */
export type EventDatum = string | number | boolean | readonly string[];

/** What is special about an event; described in docs/attribution.md. Literals, which a bundle for browsers leaves out. */
export const EVENT_FLAGS = [
  'bot',
  'prefetch',
  'embedded',
  'flood',
  'duplicate',
  'clock',
  'gpc',
  'free',
] as const;

export type EventFlag = (typeof EVENT_FLAGS)[number];

/** The flags of events that are stored, but left out of every count. */
export const UNCOUNTED_FLAGS: readonly EventFlag[] = ['bot', 'prefetch', 'embedded', 'flood', 'duplicate'];

const isFlag = (text: string): text is EventFlag => EVENT_FLAGS.some((flag) => flag === text);

/** Whether an event counts as something that a visitor did. */
export function isCounted(event: SiteEvent): boolean {
  return !event.flags.some((flag) => UNCOUNTED_FLAGS.includes(flag));
}

/** The flags of events of a visit of which nothing is stored in the browser. */
export const FREE_FLAGS: readonly EventFlag[] = ['gpc', 'free'];

/** Whether an event comes from a visit without journey: nothing joins it to the other events of the visit. */
export function isWithoutJourney({ flags }: { readonly flags: SiteEvent['flags'] }): boolean {
  return flags.some((flag) => FREE_FLAGS.includes(flag));
}

/** What `duplicate` was called in databases before migration 0002. */
export const FORMER_DUPLICATE_FLAG = 'double';

/** Parses stored flags, which are joined by commas; unknown ones are left out. */
export function parseEventFlags(text: string): readonly EventFlag[] {
  return text
    .split(',')
    .map((flag) => (flag === FORMER_DUPLICATE_FLAG ? 'duplicate' : flag))
    .filter(isFlag);
}

/** One stored event. Immutable; identified by `id` alone. */
export interface SiteEvent {
  /** UUID, created where the event happened. Storing the same id again changes nothing. */
  readonly id: string;
  readonly name: EventName;
  /** Random id of the browser session; empty when the browser sent none. */
  readonly session: string;
  /** Path of the page where it happened, without query. */
  readonly page: string;
  readonly label: string;
  readonly value: number;
  readonly data: Readonly<Record<string, EventDatum>>;
  /** Parameters of the last touch, by name. */
  readonly campaign: Readonly<Record<string, string>>;
  /** The visitor's clock in ms since 1970, at most a day from the server's; null when it was not a number. */
  readonly clientTime: number | null;
  /** The server's clock in ms since 1970, when the event was received. */
  readonly serverTime: number;
  readonly flags: readonly EventFlag[];
}

/** The size of a request and of an event. Text beyond its limit is cut, not rejected. */
export const EVENT_LIMITS = {
  /** Bytes of one request; `fetch` with `keepalive` has the same limit. */
  bodyBytes: 65_536,
  eventsPerRequest: 50,
  /** UTF-16 units, as all limits of text below. */
  page: 512,
  label: 256,
  dataKeys: 20,
  dataText: 512,
  /** Text that a visitor wrote, such as a contact message. */
  longText: 5_000,
  listItems: 20,
  listText: 200,
} as const;
