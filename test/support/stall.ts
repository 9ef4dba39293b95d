import { expect } from 'vitest';
import { watchMachine } from './scale-to-machine.ts';
import { watchStalls } from './watch-stalls.ts';

/** The longest time in ms for which the site may keep the event loop busy, on an idle machine. */
const MAX_STALL_MS = 50;
/** Attempts of one measurement: a real stall is in each of them, a collection of garbage is not. */
const MAX_ROUNDS = 3;

/**
 * Asserts that `work` never keeps the event loop busy without a chance for other requests for longer than the site may,
 * in one of three rounds.
 */
export async function expectNoStall(work: () => Promise<unknown>): Promise<void> {
  for (let round = 1; ; round++) {
    const scale = watchMachine();
    const stalls = watchStalls();
    await work();
    const longest = stalls.takeLongest();
    stalls.stop();
    const limit = scale(MAX_STALL_MS);
    if (longest < limit) return;
    if (round === MAX_ROUNDS) expect(longest).toBeLessThan(limit);
  }
}
