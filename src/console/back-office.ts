import type { Content } from '../core/pages/content.ts';
import type { Articles } from '../server/articles/articles.ts';
import type { ConsoleApp } from './app.ts';

/** What the back office shows of the site besides the stores. */
export interface SiteSources {
  /** Shows edits as soon as visitors see them. */
  readonly content: Content;
  readonly articles: Pick<Articles, 'getSummaries' | 'getUnpublished'>;
  /** Returns why edits of the content are not shown yet. */
  readonly readContentWarnings: () => readonly string[];
}

/** What operators use and what works for them: the console, alerts, digests and forwarded messages. */
export interface BackOffice extends ConsoleApp {
  /**
   * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
   * with `OperatorStoreError`.
   */
  createEntryPath(): Promise<string>;
  /** Does once what is due of imports and notifications. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background and closes the databases that it has opened. */
  close(): Promise<void>;
}
