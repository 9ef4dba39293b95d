import { enterJourney, type Journey } from './journey.ts';
import { readPath, readText } from './read-text.ts';

/** Reads a journey record as it was stored, without going on with it; null when it is none. */
export function parseJourney(record: unknown): Journey | null {
  const given = Object(record);
  const entryPage = readPath(given.entryPage);
  if (!entryPage || !Number.isFinite(given.entryTime)) return null;
  return enterJourney(given, {
    path: readPath(given.currentPage) || entryPage,
    now: given.entryTime + (Math.max(0, given.timeSpent) || 0),
    referrer: '',
    userAgent: readText(given.userAgent, 500),
  });
}
