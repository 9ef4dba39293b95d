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

  /** One of the items, all equally likely. Throws a `RangeError` without items. */
  pick<T>(items: readonly T[]): T {
    return this.pickWeighted(items, () => 1);
  }

  /** One of the items, as likely as its weight. Throws a `RangeError` without items. */
  pickWeighted<T>(items: readonly T[], getWeight: (item: T) => number): T {
    let rest = this.next() * items.reduce((sum, item) => sum + getWeight(item), 0);
    for (const item of items) {
      rest -= getWeight(item);
      if (rest < 0) return item;
    }
    const last = items.at(-1);
    if (last === undefined) throw new RangeError('There is nothing to pick from.');
    return last;
  }

  /** Normally distributed, with mean 0 and standard deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Log-normally distributed: half of the values are below the median. */
  logNormal(median: number, spread: number): number {
    return median * Math.exp(spread * this.normal());
  }

  /** A count with this mean: independent things that happen in a day. */
  count(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    let [result, product] = [-1, 1];
    for (const limit = Math.exp(-mean); product > limit; result++) product *= this.next();
    return result;
  }

  /** A UUID of version 4. */
  uuid(): string {
    const part = () =>
      Math.floor(this.next() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0');
    const hex = part() + part() + part() + part();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
