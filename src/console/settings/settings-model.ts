import type {
  ConsolePreferences,
  DigestChoice,
  Operator,
  OperatorSession,
  Passkey,
  ShareLink,
} from '../../core/console/operator.ts';
import type { ConsoleQuery } from '../figures/console-query.ts';

/** What the settings show. Times are ms since 1970. */
export interface SettingsModel {
  readonly self: Pick<Operator, 'id' | 'name' | 'role'>;
  /** IANA time zone in which times are shown. */
  readonly timeZone: string;
  /** An address that was created just now and is shown once; null without one. */
  readonly issued: IssuedAddress | null;
  readonly operators: readonly Pick<Operator, 'id' | 'name' | 'role' | 'createdAt'>[];
  readonly sessions: readonly (Pick<OperatorSession, 'id' | 'browser' | 'createdAt' | 'usedAt'> & {
    /** The session with which the settings are read. */
    readonly isCurrent: boolean;
  })[];
  readonly passkeys: readonly Pick<Passkey, 'id' | 'label' | 'createdAt' | 'usedAt'>[];
  /** Empty for viewers. */
  readonly shareLinks: readonly (Pick<ShareLink, 'id' | 'label' | 'createdBy' | 'expiresAt'> & {
    readonly viewName: string;
    /** The period, clock, model and filters that the link is limited to. */
    readonly query: ConsoleQuery;
  })[];
  /** Names of the views that can be shared. */
  readonly shareable: readonly string[];
  /** The address that the form for a new share link begins with: the view the operator came from. */
  readonly shareAddress: string;
  readonly preferences: ConsolePreferences;
  readonly digest: DigestDelivery;
  /** What the environment has set. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly setting: string }[];
}

/** What the environment says about the digest. */
export interface DigestDelivery {
  /** The value of `DIGEST`, which applies until an owner chooses. */
  readonly byEnvironment: DigestChoice;
  /** Hour of the day at which it is sent. */
  readonly hour: number;
  /** Whether there is a mail server; without one none can be sent. */
  readonly hasMail: boolean;
}

/** An address that is shown once because only its hash is stored. */
export interface IssuedAddress {
  readonly title: string;
  readonly url: string;
  readonly note: string;
}

/** Days for which a share link can be valid. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;
