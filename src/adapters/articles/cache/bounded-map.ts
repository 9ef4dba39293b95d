/** A map of at most `limit` entries; the one unused for longest goes first. */
export interface BoundedMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  readonly size: number;
}

/** Creates an empty bounded map. */
export function createBoundedMap<T>(limit: number): BoundedMap<T> {
  const entries = new Map<string, T>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= limit) return;
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    },
    get size() {
      return entries.size;
    },
  };
}
