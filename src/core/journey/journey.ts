import { readPath, readText } from './read-text.ts';

/** The journey record of a session, as session storage holds it under `user_journey_data`. */
export interface Journey {
  /** Paths without query. */
  readonly entryPage: string;
  /** ms since 1970, on the visitor's clock as it stands now (see `visitPage`). */
  readonly entryTime: number;
  readonly currentPage: string;
  /** Every path once, in the order of the first visit; at most 100. */
  readonly pageVisits: readonly string[];
  /** ms from the entry to the last change of page; never negative, never shrinks. */
  readonly timeSpent: number;
  /** Address of the page before the entry, or `direct`. */
  readonly referrer: string;
  readonly userAgent: string;
}

const PAGES_KEPT = 100;

/** Begins the record of a session. */
export function createJourney(entry: {
  readonly path: string;
  readonly now: number;
  readonly referrer: string;
  readonly userAgent: string;
}): Journey {
  const path = readPath(entry.path) || '/';
  return {
    entryPage: path,
    entryTime: entry.now,
    currentPage: path,
    pageVisits: [path],
    timeSpent: 0,
    referrer: readText(entry.referrer, 500) || 'direct',
    userAgent: readText(entry.userAgent, 500),
  };
}

/** Reads a stored record; null when it is none. Odd fields are mended, because a visitor can edit them. */
export function parseJourney(record: unknown): Journey | null {
  const given = Object(record);
  const entryPage = readPath(given.entryPage);
  if (!entryPage || !Number.isFinite(given.entryTime)) return null;
  const visits = (Array.isArray(given.pageVisits) ? given.pageVisits : []).map(readPath).filter(Boolean);
  return {
    entryPage,
    entryTime: given.entryTime,
    currentPage: readPath(given.currentPage) || entryPage,
    pageVisits: [...new Set([entryPage, ...visits])].slice(0, PAGES_KEPT),
    timeSpent: given.timeSpent > 0 && Number.isFinite(given.timeSpent) ? given.timeSpent : 0,
    referrer: readText(given.referrer, 500) || 'direct',
    userAgent: readText(given.userAgent, 500),
  };
}

/**
 * Records that a page is shown at `now` (ms). When the clock was set back since the last page, the entry
 * time moves back with it, so that the time spent stays and goes on from there.
 */
export function visitPage(journey: Journey, path: string, now: number): Journey {
  const currentPage = readPath(path) || '/';
  const entryTime = Math.min(journey.entryTime, now - journey.timeSpent);
  return {
    ...journey,
    entryTime,
    currentPage,
    pageVisits: [...new Set([...journey.pageVisits, currentPage])].slice(0, PAGES_KEPT),
    timeSpent: now - entryTime,
  };
}

/** Whole seconds since the entry at `now` (ms); never negative. */
export function readSessionSeconds(journey: Journey, now: number): number {
  return Math.floor(Math.max(journey.timeSpent, now - journey.entryTime) / 1000);
}
