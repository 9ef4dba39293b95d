import { z } from 'zod';
import { CONSOLE_PATH } from '../core/paths.ts';
import { buildCsvLine } from '../core/text/csv.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { readBody, readPostedForm } from '../server/http/request-body.ts';
import type { ReadResponse } from '../server/http/responses.ts';
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

/** Builds a redirect within the console. */
export function buildConsoleRedirect(location: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(null, {
    status: 303,
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

const MAX_NOTICES = 100;
const MAX_AGE_MS = 60_000;
const noticeSchema = z.object({ message: z.string(), isError: z.boolean() });

/** What posted forms did, for the page that the browser is sent to: shown once, to the same session. */
export class ConsoleNotices {
  readonly #store: TemporaryValues;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(store: TemporaryValues, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async put(sessionId: string, notice: ConsoleNotice): Promise<void> {
    const now = this.#now();
    const value = JSON.stringify(notice);
    const stored = { kind: 'notice', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#store.put(stored, { now, max: MAX_NOTICES });
  }

  async take(sessionId: string): Promise<ConsoleNotice | null> {
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
