import type { ConsolePreferences } from './console-preferences.ts';
import type { Operator, OperatorSession, OperatorSetup, Passkey, ShareLink } from './operator.ts';

/**
 * Who may use the console. Passwords and tokens are in it as hashes only. The contract suite is
 * `test/contract/operator-store.ts`. Every method rejects with `OperatorStoreError`. `now` is in ms since 1970.
 */
export interface OperatorStore {
  /** In the order of their creation. */
  readOperators(): Promise<readonly Operator[]>;
  /** The operator with an id; null when there is no such operator. */
  readOperator(id: string): Promise<Operator | null>;
  /** The operator with a name, compared as `buildOperatorNameKey` does. */
  findOperator(name: string): Promise<Operator | null>;
  /**
   * Removes an operator with all sessions, passkeys and setup addresses, unless no owner were left: false
   * when it is the last owner or does not exist.
   */
  removeOperator(id: string): Promise<boolean>;

  /** Stores a one-time address in place of the one with the same purpose. */
  writeSetup(setup: OperatorSetup): Promise<void>;
  /** The address with a token that can be used now; null otherwise. */
  findSetup(tokenHash: string, now: number): Promise<OperatorSetup | null>;
  /**
   * Uses up a one-time address and stores the operator, both or neither: a new one, or the new password of a known one,
   * whose sessions end. false when the address is used up or expired. Rejects with `name-taken`.
   */
  completeSetup(tokenHash: string, operator: Operator, now: number): Promise<boolean>;

  /**
   * Stores a new password of an operator and ends all sessions but one, both or neither. false when there is no such
   * operator any more.
   */
  changePassword(operatorId: string, passwordHash: string, exceptSessionId: string): Promise<boolean>;

  writeSession(session: OperatorSession): Promise<void>;
  /** The session with a token and its operator; null without one. Age is judged by the caller. */
  findSession(
    tokenHash: string,
  ): Promise<{ readonly session: OperatorSession; readonly operator: Operator } | null>;
  /** Notes that a session was used. */
  touchSession(id: string, now: number): Promise<void>;
  /** The sessions of an operator, the one that was used last first. */
  readSessions(operatorId: string): Promise<readonly OperatorSession[]>;
  /** Ends one session of an operator; false when the operator has no such session. */
  removeSession(operatorId: string, id: string): Promise<boolean>;
  /** Ends all sessions of an operator, except one if it is named; resolves with how many. */
  removeSessions(operatorId: string, exceptId?: string): Promise<number>;
  /**
   * Removes setup addresses and share links that have expired, and sessions that began before a time. Younger ones that
   * are too old to be used stay: they tell browsers of operators from strangers.
   */
  removeExpired(limits: { readonly createdBefore: number; readonly now: number }): Promise<void>;

  writePasskey(passkey: Passkey): Promise<void>;
  readPasskeys(operatorId: string): Promise<readonly Passkey[]>;
  findPasskey(id: string): Promise<Passkey | null>;
  /** Notes that a passkey was used, with its new counter. */
  touchPasskey(id: string, counter: number, now: number): Promise<void>;
  removePasskey(operatorId: string, id: string): Promise<boolean>;

  writeShareLink(link: ShareLink): Promise<void>;
  /** Links that have not expired, the newest first. */
  readShareLinks(now: number): Promise<readonly ShareLink[]>;
  findShareLink(tokenHash: string, now: number): Promise<ShareLink | null>;
  removeShareLink(id: string): Promise<boolean>;

  /** What owners have chosen; the defaults for the rest. */
  readPreferences(): Promise<ConsolePreferences>;
  writePreferences(preferences: ConsolePreferences): Promise<void>;

  close(): Promise<void>;
}

/** `unavailable`: full, locked, damaged or read-only. `name-taken`: another operator has the name. */
export type OperatorStoreErrorCode = 'unavailable' | 'closed' | 'name-taken';

/** Why the operators could not be read or written. */
export class OperatorStoreError extends Error {
  readonly code: OperatorStoreErrorCode;
  constructor(code: OperatorStoreErrorCode, message: string, options?: ErrorOptions) {
    super(`[operators] ${message}`, options);
    this.name = 'OperatorStoreError';
    this.code = code;
  }
}
