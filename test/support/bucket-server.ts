import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { sign } from 'aws4';
import S3rver from 's3rver';

const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const REGION = 'eu-central-1';

/** An S3 server on loopback. */
export interface BucketServer {
  /** What LEDGER_COPY and LEDGER_COPY_CREDENTIALS have. */
  readonly address: string;
  readonly endpoint: string;
  readonly credentials: string;
  /** How many requests were made, by method. */
  readonly counts: Map<string, number>;
  /** Responds to every request with a status, until null; `delayMs` holds each. */
  fail(status: number | null, delayMs?: number): void;
  close(): Promise<void>;
}

/**
 * Starts s3rver, which checks no signature of version 4 and has no conditional writes. In front of it, each signature is
 * computed again by `aws4`, another implementation than the one that signs, with the hash of the body; and an object
 * that is there is not written again (`If-None-Match`).
 */
export async function startBucketServer(directory: string): Promise<BucketServer> {
  const storage = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'copies', configs: [] }],
  });
  const { port: innerPort } = await storage.run();
  const counts = new Map<string, number>();
  let [failure, delay]: [number | null, number] = [null, 0];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const { method = '', url = '' } = request;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, delay));
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    if (failure !== null) return void refuse(failure, 'SlowDown');
    if (!isSigned(request, body)) return void refuse(403, 'SignatureDoesNotMatch');
    const isOnce = request.headers['if-none-match'] === '*';
    const file = path.join(directory, `${decodeURIComponent(url.split('?')[0] ?? '')}._S3rver_object`);
    if (method === 'PUT' && isOnce && existsSync(file)) return void refuse(412, 'PreconditionFailed');
    const { 'if-none-match': _, ...headers } = request.headers;
    const list = listAsFirstVersion(url);
    const inner = send(
      { host: '127.0.0.1', port: innerPort, path: list ?? url, method, headers },
      (result) => {
        if (list === null) {
          response.writeHead(result.statusCode ?? 500, result.headers);
          result.pipe(response);
        } else
          void text(result).then((xml) => response.writeHead(result.statusCode ?? 500).end(addToken(xml)));
      },
    );
    inner.on('error', () => response.destroy());
    inner.end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('the bucket does not listen');
  const endpoint = `http://127.0.0.1:${place.port}`;
  return {
    counts,
    endpoint,
    credentials: `${CREDENTIALS.accessKeyId}:${CREDENTIALS.secretAccessKey}`,
    address: `s3://copies/a/site?endpoint=${endpoint}&region=${REGION}`,
    fail(status, delayMs = 0) {
      [failure, delay] = [status, delayMs];
    },
    async close() {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), storage.close()]);
    },
  };
}

/** The address of a list of the second version as one of the first; null for another request. */
function listAsFirstVersion(url: string): string | null {
  const [place = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  if (parameters.get('list-type') !== '2') return null;
  const marker = Buffer.from(parameters.get('continuation-token') ?? '', 'base64').toString();
  return `${place}?${new URLSearchParams({ prefix: parameters.get('prefix') ?? '', marker })}`;
}

function addToken(xml: string): string {
  const last = [...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].at(-1)?.[1];
  if (!xml.includes('<IsTruncated>true') || last === undefined) return xml;
  const token = Buffer.from(last).toString('base64');
  return xml.replace(
    '</ListBucketResult>',
    `<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`,
  );
}

/** What `aws4` adds, which its types do not know. */
const UNSIGNED = { extraHeadersToIgnore: { 'content-type': true, 'content-length': true } };

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { authorization = '', host, 'x-amz-content-sha256': hash } = request.headers;
  if (hash !== createHash('sha256').update(body).digest('hex')) return false;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return false;
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
  const signed = sign(
    {
      service: 's3',
      region: REGION,
      host: String(host),
      method: String(request.method),
      path: String(request.url),
      headers,
      body,
      ...UNSIGNED,
    },
    CREDENTIALS,
  );
  return (
    String(signed.headers?.['Authorization']).replaceAll(', ', ',') === authorization.replaceAll(', ', ',')
  );
}
