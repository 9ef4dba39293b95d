import { parsePathText, parseText } from '../text/parse-text.ts';

/** The journey record of a session, stored in session storage under `user_journey_data`. */
export interface Journey {
  /** Paths without query. */
  readonly entryPage: string;
  /** ms since 1970, on the visitor's current clock (see `enterJourney`). */
  readonly entryTime: number;
  readonly currentPage: string;
  /** Every path once, in the order of the first visit; the first 100. */
  readonly pageVisits: readonly string[];
  /** ms from the entry to the last change of page; never negative, never shrinks. */
  readonly timeSpent: number;
  /** Address of the page before the entry, or `direct`. */
  readonly referrer: string;
  readonly userAgent: string;
  /** What interactive parts of pages remember during the session, by name; carried over unread. */
  readonly state?: unknown;
}

/** A page that is shown at `now` (ms since 1970). */
export interface ShownPage {
  readonly path: string;
  readonly now: number;
  readonly referrer: string;
  readonly userAgent: string;
}

/**
 * Adds the page that is shown to the stored record, or begins a new one. Edited values are repaired. When the visitor's
 * clock was set back since the last page, the entry time moves back with it, so that the time spent never shrinks.
 */
export function enterJourney(record: unknown, { path, now, referrer, userAgent }: ShownPage): Journey {
  const given = Object(record);
  const known = given.entryTime > 0 && parsePathText(given.entryPage);
  const visits = known ? [given.pageVisits].flat().map(parsePathText) : [];
  const entryPage = known || path;
  const entryTime = known ? Math.min(given.entryTime, now - (Math.max(0, given.timeSpent) || 0)) : now;
  return {
    entryPage,
    entryTime,
    currentPage: path,
    pageVisits: [...new Set([entryPage, ...visits, path])].filter(Boolean).slice(0, 100),
    timeSpent: now - entryTime,
    referrer: parseText(known ? given.referrer : referrer, 512) || 'direct',
    userAgent,
    state: given.state,
  };
}

/** Returns the whole seconds from the entry to `now` (ms); never negative. */
export function readSessionSeconds({ entryTime, timeSpent }: Journey, now: number): number {
  return (Math.max(timeSpent, now - entryTime) / 1000) | 0;
}

/** Parses a stored journey record without adding a page; null when it is invalid. */
export function parseJourney(record: unknown): Journey | null {
  const given = Object(record);
  const entryPage = parsePathText(given.entryPage);
  if (!entryPage || !Number.isFinite(given.entryTime)) return null;
  return enterJourney(given, {
    path: parsePathText(given.currentPage) || entryPage,
    now: given.entryTime + (Math.max(0, given.timeSpent) || 0),
    referrer: '',
    userAgent: parseText(given.userAgent, 512),
  });
}

export type Arrival = ReturnType<typeof parseLeftPages>[number];

/** Parses the pages that were left before they could be reported, from the stored journey record. */
export function parseLeftPages(record: unknown) {
  return [Object(record).left].flat().filter((page) => page?.now > 0 && parsePathText(page.path));
}
