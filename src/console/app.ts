import { z } from 'zod';
import { findConsoleView } from '../core/console/console-view.ts';
import { buildAddress, CONSOLE_PATH, CONSOLE_SIGN_IN_PATH, parseConsolePath } from '../core/paths.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { readResponse } from '../server/http/buffered-response.ts';
import { refuseForRate } from '../server/http/json-post.ts';
import { buildProblem } from '../server/http/problem.ts';
import type { SharedRateLimiter } from '../server/http/rate-limiter.ts';
import { readBody, readPostedForm } from '../server/http/request-body.ts';
import { type AppContext, splitTarget } from '../server/http/route.ts';
import { isSameOrigin } from '../server/http/same-origin.ts';
import { createTokenCheck } from '../server/http/secret-token.ts';
import type { Site } from '../server/site.ts';
import type { TemporaryValues } from '../stores/temporary-values.ts';
import type { ConsoleSession, OperatorSessions } from './access/sessions.ts';
import type { ConsoleNotice, ConsolePage } from './console-page.ts';
import { buildCsvResponse } from './export.ts';
import type { ConsoleViews, ViewTarget } from './views.ts';

/** Headers of every response of the console, whatever it is. */
export const CONSOLE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  // Forms of the console have to carry their origin, which `no-referrer` would take from them.
  'referrer-policy': 'same-origin',
} as const;

/** Builds a redirect within the console. */
export function buildConsoleRedirect(location: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(null, { status: 303, headers: { ...CONSOLE_HEADERS, location, ...headers } });
}

/** Fields without a file: parsing megabytes of them would take seconds and hundreds of megabytes. */
const MAX_FIELDS_BYTES = 262_144;

/** The text of a field, without the spaces around it; empty when it is missing or a file. */
export function getFormText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

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
  readonly #getStore: () => TemporaryValues;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(getStore: () => TemporaryValues, now: () => number) {
    this.#getStore = getStore;
    this.#now = now;
  }

  async put(sessionId: string, notice: ConsoleNotice): Promise<void> {
    const now = this.#now();
    const value = JSON.stringify(notice);
    const stored = { kind: 'notice', key: sessionId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#getStore().put(stored, { now, max: MAX_NOTICES });
  }

  async take(sessionId: string): Promise<ConsoleNotice | null> {
    const store = this.#getStore();
    const now = this.#now();
    // Almost every page has none, and looking is cheaper than removing.
    if ((await store.read('notice', sessionId, now)) === null) return null;
    const text = await store.take('notice', sessionId, now);
    return noticeSchema.safeParse(parseJson(text ?? '')).data ?? null;
  }
}

/** A file that an operator uploads, with its form. */
const MAX_FORM_BYTES = 20 * 1024 * 1024;

/** Renders a page of the console with its headers. */
export type RenderConsole = (page: ConsolePage, status?: number) => Promise<Response>;

/** A request at or below the console's path. */
export interface ConsoleRequest {
  readonly context: AppContext;
  /** The decoded path below the console. */
  readonly parts: readonly string[];
  readonly parameters: URLSearchParams;
  readonly render: RenderConsole;
}

/** A part of the console that needs no session: it responds to its paths, or null as if there were no console. */
export type ConsoleEntrance = (request: ConsoleRequest) => Promise<Response | null>;

/** The console as a part of the application. */
export interface ConsoleApp {
  /** Responds to a request at or below the console's path; null: as if there were no console. */
  respond(context: AppContext, render: RenderConsole): Promise<Response | null>;
}

export interface ConsoleAppOptions {
  readonly sessions: Pick<OperatorSessions, 'hasOperator' | 'readSession'>;
  readonly views: ConsoleViews;
  readonly notices: ConsoleNotices;
  /** By first part of the path: `sign-in`, `setup`, … Those in `alwaysOpen` respond even without an operator. */
  readonly entrances: ReadonlyMap<string, ConsoleEntrance>;
  readonly alwaysOpen: ReadonlySet<string>;
  /** Whether there is a console for this request at all, by its host and the address of its sender. */
  readonly isAdmitted: (context: AppContext) => boolean;
  /** Limits the requests without a session of one address. */
  readonly limiter: SharedRateLimiter;
  readonly siteName: string;
  /** Origin that posted forms have to come from; null when none is configured (loopback only). */
  readonly siteOrigin: string | null;
}

/** Creates the console: signed-in operators see views, all others get the same response at every path. */
export function createConsoleApp(options: ConsoleAppOptions): ConsoleApp {
  const { sessions, views, notices, entrances, alwaysOpen, isAdmitted, limiter, siteName, siteOrigin } =
    options;

  async function respond(context: AppContext, render: RenderConsole): Promise<Response | null> {
    const [, search] = splitTarget(context.req.url);
    const parts = parseConsolePath(context.req.path);
    if (parts === null || !isAdmitted(context)) return null;
    const [first = ''] = parts;
    if (!alwaysOpen.has(first) && !(await sessions.hasOperator())) return null;
    const request = { context, parts, parameters: new URLSearchParams(search), render };
    const entrance = entrances.get(first);
    if (entrance !== undefined) return (await refuseForRate(context, limiter, 1)) ?? entrance(request);
    if (!['GET', 'HEAD', 'POST'].includes(context.req.method)) {
      const headers = { allow: 'GET, HEAD, POST' };
      return buildProblem('method-not-allowed', context.env.requestId, { headers });
    }
    const session = await sessions.readSession(context.req.raw);
    if (session === null) {
      const refusal = await refuseForRate(context, limiter, 1);
      if (refusal !== null) return refusal;
      return isForeignNavigation(context)
        ? render(buildReload(siteName, context))
        : redirectToSignIn(context, search);
    }
    return (await respondToOperator(request, session)) ?? render(buildMissingPage(siteName), 404);
  }

  async function respondToOperator(
    request: ConsoleRequest,
    session: ConsoleSession,
  ): Promise<Response | null> {
    const { context, parts, parameters, render } = request;
    const { viewer, formToken } = session;
    const exported = views.findExport(parts);
    if (exported !== null && context.req.method !== 'POST') {
      const table = await views.exportTable({ ...exported, parameters, viewer, formToken });
      return table && buildCsvResponse(table, exported.view, parameters.get('bom') === '1');
    }
    const found = findConsoleView(parts);
    if (found === null) return null;
    const target = { ...found, parameters, viewer, formToken, sessionId: session.id };
    if (context.req.method === 'POST') return respondToForm(request, target, session);
    const notice = await notices.take(session.id);
    const view = await views.read(target, { notice, share: null });
    return view && render({ kind: 'view', ...view });
  }

  async function respondToForm(
    { context, render }: ConsoleRequest,
    target: ViewTarget,
    session: ConsoleSession,
  ): Promise<Response | null> {
    if (!isSameOrigin(context.req.raw.headers, siteOrigin))
      return render(buildRefusal(siteName, 'origin'), 403);
    if (!views.isPostable(target.view, session.viewer)) return render(buildRefusal(siteName, 'role'), 403);
    const form = await readConsoleForm(context.req.raw, MAX_FORM_BYTES);
    if (!createTokenCheck(session.formToken)(String(form.get('token') ?? '')))
      return render(buildRefusal(siteName, 'token'), 403);
    const outcome = await views.post(form, target);
    if (outcome === null) return null;
    await notices.put(session.id, { message: outcome.message, isError: outcome.isError });
    return buildConsoleRedirect(outcome.location);
  }

  return { respond };
}

/** A link on another site was followed: browsers send no cookie with `SameSite=Strict`. */
function isForeignNavigation({ req }: AppContext): boolean {
  const isNavigation = req.raw.headers.get('sec-fetch-mode') === 'navigate';
  return req.method === 'GET' && isNavigation && req.raw.headers.get('sec-fetch-site') === 'cross-site';
}

/** A page that opens the same address again, now from this site, so that the browser sends its cookie. */
function buildReload(siteName: string, { req }: AppContext): ConsolePage {
  const [, search] = splitTarget(req.url);
  return { kind: 'reload', siteName, href: req.path + (search && `?${new URLSearchParams(search)}`) };
}

function redirectToSignIn({ req }: AppContext, search: string): Response {
  const isRead = req.method !== 'POST';
  const next = req.path === CONSOLE_PATH && search === '' ? undefined : req.path + (search && `?${search}`);
  return buildConsoleRedirect(buildAddress(CONSOLE_SIGN_IN_PATH, { next: isRead ? next : undefined }));
}

const REFUSALS = {
  origin: 'The form was not sent by a page of this console, so nothing was changed.',
  role: 'You may look at everything, but only an owner can change this. Nothing was changed.',
  token: 'The form is no longer valid, perhaps because you signed in again meanwhile. Nothing was changed.',
} as const;

function buildRefusal(siteName: string, reason: keyof typeof REFUSALS): ConsolePage {
  const link = { href: CONSOLE_PATH, text: 'Back to the overview' };
  return { kind: 'refused', siteName, title: 'Nothing was changed', message: REFUSALS[reason], link };
}

function buildMissingPage(siteName: string): ConsolePage {
  const link = { href: CONSOLE_PATH, text: 'Back to the overview' };
  return { kind: 'refused', siteName, title: 'Not found', message: 'The console has no such page.', link };
}

/**
 * Renders a page of the console through Astro, with its own headers. The caller has authorized the request. `render`
 * responds with status 500 when the page fails.
 */
export async function renderConsolePage(
  { settings, security, log }: Site,
  render: (request: Request) => Promise<Response>,
  requestId: string,
  status = 200,
): Promise<Response> {
  const response = await readResponse(await render(new Request(settings.siteUrl + CONSOLE_PATH)));
  const { body } = response;
  if (response.status === 500) log.error('console page failed', { requestId });
  return new Response(body, {
    status: response.status === 500 ? 500 : status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // A response of known length is compressed. Its form token cannot be guessed from that length (BREACH): the
      // session's cookie is SameSite=Strict, so no other site can request the page with it.
      'content-length': String(body.byteLength),
      ...security.console(body),
      ...CONSOLE_HEADERS,
    },
  });
}
