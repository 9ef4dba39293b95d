import { isDeepStrictEqual } from 'node:util';
import type { InvalidFile, PreparedEdits } from '../../content-files/articles/article-folder.ts';
import type { ContentDocuments } from '../../content-files/content-folder.ts';
import type { EditedContent, ShownContent } from '../../content-files/content-source.ts';
import type { Brand } from '../../core/pages/brand/brand.schema.ts';
import type { Content, ContentProblem } from '../../core/pages/content.ts';
import { findOldPrices } from '../../core/pages/launch-report.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

interface ContentReloadOptions {
  readonly live: ReturnType<typeof createLiveContent>;
  /** What the live content was read from. */
  readonly documents: ContentDocuments;
  /** What is wrong with the pages and articles that the site has started without. */
  readonly leftOut: readonly ContentProblem[];
  /**
   * Reads and checks the edited folder around what stays as it is shown. `articles`: the slugs that pages can name,
   * when they are not all files of the folder. Throws when a file is invalid.
   */
  readonly read: (shown: ShownContent, articles?: ReadonlySet<string>) => EditedContent;
  /** Reads the edited article files; null when articles are no files. Throws when a file is invalid. */
  readonly prepareArticles: (content: Content) => PreparedEdits | null;
  /** Called after other content is shown. */
  readonly onApplied: () => void;
  readonly log: Log;
  /** When the content was read, ms since 1970. */
  readonly now: number;
}

/**
 * Shows edited content while the site runs. An edit that is invalid changes nothing and is reported. What applies at
 * the next start only is reported, and does not keep other edits from being shown.
 */
export class ContentReload {
  readonly #options: ContentReloadOptions;
  /** What the build has made of the brand. */
  readonly #built: BuiltBrand;
  #documents: ContentDocuments;
  #problem: string | null = null;
  #waiting: readonly string[] = [];
  #leftOut: readonly ContentProblem[];
  /** Prices that are too old in what is shown. */
  #aged: string;

  constructor(options: ContentReloadOptions) {
    this.#options = options;
    this.#documents = options.documents;
    this.#built = listBuiltFields(options.live.read().brand);
    this.#leftOut = options.leftOut;
    this.#aged = listAged(options.live.read(), options.now);
    for (const problem of this.#leftOut) options.log.warn(`content: ${describeLeftOut(problem)}`);
  }

  /** Reads the folder again and shows it as a whole, or keeps what is shown. Never throws. `files`: what changed. */
  reload(files: readonly string[]): void {
    const { onApplied, log } = this.#options;
    const waiting: string[] = [];
    try {
      waiting.push(...this.#apply());
      this.#problem = null;
    } catch (error) {
      this.#problem = getMessage(error);
    }
    waiting.unshift(...this.#findWaiting());
    this.#waiting = waiting;
    for (const reason of waiting) log.warn(`content: ${reason}`, { files });
    if (this.#problem !== null) {
      log.warn('content: an edit is not shown, visitors see the last valid content', {
        files,
        problem: this.#problem,
      });
      return;
    }
    onApplied();
    log.info(`content: ${waiting.length === 0 ? 'edits' : 'all other edits'} are shown`, { files });
  }

  /** Reads the folder again when other prices are too old at `now` (ms since 1970) than in what is shown. */
  refreshPrices(now: number): void {
    const aged = listAged(this.#options.live.read(), now);
    if (aged === this.#aged) return;
    this.#aged = aged;
    this.reload([]);
  }

  /** Returns why edits are not shown yet, and which files are left out, a line each. */
  readWarnings(): readonly string[] {
    const problem = this.#problem === null ? [] : [`an edit is not shown: ${shorten(this.#problem)}`];
    return [...problem, ...this.#waiting, ...this.#leftOut.map(describeLeftOut)].map(
      (reason) => `content: ${reason}`,
    );
  }

  /** Shows the edits and returns which of them wait. Throws when a file is invalid. */
  #apply(): string[] {
    const { live, read, prepareArticles } = this.#options;
    const { partners } = live.read();
    const leftOut = new Set(this.#leftOut.map(({ file }) => file));
    const shown = { documents: this.#documents, leftOut };
    const found = read(shown);
    const articles = prepareArticles(found.content);
    // A new article that waits is not there yet for the pages that name it.
    const isLess = articles !== null && articles.waiting.length > 0;
    const { content, documents, waiting, leftOut: pages } = isLess ? read(shown, articles.slugs) : found;
    // The same object as long as no partner changes: routes, terms and rendered articles are made from it.
    const isSame = isDeepStrictEqual(content.partners, partners);
    live.replace(isSame ? { ...content, partners } : content);
    this.#documents = documents;
    articles?.show();
    this.#leftOut = [...pages, ...listArticleProblems(articles?.leftOut ?? [])];
    return [
      ...waiting.map(({ file, field, reason }) => describeWaiting(file, field, reason)),
      ...(articles?.waiting ?? []).flatMap(({ file, problems }) =>
        problems.map(({ field, reason }) => describeWaiting(`articles/${file}`, field, reason)),
      ),
    ];
  }

  /** Lists the edits that apply at the next start, because the build makes files of them. */
  #findWaiting(): string[] {
    const { brand } = this.#options.live.read();
    return Object.entries(listBuiltFields(brand))
      .filter(([name, value]) => value !== this.#built[name as keyof BuiltBrand])
      .map(([name]) => `${name} in content/brand.yaml has changed: ${RESTART}`);
  }
}

type BuiltBrand = ReturnType<typeof listBuiltFields>;

/** The fields of the brand that visitors see in files of the build alone; everything else is shown at once. */
const listBuiltFields = ({ displayFont, socialImage = '' }: Brand) => ({
  displayFont: displayFont.startsWith('../') ? displayFont : '',
  socialImage,
});

const listAged = ({ products }: Content, now: number): string =>
  JSON.stringify(findOldPrices(products, now).map(({ file, offers }) => [file, offers]));

/** Prices have a day: an hour after midnight is early enough. */
const PRICE_CHECK_MS = 3_600_000;

/** Creates the job that removes prices which have become too old, without a restart. */
export function createPriceJob({ log, content }: Site): PeriodicJob {
  const refresh = async () => content.refreshPrices();
  return new PeriodicJob(log, 'prices could not be refreshed', refresh, PRICE_CHECK_MS);
}

const RESTART = 'stop the site and run npm start to apply it';

const describeLeftOut = ({ file, field, reason }: ContentProblem) =>
  `content/${file} is left out until it is corrected: ${field}${field === '' ? '' : ': '}${reason}`;

/** The problems of article files in the form of those of other content. */
export const listArticleProblems = (files: readonly InvalidFile[]): readonly ContentProblem[] =>
  files.flatMap(({ file, problems }) =>
    problems.map(({ field, reason }) => ({ file: `articles/${file}`, field, reason })),
  );

const describeWaiting = (file: string, field: string, reason: string) =>
  `content/${file} waits and stays as it is shown: ${field}${field === '' ? '' : ' '}${reason}`;

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The first problem of a list, without its heading. */
function shorten(message: string): string {
  const [first = '', second] = message.split('\n');
  return (second ?? first).trim();
}

/** Creates the content that is shown from the content of the start. A valid edit replaces it as a whole. */
export function createLiveContent(initial: Content) {
  let current = initial;
  return {
    read: () => current,
    replace(next: Content) {
      current = next;
    },
  };
}
