import { readPath, readText } from './read-text.ts';

/** The journey record of a session, as session storage holds it under `user_journey_data`. */
export interface Journey {
  /** Paths without query. */
  readonly entryPage: string;
  /** ms since 1970, on the visitor's clock as it stands now (see `enterJourney`). */
  readonly entryTime: number;
  readonly currentPage: string;
  /** Every path once, in the order of the first visit; the first 100. */
  readonly pageVisits: readonly string[];
  /** ms from the entry to the last change of page; never negative, never shrinks. */
  readonly timeSpent: number;
  /** Address of the page before the entry, or `direct`. */
  readonly referrer: string;
  readonly userAgent: string;
}

/** A page that is shown at `now` (ms since 1970). */
export interface ShownPage {
  readonly path: string;
  readonly now: number;
  readonly referrer: string;
  readonly userAgent: string;
}

/**
 * Goes on with the stored record, or begins one, when a page is shown. What was edited is mended. When the
 * clock was set back since the last page, the entry time moves back with it: the time spent stays, and grows.
 */
export function enterJourney(record: unknown, { path, now, referrer, userAgent }: ShownPage): Journey {
  const given = Object(record);
  const known = Number.isFinite(given.entryTime) && readPath(given.entryPage);
  const visits = known && Array.isArray(given.pageVisits) ? given.pageVisits.map(readPath) : [];
  const entryPage = known || path;
  const entryTime = known ? Math.min(given.entryTime, now - (Math.max(0, given.timeSpent) || 0)) : now;
  return {
    entryPage,
    entryTime,
    currentPage: path,
    pageVisits: [...new Set([entryPage, ...visits, path])].filter(Boolean).slice(0, 100),
    timeSpent: now - entryTime,
    referrer: readText(known ? given.referrer : referrer, 500) || 'direct',
    userAgent,
  };
}

/** Whole seconds since the entry at `now` (ms); never negative. */
export function readSessionSeconds({ entryTime, timeSpent }: Journey, now: number): number {
  return Math.floor(Math.max(timeSpent, now - entryTime) / 1000);
}
