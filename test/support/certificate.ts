import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes a value of ASN.1 in DER. */
function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length.toString(16);
  const digits = Buffer.from(size.padStart(size.length + (size.length % 2), '0'), 'hex');
  const length = body.length < 128 ? digits : Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const sequence = (...parts: readonly Uint8Array[]) => encode(0x30, ...parts);
const identifier = (hex: string) => encode(0x06, Buffer.from(hex, 'hex'));
const time = (at: number) =>
  encode(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const COMMON_NAME = identifier('550403');
const ALTERNATIVE_NAME = identifier('551d11');

/** Creates a certificate for a host, signed by its own key, that ends at a moment (ms since 1970). */
export function createCertificate(
  host: string,
  end: number,
): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(encode(0x31, sequence(COMMON_NAME, encode(0x0c, Buffer.from(host)))));
  const names = sequence(encode(0x82, Buffer.from(host)));
  const body = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    encode(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(end - 86_400_000 * 30), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, sequence(sequence(ALTERNATIVE_NAME, encode(0x04, names)))),
  );
  const signature = encode(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
