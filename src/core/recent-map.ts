/**
 * A map that remembers at least the last `count` keys that were set or found, and at most twice as many. Two plain maps cost a
 * fraction of a linked list: the older half is forgotten at once.
 */
export class RecentMap<Value> {
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#count && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
