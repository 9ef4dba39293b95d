import { z } from 'zod';
import type { Operator, Passkey } from '../../core/console/operator.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { readBody } from '../../server/http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../../server/http/responses.ts';
import type { AppContext } from '../../server/http/route.ts';
import { isLoopbackHost, isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { ConsoleSite } from '../console-site.ts';
import { CONSOLE_HEADERS, type ConsoleRequest } from '../http.ts';
import { getConsoleOrigin } from './admission.ts';

/** Bytes as base64url. */
const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const id = bytes.min(1).max(1_400);

const credential = {
  id,
  rawId: id,
  type: z.literal('public-key'),
  // Nothing is asked for, so nothing that comes is used.
  clientExtensionResults: z.looseObject({}).transform(() => ({})),
};

const passkeyStartSchema = z.object({ token: z.string().max(100) });

const passkeyRegistrationSchema = z.object({
  token: z.string().max(100),
  label: z.string().trim().min(1).max(60),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .default([]),
    }),
  }),
});

const passkeySignInSchema = z.object({
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
  }),
});

const CHALLENGE_MS = 5 * 60_000;
const MAX_CHALLENGES = 2_000;
/** The purpose of a challenge that signs in; one that registers has the id of its session. */
const SIGN_IN = 'sign-in';

/** Where the console is: the origin that a browser has to name, and the domain that a passkey belongs to. */
export interface RelyingParty {
  readonly origin: string;
  readonly id: string;
}

/** Loaded with the first use: most processes of the site never need it, and it takes 20 MB. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Registers passkeys and signs in with them (WebAuthn). A challenge is used once and belongs to one purpose; the device
 * has to have checked that its owner is there, because a passkey replaces the password.
 */
class PasskeyCeremonies {
  readonly #site: ConsoleSite;

  constructor(site: ConsoleSite) {
    this.#site = site;
  }

  /** Builds what the browser needs to create a passkey for an operator. */
  async startRegistration(operatorId: string, sessionId: string, party: RelyingParty) {
    const { operators, content } = this.#site;
    const [operator, known] = await Promise.all([
      operators.readOperator(operatorId),
      operators.readPasskeys(operatorId),
    ]);
    if (operator === null) return null;
    const { generateRegistrationOptions } = await loadLibrary();
    const options = await generateRegistrationOptions({
      rpName: content.site.name,
      rpID: party.id,
      userName: operator.name,
      userDisplayName: operator.name,
      userID: new Uint8Array(Buffer.from(operator.passkeyUserId, 'base64url')),
      attestationType: 'none',
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.#keep(options.challenge, sessionId);
    return options;
  }

  /** Stores a passkey that the browser has created; false when anything about it is wrong. */
  async register(
    operatorId: string,
    sessionId: string,
    { label, response }: z.output<typeof passkeyRegistrationSchema>,
    party: RelyingParty,
  ): Promise<boolean> {
    const { operators, clock } = this.#site;
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => this.#take(challenge, sessionId),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }).catch(() => NOT_VERIFIED);
    if (!verified || registrationInfo === undefined) return false;
    const { id, publicKey, counter } = registrationInfo.credential;
    if ((await operators.findPasskey(id)) !== null) return false;
    await operators.writePasskey({
      id,
      operatorId,
      label,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: response.response.transports,
      createdAt: clock.now(),
      usedAt: null,
    });
    return true;
  }

  /** Builds what the browser needs to sign in; it names no operator, so it tells nothing about who there is. */
  async startSignIn(party: RelyingParty) {
    const { generateAuthenticationOptions } = await loadLibrary();
    const options = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required' });
    await this.#keep(options.challenge, SIGN_IN);
    return options;
  }

  /** The operator whose passkey has signed a challenge; null when anything about it is wrong. */
  async signIn(
    { response }: z.output<typeof passkeySignInSchema>,
    party: RelyingParty,
  ): Promise<Operator | null> {
    const { operators, clock } = this.#site;
    const passkey = await operators.findPasskey(response.id);
    if (passkey === null) return null;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#take(challenge, SIGN_IN),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: buildCredential(passkey),
      requireUserVerification: true,
    }).catch(() => NOT_VERIFIED);
    if (!verified || authenticationInfo === undefined) return null;
    await operators.touchPasskey(passkey.id, authenticationInfo.newCounter, clock.now());
    return operators.readOperator(passkey.operatorId);
  }

  async #keep(challenge: string, purpose: string): Promise<void> {
    const { temporaryValues, clock } = this.#site;
    const now = clock.now();
    const expiresAt = now + CHALLENGE_MS;
    const value = { kind: 'challenge', key: challenge, value: purpose, expiresAt } as const;
    await temporaryValues.put(value, { now, max: MAX_CHALLENGES });
  }

  /** Uses up a challenge; false unless it was issued for the purpose. */
  async #take(challenge: string, purpose: string): Promise<boolean> {
    const { temporaryValues, clock } = this.#site;
    return (await temporaryValues.take('challenge', challenge, clock.now())) === purpose;
  }
}

const NOT_VERIFIED = { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const;

function buildCredential({ id, publicKey, counter, transports }: Passkey) {
  return {
    id,
    publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
    counter,
    transports: [...transports],
  };
}

const MAX_BODY_BYTES = 65_536;

type Step = (site: ConsoleSite, body: unknown, context: AppContext, party: RelyingParty) => Promise<Response>;

const STEPS: Readonly<Record<string, Step>> = {
  'start-sign-in': async (site, _, __, party) =>
    respond(await new PasskeyCeremonies(site).startSignIn(party)),
  'sign-in': async (site, body, context, party) => {
    const { sessions, log } = site;
    const parsed = passkeySignInSchema.safeParse(body);
    const operator = parsed.success ? await new PasskeyCeremonies(site).signIn(parsed.data, party) : null;
    const { requestId } = context.env;
    if (operator === null) {
      log.warn('sign-in failed', { requestId });
      return refuse(context, 'The passkey is not known here.');
    }
    log.info('operator signed in', { requestId, operator: operator.id });
    return respond({}, { 'set-cookie': await sessions.start(context.req.raw, operator) });
  },
  'start-registration': async (site, body, context, party) => {
    const sender = await readSender(site, passkeyStartSchema, body, context);
    const ceremonies = new PasskeyCeremonies(site);
    const started =
      sender && (await ceremonies.startRegistration(sender.operatorId, sender.sessionId, party));
    return started === null ? refuse(context, 'Sign in again.') : respond(started);
  },
  register: async (site, body, context, party) => {
    const sender = await readSender(site, passkeyRegistrationSchema, body, context);
    if (sender === null) return refuse(context, 'Sign in again.');
    const { operatorId, sessionId, values } = sender;
    const isStored = await new PasskeyCeremonies(site).register(operatorId, sessionId, values, party);
    return isStored ? respond({}) : refuse(context, 'The passkey could not be checked.');
  },
};

/**
 * Responds to scripts that send JSON: `POST passkeys/{start-sign-in,sign-in,start-registration,register}`. The last two
 * need a session and its form token.
 */
export async function usePasskeys(site: ConsoleSite, { context, parts }: ConsoleRequest): Promise<Response> {
  const { requestId } = context.env;
  const siteOrigin = getConsoleOrigin(site.settings);
  const name = parts[1] ?? '';
  const step = parts.length === 2 && Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
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
  return step(site, parseJson(body), context, party);
}

const respond = (value: object, headers: Readonly<Record<string, string>> = {}) =>
  buildJsonResponse(value, 200, { ...CONSOLE_HEADERS, ...headers });

const refuse = ({ env }: AppContext, detail: string) =>
  buildProblem('invalid-request', env.requestId, { detail });

/** The session that a body with a form token was sent by. */
async function readSender<Schema extends z.ZodType<{ readonly token: string }>>(
  { sessions }: ConsoleSite,
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
