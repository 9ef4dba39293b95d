import { ArticleSourceError } from '../../../core/articles/article-source.ts';

/** Rejects with `timeout` when work takes too long; the work goes on. */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ArticleSourceError('timeout', `[articles:cache] no response of the source within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
