import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { MessageFields } from '../../core/commissions/ledger/commission-source.ts';
import type { NetworkFile } from '../../core/commissions/networks/network.schema.ts';
import { parseSentJson } from '../../core/text/parse-text.ts';

type Push = NonNullable<NetworkFile['push']>;
export type Signature = NonNullable<Push['signature']>;

/** A message as it arrived. */
export interface SignedMessage {
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly fields: MessageFields;
  /** ms since 1970. */
  readonly now: number;
}

const isEqual = (given: Uint8Array, expected: Uint8Array) =>
  given.length === expected.length && timingSafeEqual(given, expected);
const hash = (secret: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]) =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest();

const HEADER = 'x-webhook-signature';
const SVIX_TOLERANCE_SECONDS = 300;
const readSvixKey = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

type SignatureFunction<Result> = (message: SignedMessage, secret: string, spec: Signature) => Result;

/** The functions that `uses` of a signature can name. */
const SIGNATURES: Readonly<Record<Signature['uses'], SignatureFunction<Buffer>>> = {
  'hmac-hex': ({ body }, secret) => hash(secret, body),
  svix: ({ headers, body }, secret) =>
    hash(
      readSvixKey(secret),
      `${headers.get('svix-id') ?? ''}.${headers.get('svix-timestamp') ?? ''}.`,
      body,
    ),
  'digistore24-sha': ({ fields }, secret, { field = '' }) => {
    const names = Object.keys(fields).filter((name) => name !== field && String(fields[name] ?? '') !== '');
    const text = names.sort().map((name) => `${name}=${String(fields[name])}${secret}`);
    return createHash('sha512').update(text.join('')).digest();
  },
};

/** Each in the same time for every signature of the right length. */
const CHECKS: Readonly<Record<Signature['uses'], SignatureFunction<boolean>>> = {
  'hmac-hex': (message, secret, spec) => {
    const given = message.headers.get(spec.header ?? HEADER)?.trim() ?? '';
    const bytes = Buffer.from(/^[\da-f]{64}$/i.test(given) ? given : '', 'hex');
    return isEqual(bytes, SIGNATURES['hmac-hex'](message, secret, spec));
  },
  svix: (message, secret, spec) => {
    const { headers, now } = message;
    const time = headers.get('svix-timestamp') ?? '';
    if (!/^\d+$/.test(time) || Math.abs(now / 1000 - Number(time)) > SVIX_TOLERANCE_SECONDS) return false;
    const expected = SIGNATURES.svix(message, secret, spec);
    const given = (headers.get('svix-signature') ?? '').split(' ');
    return given.some((one) => isEqual(Buffer.from(one.replace(/^v1,/, ''), 'base64'), expected));
  },
  'digistore24-sha': (message, secret, spec) => {
    const given = String(message.fields[spec.field ?? ''] ?? '').toUpperCase();
    const expected = SIGNATURES['digistore24-sha'](message, secret, spec);
    return isEqual(Buffer.from(given), Buffer.from(expected.toString('hex').toUpperCase()));
  },
};

/** The header or field that has the signature of a message, with what it is by a secret. */
export function signMessage(spec: Signature, secret: string, message: SignedMessage): [string, string] {
  const signature = SIGNATURES[spec.uses](message, secret, spec);
  if (spec.uses === 'svix') return ['svix-signature', `v1,${signature.toString('base64')}`];
  return [spec.field ?? spec.header ?? HEADER, signature.toString('hex')];
}

/** The headers in which messages are signed, whatever network they are of. */
export const listSignatureHeaders = (files: Iterable<NetworkFile>): readonly string[] => [
  ...new Set([...files].flatMap(({ push }) => push?.signature?.header ?? []).concat('svix-signature')),
];

/** Whether a message has the signature of a secret. `headers`: those that may have it, of signatures by header. */
export function isSignatureValid(
  spec: Signature | undefined,
  secret: string,
  message: SignedMessage,
  headers: readonly string[],
): boolean {
  if (spec !== undefined && spec.uses !== 'hmac-hex') return CHECKS[spec.uses](message, secret, spec);
  // Every header that is present has to be right: no network sends a wrong one as well.
  const present = headers.filter((header) => message.headers.has(header) && !header.startsWith('svix-'));
  const isRight = (header: string) =>
    CHECKS['hmac-hex'](message, secret, { uses: 'hmac-hex', secret: '', header });
  return present.length > 0 && present.every(isRight);
}

/** The headers of a message that the site sends to itself as a test. */
export function signTest(
  spec: Signature | undefined,
  secret: string,
  body: string,
  now: number,
): Record<string, string> {
  if (spec?.uses === 'digistore24-sha') return {};
  const own = spec ?? { uses: 'hmac-hex', secret: '' };
  const headers =
    own.uses === 'svix' ? { 'svix-id': 'test', 'svix-timestamp': String(Math.floor(now / 1000)) } : {};
  const message = { headers: new Headers(headers), body: Buffer.from(body), fields: {}, now };
  const [name, text] = signMessage(own, secret, message);
  return { ...headers, [name]: text };
}

/** Decrypts a message (`clickbank-aes`); null for one that is not encrypted with this secret. */
export function decryptMessage(fields: MessageFields, secret: string): MessageFields | null {
  const key = createHash('sha1').update(secret).digest('hex').slice(0, 32);
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(String(fields['iv'] ?? ''), 'base64'));
    decipher.setAutoPadding(false);
    const bytes = Buffer.from(String(fields['notification'] ?? ''), 'base64');
    const text = Buffer.concat([decipher.update(bytes), decipher.final()]).toString();
    const value = parseSentJson(text.slice(0, text.lastIndexOf('}') + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
