import type { Clock } from '../../../core/clock.ts';

/** Creates a budget of calls: `burst` at once, then `perSecond`. The function says whether one more may go out. */
export function createBudget(options: {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly burst: number;
}): () => boolean {
  const { clock, perSecond, burst } = options;
  let left = burst;
  let counted = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    left = Math.min(burst, left + ((now - counted) / 1_000) * perSecond);
    counted = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
