import type { Capability } from './capabilities.ts';
import type { ConsoleViewKey } from './console-view.ts';

/** A person who may sign in to the console. */
export interface Operator {
  readonly id: string;
  /** As the person wrote it; two operators never have names that differ in case alone. */
  readonly name: string;
  readonly capabilities: readonly Capability[];
  /** Hash of the password with its parameters, as `PasswordHasher` writes it. */
  readonly passwordHash: string;
  /** Names the operator toward passkeys; random, base64url. */
  readonly passkeyUserId: string;
  /** ms since 1970, like every time below. */
  readonly createdAt: number;
}

/** A browser that is signed in. */
export interface OperatorSession {
  /** Names the session in lists; no secret. */
  readonly id: string;
  readonly tokenHash: string;
  readonly operatorId: string;
  /** Name of the browser, for the list: `Firefox on Linux`. */
  readonly browser: string;
  readonly createdAt: number;
  readonly usedAt: number;
  /** When the operator gave the password or a passkey again; null when never since the sign-in. */
  readonly confirmedAt: number | null;
}

/** A public key with which an operator signs in instead of a password. */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly operatorId: string;
  readonly label: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** Signature counter; 0 for authenticators without one. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: number;
  readonly usedAt: number | null;
}

/** A one-time address at which a person sets a password. */
export interface OperatorSetup {
  readonly tokenHash: string;
  /** Only the newest address of a purpose is valid: `first`, `invite NAME`, `reset ID`. */
  readonly purpose: string;
  /** The operator whose password is set again; null for a new operator. */
  readonly operatorId: string | null;
  /** What the form suggests, or the name of the operator. */
  readonly name: string;
  readonly capabilities: readonly Capability[];
  /** Name of the operator who created it, and with whom it ends; empty for the command line. */
  readonly createdBy: string;
  readonly expiresAt: number;
}

/** A link that shows one view with one query to the person who has it. */
export interface ShareLink {
  /** Names the link in lists; no secret. */
  readonly id: string;
  readonly tokenHash: string;
  readonly view: ConsoleViewKey;
  /** The parameters of the view's address, fixed when the link was created. */
  readonly parameters: string;
  readonly label: string;
  /** Name of the operator who created it, and with whom it ends. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Names are compared without regard to case and composition. */
export function buildOperatorNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The choices of the first day of a week. */
export const WEEK_STARTS = ['monday', 'sunday'] as const;
export type WeekStart = (typeof WEEK_STARTS)[number];

/** How often a digest can be wanted. */
export const DIGEST_CHOICES = ['off', 'daily', 'weekly'] as const;
export type DigestChoice = (typeof DIGEST_CHOICES)[number];

/** The hour of the day from which a digest is sent. */
export const DIGEST_HOUR = 7;

/** What operators who manage choose in the settings, for the whole console. */
export interface ConsolePreferences {
  readonly digest: DigestChoice;
  readonly weekStart: WeekStart;
}

/** The preferences before any was chosen. */
export const DEFAULT_PREFERENCES: ConsolePreferences = { digest: 'off', weekStart: 'monday' };
