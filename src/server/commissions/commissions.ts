import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { Network } from '../../core/commissions/commission-terms.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { CommissionLedger } from './ledger.ts';
import type { PostbackTokens } from './postbacks.ts';
import type { SyncResult } from './sync-networks.ts';

/** The ways in which networks report, for the console. */
export interface CommissionIntake {
  /** Null while no postback address was ever created. */
  readTokens(): Promise<PostbackTokens | null>;
  createTokens(): Promise<void>;
  /** Sends a test message to the postback address of a partner, inside the process. */
  sendTest(partner: string): Promise<{ readonly isStored: boolean; readonly response: string }>;
  /** Networks whose API is read. */
  readonly networks: readonly Network[];
  /** Reads the networks now; null without any. */
  readonly runSync: (() => Promise<readonly SyncResult[]>) | null;
}

/** The ledger of commissions, for the console. */
export interface Commissions {
  readonly intake: CommissionIntake;
  readonly clicks: Clicks;
  /** Every commission with its journey. Rejects with `LedgerError`. */
  readEntries(): Promise<readonly LedgerEntry[]>;
  /** The ledger; null before it is created. */
  getLedger(): OpenedLedger | null;
  /** The ledger; creates it when it is missing. */
  createLedger(): OpenedLedger;
}

/** A ledger that is open for reading and writing. */
export interface OpenedLedger {
  readonly store: Ledger;
  readonly ledger: CommissionLedger;
}
