/** Random numbers that are the same for the same seed, so that two runs generate the same data. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive), uniform. The generator is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Whether something with this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** One of the items, as likely as its weight; all are equally likely without one. Throws a `RangeError` without items. */
  pick<T>(items: readonly T[], getWeight: (item: T, index: number) => number = () => 1): T {
    let rest = this.next() * items.reduce((sum, item, index) => sum + getWeight(item, index), 0);
    for (const [index, item] of items.entries()) {
      rest -= getWeight(item, index);
      if (rest < 0 || index === items.length - 1) return item;
    }
    throw new RangeError('There is nothing to pick from.');
  }

  /** One of the items: the first most often, the second half as often, the third a third as often. */
  pickEarly<T>(items: readonly T[]): T {
    return this.pick(items, (_, index) => 1 / (1 + index));
  }

  /** Log-normally distributed: half of the values are below the median. */
  logNormal(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }

  /** A UUID of version 4. */
  uuid(): string {
    const digits = (pattern: string) => pattern.replaceAll('x', () => this.integer(0, 15).toString(16));
    return digits('xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx');
  }
}
