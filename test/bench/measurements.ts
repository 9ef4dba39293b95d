import type { ArticleFigures } from './articles.ts';
import type { Navigation } from './navigation.ts';
import type { PageBytes } from './page-bytes.ts';
import type { PageLoad } from './page-load.ts';
import type { ProcessCost } from './process-cost.ts';
import type { ServingRow } from './serving.ts';

/**
 * One route beside its baseline page and its bare form, from the same server, and beside the baseline page from nginx.
 */
export interface LoadRow {
  readonly route: string;
  readonly own: PageLoad;
  readonly limit: PageLoad;
  readonly bare: PageLoad;
  readonly nginx: PageLoad | null;
}

/** Everything that one run of the bench has measured. */
export interface Measurements {
  readonly date: string;
  readonly machine: string;
  readonly nginx: string | null;
  readonly serving: readonly ServingRow[];
  readonly bytes: readonly PageBytes[];
  readonly loads: readonly LoadRow[];
  readonly navigation: readonly Navigation[];
  /** The same for visitors who prefer reduced motion. */
  readonly still: readonly Navigation[];
  readonly cost: ProcessCost;
  /** null: not measured. */
  readonly articles: ArticleFigures | null;
  /** Seconds of processor time for the images and sharing images of 1,000 articles, with an empty cache. */
  readonly imageSeconds: { readonly drawing: number; readonly photo: number };
}
