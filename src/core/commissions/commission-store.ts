import type { CommissionDecision, NewDecision, NewFact, StoredFact } from './commission-fact.ts';
import type { FrozenJourney } from './credit.ts';

/** A message as it arrived, without personal fields. It is removed after 30 days. */
export interface RawMessage {
  /** Unique; facts refer to it. */
  readonly id: string;
  readonly partner: string;
  /** ms since 1970. */
  readonly arrivedAt: number;
  /** JSON. */
  readonly content: string;
}

/** What one message, file or page of an API brings, stored in one transaction. */
export interface LedgerBatch {
  readonly facts: readonly NewFact[];
  readonly raw?: RawMessage | undefined;
  /** The first journey of a click is stored; later ones change nothing. */
  readonly journeys?: readonly FrozenJourney[] | undefined;
  readonly decisions?: readonly NewDecision[] | undefined;
}

/** An import of a file. Its facts count only while its newest state is `committed`. */
export interface CommissionImport {
  /** Hash of the file and of how it was read. */
  readonly id: string;
  readonly partner: string;
  /** Name of the file, without folders. */
  readonly file: string;
  readonly state: 'committed' | 'undone';
  readonly rows: number;
  /** ms since 1970. */
  readonly changedAt: number;
}

/** Which facts to read; without a field, all. */
export interface FactFilter {
  readonly partner?: string | undefined;
  readonly nativeId?: string | undefined;
}

/** How far the lists of a ledger reach. Equal positions have equal commissions. */
export interface LedgerPosition {
  readonly facts: number;
  readonly decisions: number;
  readonly journeys: number;
  readonly imports: number;
}

/** What was appended between two positions. */
export interface LedgerChanges {
  /** Without those of imports that do not count at the later position. */
  readonly facts: readonly StoredFact[];
  readonly decisions: readonly CommissionDecision[];
  readonly journeys: readonly FrozenJourney[];
}

/** The position of an empty ledger. */
export const EMPTY_LEDGER: LedgerPosition = { facts: 0, decisions: 0, journeys: 0, imports: 0 };

/**
 * What networks reported, and what operators decided. Facts and decisions are appended, never changed or removed.
 * The contract suite is `test/contract/commission-store.ts`. Every method rejects with `CommissionStoreError`.
 */
export interface CommissionStore {
  /**
   * Resolves once everything is on disk, with the number of facts that are new. A fact with the identity and content
   * of a stored one changes nothing.
   */
  append(batch: LedgerBatch): Promise<{ readonly stored: number; readonly duplicates: number }>;
  /** Facts in the order of arrival, without those of imports that were undone or not committed. */
  readFacts(filter?: FactFilter): Promise<readonly StoredFact[]>;
  readDecisions(): Promise<readonly CommissionDecision[]>;
  /** Journeys of the clicks whose ids (UUID) begin with one of the given texts; of all clicks when left out. */
  readJourneys(beginnings?: readonly string[]): Promise<readonly FrozenJourney[]>;
  /** Reads how far the ledger reaches now; takes no longer in a large ledger. */
  readPosition(): Promise<LedgerPosition>;
  /**
   * What was appended after a position up to another one. A change of an import can make earlier facts count, or no
   * longer: from a position with other imports, read everything again.
   */
  readChanges(after: LedgerPosition, upTo: LedgerPosition): Promise<LedgerChanges>;
  /** Stores a new state of an import, which makes all of its facts count or none. */
  writeImport(change: CommissionImport): Promise<void>;
  /** The newest state of every import, in the order of their first commit. */
  readImports(): Promise<readonly CommissionImport[]>;
  readRaw(id: string): Promise<RawMessage | null>;
  /** Removes messages that arrived before a time; resolves with how many. */
  removeRaw(before: number): Promise<number>;
  /** A value that a part of the ledger remembers: a cursor, an import profile, the key of postback URLs. */
  readState(key: string): Promise<string | null>;
  writeState(key: string, value: string): Promise<void>;
  /** Stores a value unless the key has one; resolves with the value that the key has now. */
  createState(key: string, value: string): Promise<string>;
  /** Takes or prolongs a lease until a time; false while another holder has it. */
  takeLease(name: string, lease: Lease): Promise<boolean>;
  /** Why nothing can be stored now; null when it can. */
  probe(): Promise<string | null>;
  close(): Promise<void>;
}

/** The right to do something alone until a time. */
export interface Lease {
  readonly holder: string;
  /** ms since 1970. */
  readonly now: number;
  readonly until: number;
}

/** `unavailable`: full, locked, damaged or read-only. `closed`: shutting down. */
export type CommissionStoreErrorCode = 'unavailable' | 'closed';

/** Why the ledger could not be read or written. */
export class CommissionStoreError extends Error {
  readonly code: CommissionStoreErrorCode;
  constructor(code: CommissionStoreErrorCode, message: string, options?: ErrorOptions) {
    super(`[commissions] ${message}`, options);
    this.name = 'CommissionStoreError';
    this.code = code;
  }
}
