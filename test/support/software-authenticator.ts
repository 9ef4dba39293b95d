import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

/** What a ceremony starts with, as far as an authenticator needs it. */
interface CeremonyOptions {
  readonly challenge: string;
}

/**
 * Creates an authenticator with one passkey (ES256, no attestation, no counter) for the pages of an origin: `create`
 * responds to a registration, `get` to a sign-in or confirmation, as a browser sends it.
 */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const buildData = (flags: number, rest: Uint8Array = new Uint8Array()) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), Buffer.alloc(4), rest]);
  const buildClientData = (type: string, { challenge }: CeremonyOptions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const respond = (response: Readonly<Record<string, Uint8Array>>) => ({
    id: encode(id),
    rawId: encode(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, encode(bytes)])),
  });
  return {
    id: encode(id),
    create(options: CeremonyOptions) {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array<ArrayBuffer>>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      );
      const rest = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.byteLength]), id, key]);
      const authData = buildData(FLAGS.present | FLAGS.verified | FLAGS.attested, rest);
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      return respond({ clientDataJSON: buildClientData('webauthn.create', options), attestationObject });
    },
    get(options: CeremonyOptions) {
      const clientDataJSON = buildClientData('webauthn.get', options);
      const authenticatorData = buildData(FLAGS.present | FLAGS.verified);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return respond({ clientDataJSON, authenticatorData, signature });
    },
  };
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
