/** What a temporary value is for. */
export type TemporaryKind = 'challenge' | 'notice' | 'issued' | 'upload' | 'upload-part';

export interface TemporaryValue {
  readonly kind: TemporaryKind;
  /** Unique within its kind. */
  readonly key: string;
  /** At most a megabyte. */
  readonly value: string;
  /** ms since 1970; it is not found any more from then on. */
  readonly expiresAt: number;
}

/** How many attempts are taken: `burst` at once after a pause, then one each `intervalMs`. */
export interface AttemptRate {
  readonly intervalMs: number;
  readonly burst: number;
}

/**
 * What the console remembers between two requests, for minutes or hours, whichever process or instance of a worker
 * responds to them. The contract suite is `test/contract/temporary-store.ts`. Every method rejects with
 * `OperatorStoreError`. `now` is in ms since 1970.
 */
export interface TemporaryStore {
  /**
   * Stores a value in place of the one with its kind and key, and removes what has expired. Beyond `max` values of the
   * kind, those that expire first are removed.
   */
  put(value: TemporaryValue, limits: { readonly now: number; readonly max?: number }): Promise<void>;
  /** The value of a key; null when it is missing or has expired. */
  read(kind: TemporaryKind, key: string, now: number): Promise<string | null>;
  /** The values of a kind that have not expired; for kinds with few values. */
  readAll(kind: TemporaryKind, now: number): Promise<readonly string[]>;
  /** Reads a value and removes it: of several callers one gets it. */
  take(kind: TemporaryKind, key: string, now: number): Promise<string | null>;
  /** Removes the values whose key begins with a text. */
  remove(kind: TemporaryKind, beginning: string): Promise<void>;
  /** Removes what has expired. */
  removeExpired(now: number): Promise<void>;
  /** Counts an attempt and returns 0; or, when the rate is reached, counts nothing and returns the ms to wait. */
  takeAttempt(key: string, rate: AttemptRate, now: number): Promise<number>;
}
