import type { ArticleSourceError } from '../core/articles/article-source.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from './log.ts';

/** How the source and its copies are doing, as far as an operator wants to know. */
interface SourceStatus {
  readonly failures: number;
  readonly lastError: ArticleSourceError | null;
  readonly lastSuccess: number | null;
  readonly waitMs: number;
  readonly articles: number;
  readonly bodies: number;
  readonly complete: boolean;
}

/** What is written to the log about articles, and what `/readyz` says about them. */
export interface ArticleNotes {
  onGateChange(status: Pick<SourceStatus, 'lastError' | 'waitMs'>): void;
  onStoreError(error: unknown): void;
  onDropped(reason: string): void;
  build(status: SourceStatus): readonly string[];
}

/** The same thing is written to the log once in so many ms. */
const QUIET_MS = 600_000;

/** Creates the notes of one source. Neither addresses nor the source's own words are part of them. */
export function createArticleNotes(source: string, log: Log, clock: Clock): ArticleNotes {
  const written = new Map<string, number>();
  const isNews = (what: string) => {
    const now = clock.monotonic();
    if (now - (written.get(what) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return false;
    written.set(what, now);
    return true;
  };
  return {
    onGateChange({ lastError, waitMs }) {
      if (!lastError) return log.info('articles: the source answers again', { source });
      if (!isNews(lastError.code)) return;
      log.warn('articles: the source fails; the last good copies are served', {
        source,
        code: lastError.code,
        reason: lastError.message,
        nextAttemptInSeconds: Math.ceil(waitMs / 1_000),
      });
    },
    onStoreError(error) {
      if (isNews('store')) log.error('articles: copies cannot be kept', { source, error });
    },
    onDropped(reason) {
      if (isNews(`dropped ${reason}`)) log.warn('articles: an article was left out', { source, reason });
    },
    build(status) {
      if (!status.lastError) return [];
      const since =
        status.lastSuccess === null
          ? 'since the start'
          : `since ${new Date(status.lastSuccess).toISOString()}`;
      return [
        `articles: the ${source} source has failed ${status.failures} times ${since} (${status.lastError.code}); ` +
          `${status.articles} articles are listed and ${status.bodies} readable from copies`,
      ];
    },
  };
}
