import type { Content } from '../core/content/content.ts';
import type { Articles } from './articles.ts';
import type { KeepAssessment } from './assessment-keeper.ts';
import type { Config } from './config.ts';
import type { ContactDesk } from './contact/contact-desk.ts';
import type { HttpHandler } from './http/message.ts';
import type { PolicyOpenings } from './security-headers.ts';

/** A number that the metrics show. */
export interface Figure {
  /** Prometheus name, for example `signpost_events_stored`. */
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

/** What a request may use, made once a process by a `compose-*.ts` and handed down as `Astro.locals.services`. */
export interface Services {
  readonly config: Config;
  readonly content: Content;
  /** The hub's articles. */
  readonly articles: Articles;
  /** Keeps the answers of a posted assessment. */
  readonly keepAssessment: KeepAssessment;
  /** Takes the messages of the contact form. */
  readonly contact: ContactDesk;
  /** Reads the content folder again, for development. Throws `ContentError`. */
  readContent(): Content;
  /** The API handler of a path (`/api/journey`, `/go/highlevel`, …), if it has one. */
  readonly findHandler: (path: string) => HttpHandler | undefined;
  /** Rules by which browsers may load pages ahead, as JSON; every page carries them. */
  readonly speculationRules: string;
  /** What the page policy opens for the analytics tag; null when none is set. */
  readonly policyOpenings: PolicyOpenings['analytics'];
  /** Why the site cannot do all of its work right now; empty when it can. */
  readProblems(): Promise<readonly string[]>;
  /** Figures for the metrics, read when somebody asks. */
  readonly figures: readonly Figure[];
  /** Finishes what was accepted and releases files. */
  close(): Promise<void>;
}
