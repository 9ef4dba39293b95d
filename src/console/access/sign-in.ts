import { CONSOLE_PATH, CONSOLE_SIGN_IN_PATH, parseConsolePath } from '../../core/paths.ts';
import type { ConsoleSession } from '../../server/http/operator-sessions.ts';
import { buildProblem } from '../../server/http/responses.ts';
import { splitTarget } from '../../server/http/route.ts';
import { isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { Operator } from '../../stores/operators.ts';
import type { ConfirmPage, SignInPage } from '../console-page.ts';
import type { ConsoleSite } from '../console-site.ts';
import { buildConsoleRedirect, type ConsoleRequest, readConsoleForm } from '../http.ts';
import { getConsoleOrigin, isConfidential, NOT_CONFIDENTIAL } from './console-host.ts';
import { PasswordQueueError } from './password.ts';
import { describeWait } from './sign-in-limits.ts';

const MAX_FORM_BYTES = 16_384;
const MAX_FIELD_LENGTH = 1_000;
/** One sentence for every failure: it does not tell whether there is such an operator. */
const WRONG = 'The name or the password is wrong.';

/** Responds with the page that asks for name and password, and signs in with them. */
export async function signIn(site: ConsoleSite, request: ConsoleRequest): Promise<Response> {
  const { method } = request.context.req;
  if (method === 'GET' || method === 'HEAD') return show(site, request);
  if (method === 'POST' && request.parts.length === 1) return submit(site, request);
  const headers = { allow: 'GET, HEAD, POST' };
  return buildProblem('method-not-allowed', request.context.env.requestId, { headers });
}

async function show(
  site: ConsoleSite,
  { context, parts, parameters, render }: ConsoleRequest,
): Promise<Response> {
  const request = context.req.raw;
  const next = parseNext(parameters.get('next'));
  if (parts.length > 1) return buildConsoleRedirect(CONSOLE_SIGN_IN_PATH);
  if ((await site.sessions.readSession(request)) !== null) return buildConsoleRedirect(next);
  const error = isConfidential(site, request) ? null : NOT_CONFIDENTIAL;
  return render(buildSignInPage(site, { next, error }));
}

async function submit(site: ConsoleSite, { context, render }: ConsoleRequest): Promise<Response> {
  const { sessions, limits, settings, log } = site;
  const request = context.req.raw;
  const { requestId, clientAddress } = context.env;
  const refuse = (status: number, values: Partial<SignInPage>) =>
    render(buildSignInPage(site, values), status);
  if (!isSameOrigin(request.headers, getConsoleOrigin(settings)))
    return refuse(403, { error: 'The form was sent by another site. Sign in here.' });
  if (!isConfidential(site, request)) return refuse(403, { error: NOT_CONFIDENTIAL });
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
    const operator = await checkPassword(site, read('name'), read('password'));
    if (operator === null) {
      log.warn('sign-in failed', { requestId });
      await limits.noteFailure(clientAddress);
      return await refuse(401, { ...values, error: WRONG });
    }
    const cookie = await sessions.start(request, operator);
    if (cookie === null) return await refuse(401, { ...values, error: WRONG });
    log.info('operator signed in', { requestId, operator: operator.id });
    return buildConsoleRedirect(values.next, { 'set-cookie': cookie });
  } catch (error) {
    if (!(error instanceof PasswordQueueError)) throw error;
    return await refuse(503, { ...values, error: 'Many passwords are being checked; try again shortly.' });
  }
}

function buildSignInPage(site: ConsoleSite, values: Partial<SignInPage>): SignInPage {
  const content = site.content.read();
  return {
    kind: 'sign-in',
    siteName: content.site.name,
    next: CONSOLE_PATH,
    name: '',
    error: null,
    ...values,
  };
}

/** Takes the same time whether or not there is an operator with the name. */
async function checkPassword(
  { hasher, operators: { accounts: operators } }: ConsoleSite,
  name: string,
  password: string,
): Promise<Operator | null> {
  const operator = await operators.findOperator(name);
  return (await hasher.verify(password, operator?.passwordHash ?? null)) ? operator : null;
}

/** The address that is opened after sign-in: a page of the console, else its first. */
export function parseNext(text: string | null): string {
  const [path, query] = splitTarget((text ?? '').slice(0, MAX_FIELD_LENGTH));
  const parts = parseConsolePath(path);
  if (parts === null || ['sign-in', 'sign-out', 'setup'].includes(parts[0] ?? '')) return CONSOLE_PATH;
  const cleaned = new URLSearchParams(query).toString();
  return cleaned === '' ? path : `${path}?${cleaned}`;
}

/** The field of a form in which an operator gives the password again. */
const CONFIRMATION_FIELD = 'confirm-password';

/**
 * Asks the operator who has posted a form for the password again, or a passkey, unless the session was confirmed in the
 * last minutes: a stolen session must not become access that outlives it. Returns null when the form
 * may do what it asks for; otherwise a page that posts it again, with the password. `purpose` names what it asks for,
 * `reason` says why.
 */
export async function confirmOperator(
  site: ConsoleSite,
  { context, parameters, render }: ConsoleRequest,
  {
    session,
    form,
    purpose,
    reason,
  }: {
    readonly session: ConsoleSession;
    readonly form: FormData;
    readonly purpose: string;
    readonly reason: string;
  },
): Promise<Response | null> {
  if (session.isConfirmed) return null;
  const { sessions, limits, hasher, log } = site;
  const { accounts: operators } = site.operators;
  const { id: operatorId, name } = session.viewer;
  const { fields, hasFile, hasSecret } = readRepeated(form);
  const search = parameters.toString();
  const ask = async (status: number, error: string | null) => {
    const hasPasskeys = (await operators.readPasskeys(operatorId)).length > 0;
    const page: ConfirmPage = {
      kind: 'confirm',
      siteName: site.content.read().site.name,
      action: context.req.path + (search && `?${search}`),
      token: session.formToken,
      fields,
      purpose,
      name,
      hasPasskeys,
      error,
      reason: [
        reason,
        hasFile && 'Only the file has to be chosen again afterwards.',
        hasSecret && 'The secret has to be typed in again afterwards.',
      ]
        .filter(Boolean)
        .join(' '),
      passwordField: CONFIRMATION_FIELD,
    };
    return render(page, status);
  };
  const password = String(form.get(CONFIRMATION_FIELD) ?? '').slice(0, MAX_FIELD_LENGTH);
  if (!isConfidential(site, context.req.raw)) return ask(403, NOT_CONFIDENTIAL);
  if (password === '') return ask(403, null);
  const waitSeconds = await limits.takeConfirmation(session.id);
  if (waitSeconds > 0) {
    const response = await ask(429, `Too many attempts. Try again in ${describeWait(waitSeconds)}.`);
    response.headers.set('retry-after', String(waitSeconds));
    return response;
  }
  const { requestId } = context.env;
  try {
    const operator = await operators.readOperator(operatorId);
    if (!(await hasher.verify(password, operator?.passwordHash ?? null))) {
      log.warn('confirmation failed', { requestId, operator: operatorId });
      return await ask(401, 'The password is wrong. Nothing was changed.');
    }
  } catch (error) {
    if (!(error instanceof PasswordQueueError)) throw error;
    return await ask(503, 'Many passwords are being checked; try again shortly.');
  }
  log.info('operator confirmed', { requestId, operator: operatorId });
  return (await sessions.confirm(session.id)) ? null : buildConsoleRedirect(CONSOLE_SIGN_IN_PATH);
}

/** A field whose text no page repeats. */
const SECRET_FIELD = 'secret';

/** The fields of a form that is posted again. A page cannot give a browser its file back. */
export function readRepeated(form: FormData) {
  const isRepeated = (field: string) =>
    !['token', CONFIRMATION_FIELD, SECRET_FIELD, 'password', 'current'].includes(field);
  const fields = Object.fromEntries(
    [...form].flatMap(([field, value]) =>
      typeof value === 'string' && isRepeated(field) ? [[field, value] as const] : [],
    ),
  );
  return {
    fields,
    hasSecret: form.has(SECRET_FIELD),
    hasFile: [...form.values()].some((value) => typeof value !== 'string' && value.size > 0),
  };
}

const MAX_SIGN_OUT_BYTES = 4_096;

/** Ends a session: a posted form with the token of the session. */
export async function signOut(
  { sessions, settings }: ConsoleSite,
  { context }: ConsoleRequest,
): Promise<Response> {
  const request = context.req.raw;
  const session = await sessions.readSession(request);
  if (request.method !== 'POST' || session === null) return buildConsoleRedirect(CONSOLE_PATH);
  if (!isSameOrigin(request.headers, getConsoleOrigin(settings))) return buildConsoleRedirect(CONSOLE_PATH);
  const form = await readConsoleForm(request, MAX_SIGN_OUT_BYTES);
  if (!createTokenCheck(session.formToken)(String(form.get('token') ?? '')))
    return buildConsoleRedirect(CONSOLE_PATH);
  return buildConsoleRedirect(CONSOLE_SIGN_IN_PATH, {
    'set-cookie': await sessions.end(request),
    'clear-site-data': '"cache"',
  });
}
