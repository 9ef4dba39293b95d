import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../core/text/parse-text.ts';
import type { ConsoleSession } from '../../server/http/operator-sessions.ts';
import { readBody } from '../../server/http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../../server/http/responses.ts';
import type { AppContext } from '../../server/http/route.ts';
import { isLoopbackHost, isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { Operator, Passkey } from '../../stores/operators.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { ConsoleSite } from '../console-site.ts';
import { CONSOLE_HEADERS, type ConsoleRequest } from '../http.ts';
import { getConsoleOrigin } from './console-host.ts';

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

/** The form token of the session that sends a step. */
const sessionTokenSchema = z.object({ token: z.string().max(100) });

const passkeyRegistrationSchema = z.object({
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

const passkeyAssertionSchema = z.object({
  response: z.object({
    ...credential,
    response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }),
  }),
});

const CHALLENGE_MS = 5 * 60_000;
const CHALLENGE_BYTES = { random: 16, time: 6 };
const CHALLENGE_LENGTH = CHALLENGE_BYTES.random + CHALLENGE_BYTES.time;
/** The purposes of a challenge. One for a session belongs to that session alone. */
const SIGN_IN = 'sign-in';
const forRegistration = (session: ConsoleSession) => `register ${session.id}`;
const forConfirmation = (session: ConsoleSession) => `confirm ${session.id}`;

/** Where the console is: the origin that a browser has to name, and the domain that a passkey belongs to. */
export interface RelyingParty {
  readonly origin: string;
  readonly id: string;
}

/** Loaded with the first use: most processes of the site never need it, and it takes 20 MB. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Registers passkeys, and checks them for a sign-in or a confirmation (WebAuthn). A challenge is used once and belongs to
 * one purpose. It is signed instead of stored, so that no number of others can push it out; what is stored is that it was
 * used, after the signature of a passkey was found right. The device has to have checked that its owner is there,
 * because a passkey replaces the password.
 */
class PasskeyCeremonies {
  readonly #site: ConsoleSite;
  readonly #party: RelyingParty;

  constructor(site: ConsoleSite, party: RelyingParty) {
    this.#site = site;
    this.#party = party;
  }

  /** Builds what the browser needs to create a passkey for an operator. */
  async startRegistration(session: ConsoleSession) {
    const { accounts: operators } = this.#site.operators;
    const content = this.#site.content.read();
    const [operator, known] = await Promise.all([
      operators.readOperator(session.viewer.id),
      operators.readPasskeys(session.viewer.id),
    ]);
    if (operator === null) return null;
    const { generateRegistrationOptions } = await loadLibrary();
    return generateRegistrationOptions({
      challenge: this.#createChallenge(forRegistration(session)),
      rpName: content.site.name,
      rpID: this.#party.id,
      userName: operator.name,
      userDisplayName: operator.name,
      userID: new Uint8Array(Buffer.from(operator.passkeyUserId, 'base64url')),
      attestationType: 'none',
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** Stores a passkey that the browser has created; false when anything about it is wrong. */
  async register(
    session: ConsoleSession,
    { label, response }: z.output<typeof passkeyRegistrationSchema>,
  ): Promise<boolean> {
    const { clock } = this.#site;
    const { accounts: operators } = this.#site.operators;
    const { verifyRegistrationResponse } = await loadLibrary();
    const challenges: string[] = [];
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => this.#isIssued(challenge, forRegistration(session), challenges),
      expectedOrigin: this.#party.origin,
      expectedRPID: this.#party.id,
      requireUserVerification: true,
    }).catch(() => NOT_VERIFIED);
    if (!verified || registrationInfo === undefined || !(await this.#use(challenges))) return false;
    const { id, publicKey, counter } = registrationInfo.credential;
    if ((await operators.findPasskey(id)) !== null) return false;
    return operators.writePasskey({
      id,
      operatorId: session.viewer.id,
      label,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: response.response.transports,
      createdAt: clock.now(),
      usedAt: null,
    });
  }

  /**
   * Builds what the browser needs to use a passkey: one of an operator, or any. For a sign-in it names no operator, so it
   * tells nothing about who there is.
   */
  async startAssertion(purpose: string, operatorId: string | null) {
    const { generateAuthenticationOptions } = await loadLibrary();
    const known = operatorId === null ? [] : await this.#site.operators.accounts.readPasskeys(operatorId);
    return generateAuthenticationOptions({
      challenge: this.#createChallenge(purpose),
      rpID: this.#party.id,
      userVerification: 'required',
      allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    });
  }

  /** The operator whose passkey has signed a challenge; null when anything about it is wrong. */
  async checkAssertion(
    { response }: z.output<typeof passkeyAssertionSchema>,
    purpose: string,
  ): Promise<Operator | null> {
    const { clock } = this.#site;
    const { accounts: operators } = this.#site.operators;
    const passkey = await operators.findPasskey(response.id);
    if (passkey === null) return null;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const challenges: string[] = [];
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => this.#isIssued(challenge, purpose, challenges),
      expectedOrigin: this.#party.origin,
      expectedRPID: this.#party.id,
      credential: buildCredential(passkey),
      requireUserVerification: true,
    }).catch(() => NOT_VERIFIED);
    if (!verified || authenticationInfo === undefined || !(await this.#use(challenges))) return null;
    await operators.touchPasskey(passkey.id, authenticationInfo.newCounter, clock.now());
    return operators.readOperator(passkey.operatorId);
  }

  /** Random bytes, the time in ms since 1970, and the signature of both and the purpose. */
  #createChallenge(purpose: string): Uint8Array<ArrayBuffer> {
    const bytes = Buffer.alloc(CHALLENGE_LENGTH);
    randomBytes(CHALLENGE_BYTES.random).copy(bytes);
    bytes.writeUIntBE(this.#site.clock.now(), CHALLENGE_BYTES.random, CHALLENGE_BYTES.time);
    return new Uint8Array(Buffer.concat([bytes, this.#sign(bytes, purpose)]));
  }

  /** Whether a challenge was created for a purpose in the last minutes; it is added to `found` then. */
  #isIssued(challenge: string, purpose: string, found: string[]): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    const signed = bytes.subarray(0, CHALLENGE_LENGTH);
    if (signed.byteLength < CHALLENGE_LENGTH) return false;
    const signature = this.#sign(signed, purpose).toString('base64url');
    if (!createTokenCheck(signature)(bytes.subarray(CHALLENGE_LENGTH).toString('base64url'))) return false;
    const age = this.#site.clock.now() - signed.readUIntBE(CHALLENGE_BYTES.random, CHALLENGE_BYTES.time);
    found.push(signed.toString('base64url'));
    return age >= 0 && age < CHALLENGE_MS;
  }

  /** Uses up a challenge: of several callers one gets true. */
  async #use(challenges: readonly string[]): Promise<boolean> {
    const { clock } = this.#site;
    const { temporaryValues } = this.#site.operators;
    const once = { intervalMs: CHALLENGE_MS, burst: 1 };
    return (await temporaryValues.takeAttempt(`challenge ${challenges.join()}`, once, clock.now())) === 0;
  }

  #sign(bytes: Uint8Array, purpose: string): Buffer {
    return createHmac('sha256', this.#site.signingKey).update(`challenge ${purpose} `).update(bytes).digest();
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

/** What responds to a step without a session. */
const OPEN_STEPS: Readonly<
  Record<
    string,
    (
      site: ConsoleSite,
      body: unknown,
      context: AppContext,
      ceremonies: PasskeyCeremonies,
    ) => Promise<Response>
  >
> = {
  'start-sign-in': async (_, __, ___, ceremonies) => respond(await ceremonies.startAssertion(SIGN_IN, null)),
  'sign-in': async ({ sessions, log }, body, context, ceremonies) => {
    const parsed = passkeyAssertionSchema.safeParse(body);
    const operator = parsed.success ? await ceremonies.checkAssertion(parsed.data, SIGN_IN) : null;
    const cookie = operator && (await sessions.start(context.req.raw, operator));
    const { requestId } = context.env;
    if (operator === null || cookie === null) {
      log.warn('sign-in failed', { requestId });
      return refuse(context, 'The passkey is not known here.');
    }
    log.info('operator signed in', { requestId, operator: operator.id });
    return respond({}, { 'set-cookie': cookie });
  },
};

interface SessionStep {
  /** The step confirms that the operator is there. Every other one is for a session that was confirmed before. */
  readonly confirms?: true;
  respond(
    site: ConsoleSite,
    body: unknown,
    session: ConsoleSession,
    ceremonies: PasskeyCeremonies,
  ): Promise<object | string>;
}

/** Steps that need a session and its form token: each returns what the browser gets, or why it is refused. */
const SESSION_STEPS: Readonly<Record<string, SessionStep>> = {
  'start-confirmation': {
    confirms: true,
    respond: (_, __, session, ceremonies) =>
      ceremonies.startAssertion(forConfirmation(session), session.viewer.id),
  },
  confirm: {
    confirms: true,
    async respond({ sessions, log }, body, session, ceremonies) {
      const parsed = passkeyAssertionSchema.safeParse(body);
      const operator = parsed.success
        ? await ceremonies.checkAssertion(parsed.data, forConfirmation(session))
        : null;
      const isConfirmed = operator?.id === session.viewer.id && (await sessions.confirm(session.id));
      if (!isConfirmed) return 'The passkey is not one of yours.';
      log.info('operator confirmed', { operator: session.viewer.id });
      return {};
    },
  },
  'start-registration': {
    respond: async (_, __, session, ceremonies) =>
      (await ceremonies.startRegistration(session)) ?? 'Sign in again.',
  },
  register: {
    async respond(site, body, session, ceremonies) {
      const parsed = passkeyRegistrationSchema.safeParse(body);
      const isStored = parsed.success && (await ceremonies.register(session, parsed.data));
      if (!isStored) return 'The passkey could not be checked.';
      await noteActivity(site, session.viewer, 'access', 'Added a passkey.');
      return {};
    },
  },
};

/** The steps that give access, by name: a confirmed session has to send them. */
export const CONFIRMED_PASSKEY_STEPS = Object.keys(SESSION_STEPS).filter(
  (name) => SESSION_STEPS[name]?.confirms !== true,
);

/** Responds to scripts that send JSON: `POST passkeys/{step}`, by the names of the steps above. */
export async function usePasskeys(site: ConsoleSite, { context, parts }: ConsoleRequest): Promise<Response> {
  const { requestId } = context.env;
  const siteOrigin = getConsoleOrigin(site.settings);
  const name = parts[1] ?? '';
  const find = <Step>(steps: Readonly<Record<string, Step>>) =>
    parts.length === 2 && Object.hasOwn(steps, name) ? steps[name] : undefined;
  const [open, step] = [find(OPEN_STEPS), find(SESSION_STEPS)];
  if (open === undefined && step === undefined) return buildProblem('not-found', requestId);
  const { raw } = context.req;
  if (raw.method !== 'POST')
    return buildProblem('method-not-allowed', requestId, { headers: { allow: 'POST' } });
  if (!isSameOrigin(raw.headers, siteOrigin)) return buildProblem('cross-site', requestId);
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? ''))
    return buildProblem('unsupported-media-type', requestId);
  const party = buildRelyingParty(siteOrigin, raw.headers.get('host') ?? '');
  if (party === null) return refuse(context, 'Passkeys need an https address or localhost.');
  const body = parseJson(new TextDecoder().decode(await readBody(raw, MAX_BODY_BYTES)));
  const ceremonies = new PasskeyCeremonies(site, party);
  if (open !== undefined) return open(site, body, context, ceremonies);
  const session = await readSender(site, body, context);
  if (session === null) return refuse(context, 'Sign in again.');
  if (step?.confirms !== true && !session.isConfirmed)
    return refuse(context, 'Confirm first that it is you: load the settings again.');
  const result = (await step?.respond(site, body, session, ceremonies)) ?? '';
  return typeof result === 'string' ? refuse(context, result) : respond(result);
}

const respond = (value: object, headers: Readonly<Record<string, string>> = {}) =>
  buildJsonResponse(value, 200, { ...CONSOLE_HEADERS, ...headers });

const refuse = ({ env }: AppContext, detail: string) =>
  buildProblem('invalid-request', env.requestId, { detail });

/** The session that a body with a form token was sent by. */
async function readSender(
  { sessions }: ConsoleSite,
  body: unknown,
  { req }: AppContext,
): Promise<ConsoleSession | null> {
  const parsed = sessionTokenSchema.safeParse(body);
  const session = await sessions.readSession(req.raw);
  if (!parsed.success || session === null) return null;
  return createTokenCheck(session.formToken)(parsed.data.token) ? session : null;
}

/** Browsers allow passkeys over TLS and at localhost. */
function buildRelyingParty(siteOrigin: string | null, host: string): RelyingParty | null {
  if (siteOrigin?.startsWith('https:')) return { origin: siteOrigin, id: new URL(siteOrigin).hostname };
  return isLoopbackHost(host) ? { origin: `http://${host}`, id: new URL(`http://${host}`).hostname } : null;
}
