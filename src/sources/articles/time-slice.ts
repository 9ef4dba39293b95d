import { setImmediate } from 'node:timers/promises';

/** Longest time of continuous work between two chances for requests. */
const SLICE_MS = 8;

/** Creates a function that lets the event loop run when a slice of work has been done since it last ran. */
export function createTimeSlice(): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await setImmediate();
    start = performance.now();
  };
}
