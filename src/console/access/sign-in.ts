import type { Operator } from '../../core/console/operator.ts';
import { CONSOLE_PATH, CONSOLE_SIGN_IN_PATH, parseConsolePath } from '../../core/paths.ts';
import { buildProblem } from '../../server/http/problem.ts';
import { splitTarget } from '../../server/http/route.ts';
import { isSameOrigin } from '../../server/http/same-origin.ts';
import type { Log } from '../../server/log.ts';
import type { OperatorStore } from '../../stores/operators.ts';
import type { ConsoleEntrance, ConsoleRequest } from '../console-app.ts';
import { readConsoleForm } from '../console-form.ts';
import type { SignInPage } from '../console-page.ts';
import { buildConsoleRedirect } from '../console-response.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { type PasswordHasher, PasswordQueueError } from './password-hasher.ts';
import { describeWait, type SignInLimits } from './sign-in-limits.ts';

const MAX_FORM_BYTES = 16_384;
const MAX_FIELD_LENGTH = 1_000;
/** One sentence for every failure: it does not tell whether there is such an operator. */
const WRONG = 'The name or the password is wrong.';

export interface SignInOptions {
  readonly getStore: () => OperatorStore;
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
