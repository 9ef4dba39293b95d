import { ArticleSourceError, type ArticleSourceErrorCode } from '../../core/articles/article-source.ts';
import { parseRetryAfter } from '../../core/articles/retry-after.ts';
import type { Clock } from '../../core/clock.ts';
import { type GuardedAnswer, guardedGet, HttpGetError, type HttpGetErrorCode } from '../http/guarded-get.ts';

/** What an article service answered: JSON, or that there is no such thing. */
export type JsonAnswer =
  | { readonly kind: 'found'; readonly json: unknown; readonly headers: Headers }
  | { readonly kind: 'absent' };

/** Reads JSON below one base address. `path` begins with a slash. Rejects with `ArticleSourceError`. */
export type JsonClient = (path: string, query?: URLSearchParams) => Promise<JsonAnswer>;

/** Where and how a client reads. */
export interface JsonClientOptions {
  /** Adapter name for messages, such as `remote`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For one answer, from the name to the last byte. */
  readonly deadlineMs: number;
}

const MAX_BYTES = 2_000_000;

const CODES: Readonly<Record<HttpGetErrorCode, ArticleSourceErrorCode>> = {
  timeout: 'timeout',
  unreachable: 'unreachable',
  'too-large': 'bad-answer',
  redirected: 'bad-answer',
  'broken-body': 'bad-answer',
};

/** Creates a client for a service that speaks JSON. Neither address, key nor answer gets into an error. */
export function createJsonClient(options: JsonClientOptions): JsonClient {
  const base = options.baseUrl.replace(/\/+$/, '');
  const headers = { accept: 'application/json', 'user-agent': 'Signpost', ...options.headers };
  return async (path, query) => {
    const address = new URL(base + path);
    for (const [name, value] of query ?? []) address.searchParams.append(name, value);
    const answer = await guardedGet(address, {
      headers,
      deadlineMs: options.deadlineMs,
      maxBytes: MAX_BYTES,
    }).catch((error: unknown) => {
      throw error instanceof HttpGetError
        ? new ArticleSourceError(CODES[error.code], `[articles:${options.name}] ${error.code}`, {
            cause: error,
          })
        : error;
    });
    return readAnswer(answer, options);
  };
}

function readAnswer(answer: GuardedAnswer, { name, clock }: JsonClientOptions): JsonAnswer {
  const { status, headers } = answer;
  if (status === 404 || status === 410) return { kind: 'absent' };
  if (status < 200 || status > 299) {
    const retryAfter = parseRetryAfter(headers.get('retry-after'), clock.now());
    throw new ArticleSourceError(
      codeOfStatus(status),
      `[articles:${name}] answered ${status}`,
      retryAfter === undefined ? {} : { retryAfter },
    );
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')) {
    throw new ArticleSourceError('bad-answer', `[articles:${name}] answered something other than JSON`);
  }
  try {
    return { kind: 'found', json: JSON.parse(answer.text), headers };
  } catch {
    // The parser's message quotes the text; it stays here.
    throw new ArticleSourceError('bad-answer', `[articles:${name}] answered broken JSON`);
  }
}

function codeOfStatus(status: number): ArticleSourceErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate-limited';
  return status >= 300 && status <= 399 ? 'bad-answer' : 'failed';
}
