import type { ContentDraft } from '../content-files/content-files.ts';
import type { ConsoleViewer } from '../core/console/capabilities.ts';
import type { MoveIn } from '../move-in/move-in.ts';
import type { OperatorSessions } from '../server/http/operator-sessions.ts';
import type { Site } from '../server/site.ts';
import type { ActivitySubject } from '../stores/activity.ts';
import type { PasswordHasher } from './access/password.ts';
import type { SignInLimits } from './access/sign-in-limits.ts';
import type { ConsoleAlert } from './alerts/build-alerts.ts';
import type { ContentPreviews } from './content/preview.ts';
import type { PayeeWatch } from './partners/payees.ts';
import type { PeriodReader } from './reports/periods.ts';
import type { ConsoleQuery } from './reports/query.ts';
import type { SampleSite } from './start/sample.ts';

/** What the views read and change: the site, and what belongs to the console alone. */
export interface ConsoleSite extends Site {
  /** Money and counts of periods, cached while the ledger does not change. */
  readonly periods: PeriodReader;
  /** The tasks that are sent as alerts; at most 30 seconds old. */
  readonly readAlerts: () => Promise<readonly ConsoleAlert[]>;
  /** Makes the next `readAlerts` compute them again, after something was done about one. */
  readonly forgetAlerts: () => void;
  readonly payees: PayeeWatch;
  readonly sessions: OperatorSessions;
  readonly hasher: PasswordHasher;
  readonly limits: SignInLimits;
  /** Signs what the console gives to browsers, and hashes addresses: `FORM_KEY`, or a key of this process. */
  readonly signingKey: string;
  /** Shows content that is not saved; null where no page can be rendered for it. */
  readonly previews: ContentPreviews | null;
  /** Who has which content file open in a browser, and since when it is known, in ms since 1970. */
  readonly openFiles: Map<string, { file: string; operator: string; name: string; at: number }>;
  /** The links that are checked now for an operator, since when (ms since 1970), and what stops it. */
  readonly linkCheck: {
    urls: readonly string[];
    since: number;
    /** Why the last one ended early, after nobody waited for it; empty without a reason. */
    problem: string;
    readonly stopping: AbortController;
  };
  /** Uploaded sites that are imported in the background, by id: null, or afterwards why that failed. */
  readonly movingIn: Map<string, string | null>;
  /** The made-up data that operators look at while there are some. */
  readonly sample: SampleSite;
  /** Whether the money and the visitors are made up, which `sample` shows. */
  readonly isLookingAround: boolean;
  /** Moves another site into the content folder; null: the content is part of the build. */
  readonly moveIn: MoveIn | null;
}

/** A request for a view, after its sender was found to be allowed to see it. */
export interface ViewRequest {
  readonly query: ConsoleQuery;
  /** All parameters of the address, for views that have parameters of their own. */
  readonly parameters: URLSearchParams;
  /** The path below the view, decoded: `['highlevel', 'c-1']` of `/console/commissions/highlevel/c-1`. */
  readonly rest: readonly string[];
  readonly viewer: ConsoleViewer;
  /** Part of every form that changes something. */
  readonly formToken: string;
  /** Names the session of an operator; no secret. */
  readonly sessionId?: string | undefined;
  /** The text of a posted form that was not saved and is shown again. */
  readonly draft?: ContentDraft | undefined;
}

/** What a posted form did: the browser is sent to `location` (a path of the console), which shows the message. */
export interface ActionOutcome {
  readonly location: string;
  /** One sentence; `isError` when nothing changed. */
  readonly message: string;
  readonly isError: boolean;
  /**
   * What the log of changes says of it, without amounts and secrets: `message` when left out, nothing when empty because
   * `noteActivity` was called.
   */
  readonly note?: string | undefined;
  /** What was saved has what somebody else has changed too. */
  readonly isJoined?: boolean;
  /** What is stored with the note, in one commit. */
  readonly store?: (() => Promise<unknown>) | undefined;
  /** What it is about in the log; the subject of its view when left out. */
  readonly subject?: ActivitySubject | undefined;
}

/** What a form did that has changed nothing; `message` says why. */
export const buildFailure = (location: string, message: string): ActionOutcome => ({
  location,
  message,
  isError: true,
});
