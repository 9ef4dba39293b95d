import {
  buildCommissionKey,
  type CommissionDecision,
  type NewFact,
  type StoredFact,
} from '../core/commissions/commission-fact.ts';
import type { FrozenJourney } from '../core/commissions/credit.ts';
import {
  type CommissionImport,
  type CommissionStore,
  CommissionStoreError,
  type FactFilter,
  type Lease,
  type LedgerBatch,
  type LedgerChanges,
  type LedgerPosition,
  type RawMessage,
} from './ledger.ts';
import { MAX_LEASE_MS } from './sql/statements.ts';

/** A commission store that lives as long as the process: for tests and previews. */
export class MemoryCommissionStore implements CommissionStore {
  readonly #facts = new Map<string, StoredFact>();
  readonly #decisions: CommissionDecision[] = [];
  readonly #journeys = new Map<string, FrozenJourney>();
  readonly #imports = new Map<string, CommissionImport>();
  readonly #importChanges: CommissionImport[] = [];
  readonly #raw = new Map<string, RawMessage>();
  readonly #state = new Map<string, string>();
  readonly #leases = new Map<string, Lease>();
  #isClosed = false;

  async append({ facts, raw, journeys = [], decisions = [] }: LedgerBatch) {
    this.#checkOpen();
    const known = this.#facts.size;
    for (const fact of facts) this.#add(fact);
    if (raw) this.#raw.set(raw.id, raw);
    for (const journey of journeys) {
      if (!this.#journeys.has(journey.clickId)) this.#journeys.set(journey.clickId, structuredClone(journey));
    }
    for (const decision of decisions) {
      this.#decisions.push({ ...decision, sequence: this.#decisions.length + 1 });
    }
    const stored = this.#facts.size - known;
    return { stored, duplicates: facts.length - stored };
  }

  async readFacts({ partner, nativeId }: FactFilter = {}): Promise<readonly StoredFact[]> {
    this.#checkOpen();
    return [...this.#facts.values()].filter(
      (fact) =>
        (partner === undefined || fact.partner === partner) &&
        (nativeId === undefined || fact.nativeId === nativeId) &&
        (fact.importId === null || this.#imports.get(fact.importId)?.state === 'committed'),
    );
  }

  async readDecisions(): Promise<readonly CommissionDecision[]> {
    this.#checkOpen();
    return [...this.#decisions];
  }

  async readJourneys(beginnings: readonly string[] = ['']): Promise<readonly FrozenJourney[]> {
    this.#checkOpen();
    return [...this.#journeys.values()].filter(({ clickId }) =>
      beginnings.some((text) => clickId.startsWith(text)),
    );
  }

  async readPosition(): Promise<LedgerPosition> {
    this.#checkOpen();
    return {
      facts: this.#facts.size,
      decisions: this.#decisions.length,
      journeys: this.#journeys.size,
      imports: this.#importChanges.length,
    };
  }

  async readChanges(after: LedgerPosition, upTo: LedgerPosition): Promise<LedgerChanges> {
    this.#checkOpen();
    const states = new Map(this.#importChanges.slice(0, upTo.imports).map(({ id, state }) => [id, state]));
    return {
      facts: [...this.#facts.values()]
        .slice(after.facts, upTo.facts)
        .filter(({ importId }) => importId === null || states.get(importId) === 'committed'),
      decisions: this.#decisions.slice(after.decisions, upTo.decisions),
      journeys: [...this.#journeys.values()].slice(after.journeys, upTo.journeys),
    };
  }

  async writeImport(change: CommissionImport): Promise<void> {
    this.#checkOpen();
    this.#imports.set(change.id, change);
    this.#importChanges.push(change);
  }

  async readImports(): Promise<readonly CommissionImport[]> {
    this.#checkOpen();
    return [...this.#imports.values()];
  }

  async readRaw(id: string): Promise<RawMessage | null> {
    this.#checkOpen();
    return this.#raw.get(id) ?? null;
  }

  async removeRaw(before: number): Promise<number> {
    this.#checkOpen();
    const old = [...this.#raw.values()].filter(({ arrivedAt }) => arrivedAt < before);
    for (const { id } of old) this.#raw.delete(id);
    return old.length;
  }

  async readState(key: string): Promise<string | null> {
    this.#checkOpen();
    return this.#state.get(key) ?? null;
  }

  async writeState(key: string, value: string): Promise<void> {
    this.#checkOpen();
    this.#state.set(key, value);
  }

  async createState(key: string, value: string): Promise<string> {
    this.#checkOpen();
    const known = this.#state.get(key) ?? value;
    this.#state.set(key, known);
    return known;
  }

  async takeLease(name: string, lease: Lease): Promise<boolean> {
    this.#checkOpen();
    const current = this.#leases.get(name);
    const isHeld =
      current !== undefined && current.until > lease.now && current.until <= lease.now + MAX_LEASE_MS;
    if (isHeld && current.holder !== lease.holder) return false;
    this.#leases.set(name, lease);
    return true;
  }

  async probe(): Promise<string | null> {
    return this.#isClosed ? '[commissions] the store is closed' : null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #add({ content, ...fact }: NewFact): void {
    const key = `${buildCommissionKey(fact)} ${content}`;
    if (!this.#facts.has(key)) this.#facts.set(key, { ...fact, sequence: this.#facts.size + 1 });
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new CommissionStoreError('closed', 'the store is closed');
  }
}
