import { isDeepStrictEqual } from 'node:util';
import type { FixedContent } from '../../adapters/content/read-content.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Log } from '../log.ts';
import type { LiveContent } from './live-content.ts';

interface ContentReloadOptions {
  readonly live: LiveContent;
  /** Reads and checks the content folder around what is fixed until the next start. Throws when a file is invalid. */
  readonly read: (fixed: FixedContent) => Content;
  /** Reads the files of what is fixed until the next start. Throws when one is invalid. */
  readonly readFixed: () => FixedContent;
  /** Reads the article files again and returns what shows them. Throws when a file is invalid. */
  readonly prepareArticles: (content: Content) => () => void;
  /** Called after other content is shown. */
  readonly onApplied: () => void;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Shows edited content while the site runs. An edit that is invalid changes nothing and is reported. What applies at
 * the next start only is reported, and does not keep other edits from being shown.
 */
export class ContentReload {
  readonly #options: ContentReloadOptions;
  #problem: string | null = null;
  #waiting: readonly string[] = [];

  constructor(options: ContentReloadOptions) {
    this.#options = options;
  }

  /** Reads the folder again and shows it as a whole, or keeps what is shown. Never throws. `files`: what changed. */
  reload(files: readonly string[]): void {
    const { live, read, prepareArticles, onApplied, log } = this.#options;
    const { brand, partners, site } = live.content;
    const waiting = this.#findWaiting();
    try {
      const next = read({ brand, partners });
      const { articleService } = next.site;
      const isRenamed = articleService.name !== site.articleService.name;
      if (isRenamed) waiting.push(`articleService.name in content/site.yaml has changed: ${RESTART}`);
      const showArticles = prepareArticles(next);
      live.replace({ ...next, site: { ...next.site, articleService: site.articleService } });
      showArticles();
      this.#problem = null;
    } catch (error) {
      this.#problem = getMessage(error);
    }
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
    log.info('content: edits are shown', { files });
  }

  /** Returns why edits are not shown yet, a line each. */
  readWarnings(): readonly string[] {
    const problem = this.#problem === null ? [] : [`an edit is not shown: ${shorten(this.#problem)}`];
    return [...problem, ...this.#waiting].map((reason) => `content: ${reason}`);
  }

  /**
   * Lists the edits that apply at the next start. Addresses of partners are part of routes, headers and matching, and
   * have to change together; styles and logo are part of the build.
   */
  #findWaiting(): string[] {
    const { brand, partners } = this.#options.live.content;
    try {
      const next = this.#options.readFixed();
      const changed = [
        ...(isDeepStrictEqual(next.partners, partners) ? [] : ['a file in content/partners/']),
        ...(isDeepStrictEqual(next.brand, brand) ? [] : ['content/brand.yaml']),
      ];
      return changed.map((file) => `${file} has changed: ${RESTART}`);
    } catch (error) {
      return [`a file is invalid, and the site would not start again: ${shorten(getMessage(error))}`];
    }
  }
}

const RESTART = 'stop the site and run npm start to apply it';

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The first problem of a list, without its heading. */
function shorten(message: string): string {
  const [first = '', second] = message.split('\n');
  return (second ?? first).trim();
}
