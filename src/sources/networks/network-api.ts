import { createHash } from 'node:crypto';
import { type Clock, DAY_MS } from '../../core/clock.ts';
import {
  type CommissionSource,
  CommissionSourceError,
  type ListedRecord,
  type MessageFields,
  type ParsedMessage,
  type RefusedRecord,
  type SourcePage,
} from '../../core/commissions/ledger/commission-source.ts';
import { type CommissionTerms, DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { collectStrings } from '../../core/commissions/ledger/message-fields.ts';
import type { NetworkApi, NetworkFile, NetworkList } from '../../core/commissions/networks/network.schema.ts';
import {
  holds,
  readPath,
  readRecord,
  readValue,
  type Scope,
  toText,
} from '../../core/commissions/networks/read-record.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';
import { buildBackoffMs, HttpError, type HttpGet } from '../http/http-get.ts';
import { createJsonClient } from '../http/json-client.ts';

/** What reading an interface needs beside the network's file. */
export interface ApiOptions {
  readonly get: HttpGet;
  readonly clock: Clock;
  /** Waits, for the pauses between attempts. */
  readonly sleep: (ms: number) => Promise<void>;
  /** For one response; 30 s when left out. */
  readonly deadlineMs?: number;
  /** Returns a secret by its name; empty without one. */
  readonly findSecret: (name: string) => string;
  /** Where a test has a host on this machine. */
  readonly testHosts: ReadonlyMap<string, string>;
}

type ApiFile = NetworkFile & { readonly interface: NetworkApi };

/** Whether a network has an interface whose secrets are set. */
export const isConnected = (file: NetworkFile, findSecret: ApiOptions['findSecret']): file is ApiFile =>
  file.interface?.needs.every((name) => findSecret(name) !== '') ?? false;

/** Creates the source that reads a network's interface as its file describes it. */
export function createApiSource(file: ApiFile, options: ApiOptions): CommissionSource {
  const api = file.interface;
  const request = createRequest(api, options);
  const own = { ...file, currency: api.currency ?? file.currency };
  const read = (list: NetworkList) => readPages(own, list, api, request);
  const { compare } = api;
  return {
    readPages: (asked) => read(api)(asked),
    ...(compare !== undefined && {
      readList: ({ terms, now }) => readListed(read(compare), { terms, now }),
    }),
  };
}

/** Fills `{NAME}` with secrets that the file declares. */
function createFill({ needs, optional }: NetworkApi, findSecret: ApiOptions['findSecret']) {
  const names = new Set([...needs, ...optional]);
  return (text: string, encode: (value: string) => string = (value) => value) =>
    text.replace(/\{([A-Z][A-Z0-9_]+)\}/g, (whole, name: string) =>
      names.has(name) ? encode(findSecret(name)) : whole,
    );
}

const place = (address: string, hosts: ApiOptions['testHosts']) => {
  const { origin, hostname } = new URL(address);
  return address.replace(origin, hosts.get(hostname) ?? origin);
};

/** Creates what sends a request of a list: with the credentials, and not faster than the network allows. */
function createRequest(api: NetworkApi, options: ApiOptions) {
  const { findSecret, testHosts, clock, sleep } = options;
  const { auth, rate } = api;
  const fill = createFill(api, findSecret);
  const secret = findSecret(auth.secret);
  const basic = `Basic ${Buffer.from(`${findSecret(auth.user ?? '')}:${secret}`).toString('base64')}`;
  const headers: Record<string, string> = {
    ...Object.fromEntries(Object.entries(api.headers).map(([name, text]) => [name, fill(text)])),
    ...(api.method === 'POST' && { 'content-type': 'application/json' }),
    ...(auth.scheme === 'bearer' && { authorization: `Bearer ${secret}` }),
    ...(auth.scheme === 'basic' && { authorization: basic }),
    ...(auth.scheme === 'header' && { [auth.name ?? 'authorization']: auth.prefix + secret }),
  };
  const url = place(fill(api.url, encodeURIComponent), testHosts);
  const connect = (extra: Record<string, string>) =>
    createNetworkClient(options, url, { ...headers, ...extra });
  let client = connect({});
  let token = '';
  let tokenEnd = 0;
  const authorize = async () => {
    if (auth.scheme !== 'oauth' || clock.now() < tokenEnd) return;
    const send = createNetworkClient(options, place(auth.url ?? api.url, testHosts), {
      ...(auth.user && { authorization: basic }),
      'content-type': 'application/x-www-form-urlencoded',
    });
    const fields = Object.entries(auth.fields).map(([name, text]) => [name, fill(text)]);
    const isToken = (json: unknown) => toText(readPath(json, auth.token)) !== '';
    const json = await send('', new URLSearchParams(), isToken, new URLSearchParams(fields).toString());
    tokenEnd = clock.now() + (Number(readPath(json, 'expires_in')) || 3_600) * 900;
    token = toText(readPath(json, auth.token));
    if (auth.name === undefined) client = connect({ authorization: `Bearer ${token}` });
  };
  const times: number[] = [];
  const wait = async () => {
    const earlier = rate === undefined ? undefined : times.at(-rate.requests);
    const pause =
      rate === undefined || earlier === undefined ? 0 : earlier + rate.perSeconds * 1_000 - clock.monotonic();
    if (pause > 0) await sleep(pause);
    return () => {
      // A request counts at the network when it arrives, which is before its response.
      times.push(clock.monotonic());
      if (times.length > (rate?.requests ?? 0)) times.shift();
    };
  };
  const send = async (
    path: string,
    query: Readonly<Record<string, string>>,
    body: unknown,
    isShape: (json: unknown) => boolean,
  ): Promise<unknown> => {
    await authorize();
    const count = await wait();
    const parameters = new URLSearchParams(Object.entries(query).map(([name, text]) => [name, fill(text)]));
    if (auth.scheme === 'query') parameters.set(auth.name ?? 'key', secret);
    if (token !== '' && auth.name !== undefined) parameters.set(auth.name, token);
    const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
    const text = body === undefined ? undefined : fill(JSON.stringify(body), inJson);
    return client(fill(path, encodeURIComponent), parameters, isShape, text).finally(count);
  };
  return (...request: Parameters<typeof send>) =>
    send(...request).catch((error: unknown) => {
      if (token === '' || !isError(error, 'unauthorized')) throw error;
      // A network may take a token back before its time.
      [token, tokenEnd] = ['', 0];
      return send(...request);
    });
}

const isError = (error: unknown, code: CommissionSourceError['code']): error is CommissionSourceError =>
  error instanceof CommissionSourceError && error.code === code;

type SendRequest = ReturnType<typeof createRequest>;

/** One reading of a list: a window of one of its passes. */
interface Step {
  readonly query: Readonly<Record<string, string>>;
  readonly window: Readonly<Record<string, string>>;
}

type Window = NonNullable<NetworkList['window']>;

const iso = (time: number) => new Date(time).toISOString();
const FORMATS: Readonly<Record<Window['format'], (time: number) => string>> = {
  day: (time) => iso(time).slice(0, 10),
  'day-compact': (time) => iso(time).slice(0, 10).replaceAll('-', ''),
  'day-dots': (time) => iso(time).slice(0, 10).split('-').reverse().join('.'),
  iso: (time) => iso(time).slice(0, 19),
  'iso-z': (time) => iso(time).replace(/\.\d+/, ''),
  ms: String,
  seconds: (time) => String(Math.floor(time / 1000)),
};

/** How far back windows reach for a commission that is still open. */
const MAX_REACH_MS = 360 * DAY_MS;

/** The windows of a list, the oldest first. They reach back to `openSince`, a day for time zones included. */
function buildSteps(list: NetworkList, now: number, openSince: number): readonly Step[] {
  return (list.passes ?? [{ query: {}, window: undefined }]).flatMap(({ query, window = list.window }) => {
    if (window === undefined) return [{ query, window: {} }];
    const { from, to, format, days, overlapDays, lookBackDays, aheadDays } = window;
    const build = (start: number, end: number): Step => ({
      query,
      window: { [from]: FORMATS[format](start), ...(to !== undefined && { [to]: FORMATS[format](end) }) },
    });
    const reach = Math.max(now - MAX_REACH_MS, openSince - DAY_MS);
    const [first, last] = [Math.min(now - lookBackDays * DAY_MS, reach), now + aheadDays * DAY_MS];
    if (days === undefined) return [build(first, last)];
    const steps: Step[] = [];
    for (let start = first; start < last; start += (days - overlapDays) * DAY_MS)
      steps.push(build(start, Math.min(start + days * DAY_MS, last)));
    return steps;
  });
}

/** Writes texts into a body by their paths, such as `variables.from`. */
function fillBody(body: Readonly<Record<string, unknown>>, texts: Readonly<Record<string, string>>): unknown {
  const copy = structuredClone(body);
  for (const [path, text] of Object.entries(texts)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at: Record<string, unknown> = copy;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = /^\d+$/.test(text) && typeof at[last] === 'number' ? Number(text) : text;
  }
  return copy;
}

const FIRST = { none: '', cursor: '', next: '', number: '1', offset: '0' } as const;

/** The list of a response; undefined: it has another shape. */
function findRecords(list: NetworkList, json: unknown): readonly MessageFields[] | undefined {
  const found = list.records.map((path) => (path === '' ? json : readPath(json, path))).find(Array.isArray);
  return found?.every((item) => typeof item === 'object' && item !== null)
    ? (found as MessageFields[])
    : undefined;
}

/** The records of a list with the fields around each of its parts. */
function expandRecords({ expand }: NetworkList, records: readonly MessageFields[]): readonly MessageFields[] {
  if (expand === undefined) return records;
  return records.flatMap((record) => {
    const parts = readPath(record, expand);
    return Array.isArray(parts) ? parts.map((part: object) => ({ ...record, ...part })) : [record];
  });
}

/** What names the next page of a list; null after the last one. */
function findNext(
  list: NetworkList,
  api: NetworkApi,
  token: string,
  json: unknown,
  records: readonly MessageFields[],
  scope: Scope,
): string | null {
  const { scheme, pages, from, more, last } = list.page;
  if (more !== undefined ? !holds(more, scope) : last !== undefined && holds(last, scope)) return null;
  switch (scheme) {
    case 'none':
      return null;
    case 'number': {
      const count = pages === undefined ? Number.NaN : Number(readPath(json, pages));
      const isLast = Number.isNaN(count) ? records.length === 0 : Number(token) >= count;
      return isLast && more === undefined ? null : String(Number(token) + 1);
    }
    case 'offset':
      return records.length === 0 ? null : String(Number(token) + records.length);
    case 'cursor':
    case 'next': {
      // A page may be empty and have a page after it.
      const item = records.at(-1);
      const text = readValue(from, { ...scope, read: (path) => readPath(item, path), response: json });
      const isWanting = more !== undefined || last !== undefined;
      if (text === '' && !isWanting) return null;
      if (text === '' || text === token)
        throw buildPageError('names no next page, and says that there is one');
      if (scheme === 'cursor') return text;
      // Another host would get the credentials.
      const next = URL.canParse(text, api.url) ? new URL(text, api.url) : null;
      if (next?.host !== new URL(api.url).host) throw buildPageError('names a next page on another host');
      return next.pathname + next.search;
    }
  }
}

const buildPageError = (text: string) =>
  new CommissionSourceError('invalid-response', `The network ${text}.`);

/** What a run reads, where it is in it, and the page there: a later run goes on in the windows of the first. */
const CURSOR = /^(\d+) (\d+) (\d+):(.*)$/s;
/** An older cursor is of windows that are no longer those of today. */
const MAX_CURSOR_AGE_MS = DAY_MS;

/** Where a run begins: at its cursor, while that is young, or at the first window. */
function readCursor(cursor: string | null, now: number, openSince: number | null | undefined) {
  const [, began, since, index, token = ''] = CURSOR.exec(cursor ?? '') ?? [];
  const isYoung = began !== undefined && now - Number(began) < MAX_CURSOR_AGE_MS;
  return isYoung
    ? { began: Number(began), since: Number(since), first: Number(index), token }
    : { began: now, since: Math.max(0, openSince ?? now), first: 0, token: '' };
}

/** A page after which nothing but the next one shows whether it was the last. */
type OpenPage = NonNullable<ReturnType<typeof readOpenPage>>;

/** `isShort`: it had fewer records than it was asked for, as networks with a limit of their own send. */
function readOpenPage({ page }: NetworkList, token: string, records: readonly MessageFields[]) {
  const { scheme, pages, more, size } = page;
  if (pages !== undefined || more !== undefined || (scheme !== 'number' && scheme !== 'offset')) return null;
  return { isFirst: token === FIRST[scheme], isShort: records.length < (size?.value ?? 0) };
}

/** Whether a network refuses a page because the one before it was the last. A full page before it needs the clear word for that. */
const isBehindLast = (error: unknown, before: OpenPage | null) =>
  before !== null &&
  isError(error, 'invalid-response') &&
  error.cause instanceof HttpError &&
  (error.cause.status === 404 || (before.isShort && error.cause.status !== undefined));

/** Reads the pages of a list; `CURSOR` is what a cursor of it looks like. */
function readPages(file: NetworkFile, list: NetworkList, api: NetworkApi, request: SendRequest) {
  return async function* ({
    cursor,
    terms,
    now,
    openSince,
  }: Parameters<CommissionSource['readPages']>[0]): AsyncGenerator<SourcePage> {
    const seen = new Set<string>();
    const { began, since, first, token: begin } = readCursor(cursor, now, openSince);
    const steps = buildSteps(list, began, since);
    for (const [index, step] of steps.entries()) {
      let token = index < first ? null : (index === first && begin) || FIRST[list.page.scheme];
      let before: OpenPage | null = null;
      while (token !== null) {
        const json: unknown = await requestPage(list, api, step, token, request).catch((error: unknown) => {
          if (isBehindLast(error, before)) return null;
          throw error;
        });
        if (hasFailed(list, json)) throw buildFailure(list, json);
        const found = findRecords(list, json) ?? [];
        const page = `${index} ${createHash('sha1').update(JSON.stringify(found)).digest('base64')}`;
        const isRepeated = found.length > 0 && seen.has(page);
        // Behind the last page, some networks send it once more; a full first page again may be all that they ever send.
        if (isRepeated && (before === null || (before.isFirst && !before.isShort)))
          throw buildPageError('repeats a page of its list');
        seen.add(page);
        const all = isRepeated ? [] : found;
        const next = tryNext(list, api, token, json, all, buildScope(file, terms, now, json));
        before = readOpenPage(list, token, all);
        // A page is stored even where what it says of the next one cannot be followed.
        const after =
          next.error !== null
            ? `${index}:${token}`
            : `${index + (next.token === null ? 1 : 0)}:${next.token ?? ''}`;
        const isEnd = next.error === null && next.token === null && index === steps.length - 1;
        const records = expandRecords(list, all);
        yield {
          ...readRecords(file, list, records, terms, now, json),
          cursor: isEnd ? null : `${began} ${since} ${after}`,
        };
        if (next.error !== null) throw next.error;
        token = next.token;
      }
    }
  };
}

function tryNext(...page: Parameters<typeof findNext>) {
  try {
    return { token: findNext(...page), error: null };
  } catch (error) {
    return { token: null, error };
  }
}

const buildScope = (file: NetworkFile, terms: CommissionTerms, now: number, fields: unknown): Scope => ({
  read: (path) => readPath(fields, path),
  timeZone: file.timeZone ?? terms.timeZone,
  dayOrder: file.dates,
  now,
});

/** Whether a response with status 200 is an error. */
const hasFailed = ({ fails }: NetworkList, json: unknown) =>
  fails !== undefined && holds(fails, { read: (path) => readPath(json, path), ...NO_TIMES });
const NO_TIMES = { timeZone: 'UTC', dayOrder: 'unknown', now: 0 } as const;

function buildFailure({ fails }: NetworkList, json: unknown): CommissionSourceError {
  const text = toText(readPath(json, fails?.[0]?.field[0] ?? '')).slice(0, 200);
  return new CommissionSourceError('unavailable', `The network responded with an error: ${text}.`);
}

function requestPage(
  list: NetworkList,
  api: NetworkApi,
  step: Step,
  token: string,
  request: SendRequest,
): Promise<unknown> {
  const { scheme, parameter, size } = list.page;
  const isShape = (json: unknown) => findRecords(list, json) !== undefined || hasFailed(list, json);
  if (scheme === 'next' && token !== '') {
    const base = new URL(api.url).pathname.replace(/\/+$/, '');
    return request(token.startsWith(base) ? token.slice(base.length) : token, {}, undefined, isShape);
  }
  const paging = {
    ...(parameter !== undefined && token !== '' && { [parameter]: token }),
    ...(size !== undefined && { [size.parameter]: String(size.value) }),
  };
  const query = { ...list.query, ...step.query };
  if (list.method === 'GET')
    return request(list.path, { ...query, ...step.window, ...paging }, undefined, isShape);
  const [inQuery, inBody] = list.page.in === 'query' ? [paging, {}] : [{}, paging];
  const body = fillBody(list.body ?? {}, { ...step.window, ...inBody });
  return request(list.path, { ...query, ...inQuery }, body, isShape);
}

/** Reads the records of a page. */
function readRecords(
  file: NetworkFile,
  list: NetworkList,
  records: readonly MessageFields[],
  terms: CommissionTerms,
  now: number,
  response: unknown,
) {
  const refused: RefusedRecord[] = [];
  const reports = records.flatMap((item) => {
    const scope = { ...buildScope(file, terms, now, item), response };
    if (!holds(list.only, scope)) return [];
    const reported = readRecord(list.record, scope, item, file, terms);
    const strings = readStrings(list, item);
    if (!('problem' in reported)) return [{ reported, strings, record: item }];
    refused.push({ record: item, strings, problem: reported.problem });
    return [];
  });
  return { reports, refused };
}

const readStrings = ({ strings }: NetworkList, item: MessageFields) =>
  strings?.map((path) => toText(readPath(item, path))).filter((text) => text !== '') ?? collectStrings(item);

/** A list that is longer is compared up to here; it begins with the newest. */
const MAX_LISTED = 10_000;

/** Reads the list that only checks the totals. */
async function readListed(
  read: ReturnType<typeof readPages>,
  { terms, now }: { readonly terms: CommissionTerms; readonly now: number },
): Promise<readonly ListedRecord[]> {
  const records: ListedRecord[] = [];
  for await (const { reports } of read({ cursor: null, terms, now })) {
    for (const { reported, strings } of reports) {
      const { nativeId: id, status, currency, eventTime: time } = reported;
      const amount = status === 'reversed' ? 0 : reported.amount;
      if (time !== null) records.push({ listed: { id, amount, currency, time }, strings });
    }
    if (records.length >= MAX_LISTED) break;
  }
  return records;
}

/** Reads the records of one response, as a test of a network's file has it. */
export function readRecordedResponse(
  file: NetworkFile,
  response: unknown,
  terms: CommissionTerms,
  now: number,
) {
  const { interface: api } = file;
  if (api === undefined) return undefined;
  const records = findRecords(api, response);
  const own = { ...file, currency: api.currency ?? file.currency };
  return records === undefined
    ? undefined
    : readRecords(own, api, expandRecords(api, records), terms, now, response);
}

/** Parses a record of a network's interface, as a message. `now`: ms since 1970. */
export function parseRecord(
  file: NetworkFile | undefined,
  record: MessageFields,
  terms: CommissionTerms,
  now: number,
): ParsedMessage {
  const api = file?.interface;
  if (file === undefined || api === undefined)
    return { kind: 'invalid', detail: 'the network has no interface' };
  const own = { ...file, currency: api.currency ?? file.currency };
  const { reports, refused } = readRecords(own, api, [record], terms, now, {});
  if (refused[0] !== undefined) return { kind: 'invalid', detail: refused[0].problem };
  return reports.length === 0
    ? { kind: 'ignored' }
    : { kind: 'reports', reports: reports.map(({ reported }) => reported) };
}

const ATTEMPTS = 4;
/** A network that asks to wait for longer is read again with the next run. */
const MAX_WAIT_SECONDS = 120;
const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
/** A month of some 20,000 commissions, of a network that has no pages. */
const MAX_BYTES = 32_000_000;

/** Whether a network refuses a request as it is: it would refuse it again. */
const isRefusal = (status: number | undefined) =>
  status !== undefined && status >= 400 && status <= 499 && ![401, 403, 408, 425, 429].includes(status);

/**
 * Creates a client that reads JSON, by POST if there is a body, and waits as the network asks to (`Retry-After`). `isShape`:
 * whether a response has the documented shape; another one counts as a passing fault, and is requested again. Rejects with
 * `CommissionSourceError`.
 */
function createNetworkClient(
  { get, clock, sleep, deadlineMs = 30_000 }: ApiOptions,
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
) {
  const parse = parseSentJson;
  const read = createJsonClient({ get, baseUrl, headers, clock, deadlineMs, maxBytes: MAX_BYTES, parse });
  return async (
    path: string,
    query: URLSearchParams,
    isShape: (json: unknown) => boolean,
    body?: string,
  ): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await read(path, query, body);
        if (response.kind === 'absent') throw new HttpError('status', { status: response.status });
        if (!isShape(response.json)) throw new HttpError('not-json');
        return response.json;
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

function buildSourceError(cause: HttpError): CommissionSourceError {
  const { status, code, message } = cause;
  const build = (kind: CommissionSourceError['code'], detail: string) =>
    new CommissionSourceError(kind, detail, { cause });
  if (status === 401 || status === 403)
    return build(
      'unauthorized',
      `The network refused the credentials (status ${status}): check the key and its permissions.`,
    );
  if (status === 429)
    return build('rate-limited', 'The network asked to wait: its limit of requests is reached.');
  if (code === 'not-json')
    return build('invalid-response', 'The network responded in another form than documented.');
  const kind = isRefusal(status) ? 'invalid-response' : 'unavailable';
  return build(kind, `The network cannot be read: ${message}.`);
}

/** Builds the requests of a network's interface with the names of its secrets; `problem`: why no page follows its sample. */
export async function showRequests(file: NetworkFile, now: number) {
  const findSecret = (name: string) => name;
  if (!isConnected(file, findSecret)) return { lines: [], problem: null };
  const api = file.interface;
  const { from } = api.page;
  const responses = file.messages.flatMap(({ response }) => (response === undefined ? [] : [response]));
  const paths = from?.response ?? from?.field ?? from?.join ?? [];
  const isNamed = (response: unknown) =>
    [paths].flat().some((path) => {
      const around = from?.response === undefined ? findRecords(api, response)?.at(-1) : response;
      return readPath(around, typeof path === 'string' ? path : path.take) !== undefined;
    });
  const sample = responses.find(isNamed) ?? responses[0];
  const token = api.auth.token
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'ACCESS_TOKEN');
  const sent = new Set<string>();
  const get: HttpGet = async (address, { headers, body }) => {
    const isToken = address.href === api.auth.url;
    const shown = Object.entries(headers).flatMap(([name, text]) =>
      /^(accept|user-agent|content-type)$/.test(name)
        ? []
        : [`${name}: ${text.replace(/(?<=^Basic ).*/, (code) => Buffer.from(code, 'base64').toString())}`],
    );
    const request = `${body === undefined ? 'GET' : 'POST'} ${decodeURI(address.href)}`;
    const isSecond = sent.size > Number(api.auth.scheme === 'oauth');
    sent.add([request, body, ...shown].filter(Boolean).join('\n  '));
    if (isSecond) throw buildPageError('is not asked for a third page');
    const text = JSON.stringify(isToken ? token : sample);
    const status = isToken || sample !== undefined ? 200 : 404;
    return { status, headers: new Headers({ 'content-type': 'application/json' }), text };
  };
  const clock = { now: () => now, monotonic: () => now };
  const options = { get, clock, sleep: async () => undefined, findSecret, testHosts: new Map() };
  const pages = createApiSource(file, options).readPages({ cursor: null, terms: DEFAULT_TERMS, now });
  const error = await pages
    .next()
    .then(() => pages.next())
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  const [lines, hasNext] = [[...sent], sent.size > 1 + Number(api.auth.scheme === 'oauth')];
  if (from !== undefined && responses.length > 0 && !isNamed(sample))
    return { lines, problem: `page.from: no response among the messages has ${JSON.stringify(paths)}` };
  return {
    lines,
    problem: hasNext || sample === undefined || !(error instanceof Error) ? null : error.message,
  };
}
