import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { CONSOLE_PATH } from '../core/paths.ts';
import { buildCsvLine } from '../core/text/csv.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { readBody, readPostedForm } from '../server/http/request-body.ts';
import { buildJsonResponse, type ReadResponse } from '../server/http/responses.ts';
import type { AppContext } from '../server/http/route.ts';
import type { Site } from '../server/site.ts';
import type { TemporaryValues } from '../stores/temporary-values.ts';
import type { Console } from './console.ts';
import type { ConsoleNotice, ConsolePage } from './console-page.ts';
import type { ExportTable } from './reports/columns.ts';

/** Headers of every response of the console, whatever it is. */
export const CONSOLE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  // Forms of the console have to carry their origin, which `no-referrer` would take from them.
  'referrer-policy': 'same-origin',
} as const;

/** Builds a redirect within the console; `status` 301: to the new address of what is asked for. */
export function buildConsoleRedirect(
  location: string,
  headers: Readonly<Record<string, string>> = {},
  status: 301 | 303 = 303,
) {
  return new Response(null, {
    status,
    headers: { ...CONSOLE_HEADERS, location, 'content-length': '0', ...headers },
  });
}

/** Fields without a file: parsing megabytes of them would take seconds and hundreds of megabytes. */
const MAX_FIELDS_BYTES = 262_144;

/**
 * Reads a posted form of at most `maxBytes`, or 256 KB without a file; empty when the body is not a form. Rejects with
 * `RequestBodyError`.
 */
export async function readConsoleForm(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  const mayHaveFile = /^multipart\//i.test(type);
  const body = await readBody(request, mayHaveFile ? maxBytes : Math.min(maxBytes, MAX_FIELDS_BYTES));
  const headers = { 'content-type': type };
  return readPostedForm(new Response(body, { headers }));
}

/** The texts of a call: a content file with room for what JSON adds to it. */
const MAX_CALL_BYTES = 4_194_304;
const MAX_CALL_FIELDS = 10_000;
const callSchema = z
  .custom<object>((value) => Object.keys(Object(value)).length <= MAX_CALL_FIELDS)
  .pipe(z.record(z.string().max(2_000), z.union([z.string(), z.array(z.string()).max(1_000)])));

/** Whether a request asks for an action by its name, and takes the answer as JSON: `POST /console/api/save/pages/a.yaml`. */
export const isCall = ({ context: { req }, parts: [first] }: ConsoleRequest): boolean =>
  req.method === 'POST' && first === 'api';

/**
 * Reads the JSON object of a call, a text or a list of texts for each field, as the form that it stands for; null: it is none.
 * Its header `X-Form-Token` has the token. Rejects with `RequestBodyError`.
 */
export async function readCall({ context, parts }: ConsoleRequest): Promise<FormData | null> {
  const { raw } = context.req;
  const body = await readBody(raw, MAX_CALL_BYTES);
  const isJson = /^application\/json\b/i.test(raw.headers.get('content-type') ?? '');
  const sent = callSchema.safeParse(isJson ? parseJson(new TextDecoder().decode(body)) : null).data;
  if (sent === undefined) return null;
  const form = new FormData();
  for (const [name, value] of Object.entries(sent)) for (const one of [value].flat()) form.append(name, one);
  form.set('token', raw.headers.get('x-form-token') ?? '');
  form.set('action', parts[1] ?? '');
  return form;
}

/** Responds with data for a script. */
export const buildData = (answer: object, status = 200) => buildJsonResponse(answer, status, CONSOLE_HEADERS);

/** Answers a call with what the page in its place would say. */
export const answerPage: RenderConsole = async (page, status) => {
  if (page.kind === 'confirm')
    return buildData(
      { message: page.error ?? page.reason, confirm: page.purpose },
      status === 403 ? 401 : status,
    );
  return buildData({ message: 'message' in page ? page.message : '' }, status);
};

const MAX_NOTICES = 100;
const MAX_AGE_MS = 60_000;
const noticeSchema = z.object({ message: z.string(), isError: z.boolean() });

/** What posted forms did, for the page that the browser is sent to: shown once, to the same session. */
export class ConsoleNotices {
  readonly #store: TemporaryValues;
  readonly #now: () => number;
  readonly #here: LRUCache<string, ConsoleNotice> | null;

  /** `now` is the wall clock in ms since 1970; `isHere`: the next page is of this process, so that nothing is written. */
  constructor(store: TemporaryValues, now: () => number, isHere: boolean) {
    this.#store = store;
    this.#now = now;
    this.#here = isHere ? new LRUCache({ max: MAX_NOTICES, ttl: MAX_AGE_MS }) : null;
  }

  async put(sessionId: string, notice: ConsoleNotice): Promise<void> {
    if (this.#here !== null) {
      this.#here.set(sessionId, notice);
      return;
    }
    const now = this.#now();
    const value = JSON.stringify(notice);
    const stored = { kind: 'notice', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#store.put(stored, { now, max: MAX_NOTICES });
  }

  async take(sessionId: string): Promise<ConsoleNotice | null> {
    if (this.#here !== null) {
      const notice = this.#here.get(sessionId) ?? null;
      this.#here.delete(sessionId);
      return notice;
    }
    const now = this.#now();
    // Almost every page has none, and looking is cheaper than removing.
    if ((await this.#store.read('notice', sessionId, now)) === null) return null;
    const text = await this.#store.take('notice', sessionId, now);
    return noticeSchema.safeParse(parseJson(text ?? '')).data ?? null;
  }
}

/** Renders a page of the console with its headers. */
export type RenderConsole = (page: ConsolePage, status?: number) => Promise<Response>;
/** Renders it with the content that its request began with. */
export type RenderConsolePage = (
  page: ConsolePage,
  status: number | undefined,
  site: Site,
) => Promise<Response>;

/** A request at or below the console's path. */
export interface ConsoleRequest {
  readonly context: AppContext;
  /** The decoded path below the console. */
  readonly parts: readonly string[];
  readonly parameters: URLSearchParams;
  readonly render: RenderConsole;
  /** The posted form, once it was read. */
  form?: FormData;
  /** Whether what the form asks for was begun. */
  isBegun?: boolean;
}

const CHUNK = 65_536;
/** Excel reads a file as UTF-8 only when it begins with this. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Builds the download of a table as CSV (RFC 4180), as its reader takes it, so that its length needs no memory. Rejects when the
 * first rows cannot be read.
 */
export async function buildCsvResponse(
  { name, ...table }: ExportTable & { readonly name: string },
  hasByteOrderMark: boolean,
): Promise<Response> {
  const chunks = encodeChunks(table, hasByteOrderMark);
  let next: ReturnType<typeof chunks.next> | null = Promise.resolve(await chunks.next());
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await (next ?? chunks.next());
      next = null;
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      ...CONSOLE_HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replace(/[^a-z0-9-]/g, '-')}.csv"`,
    },
  });
}

async function* encodeChunks({ columns, rows }: ExportTable, hasByteOrderMark: boolean) {
  const encoder = new TextEncoder();
  let text = (hasByteOrderMark ? BYTE_ORDER_MARK : '') + buildCsvLine(columns);
  for await (const row of rows) {
    text += buildCsvLine(row);
    if (text.length < CHUNK) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

/**
 * Creates the function that responds to a request for the console, or with null on a site without one. Its pages are rendered
 * through Astro, with their own headers: `render` responds with status 500 when a page fails.
 */
export function createConsoleResponder(
  { settings, security, log }: Site,
  operatorConsole: Console,
  render: (request: Request, locals: App.Locals) => Promise<ReadResponse>,
): (context: AppContext) => Promise<Response | null> {
  return (context) =>
    operatorConsole.respond(context, async (consolePage, status, site) => {
      const request = new Request(settings.siteUrl + CONSOLE_PATH);
      const response = await render(request, { site, ...context.env, consolePage });
      const { body } = response;
      if (response.status === 500) log.error('console page failed', { requestId: context.env.requestId });
      return new Response(body, {
        status: response.status === 500 ? 500 : (status ?? 200),
        headers: {
          'content-type': 'text/html; charset=utf-8',
          // A response of known length is compressed. Its form token cannot be guessed from that length (BREACH): the
          // session's cookie is SameSite=Strict, so no other site can request the page with it.
          'content-length': String(body.byteLength),
          ...security.console(body),
          ...CONSOLE_HEADERS,
        },
      });
    });
}
