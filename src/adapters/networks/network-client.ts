import type { Clock } from '../../core/clock.ts';
import { CommissionSourceError } from '../../core/commissions/commission-source.ts';
import { buildBackoffMs } from '../http/backoff.ts';
import { HttpError, type HttpGet } from '../http/http-get.ts';
import { createJsonClient } from '../http/json-client.ts';

/** How a network's API is reached. */
export interface NetworkClientOptions {
  readonly get: HttpGet;
  /** Address from the settings; `defaultUrl` when empty. One without a path gets the path of the default. */
  readonly url: string;
  readonly defaultUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Waits, for the pauses between attempts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** For one response; 30 s when left out. */
  readonly deadlineMs?: number;
}

/** Reads JSON and parses it; a response of another shape counts as a passing fault, and is requested again. */
export type NetworkClient = <T>(
  path: string,
  query: URLSearchParams,
  parse: (json: unknown) => T | null,
) => Promise<T>;

const ATTEMPTS = 4;
/** A network that asks to wait for longer is read again with the next run. */
const MAX_WAIT_SECONDS = 120;
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };

/** Creates a client that waits as the network asks to (`Retry-After`). Rejects with `CommissionSourceError`. */
export function createNetworkClient(options: NetworkClientOptions): NetworkClient {
  const { get, headers, clock, sleep, deadlineMs = 30_000 } = options;
  const read = createJsonClient({ get, baseUrl: buildBaseUrl(options), headers, clock, deadlineMs });
  return async (path, query, parse) => {
    for (let attempt = 1; ; attempt++) {
      const error = await request(read, path, query).then(
        (json) => {
          const value = parse(json);
          return value === null ? new HttpError('not-json') : { value };
        },
        (reason: unknown) => reason,
      );
      if (typeof error === 'object' && error !== null && 'value' in error) return error.value as never;
      const failure = buildSourceError(error);
      const seconds = error instanceof HttpError ? error.retryAfter : undefined;
      // What does not exist now will not exist in a moment.
      const isAbsent = error instanceof HttpError && (error.status === 404 || error.status === 410);
      const isLong = seconds !== undefined && seconds > MAX_WAIT_SECONDS;
      if (failure.code === 'unauthorized' || isAbsent || isLong || attempt === ATTEMPTS) throw failure;
      await sleep(seconds === undefined ? buildBackoffMs(attempt, 0.5, BACKOFF) : seconds * 1_000);
    }
  };
}

function buildBaseUrl({ url, defaultUrl }: Pick<NetworkClientOptions, 'url' | 'defaultUrl'>): string {
  if (url === '') return defaultUrl;
  const { pathname, origin } = new URL(url);
  return pathname === '/' ? origin + new URL(defaultUrl).pathname.replace(/\/$/, '') : url;
}

async function request(
  read: ReturnType<typeof createJsonClient>,
  path: string,
  query: URLSearchParams,
): Promise<unknown> {
  const response = await read(path, query);
  if (response.kind === 'absent') throw new HttpError('status', { status: response.status });
  return response.json;
}

function buildSourceError(error: unknown): CommissionSourceError {
  if (error instanceof CommissionSourceError) return error;
  if (!(error instanceof HttpError)) throw error;
  const { status } = error;
  if (status === 401 || status === 403) {
    return new CommissionSourceError(
      'unauthorized',
      `The network refused the credentials (status ${status}): check the key and its permissions.`,
      { cause: error },
    );
  }
  if (status === 429) {
    return new CommissionSourceError(
      'rate-limited',
      'The network asked to wait: its limit of requests is reached.',
      {
        cause: error,
      },
    );
  }
  return error.code === 'not-json'
    ? new CommissionSourceError(
        'invalid-response',
        'The network responded in another form than documented.',
        {
          cause: error,
        },
      )
    : new CommissionSourceError('unavailable', `The network cannot be read: ${error.message}.`, {
        cause: error,
      });
}

/** Throws when a page was read before: a network that repeats a page would be read forever. */
export function createLoopGuard(): (page: string) => void {
  const seen = new Set<string>();
  return (page) => {
    if (seen.has(page)) {
      throw new CommissionSourceError('invalid-response', 'The network repeats a page of its list.');
    }
    seen.add(page);
  };
}
