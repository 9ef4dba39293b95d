/** One request as it goes over the wire: Latin-1 text, one character a byte. */
export interface RawRequest {
  /** What it is, for the report. */
  readonly name: string;
  readonly bytes: string;
}

/** Parts of a request that is sent exactly as given: nothing is checked or corrected. */
export interface RawParts {
  readonly method?: string;
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Sent with its length unless a header says otherwise. */
  readonly body?: string;
}

/** UTF-8 bytes of a text, one character a byte. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Percent-encodes every byte that is not a letter or digit, so that a value arrives whole in any place. */
export function encodeAll(text: string): string {
  return toBytes(text).replace(
    /[^A-Za-z0-9]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

/** A text as a request line may contain it: control bytes and blanks encoded, everything else as it is. */
export function encodeTarget(text: string): string {
  return toBytes(text).replace(/[^!-~\u0080-\u00ff]/g, (byte) => encodeAll(byte));
}

/** Writes a request that ends its connection, with the headers that every client sends unless they are given. */
export function buildRaw({ method = 'GET', target, headers = [], body }: RawParts): string {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const isFramed = given.has('content-length') || given.has('transfer-encoding');
  const all: (readonly [string, string])[] = [
    ...(given.has('host') ? [] : ([['Host', '127.0.0.1']] as const)),
    ...(given.has('connection') ? [] : ([['Connection', 'close']] as const)),
    ...headers,
    ...(body === undefined || isFramed ? [] : ([['Content-Length', String(body.length)]] as const)),
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/1.1\r\n${lines}\r\n${body ?? ''}`;
}
