import { LRUCache } from 'lru-cache';

/** A value, and the ms for which it is fresh; below 0: it is stale already. */
export interface Loaded<Value> {
  readonly value: Value;
  readonly freshMs: number;
}

/** A value that is returned to the waiting callers and not cached. */
export interface Uncached<Value> {
  readonly value: Value;
  readonly freshMs: null;
}

/** Where a cache gets its values from, and how many it has. `Context` is what a caller gives to load a value. */
export interface CacheInput<Value, Context> {
  /** Largest number of values; the least recently used is removed first. */
  readonly max: number;
  /** Largest sum of the sizes of all values; left out: their number is the only bound. */
  readonly size?: { readonly max: number; readonly maxEntry?: number; of(value: Value, key: string): number };
  /** Monotonic clock in ms. */
  readonly now: () => number;
  /** How long a stale value is returned while it is refreshed; after that, only when loading fails. */
  readonly maxStaleMs: number;
  /** `previous`: the value that is replaced. */
  load(key: string, context: Context, previous: Value | undefined): Promise<Loaded<Value> | Uncached<Value>>;
  /** Reads the copy that outlives this process or instance; undefined without one. */
  recover?(key: string, context: Context, previous: Value | undefined): Promise<Loaded<Value> | undefined>;
  /**
   * false on Workers: requests cannot share a promise. A stale value is then looked up among the copies, which other
   * instances write, before it is loaded again.
   */
  readonly sharesWork: boolean;
  /** Keeps the instance running until work in the background ends. */
  readonly keepAlive?: (work: Promise<unknown>) => void;
}

interface Entry<Value> {
  readonly value: Value;
  freshUntil: number;
}

/** How soon a refresh is tried again that may have ended with the caller who began it. */
const RETRY_MS = 10_000;

/**
 * A cache that returns fresh values, and stale ones at once while they are loaded again in the background. Callers share
 * one load of a value. A value stays for as long as it cannot be loaded.
 */
export class StaleWhileRevalidate<Value extends {}, Context> {
  readonly #input: CacheInput<Value, Context>;
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #loading = new Map<string, Promise<Value>>();

  constructor(input: CacheInput<Value, Context>) {
    this.#input = input;
    const { max, size } = input;
    this.#entries = new LRUCache({
      max,
      ...(size && {
        maxSize: size.max,
        ...(size.maxEntry !== undefined && { maxEntrySize: size.maxEntry }),
        sizeCalculation: ({ value }: Entry<Value>, key: string) => size.of(value, key) || 1,
      }),
    });
  }

  /** Returns a fresh value, without waiting. */
  getFresh(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#input.now() <= entry.freshUntil ? entry.value : undefined;
  }

  /** Returns a value, fresh or stale, without counting as a use of it. */
  peek(key: string): Value | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Whether there is a value, or it is being loaded. */
  has(key: string): boolean {
    return this.#loading.has(key) || this.#entries.has(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#loading.clear();
  }

  /** Returns a value, possibly stale. Rejects when no value is stored and it cannot be loaded. */
  async read(key: string, context: Context): Promise<Value> {
    const fresh = this.getFresh(key);
    if (fresh !== undefined) return fresh;
    const entry = (await this.#recover(key, context)) ?? this.#entries.get(key);
    const { sharesWork, maxStaleMs, now } = this.#input;
    const staleMs = entry === undefined ? Number.POSITIVE_INFINITY : now() - entry.freshUntil;
    if (entry !== undefined && staleMs <= 0) return entry.value;
    if (entry !== undefined && staleMs <= maxStaleMs) {
      this.#refreshLater(key, context, entry);
      return entry.value;
    }
    try {
      return await this.refresh(key, context);
    } catch (error) {
      const old = this.peek(key) ?? (sharesWork ? undefined : entry?.value);
      if (old !== undefined) return old;
      throw error;
    }
  }

  /** Loads a value, or joins the load in progress. Rejects when that fails; the value stays as it is. */
  refresh(key: string, context: Context): Promise<Value> {
    const { sharesWork } = this.#input;
    const running = this.#loading.get(key);
    if (sharesWork && running !== undefined) return running;
    const work: Promise<Value> = this.#input
      .load(key, context, this.peek(key))
      .then(({ value, freshMs }) => {
        // What was removed meanwhile does not come back.
        if (sharesWork && this.#loading.get(key) !== work) return value;
        if (freshMs === null) this.#entries.delete(key);
        else this.#set(key, value, freshMs);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === work) this.#loading.delete(key);
      });
    this.#loading.set(key, work);
    return work;
  }

  /** Puts the copy of a value into memory, unless the one there is newer. */
  async recover(key: string, context: Context): Promise<void> {
    await this.#recover(key, context);
  }

  /** Returns the entry that was recovered: memory may have no room for it. */
  async #recover(key: string, context: Context): Promise<Entry<Value> | undefined> {
    const { recover, sharesWork } = this.#input;
    if (recover === undefined || (sharesWork && this.has(key))) return undefined;
    const recovered = await recover(key, context, this.peek(key));
    if (recovered === undefined || (sharesWork && this.has(key))) return undefined;
    return this.#set(key, recovered.value, recovered.freshMs);
  }

  #refreshLater(key: string, context: Context, entry: Entry<Value>): void {
    const { sharesWork, keepAlive, now } = this.#input;
    if (sharesWork && this.#loading.has(key)) return;
    if (!sharesWork) entry.freshUntil = now() + RETRY_MS;
    const work = this.refresh(key, context).catch(() => undefined);
    keepAlive?.(work);
  }

  #set(key: string, value: Value, freshMs: number): Entry<Value> {
    const entry = { value, freshUntil: this.#input.now() + freshMs };
    this.#entries.set(key, entry);
    return entry;
  }
}
