import type { Clock } from '../../core/clock.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { HttpError, type HttpGet } from './http-get.ts';

/** What a service responded: JSON, or one of the statuses that mean that the resource does not exist. */
export type JsonResponse =
  | { readonly kind: 'found'; readonly json: unknown; readonly headers: Headers }
  | { readonly kind: 'absent'; readonly status: number };

/** Reads JSON below one base address; `path` is empty or begins with a slash, `body` is sent by POST. Rejects with `HttpError`. */
export type JsonClient = (path: string, query?: URLSearchParams, body?: string) => Promise<JsonResponse>;

export interface JsonClientOptions {
  readonly get: HttpGet;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For one response, up to its last byte. */
  readonly deadlineMs: number;
  /** Of a response; default: 4 MB. */
  readonly maxBytes?: number;
  /** Statuses that mean `absent`; default: 404 and 410. */
  readonly absentStatuses?: readonly number[];
  /** Parses a response, invalid JSON to null; default: `parseJson`. */
  readonly parse?: (text: string) => unknown;
}

/** A page of twelve articles with the longest bodies that the site shows. */
const MAX_BYTES = 4_000_000;
const MAX_RETRY_AFTER_SECONDS = 3_600;

export function createJsonClient(options: JsonClientOptions): JsonClient {
  const base = options.baseUrl.replace(/\/+$/, '');
  const headers = { accept: 'application/json', 'user-agent': 'Signpost', ...options.headers };
  const {
    get,
    absentStatuses = [404, 410],
    deadlineMs,
    clock,
    maxBytes = MAX_BYTES,
    parse = parseJson,
  } = options;
  return async (path, query, body) => {
    // A slash at the end of an address is part of it.
    const address = URL.parse(path === '' ? options.baseUrl : base + path);
    // Another host would get the headers: a path such as `.example` continues the name of the host.
    if (address?.host !== new URL(options.baseUrl).host) throw new HttpError('redirected');
    for (const [name, value] of query ?? []) address.searchParams.append(name, value);
    const response = await get(address, {
      headers,
      deadlineMs,
      maxBytes,
      ...(body !== undefined && { body, followsRedirects: false }),
    });
    const { status } = response;
    if (absentStatuses.includes(status)) return { kind: 'absent', status };
    if (status < 200 || status > 299) {
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'), clock.now());
      throw new HttpError('status', { status, ...(retryAfter !== undefined && { retryAfter }) });
    }
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) {
      throw new HttpError('not-json');
    }
    const json = parse(response.text);
    if (json === null) throw new HttpError('not-json');
    return { kind: 'found', json, headers: response.headers };
  };
}

/** Parses a Retry-After header (seconds or an HTTP date) to seconds from `now` (ms since 1970), at most an hour. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d{1,9}$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now) / 1_000;
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, Math.ceil(seconds)));
}
