import type { ContentSource } from '../content-files/content-source.ts';
import type { ContentWatcher } from '../content-files/content-watcher.ts';
import type { ImageFolder } from '../content-files/image-folder.ts';
import type { Clock } from '../core/clock.ts';
import type { NotificationChannel } from '../core/console/notification.ts';
import type { SmtpAddress } from '../core/contact/delivery-addresses.ts';
import type { Content } from '../core/pages/content.ts';
import type { ProcessBody } from '../sources/articles/article-mapper.ts';
import type { SanitizePolicy } from '../sources/articles/html/sanitize-html.ts';
import type { HttpGet, HttpPost } from '../sources/http/http-get.ts';
import type { SendLinkRequest } from '../sources/links/link-request.ts';
import type { EventArchive } from '../stores/archive.ts';
import type { DataProblem } from '../stores/data-folder.ts';
import type { EventAppender, EventStore } from '../stores/events.ts';
import type { SqlExecutor } from '../stores/sql/sql-executor.ts';
import type { UploadFolder } from '../stores/upload-folder.ts';
import type { Articles } from './articles/articles.ts';
import type { RateLimiter, SharedRateLimiter } from './http/rate-limiter.ts';
import type { PageHashes } from './http/security-headers.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';

/** What a limit is for: visitors' events, forms that are sent, attempts to send one, wrong tokens, the console, own visits. */
export type LimitName = 'events' | 'forms' | 'attempts' | 'guesses' | 'console' | 'visits';

/** What visitors see: content and articles, with their edits. */
export interface ShownSite {
  /** The content that is shown now, which an edit replaces and never changes: `holdContent` keeps it for a request. */
  readonly read: () => Content;
  readonly articles: Articles;
  /** Why edits are not shown yet, a line each. */
  readonly readWarnings: () => readonly string[];
  /** Calls a function after each edit of content that is shown. */
  readonly onChange: (listener: () => void) => void;
  /** Reads the content again when prices have become too old since it was read, so that they are not shown any more. */
  readonly refreshPrices: () => void;
  /** Shows files of the content folder, images too, as they are now: an operator has changed them. Never rejects. */
  readonly applyEdits: (files: readonly string[]) => Promise<void>;
}

/** Where the stores of a site are. */
export interface StorePlatform {
  readonly clock: Clock;
  /** `visitorStore` is for events that a visitor waits for; the store when left out. */
  openEvents(): {
    readonly executor: SqlExecutor;
    readonly store: EventStore;
    readonly visitorStore?: EventAppender;
  };
  /** Where events older than EVENT_HOT_DAYS go. */
  openEventArchive(): EventArchive;
  /** A database of its own, which the first write creates; queries find nothing until then. */
  openDatabase(name: 'commissions' | 'console' | 'notifications'): SqlExecutor;
  /** Where the console stores secrets of networks; null: the platform has them. */
  readonly secretsFile: string | null;
  /** true: background jobs run on timers of the process. false: the runtime runs them now and then. */
  readonly hasTimers: boolean;
}

/** What differs between the runtimes: stores, and what a machine has that Workers do not. */
export interface Platform extends StorePlatform {
  readonly log: Log;
  /** Hashes of the inline scripts and styles of the build, for the content security policy. */
  readonly pageHashes: PageHashes;
  /** Files of the folder crawler-ranges by name: the addresses that operators of agents have published. */
  readCrawlerRanges(): ReadonlyMap<string, string>;
  /** The content: a folder of the machine, or what the build of the worker has read and checked. */
  readonly content: ContentSource;
  /** Where the content is, which no response may tell. */
  readonly contentDir: string;
  /** Converts new images of the content folder while the site runs; null: the build converts them. */
  readonly images: ImageFolder | null;
  /** Begins to look for edits of the content folder; left out: edits apply at the next start. */
  readonly openContentWatcher?: (() => Promise<ContentWatcher>) | undefined;
  /** Runs what reads all content at once, in as little memory as the machine can; left out: as everything else. */
  readonly runSparing?: ((work: () => void) => void) | undefined;
  /** What another thread shows; left out: this thread reads the content and the articles. */
  readonly shown?: ShownSite | undefined;
  /**
   * How events are written that a visitor waits for: how many may wait in memory, and what keeps an instance running
   * until they are written. The choice of `DurableEventQueue` when left out.
   */
  readonly eventQueue?: {
    readonly capacity: number;
    readonly keepAlive: (work: Promise<unknown>) => void;
  };
  /** Reads other servers. */
  readonly httpGet: HttpGet;
  /** Creates the requests of link checks; `standIns`: origins that respond for some hosts, for tests. */
  createLinkRequests(standIns: ReadonlyMap<string, string>): SendLinkRequest;
  /** Posts to the operator's webhooks. */
  readonly httpPost: HttpPost;
  /**
   * The copies of articles, and the search over them or over article files. `keepAlive`: many instances share it; keeps
   * one of them running until work in the background ends.
   */
  openArticles(): Promise<{
    readonly database: SqlExecutor;
    readonly keepAlive?: (work: Promise<unknown>) => void;
  }>;
  /** Prepares bodies of articles; `readPolicy` returns the same object until the policy changes. */
  createBodyProcessor(readPolicy: () => SanitizePolicy): {
    readonly process: ProcessBody;
    close(): Promise<void>;
  };
  createMailChannel(
    server: SmtpAddress & { readonly from: string; readonly to: string },
  ): NotificationChannel;
  /** Where files wait that operators upload; null without a disk. */
  readonly uploads: UploadFolder | null;
  /** Free space of the disk and the setting below which it counts as full, in MB; null without a disk. */
  readDisk(): Promise<{ readonly freeMb: number; readonly minFreeMb: number } | null>;
  /** The longest commit of about the last minute, in ms; left out where nobody measures it. */
  readCommitMs?(): number;
  /** true: another thread serves visitors, and reports what is wrong with the data. */
  readonly isConsoleThread?: boolean;
  /** What a person has to do in the folder of the data. */
  readDataProblems(): Promise<readonly DataProblem[]>;
  /** Copies the data as they change; left out: they are not copied. */
  readonly copy?:
    | {
        /** Resolves with whether the copy has everything that was committed before, after two seconds at most. */
        wait(): Promise<boolean>;
        close(): Promise<void>;
      }
    | undefined;
  /** Why the copies of articles are in memory only; null when they are stored, or need not be. */
  readCopyProblem(): string | null;
  /** When the data were backed up last, in ms since 1970; null when they never were. */
  readLastBackup(): number | null;
  /** true: the data were generated by `npm run demo`. */
  readonly isSample: boolean;
  /** Where settings are that operators type in; left out: the platform has all of them. */
  readonly settingsFile?: string;
  /** Tells the thread that serves visitors that settings were typed in; left out without such a thread. */
  readonly tellSettings?: () => void;
  /** Data that were made up for an operator who looks around, in a folder of their own; left out: there are none. */
  readonly sample?:
    | undefined
    | {
        /** Whether there are all of them. */
        isMade(): boolean;
        /** What the site is opened over to show them. */
        open(): { readonly settings: Settings; readonly platform: Platform };
        /** Generates them, in a thread of their own. */
        make(): Promise<void>;
        remove(): void;
      };
  /** What the hash of a new password costs; the choice of the console when left out. */
  readonly passwordCost?: {
    readonly cost: number;
    readonly blockSize: number;
    readonly parallelization: number;
  };
  /** Adds the counts of other instances to a limit of the process; left out: there is one process. */
  readonly shareLimiter?: (name: LimitName, limiter: RateLimiter) => SharedRateLimiter;
  /** false: a request cannot wait for what another one has begun, because that may end with its response. */
  readonly sharesWork: boolean;
}
