import { isDeepStrictEqual } from 'node:util';
import type { Content } from '../../core/pages/content.ts';
import type { Log } from '../log.ts';
import type { LiveContent } from './live-content.ts';

interface ContentReloadOptions {
  readonly live: LiveContent;
  /** Reads and checks the content folder. Throws when a file is invalid. */
  readonly read: () => Content;
  /** Reads the article files again and returns what shows them. Throws when a file is invalid. */
  readonly prepareArticles: (content: Content) => () => void;
  /** Called after other content is shown. */
  readonly onApplied: () => void;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Shows edited content while the site runs. An edit that is invalid changes nothing and is reported. */
export class ContentReload {
  readonly #options: ContentReloadOptions;
  readonly #brand: Content['brand'];
  #problem: string | null = null;
  #isBrandChanged = false;

  constructor(options: ContentReloadOptions) {
    this.#options = options;
    this.#brand = options.live.content.brand;
  }

  /** Reads the folder again and shows it as a whole, or keeps what is shown. Never throws. `files`: what changed. */
  reload(files: readonly string[]): void {
    const { live, read, prepareArticles, onApplied, log } = this.#options;
    try {
      const next = read();
      const reason = findRestartReason(live.content, next);
      if (reason !== null) throw new Error(reason);
      const showArticles = prepareArticles(next);
      // Styles and logo are part of the build.
      this.#isBrandChanged = !isDeepStrictEqual(next.brand, this.#brand);
      live.replace({ ...next, brand: this.#brand });
      showArticles();
      this.#problem = null;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
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
    const problem =
      this.#problem === null ? [] : [`content: an edit is not shown: ${shorten(this.#problem)}`];
    const brand = this.#isBrandChanged
      ? ['content: brand.yaml has changed, it applies at the next build']
      : [];
    return [...problem, ...brand];
  }
}

/** Addresses of partners are part of routes, headers and matching, and have to change together. */
function findRestartReason(before: Content, after: Content): string | null {
  if (!isDeepStrictEqual(before.partners, after.partners))
    return 'a file in content/partners/ has changed: restart the site to apply all edits';
  if (before.site.articleService.name !== after.site.articleService.name)
    return 'articleService.name in content/site.yaml has changed: restart the site to apply all edits';
  return null;
}

/** The first problem of a list, without its heading. */
function shorten(message: string): string {
  const [first = '', second] = message.split('\n');
  return (second ?? first).trim();
}
