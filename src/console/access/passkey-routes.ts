import type { z } from 'zod';
import { parseJson } from '../../core/text/parse-text.ts';
import { buildJsonResponse } from '../../server/http/json-post.ts';
import { buildProblem } from '../../server/http/problem.ts';
import { readBody } from '../../server/http/request-body.ts';
import type { AppContext } from '../../server/http/route.ts';
import { isLoopbackHost, isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { Log } from '../../server/log.ts';
import type { ConsoleEntrance } from '../console-app.ts';
import { CONSOLE_HEADERS } from '../console-response.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { passkeyRegistrationSchema, passkeySignInSchema, passkeyStartSchema } from './passkey.schema.ts';
import type { PasskeyCeremonies, RelyingParty } from './passkey-ceremonies.ts';

const MAX_BODY_BYTES = 65_536;

export interface PasskeyRoutesOptions {
  readonly ceremonies: PasskeyCeremonies;
  readonly sessions: OperatorSessions;
  /** Origin of the console; null when none is configured (loopback only). */
  readonly siteOrigin: string | null;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

type Step = (body: unknown, context: AppContext, party: RelyingParty) => Promise<Response>;

/**
 * Creates the routes that scripts call with JSON: `POST passkeys/{start-sign-in,sign-in,start-registration,register}`.
 * The last two need a session and its form token.
 */
export function createPasskeyRoutes(options: PasskeyRoutesOptions): ConsoleEntrance {
  const { ceremonies, sessions, siteOrigin, log } = options;

  const steps: Readonly<Record<string, Step>> = {
    'start-sign-in': async (_, __, party) => respond(await ceremonies.startSignIn(party)),
    'sign-in': async (body, context, party) => {
      const parsed = passkeySignInSchema.safeParse(body);
      const operator = parsed.success ? await ceremonies.signIn(parsed.data, party) : null;
      const { requestId } = context.env;
      if (operator === null) {
        log.warn('sign-in failed', { requestId });
        return refuse(context, 'The passkey is not known here.');
      }
      log.info('operator signed in', { requestId, operator: operator.id });
      return respond({}, { 'set-cookie': await sessions.start(context.req.raw, operator) });
    },
    'start-registration': async (body, context, party) => {
      const sender = await readSender(sessions, passkeyStartSchema, body, context);
      const started =
        sender && (await ceremonies.startRegistration(sender.operatorId, sender.sessionId, party));
      return started === null ? refuse(context, 'Sign in again.') : respond(started);
    },
    register: async (body, context, party) => {
      const sender = await readSender(sessions, passkeyRegistrationSchema, body, context);
      if (sender === null) return refuse(context, 'Sign in again.');
      const { operatorId, sessionId, values } = sender;
      const isStored = await ceremonies.register(operatorId, sessionId, values, party);
      return isStored ? respond({}) : refuse(context, 'The passkey could not be checked.');
    },
  };

  return async ({ context, parts }) => {
    const { requestId } = context.env;
    const name = parts[1] ?? '';
    const step = parts.length === 2 && Object.hasOwn(steps, name) ? steps[name] : undefined;
    if (step === undefined) return buildProblem('not-found', requestId);
    const { raw } = context.req;
    if (raw.method !== 'POST')
      return buildProblem('method-not-allowed', requestId, { headers: { allow: 'POST' } });
    if (!isSameOrigin(raw.headers, siteOrigin)) return buildProblem('cross-site', requestId);
    if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? ''))
      return buildProblem('unsupported-media-type', requestId);
    const party = buildRelyingParty(siteOrigin, raw.headers.get('host') ?? '');
    if (party === null) return refuse(context, 'Passkeys need an https address or localhost.');
    const body = new TextDecoder().decode(await readBody(raw, MAX_BODY_BYTES));
    return step(parseJson(body), context, party);
  };
}

const respond = (value: object, headers: Readonly<Record<string, string>> = {}) =>
  buildJsonResponse(value, 200, { ...CONSOLE_HEADERS, ...headers });

const refuse = ({ env }: AppContext, detail: string) =>
  buildProblem('invalid-request', env.requestId, { detail });

/** The session that a body with a form token was sent by. */
async function readSender<Schema extends z.ZodType<{ readonly token: string }>>(
  sessions: OperatorSessions,
  schema: Schema,
  body: unknown,
  { req }: AppContext,
) {
  const parsed = schema.safeParse(body);
  const session = await sessions.readSession(req.raw);
  if (!parsed.success || session === null) return null;
  if (!createTokenCheck(session.formToken)(parsed.data.token)) return null;
  return { values: parsed.data, sessionId: session.id, operatorId: session.viewer.id };
}

/** Browsers allow passkeys over TLS and at localhost. */
function buildRelyingParty(siteOrigin: string | null, host: string): RelyingParty | null {
  if (siteOrigin?.startsWith('https:')) return { origin: siteOrigin, id: new URL(siteOrigin).hostname };
  return isLoopbackHost(host) ? { origin: `http://${host}`, id: new URL(`http://${host}`).hostname } : null;
}
