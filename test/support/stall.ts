import { scaleToMachine } from './scale-to-machine.ts';
import { watchStalls } from './watch-stalls.ts';

/** The longest time in ms for which the site may keep the event loop busy; 50 on an idle machine. */
export const getMaxStallMs = (): number => scaleToMachine(50);

/** Attempts of one measurement: a real stall is in each of them, a collection of garbage is not. */
const MAX_ROUNDS = 3;

/**
 * Measures how long `work` keeps the event loop busy without a chance for other requests, in ms: the lowest of three
 * rounds, or the first below the limit.
 */
export async function measureStall(work: () => Promise<unknown>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS && lowest >= getMaxStallMs(); round++) {
    const stalls = watchStalls();
    await work();
    lowest = Math.min(lowest, stalls.takeLongest());
    stalls.stop();
  }
  return lowest;
}
