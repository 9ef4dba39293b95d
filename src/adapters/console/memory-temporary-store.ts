import type {
  AttemptRate,
  TemporaryKind,
  TemporaryStore,
  TemporaryValue,
} from '../../core/console/temporary-store.ts';

/** The temporary store in memory. */
export class MemoryTemporaryStore implements TemporaryStore {
  #values: readonly TemporaryValue[] = [];
  readonly #fullAt = new Map<string, number>();

  async put(value: TemporaryValue, { now, max }: { readonly now: number; readonly max?: number }) {
    await this.removeExpired(now);
    this.#removeWhere(({ kind, key }) => kind === value.kind && key === value.key);
    const others = this.#values
      .filter(({ kind }) => kind === value.kind)
      .sort((one, other) => other.expiresAt - one.expiresAt);
    const excess = new Set(max === undefined ? [] : others.slice(max - 1));
    this.#removeWhere((one) => excess.has(one));
    this.#values = [...this.#values, value];
  }

  async read(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    return this.#find(kind, key, now)?.value ?? null;
  }

  async readAll(kind: TemporaryKind, now: number): Promise<readonly string[]> {
    const found = this.#values.filter((one) => one.kind === kind && one.expiresAt > now);
    return found.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ value }) => value);
  }

  async take(kind: TemporaryKind, key: string, now: number): Promise<string | null> {
    const found = this.#find(kind, key, now);
    this.#removeWhere((one) => one === found);
    return found?.value ?? null;
  }

  async remove(kind: TemporaryKind, beginning: string): Promise<void> {
    this.#removeWhere((value) => value.kind === kind && value.key.startsWith(beginning));
  }

  async removeExpired(now: number): Promise<void> {
    this.#removeWhere(({ expiresAt }) => expiresAt <= now);
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(key);
  }

  async takeAttempt(key: string, { intervalMs, burst }: AttemptRate, now: number): Promise<number> {
    const furthest = now + intervalMs * burst;
    const known = this.#fullAt.get(key) ?? now;
    const fullAt = (known > furthest ? now : Math.max(known, now)) + intervalMs;
    if (fullAt > furthest) return fullAt - furthest;
    this.#fullAt.set(key, fullAt);
    return 0;
  }

  #find(kind: TemporaryKind, key: string, now: number): TemporaryValue | undefined {
    return this.#values.find((one) => one.kind === kind && one.key === key && one.expiresAt > now);
  }

  #removeWhere(isRemoved: (value: TemporaryValue) => boolean): void {
    this.#values = this.#values.filter((value) => !isRemoved(value));
  }
}
