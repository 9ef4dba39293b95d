import type { ArticleCard } from '../articles/article.ts';
import type { Plans } from '../savings/plans.ts';
import type { Calls } from './page.schema.ts';
import type { Site } from './site.schema.ts';

/** What sections may need besides their own document. */
export interface PageContext {
  /** Path of the page. */
  readonly path: string;
  readonly site: Site;
  readonly plans: Plans;
  /** What partner links carry unless they say otherwise; undefined on pages without any. */
  readonly calls: Calls | undefined;
  /** Articles by slug that a section of the page shows, in the order in which it shows them. */
  readonly teasers: readonly ArticleCard[];
  /** What was typed into the page's form and what became of it; null when nothing was sent. */
  readonly form: ContactFormState | null;
}

/** A contact form as it is shown again. */
export interface ContactFormState {
  readonly sent: boolean;
  /** The topic that is chosen at first. */
  readonly topic: string;
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong, by field; the key `form` is about the whole. */
  readonly errors: Readonly<Record<string, string>>;
  /** Signed time at which the form was made. */
  readonly token: string;
}
