/** 24 hours; not always a day of a calendar, which can have 23 or 25. */
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/** Time, handed in, so that rules and caches can be tested at any hour. */
export interface Clock {
  /** Wall clock: ms since 1970. May jump. */
  now(): number;
  /** Ms since some start. Never goes back; for how long something has lasted. */
  monotonic(): number;
}

let report: () => void = () => undefined;

/** Calls a function whenever a long job goes on; the thread of the console has it. */
export const onProgress = (listener: () => void): void => {
  report = listener;
};

/**
 * Says that a long job goes on: a thread that gives no sign for a minute is ended. The jobs are reading and checking
 * content, by file, and importing reports, by part. Each has an end of its own.
 */
export const reportProgress = (): void => report();
