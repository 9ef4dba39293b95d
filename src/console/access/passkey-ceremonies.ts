import type { z } from 'zod';
import type { Operator, Passkey } from '../../core/console/operator.ts';
import type { OperatorStore } from '../../stores/operators.ts';
import type { TemporaryStore } from '../../stores/temporary-values.ts';
import type { passkeyRegistrationSchema, passkeySignInSchema } from './passkey.schema.ts';

const CHALLENGE_MS = 5 * 60_000;
const MAX_CHALLENGES = 2_000;
/** The purpose of a challenge that signs in; one that registers has the id of its session. */
const SIGN_IN = 'sign-in';

/** Where the console is: the origin that a browser has to name, and the domain that a passkey belongs to. */
export interface RelyingParty {
  readonly origin: string;
  readonly id: string;
}

interface PasskeyOptions {
  readonly getStore: () => OperatorStore;
  readonly getTemporary: () => TemporaryStore;
  readonly siteName: string;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
}

/** Loaded with the first use: most processes of the site never need it, and it takes 20 MB. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Registers passkeys and signs in with them (WebAuthn). A challenge is used once and belongs to one purpose; the device
 * has to have checked that its owner is there, because a passkey replaces the password.
 */
export class PasskeyCeremonies {
  readonly #options: PasskeyOptions;

  constructor(options: PasskeyOptions) {
    this.#options = options;
  }

  /** Builds what the browser needs to create a passkey for an operator. */
  async startRegistration(operatorId: string, sessionId: string, party: RelyingParty) {
    const { getStore, siteName } = this.#options;
    const [operator, known] = await Promise.all([
      getStore().readOperator(operatorId),
      getStore().readPasskeys(operatorId),
    ]);
    if (operator === null) return null;
    const { generateRegistrationOptions } = await loadLibrary();
    const options = await generateRegistrationOptions({
      rpName: siteName,
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
    const { getStore, now } = this.#options;
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
    if ((await getStore().findPasskey(id)) !== null) return false;
    await getStore().writePasskey({
      id,
      operatorId,
      label,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: response.response.transports,
      createdAt: now(),
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
    const { getStore, now } = this.#options;
    const passkey = await getStore().findPasskey(response.id);
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
    await getStore().touchPasskey(passkey.id, authenticationInfo.newCounter, now());
    return getStore().readOperator(passkey.operatorId);
  }

  async #keep(challenge: string, purpose: string): Promise<void> {
    const { getTemporary, now } = this.#options;
    const expiresAt = now() + CHALLENGE_MS;
    const value = { kind: 'challenge', key: challenge, value: purpose, expiresAt } as const;
    await getTemporary().put(value, { now: now(), max: MAX_CHALLENGES });
  }

  /** Uses up a challenge; false unless it was issued for the purpose. */
  async #take(challenge: string, purpose: string): Promise<boolean> {
    const { getTemporary, now } = this.#options;
    return (await getTemporary().take('challenge', challenge, now())) === purpose;
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
