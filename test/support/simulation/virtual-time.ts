import { createChance } from '../chance.ts';

interface Timer {
  readonly at: number;
  /** Timers of the same time are called in the order in which they were started. */
  readonly order: number;
  readonly callback: () => void;
}

/** Time and chance of one simulated run: everything that happens follows from the seed. */
export class VirtualTime {
  #now = 0;
  #count = 0;
  #timers: Timer[] = [];

  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;

  constructor(seed: number) {
    this.random = createChance(seed);
  }

  get now(): number {
    return this.#now;
  }

  /** A whole number from `min` to `max`, both inclusive. */
  pick(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  /** Whether something happens that happens with a probability. */
  happens(probability: number): boolean {
    return this.random() < probability;
  }

  /** Calls back after ms unless the returned function is called. */
  readonly startTimer = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + ms, order: this.#count++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => void this.startTimer(ms, resolve));

  /** Lets time pass until `isOver` or nothing is left to happen. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      // Everything that follows from what has just happened.
      await new Promise(setImmediate);
      const [next] = this.#timers.sort((one, other) => one.at - other.at || one.order - other.order);
      if (next === undefined || isOver()) return;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.callback();
    }
  }
}
