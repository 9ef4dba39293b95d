/** Promises by what they depend on, such as a map, a weak map or a cache. */
interface Promises<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, reading: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/**
 * The one place that keeps promises for other requests. What is read for a key is read once, and again after a failure. Where
 * requests share no work (`sharesWork` of `Platform` is false), what another request is still reading is read anew, because it
 * never settles once that request has ended.
 */
export class SharedReads<Key, Value> {
  readonly #promises: Promises<Key, Value>;
  readonly #isKept: boolean;

  /** `promises`: empty. `isKept`: false: callers share what is in progress, and nothing after it has ended. */
  constructor(promises: Promises<Key, Value> = new Map<Key, Promise<Value>>(), isKept = true) {
    this.#promises = promises;
    this.#isKept = isKept;
  }

  read(key: Key, sharesWork: boolean, read: () => Promise<Value>): Promise<Value> {
    const known = this.#promises.get(key);
    if (known !== undefined) return known;
    const reading = read();
    const share = () => void this.#promises.set(key, reading);
    const forget = () => void this.#promises.delete(key);
    if (sharesWork) share();
    reading.then(this.#isKept ? share : forget, forget);
    return reading;
  }
}
