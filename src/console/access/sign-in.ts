import { createHmac } from 'node:crypto';
import type { Operator } from '../../core/console/operator.ts';
import { CONSOLE_PATH, CONSOLE_SIGN_IN_PATH, parseConsolePath } from '../../core/paths.ts';
import { buildProblem } from '../../server/http/problem.ts';
import { parseSubscriber } from '../../server/http/rate-limiter.ts';
import { splitTarget } from '../../server/http/route.ts';
import { isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { Log } from '../../server/log.ts';
import type { Operators } from '../../stores/operators.ts';
import type { AttemptRate, TemporaryValues } from '../../stores/temporary-values.ts';
import { buildConsoleRedirect, type ConsoleEntrance, type ConsoleRequest, readConsoleForm } from '../app.ts';
import type { SignInPage } from '../console-page.ts';
import { type PasswordHasher, PasswordQueueError } from './passwords.ts';
import type { OperatorSessions } from './sessions.ts';

const MAX_FORM_BYTES = 16_384;
const MAX_FIELD_LENGTH = 1_000;
/** One sentence for every failure: it does not tell whether there is such an operator. */
const WRONG = 'The name or the password is wrong.';

export interface SignInOptions {
  readonly getStore: () => Operators;
  readonly sessions: OperatorSessions;
  readonly hasher: PasswordHasher;
  readonly limits: SignInLimits;
  readonly siteName: string;
  readonly siteOrigin: string | null;
  /** Whether a password may be sent over the connection of a request. */
  readonly isConfidential: (request: Request) => boolean;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Creates the page that asks for name and password. */
export function createSignIn(options: SignInOptions): ConsoleEntrance {
  const { sessions, limits, siteName, siteOrigin, isConfidential, log } = options;

  async function show({ context, parts, parameters, render }: ConsoleRequest): Promise<Response> {
    const request = context.req.raw;
    const next = parseNext(parameters.get('next'));
    if (parts.length > 1) return buildConsoleRedirect(CONSOLE_SIGN_IN_PATH);
    if ((await sessions.readSession(request)) !== null) return buildConsoleRedirect(next);
    const error = isConfidential(request) ? null : NOT_CONFIDENTIAL;
    return render(buildSignInPage(siteName, { next, error }));
  }

  async function submit({ context, render }: ConsoleRequest): Promise<Response> {
    const request = context.req.raw;
    const { requestId, clientAddress } = context.env;
    const refuse = (status: number, values: Partial<SignInPage>) =>
      render(buildSignInPage(siteName, values), status);
    if (!isSameOrigin(request.headers, siteOrigin))
      return refuse(403, { error: 'The form was sent by another site. Sign in here.' });
    if (!isConfidential(request)) return refuse(403, { error: NOT_CONFIDENTIAL });
    const form = await readConsoleForm(request, MAX_FORM_BYTES);
    const read = (field: string) => String(form.get(field) ?? '').slice(0, MAX_FIELD_LENGTH);
    const values = { name: read('name').slice(0, 80), next: parseNext(read('next')) };
    const waitSeconds = await limits.take(clientAddress, await sessions.findFormerOperator(request));
    if (waitSeconds > 0) {
      log.warn('sign-in refused: too many attempts', { requestId });
      const response = await refuse(429, {
        ...values,
        error: `Too many attempts. Try again in ${describeWait(waitSeconds)}, or with a passkey.`,
      });
      response.headers.set('retry-after', String(waitSeconds));
      return response;
    }
    try {
      const operator = await checkPassword(options, read('name'), read('password'));
      if (operator === null) {
        log.warn('sign-in failed', { requestId });
        return await refuse(401, { ...values, error: WRONG });
      }
      const cookie = await sessions.start(request, operator);
      log.info('operator signed in', { requestId, operator: operator.id });
      return buildConsoleRedirect(values.next, { 'set-cookie': cookie });
    } catch (error) {
      if (!(error instanceof PasswordQueueError)) throw error;
      return await refuse(503, { ...values, error: 'Many passwords are being checked; try again shortly.' });
    }
  }

  return async (request) => {
    const { method } = request.context.req;
    if (method === 'GET' || method === 'HEAD') return show(request);
    if (method === 'POST' && request.parts.length === 1) return submit(request);
    const headers = { allow: 'GET, HEAD, POST' };
    return buildProblem('method-not-allowed', request.context.env.requestId, { headers });
  };
}

function buildSignInPage(siteName: string, values: Partial<SignInPage>): SignInPage {
  return {
    kind: 'sign-in',
    siteName,
    next: CONSOLE_PATH,
    name: '',
    error: null,
    ...values,
  };
}

/** Takes the same time whether or not there is an operator with the name. */
async function checkPassword(
  { getStore, hasher }: Pick<SignInOptions, 'getStore' | 'hasher'>,
  name: string,
  password: string,
): Promise<Operator | null> {
  const operator = await getStore().findOperator(name);
  return (await hasher.verify(password, operator?.passwordHash ?? null)) ? operator : null;
}

export const NOT_CONFIDENTIAL =
  'A password would travel unencrypted. Open the console at localhost, or set SITE_URL to the https address of the site.';

/** The address that is opened after sign-in: a page of the console, else its first. */
export function parseNext(text: string | null): string {
  const [path, query] = splitTarget((text ?? '').slice(0, MAX_FIELD_LENGTH));
  const parts = parseConsolePath(path);
  if (parts === null || ['sign-in', 'sign-out', 'setup'].includes(parts[0] ?? '')) return CONSOLE_PATH;
  const cleaned = new URLSearchParams(query).toString();
  return cleaned === '' ? path : `${path}?${cleaned}`;
}

const PER_MINUTE = { intervalMs: 12_000, burst: 5 };
const PER_HOUR = { intervalMs: 120_000, burst: 30 };
/** Of all unknown browsers together, and what is left to them beyond that. */
const IN_ALL = { intervalMs: 36_000, burst: 100 };
const BEYOND = { intervalMs: 6_000, burst: 1 };

export interface SignInLimitsOptions {
  readonly getStore: () => Pick<TemporaryValues, 'takeAttempt'>;
  /** Addresses are stored as a hash with this key. */
  readonly key: string;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
}

/**
 * Limits attempts to sign in: for each address, for each browser that was signed in before, and for everything else
 * together. Many addresses at once slow unknown browsers down; they never lock anyone out for good.
 */
export class SignInLimits {
  readonly #options: SignInLimitsOptions;

  constructor(options: SignInLimitsOptions) {
    this.#options = options;
  }

  /**
   * Takes an attempt and returns 0; or, when there were too many, the whole seconds to wait. `formerOperator`: who was
   * signed in with the browser before; null for an unknown browser.
   */
  async take(address: string, formerOperator: string | null): Promise<number> {
    // A browser that was signed in shares no limit with an attacker, not even behind the same proxy.
    const key =
      formerOperator === null ? `address ${parseSubscriber(address)}` : `operator ${formerOperator}`;
    const ownMs = (await this.#take('minute', key, PER_MINUTE)) || (await this.#take('hour', key, PER_HOUR));
    if (ownMs > 0 || formerOperator !== null) return Math.ceil(ownMs / 1_000);
    if ((await this.#take('all', '', IN_ALL)) === 0) return 0;
    return Math.ceil((await this.#take('beyond', '', BEYOND)) / 1_000);
  }

  #take(name: string, key: string, rate: AttemptRate): Promise<number> {
    const hashed = createHmac('sha256', this.#options.key).update(key).digest('base64url').slice(0, 22);
    return this.#options.getStore().takeAttempt(`${name} ${hashed}`, rate, this.#options.now());
  }
}

/** The time until another attempt is taken, in words. */
export function describeWait(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

const MAX_SIGN_OUT_BYTES = 4_096;

/** Creates the end of a session: a posted form with the token of the session. */
export function createSignOut(sessions: OperatorSessions, siteOrigin: string | null): ConsoleEntrance {
  return async ({ context }) => {
    const request = context.req.raw;
    const session = await sessions.readSession(request);
    if (request.method !== 'POST' || session === null) return buildConsoleRedirect(CONSOLE_PATH);
    if (!isSameOrigin(request.headers, siteOrigin)) return buildConsoleRedirect(CONSOLE_PATH);
    const form = await readConsoleForm(request, MAX_SIGN_OUT_BYTES);
    if (!createTokenCheck(session.formToken)(String(form.get('token') ?? '')))
      return buildConsoleRedirect(CONSOLE_PATH);
    return buildConsoleRedirect(CONSOLE_SIGN_IN_PATH, {
      'set-cookie': await sessions.end(request),
      'clear-site-data': '"cache"',
    });
  };
}
