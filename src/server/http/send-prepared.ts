import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Encodings, pickEncoding } from '../compression.ts';

/** An answer whose body was compressed ahead. */
export interface PreparedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Strong validator of the uncompressed body, without quotes. */
  readonly etag: string;
  readonly encodings: Encodings;
}

/** Sends a prepared body in the form the client takes, or 304 when it has it already. */
export function sendPrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: PreparedAnswer,
): void {
  const encoding = pickEncoding(request.headers['accept-encoding']?.toString(), prepared.encodings);
  const body = prepared.encodings[encoding] ?? prepared.encodings.identity;
  const varies = prepared.encodings.br !== undefined || prepared.encodings.gzip !== undefined;
  const all: Record<string, string> = { ...prepared.headers };
  if (varies) all['vary'] = 'Accept-Encoding';
  if (prepared.status === 200) {
    all['etag'] = `"${prepared.etag}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    if (hasSame(request.headers['if-none-match'], all['etag'])) {
      response.writeHead(304, all);
      response.end();
      return;
    }
  }
  if (encoding !== 'identity') all['content-encoding'] = encoding;
  all['content-length'] = String(body.byteLength);
  response.writeHead(prepared.status, all);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function hasSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  );
}
