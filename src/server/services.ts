import type { ConsoleApp } from '../console/app.ts';
import type { Content } from '../core/pages/content.ts';
import type { PageParameters } from '../core/pages/page-parameters.ts';
import type { Articles } from './articles/articles.ts';
import type { StoreAssessment } from './assessment/assessment-page.ts';
import type { ContactService } from './contact/contact.ts';
import type { FormGate } from './contact/form-gate.ts';
import type { RateLimiter, SharedRateLimiter } from './http/rate-limiter.ts';
import type { Route } from './http/route.ts';
import type { SecurityHeaders } from './http/security-headers.ts';
import type { Log } from './log.ts';
import type { Gauge } from './metrics.ts';
import type { Settings } from './settings.ts';

/** What a request may use: created once per process in `compose/` and passed to pages as `Astro.locals.services`. */
export interface Services {
  readonly settings: Settings;
  readonly content: Content;
  readonly articles: Articles;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether a text is the preview token; never without PREVIEW_TOKEN. */
  isPreviewToken(given: string): boolean;
  /** Stores the answers of a posted assessment. */
  readonly storeAssessment: StoreAssessment;
  /** Takes the messages of the contact form. */
  readonly contact: ContactService;
  /** Takes sign-ups for the newsletter; null without a provider. */
  readonly newsletter: FormGate | null;
  /** Calls a function after each edit of content that is shown. */
  onContentChange(listener: () => void): void;
  /** Reads the content folder again, for development. Throws `ContentError`. */
  readContent(): Content;
  /** The operator's console. */
  readonly console: ConsoleApp & {
    /**
     * The path at which the operator begins: the console, or a new one-time address while there is no operator. Rejects
     * with `OperatorStoreError`.
     */
    createEntryPath(): Promise<string>;
  };
  /** Every path that is not a page or a file (`/api/journey`, `/go/highlevel`, `/rss.xml`, …), with its handler. */
  readonly routes: readonly Route[];
  /** Parameters of addresses that pages read, by path of the page. */
  readonly pageParameters: PageParameters;
  /** Speculation rules as JSON, part of every page. */
  readonly speculationRules: string;
  /** The fixed headers of every kind of response. */
  readonly security: SecurityHeaders;
  readonly log: Log;
  /** Limits what one address may post. */
  readonly limiter: SharedRateLimiter;
  /** Limits the pages that are rendered for one address. */
  readonly renderLimiter: RateLimiter;
  /** Messages for the operator at the start, a line each. */
  readNotices(): Promise<readonly string[]>;
  /** Reasons why the site is not ready; empty when it is. */
  readProblems(): Promise<readonly string[]>;
  /** What the metrics show of the services. */
  readonly gauges: readonly Gauge[];
  /**
   * Runs once what a process runs on timers, for a runtime without timers: counts, retention, networks and
   * notifications that are due. A failure is logged.
   */
  runDueJobs(): Promise<void>;
  /** Writes events that wait in memory for as long as `timeoutMs`, then closes files. */
  close(timeoutMs: number): Promise<void>;
}
