import { isDeepStrictEqual } from 'node:util';
import type { InvalidFile, PreparedEdits } from '../../content-files/articles/article-folder.ts';
import type { ContentDocuments } from '../../content-files/content-folder.ts';
import type { ShownContent } from '../../content-files/content-source.ts';
import type { Content, ContentProblem } from '../../core/pages/content.ts';
import { isAged } from '../../core/products/price.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

interface ContentReloadOptions {
  readonly live: ReturnType<typeof createLiveContent>;
  /** What the site has started with. */
  readonly start: ShownContent;
  /** What is wrong with the articles of the start. */
  readonly startArticles: Omit<PreparedEdits, 'show'> | null;
  /** Reads the edited folder as it can be shown; `last`: what is shown of each file now. */
  readonly read: (last: ContentDocuments) => ShownContent;
  /** Stores what is shown; returns why that is impossible, or null. */
  readonly remember: (documents: ContentDocuments) => string | null;
  /** Reads the edited article files; null when articles are no files. */
  readonly prepareArticles: (content: Content) => PreparedEdits | null;
  /** Runs what reads all files, in as little memory as the machine can. */
  readonly runSparing?: ((work: () => void) => void) | undefined;
  /** Called after other content is shown. */
  readonly onApplied: () => void;
  readonly log: Log;
  /** When the content was read, ms since 1970. */
  readonly now: number;
}

/**
 * Shows edited content while the site runs. A file that is wrong stays as it was last valid, or is left out; it is reported
 * and keeps no other edit from being shown.
 */
export class ContentReload {
  readonly #options: ContentReloadOptions;
  #documents: ContentDocuments;
  /** Why nothing could be read; null when it could. */
  #problem: string | null = null;
  /** What is wrong with files, a line each. */
  #faults: readonly string[] = [];
  /** Prices that are too old in what is shown. */
  #aged: string;

  constructor(options: ContentReloadOptions) {
    const { live, start, startArticles, now } = options;
    this.#options = options;
    this.#documents = start.documents;
    this.#aged = listAged(live.read(), now);
    this.#report(listFaults(start, startArticles), []);
  }

  /** Reads the folder again and shows what can be shown of it. Never throws. `files`: what changed. */
  reload(files: readonly string[]): void {
    const { onApplied, runSparing = (work) => work(), log } = this.#options;
    try {
      runSparing(() => this.#apply(files));
      this.#problem = null;
    } catch (error) {
      this.#problem = getMessage(error);
      log.warn('content: an edit is not shown, visitors see the last valid content', {
        ...nameFiles(files),
        problem: this.#problem,
      });
      return;
    }
    onApplied();
    const isWhole = this.#faults.length === 0;
    // A reload without files, such as one after an image was drawn, is no edit.
    if (isWhole && files.length === 0) return;
    log.info(`content: ${isWhole ? 'edits' : 'all other edits'} are shown`, nameFiles(files));
  }

  /** Reads the folder again when other prices are too old at `now` (ms since 1970) than in what is shown. */
  refreshPrices(now: number): void {
    const aged = listAged(this.#options.live.read(), now);
    if (aged === this.#aged) return;
    this.#aged = aged;
    this.reload([]);
  }

  /** Returns what is not shown as it is in the files, and why, a line each. */
  readWarnings(): readonly string[] {
    const problem = this.#problem === null ? [] : [`an edit is not shown: ${shorten(this.#problem)}`];
    return [...problem, ...this.#faults].map((reason) => `content: ${reason}`);
  }

  #apply(files: readonly string[]): void {
    const { live, read, prepareArticles } = this.#options;
    const { partners } = live.read();
    const found = read(this.#documents);
    const articles = prepareArticles(found.content);
    // The same object as long as no partner changes: routes, terms and rendered articles are made from it.
    const isSame = isDeepStrictEqual(found.content.partners, partners);
    live.replace(isSame ? { ...found.content, partners } : found.content);
    this.#documents = found.documents;
    articles?.show();
    this.#report(listFaults(found, articles), files);
  }

  /** Stores what is shown, and logs what was not wrong before. */
  #report(faults: readonly string[], files: readonly string[]): void {
    const stored = this.#options.remember(this.#documents);
    const all = stored === null ? faults : [stored, ...faults];
    for (const fault of all)
      if (!this.#faults.includes(fault)) this.#options.log.warn(`content: ${fault}`, nameFiles(files));
    this.#faults = all;
  }
}

const MAX_NAMED = 20;

/** The first files of a change for the log; `more`: how many others. An import writes thousands. */
const nameFiles = (files: readonly string[]) =>
  files.length <= MAX_NAMED
    ? { files }
    : { files: files.slice(0, MAX_NAMED), more: files.length - MAX_NAMED };

/** The prices and charges that are past their age, as a text to compare. */
const listAged = ({ products }: Content, now: number): string =>
  [...products.values()]
    .flatMap((product) => {
      const { key, offers, facts } = product;
      const figures = [...offers, ...facts, ...offers.flatMap((offer) => offer.facts)];
      return figures.map((figure) => `${key} ${figure.key} ${isAged(product, figure, now)}`);
    })
    .join();

/** Prices have a day: an hour after midnight is early enough. */
const PRICE_CHECK_MS = 3_600_000;

/** Creates the job that removes prices which have become too old, without a restart. */
export function createPriceJob({ log, content }: Site): PeriodicJob {
  const refresh = async () => content.refreshPrices();
  return new PeriodicJob(log, 'prices could not be refreshed', refresh, PRICE_CHECK_MS);
}

/** Of what is wrong with one file, so many lines are shown. */
const MAX_FAULTS_PER_FILE = 5;

/** Says what is wrong with content, a line each. */
function listFaults(
  { waiting, leftOut, warnings }: ShownContent,
  articles: Omit<PreparedEdits, 'show'> | null,
): readonly string[] {
  return [
    ...describeFaults(
      [...waiting, ...listArticleFaults(articles?.waiting)],
      'is shown from its last valid copy',
    ),
    ...describeFaults(
      [...leftOut, ...listArticleFaults(articles?.leftOut)],
      'is left out until it is corrected',
    ),
    ...describeFaults([...warnings, ...listArticleFaults(articles?.warnings)], ''),
  ];
}

const listArticleFaults = (files: readonly InvalidFile[] = []): readonly ContentProblem[] =>
  files.flatMap(({ file, problems }) =>
    problems.map(({ field, reason }) => ({ file: `articles/${file}`, field, reason })),
  );

/** `outcome` follows the file, and is empty when it is shown all the same. */
function describeFaults(problems: readonly ContentProblem[], outcome: string): string[] {
  return [...Map.groupBy(problems, ({ file }) => file)].flatMap(([file, found]) => {
    const more = found.length - MAX_FAULTS_PER_FILE;
    const lines = found.slice(0, MAX_FAULTS_PER_FILE).map(({ field, reason }) => {
      const what = [field, reason].filter((text) => text !== '').join(': ');
      if (outcome !== '') return `content/${file} ${outcome}: ${what}`;
      return `content/${file}${field === '' ? ':' : ','} ${what}`;
    });
    return more > 0 ? [...lines, `content/${file} has ${more} more such faults`] : lines;
  });
}

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
