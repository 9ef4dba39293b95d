/** The one place that defines an event; the other lists of events in code and documentation derive from it. */
interface EventDefinition {
  /** Who sends it: a page, through `POST /api/journey`, or the server itself. */
  readonly senders: readonly ('browser' | 'server')[];
  /** Whether a page file may name it as the `event` of a call to action. */
  readonly inContent: boolean;
  /** When it is sent. */
  readonly when: string;
  /** Keys of its custom data; `*` stands for every other `data-*` attribute of the element. */
  readonly data: readonly string[];
  /** Keys whose text may have line breaks and 5,000 characters. */
  readonly longText?: readonly string[];
}

const CTA_CLICK = {
  senders: ['browser'],
  inContent: true,
  data: ['source', 'position', 'click', '*'],
} as const;

/** Where the visit came from, which the server decides. */
const VISIT_SOURCE = ['visit_channel', 'visit_source'] as const;

/** Every event that the store accepts, by name. How to add one: docs/recipes/event.md. */
const EVENT_DEFINITIONS = {
  page_view: {
    senders: ['browser'],
    inContent: false,
    when: 'a page is shown',
    // The referrer is sent with the first page of a session, `entry` with that of a visit that is not stored; the source is
    // stored with both. `dropped` counts events that this browser had to drop.
    data: ['referrer', 'entry', 'dropped', ...VISIT_SOURCE],
  },
  privacy_choice: {
    senders: ['browser'],
    inContent: false,
    when: 'a visitor answers the question about storage or analytics; it names no visitor, session or page',
    data: ['visit', 'analytics', 'place', 'version', 'language'],
  },
  call_to_action: {
    ...CTA_CLICK,
    when: 'a visitor clicks a button or a link to a platform that has no event of its own',
  },
  tutorial_conversion: { ...CTA_CLICK, when: 'a visitor clicks a button that is counted as this event' },
  free_trial_signup: { ...CTA_CLICK, when: 'a visitor clicks a button that is counted as this event' },
  pricing_view: {
    senders: ['browser'],
    inContent: false,
    when: 'prices scroll into view, once per page view',
    data: ['*'],
  },
  assessment_conversion: {
    senders: ['browser'],
    inContent: false,
    when: 'a visitor clicks the call to action of an assessment result',
    data: ['business_type', 'budget', 'platform', 'source', 'position', 'click'],
  },
  affiliate_redirect: {
    // A browser may report the click as well; the server's own event is the one that counts.
    senders: ['server', 'browser'],
    inContent: false,
    when: 'the redirect sends a visitor to a partner',
    data: [
      'partner',
      'destination',
      'source',
      // The part of the page that the link is in.
      'position',
      'content',
      'journey_pages',
      'entry_page',
      'session_time',
      'assessment_type',
      'budget',
      'revenue_range',
      'challenges',
      // The id of the click that this one, a duplicate, repeats.
      'click',
      // How Google Analytics knows the visit, of visitors who allow it, where commissions are reported to it.
      'analytics_client',
      'analytics_session',
      ...VISIT_SOURCE,
    ],
  },
  assessment_step: {
    senders: ['browser'],
    inContent: false,
    when: 'a step of the assessment is shown, once per session',
    data: [],
  },
  assessment_completed: {
    senders: ['server'],
    inContent: false,
    when: 'an assessment is saved',
    data: ['business_type', 'revenue', 'challenges', 'budget', 'platform'],
  },
  contact_message: {
    senders: ['server'],
    inContent: false,
    when: 'a contact message is sent',
    data: ['topic', 'name', 'email', 'message'],
    longText: ['message'],
  },
  newsletter_signup: {
    senders: ['server'],
    inContent: false,
    when: 'a visitor signs up for the newsletter',
    data: ['email', 'consent'],
    longText: ['consent'],
  },
} as const satisfies Record<string, EventDefinition>;

type Definitions = typeof EVENT_DEFINITIONS;

/** The name of an event that the store accepts. */
export type EventName = keyof Definitions;

/** The name of an event that the collector accepts from a browser. */
export type BrowserEventName = {
  [Name in EventName]: 'browser' extends Definitions[Name]['senders'][number] ? Name : never;
}[EventName];

/** The keys of an event's custom data; any text when it takes further `data-*` attributes. */
export type EventDataKey<Name extends EventName> = '*' extends Definitions[Name]['data'][number]
  ? string
  : Definitions[Name]['data'][number];

/** Every event name, in the order of the definitions. */
export const EVENT_NAMES: readonly EventName[] = Object.keys(EVENT_DEFINITIONS).filter(isEventName);

/** The names that the collector accepts from a browser. */
export const BROWSER_EVENT_NAMES = EVENT_NAMES.filter(isBrowserEvent);

/** The names that a page file may use. */
export const CONTENT_EVENT_NAMES = EVENT_NAMES.filter((name) => getEventDefinition(name).inContent);

export function isEventName(name: unknown): name is EventName {
  return typeof name === 'string' && Object.hasOwn(EVENT_DEFINITIONS, name);
}

/** Whether the server sends this event itself, so that a report of the same by a browser is a duplicate. */
export function isServerEvent(name: EventName): boolean {
  return getEventDefinition(name).senders.includes('server');
}

export function getEventDefinition(name: EventName): EventDefinition {
  return EVENT_DEFINITIONS[name];
}

function isBrowserEvent(name: EventName): name is BrowserEventName {
  return getEventDefinition(name).senders.includes('browser');
}
