import type { Clock } from '../../core/clock.ts';
import { CommissionSourceError } from '../../core/commissions/ledger/commission-source.ts';
import { buildBackoffMs, HttpError, type HttpGet } from '../http/http-get.ts';
import { createJsonClient } from '../http/json-client.ts';

/** How a network's API is reached. */
export interface NetworkClientOptions {
  readonly get: HttpGet;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Waits, for the pauses between attempts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** For one response; 30 s when left out. */
  readonly deadlineMs?: number;
}

/**
 * Reads JSON, by POST if there is a body. `isShape`: whether a response has the documented shape; another one counts as
 * a passing fault, and is requested again.
 */
export type NetworkClient = (
  path: string,
  query: URLSearchParams,
  isShape: (json: unknown) => boolean,
  body?: string,
) => Promise<unknown>;

const ATTEMPTS = 4;
/** A network that asks to wait for longer is read again with the next run. */
const MAX_WAIT_SECONDS = 120;
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
/** A month of some 20,000 commissions, of a network that has no pages. */
const MAX_BYTES = 32_000_000;

/** Whether a network refuses a request as it is: it would refuse it again. */
const isRefusal = (status: number | undefined) =>
  status !== undefined && status >= 400 && status <= 499 && ![401, 403, 408, 425, 429].includes(status);

/** Creates a client that waits as the network asks to (`Retry-After`). Rejects with `CommissionSourceError`. */
export function createNetworkClient(options: NetworkClientOptions): NetworkClient {
  const { get, url, headers, clock, sleep, deadlineMs = 30_000 } = options;
  const read = createJsonClient({ get, baseUrl: url, headers, clock, deadlineMs, maxBytes: MAX_BYTES });
  return async (path, query, isShape, body) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const json = await request(read, path, query, body);
        if (!isShape(json)) throw new HttpError('not-json');
        return json;
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const failure = buildSourceError(error);
        const { status, retryAfter: seconds } = error;
        const isLong = seconds !== undefined && seconds > MAX_WAIT_SECONDS;
        if (failure.code === 'unauthorized' || isRefusal(status) || isLong || attempt === ATTEMPTS)
          throw failure;
        await sleep(seconds === undefined ? buildBackoffMs(attempt, 0.5, BACKOFF) : seconds * 1_000);
      }
    }
  };
}

async function request(
  read: ReturnType<typeof createJsonClient>,
  path: string,
  query: URLSearchParams,
  body: string | undefined,
): Promise<unknown> {
  const response = await read(path, query, body);
  if (response.kind === 'absent') throw new HttpError('status', { status: response.status });
  return response.json;
}

function buildSourceError(cause: HttpError): CommissionSourceError {
  const { status, code, message } = cause;
  if (status === 401 || status === 403) {
    const detail = `The network refused the credentials (status ${status}): check the key and its permissions.`;
    return new CommissionSourceError('unauthorized', detail, { cause });
  }
  if (status === 429) {
    const detail = 'The network asked to wait: its limit of requests is reached.';
    return new CommissionSourceError('rate-limited', detail, { cause });
  }
  if (code === 'not-json') {
    const detail = 'The network responded in another form than documented.';
    return new CommissionSourceError('invalid-response', detail, { cause });
  }
  const kind = isRefusal(status) ? 'invalid-response' : 'unavailable';
  return new CommissionSourceError(kind, `The network cannot be read: ${message}.`, { cause });
}
