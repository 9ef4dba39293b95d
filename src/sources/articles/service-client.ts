import {
  type ArticleListQuery,
  ArticleSourceError,
  type ArticleSourceErrorCode,
} from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import { HttpError, type HttpErrorCode, type HttpGet } from '../http/http-get.ts';
import { createJsonClient, type JsonClient, type JsonClientOptions } from '../http/json-client.ts';
import type { ArticleMapper } from './article-mapper.ts';
import { extractText } from './html/html-text.ts';

const CODES: Readonly<Record<Exclude<HttpErrorCode, 'status'>, ArticleSourceErrorCode>> = {
  timeout: 'timeout',
  unreachable: 'unreachable',
  'too-large': 'bad-response',
  redirected: 'bad-response',
  'invalid-body': 'bad-response',
  'not-json': 'bad-response',
};

/** What messages about an article service name, so that an operator knows what to do. */
export interface ServiceDescription {
  /** Name of the adapter, such as `remote`. */
  readonly name: string;
  readonly url: string;
  /** The setting with the address. */
  readonly setting: string;
  /** What to do when access is denied. */
  readonly accessRemedy: string;
  /** What to do when the response is not what the API sends. */
  readonly formatRemedy: string;
}

/** How an article service is read, and what maps its articles. */
export interface ServiceConnection {
  /** Address of the website or of the service. */
  readonly url: string;
  readonly get: HttpGet;
  readonly mapper: ArticleMapper;
  readonly clock: Clock;
  /** For one read, whatever it takes. */
  readonly deadlineMs: number;
}

/** Creates a JSON client for an article service whose errors are those of the port. */
export function createServiceClient(service: ServiceDescription, options: JsonClientOptions): JsonClient {
  const read = createJsonClient(options);
  return async (path, query) => {
    try {
      return await read(path, query);
    } catch (error) {
      throw error instanceof HttpError ? buildHttpFailure(service, error) : error;
    }
  };
}

/**
 * Parses a list out of a response; `field` is the list's property, empty when the response itself is the list.
 * Throws `ArticleSourceError` (`bad-response`).
 */
export function parseList(service: ServiceDescription, json: unknown, field: string): readonly unknown[] {
  const value: unknown = field === '' ? json : getField(json, field);
  if (Array.isArray(value)) return value;
  const place = field === '' ? '' : ` under "${field}"`;
  const problem = `expected a list${place}, got ${describeType(value)}`;
  throw buildServiceError(service, 'bad-response', problem, service.formatRemedy);
}

/** Builds an error of the port that names the service's host, the problem and the remedy. */
export function buildServiceError(
  { name, url }: ServiceDescription,
  code: ArticleSourceErrorCode,
  problem: string,
  remedy: string,
  options?: ErrorOptions & { retryAfter?: number },
): ArticleSourceError {
  const host = URL.canParse(url) ? new URL(url).host : 'invalid address';
  return new ArticleSourceError(code, `[articles:${name}] ${host}: ${problem}. ${remedy}`, options);
}

/** Returns a property of an unknown value; undefined when the value has none. */
export function getField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** Of HTML in titles, names, excerpts and captions. */
export const MAX_FIELD_LENGTH = 10_000;

/** Extracts the words of a field that is HTML; empty for a value that is not text. */
export function toPlainText(html: unknown): string {
  return typeof html === 'string' ? extractText(html.slice(0, MAX_FIELD_LENGTH)) : '';
}

function buildHttpFailure(service: ServiceDescription, error: HttpError): ArticleSourceError {
  const { code, status = 0, retryAfter } = error;
  const options = { cause: error, ...(retryAfter !== undefined && { retryAfter }) };
  const sourceCode = code === 'status' ? getStatusCode(status) : CODES[code];
  return buildServiceError(service, sourceCode, describeProblem(error), findRemedy(service, error), options);
}

function describeProblem({ message, cause, target }: HttpError): string {
  const reason = getField(cause, 'code');
  if (typeof reason === 'string') return `${message} (${reason})`;
  return target === undefined ? message : `${message}: ${new URL(target).host}`;
}

function findRemedy(service: ServiceDescription, { code, status = 0 }: HttpError): string {
  const { setting } = service;
  if (status === 401 || status === 403) return service.accessRemedy;
  if (status === 429) return 'The service limits requests; it is read again when it allows it';
  if (status >= 500) return "Look into the service's own log";
  const remedies: Readonly<Record<HttpErrorCode, string>> = {
    timeout: 'Find out why the service is slow',
    unreachable: `Check ${setting}, the DNS record of the host and its certificate`,
    'too-large': 'A response may have 4 MB',
    redirected: `Set ${setting} to the address that the service redirects to`,
    'invalid-body': service.formatRemedy,
    'not-json': service.formatRemedy,
    status: service.formatRemedy,
  };
  return remedies[code];
}

function getStatusCode(status: number): ArticleSourceErrorCode {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate-limited';
  return status >= 300 && status <= 399 ? 'bad-response' : 'failed';
}

function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Items of a list as a service has them. */
export interface ItemPage {
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
}

/** Reads one page of a service's list. Rejects with `ArticleSourceError`. */
export type ReadItems = (query: ArticleListQuery) => Promise<ItemPage>;

/**
 * Reads a page of a list. When the response is too large, the same items are read in smaller pages; an item that is too
 * large alone is read by `readOutline`, without its body.
 */
export async function readInParts(
  query: ArticleListQuery,
  readItems: ReadItems,
  readOutline: ReadItems,
): Promise<ItemPage> {
  try {
    return await readItems(query);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const { page, limit } = query;
    if (limit === 1) return readOutline(query);
    const count = findSmallestDivisor(limit);
    const items: unknown[] = [];
    for (let part = (page - 1) * count + 1; part <= page * count; part++) {
      const found = await readInParts({ page: part, limit: limit / count }, readItems, readOutline);
      items.push(...found.items);
      if (!found.hasMore) return { items, hasMore: false };
    }
    return { items, hasMore: true };
  }
}

/** Reads one article; when the response is too large, its outline. */
export async function readOrOutline<T>(read: () => Promise<T>, readOutline: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return readOutline();
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ArticleSourceError &&
    error.cause instanceof HttpError &&
    error.cause.code === 'too-large'
  );
}

/** Above 1, so that the parts have equal size and begin where a page begins. */
function findSmallestDivisor(number: number): number {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return divisor;
  return number;
}
