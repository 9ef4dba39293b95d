import type { Clock } from '../../../core/clock.ts';
import { createBoundedMap } from './bounded-map.ts';
import { buildWait, type UpstreamGate } from './upstream-gate.ts';

/** How values of one kind are loaded and kept. `undefined` is never a value; null may be. */
export interface RefreshingMapOptions<T> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly gate: UpstreamGate;
  /** Values in memory at once. */
  readonly limit: number;
  /** Ms for which a value counts as fresh. */
  freshFor(value: T): number;
  /** Asks the source. */
  load(key: string): Promise<T>;
  /** The last good copy from before, if there is one. */
  recover(key: string): Promise<T | undefined>;
  /** Whether a new value says so much less than the old that it needs a second look. */
  isDoubtful(old: T, fresh: T): boolean;
  /** Called with every value that counts from now on. */
  onAccepted(key: string, value: T): Promise<void>;
}

/** Values that are served fresh, else stale at once with one refresh behind. */
export interface RefreshingMap<T> {
  /** Rejects only when there is no copy at all and the source fails. */
  read(key: string): Promise<T>;
  /** Asks the source now, together with whoever is asking already. */
  refresh(key: string): Promise<T>;
  /** Whether there is a copy in memory, or a call for one under way. */
  has(key: string): boolean;
}

interface Cell<T> {
  value: T | undefined;
  freshUntil: number;
  retryAt: number;
  failures: number;
  doubts: number;
  pending: Promise<T> | null;
}

/** Ms before a doubtful answer is checked by asking again. */
export const SECOND_LOOK_MS = 10_000;

/** Creates an empty map. */
export function createRefreshingMap<T>(options: RefreshingMapOptions<T>): RefreshingMap<T> {
  const { clock, gate } = options;
  const cells = createBoundedMap<Cell<T>>(options.limit);
  const cellOf = (key: string): Cell<T> => {
    const known = cells.get(key);
    if (known) return known;
    const cell = { value: undefined, freshUntil: 0, retryAt: 0, failures: 0, doubts: 0, pending: null };
    cells.set(key, cell);
    return cell;
  };
  const recover = async (key: string, cell: Cell<T>): Promise<void> => {
    if (cell.value !== undefined) return;
    const kept = await options.recover(key);
    if (cell.value === undefined) cell.value = kept;
  };
  const settle = async (key: string, cell: Cell<T>, fresh: T): Promise<T> => {
    const now = clock.monotonic();
    cell.failures = 0;
    if (cell.value !== undefined && cell.doubts === 0 && options.isDoubtful(cell.value, fresh)) {
      cell.doubts = 1;
      cell.retryAt = now + SECOND_LOOK_MS;
      return cell.value;
    }
    cell.doubts = 0;
    cell.retryAt = 0;
    cell.value = fresh;
    cell.freshUntil = now + options.freshFor(fresh);
    await options.onAccepted(key, fresh);
    return fresh;
  };
  const load = async (key: string, cell: Cell<T>): Promise<T> => {
    try {
      await recover(key, cell);
      return await settle(key, cell, await gate.call(() => options.load(key)));
    } catch (error) {
      cell.failures += 1;
      cell.retryAt = clock.monotonic() + buildWait(cell.failures, options.random());
      throw error;
    } finally {
      cell.pending = null;
    }
  };
  const refresh = (key: string): Promise<T> => {
    const cell = cellOf(key);
    cell.pending ??= load(key, cell);
    return cell.pending;
  };
  return {
    refresh,
    has: (key) => {
      const cell = cells.get(key);
      return cell !== undefined && (cell.value !== undefined || cell.pending !== null);
    },
    async read(key) {
      const cell = cellOf(key);
      await recover(key, cell);
      if (cell.value === undefined) return refresh(key);
      const now = clock.monotonic();
      const isDue = now >= cell.freshUntil && now >= cell.retryAt;
      // Whoever waits behind hears of a failure through the gate, not here.
      if (isDue && gate.isOpen()) refresh(key).catch(() => undefined);
      return cell.value;
    },
  };
}
