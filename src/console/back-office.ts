import type { ConsoleApp } from './app.ts';

/** What operators use and what works for them: the console, alerts, digests and forwarded messages. */
export interface BackOffice extends ConsoleApp {
  /**
   * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
   * with `OperatorStoreError`.
   */
  createEntryPath(): Promise<string>;
  /** Does once what is due of imports and notifications. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background. */
  close(): Promise<void>;
}
