import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import {
  CopyConflictError,
  type CopyTarget,
  createFolderCopyTarget,
  parseSegmentName,
} from '../../stores/copy-segments.ts';

/** A place in a bucket of S3, or of a service with its API. */
export interface BucketAddress {
  /** `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** Opens the place of a copy: a folder, or a bucket with its credentials. */
export function openCopyTarget(place: string | BucketAddress | null, credentials: string): CopyTarget {
  if (place === null) throw new Error('LEDGER_COPY names no place');
  return typeof place === 'string'
    ? createFolderCopyTarget(place)
    : createBucketCopyTarget(place, credentials);
}

const TIMEOUT_MS = 15_000;

/**
 * Stores a copy in a bucket. Objects are written once (`If-None-Match`), so a service without conditional writes is
 * refused by its own response. `credentials`: id and secret of an access key, separated by a colon.
 */
export function createBucketCopyTarget(address: BucketAddress, credentials: string): CopyTarget {
  const [accessKeyId = '', ...secret] = credentials.split(':');
  const { region, prefix } = address;
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey: secret.join(':'), region, service: 's3' },
    // What failed is tried again by what copies, which says so.
    retries: 0,
  });
  const root = `${address.endpoint}/${address.bucket}`;
  const send = async (method: string, path: string, body?: Uint8Array, headers?: Record<string, string>) => {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const request = { method, headers: { ...headers, 'x-amz-content-sha256': hash } };
    try {
      const response = await client.fetch(`${root}${path}`, {
        ...{ ...request, signal: AbortSignal.timeout(TIMEOUT_MS) },
        ...(body && { body: new Uint8Array(body) }),
      });
      return { status: response.status, content: new Uint8Array(await response.arrayBuffer()) };
    } catch (error) {
      const { message, cause } = error instanceof Error ? error : new Error(String(error));
      throw new Error(`the bucket does not respond: ${cause instanceof Error ? cause.message : message}`, {
        cause: error,
      });
    }
  };
  const refuse = (method: string, { status, content }: { status: number; content: Uint8Array }) => {
    const text = Buffer.from(content).toString();
    const code = /<Code>([\w.]+)<\/Code>/.exec(text)?.[1];
    return new Error(`the bucket refuses ${method}: ${status}${code ? ` ${code}` : ''}`);
  };
  const get = async (name: string) => {
    const response = await send('GET', `/${prefix}${name}`);
    if (response.status === 404) return null;
    if (response.status !== 200) throw refuse('GET', response);
    return response.content;
  };
  return {
    get,
    async put(name, content) {
      const response = await send('PUT', `/${prefix}${name}`, content, { 'if-none-match': '*' });
      if (response.status === 200) return;
      if (response.status !== 412) throw refuse('PUT', response);
      const stored = await get(name);
      if (stored === null || !Buffer.from(stored).equals(content)) throw new CopyConflictError(name);
    },
    async list() {
      const names: string[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const parameters = new URLSearchParams({ 'list-type': '2', prefix });
        if (token !== '') parameters.set('continuation-token', token);
        const response = await send('GET', `?${parameters}`);
        if (response.status !== 200) throw refuse('a list', response);
        // Names of segments and tokens have no character that XML would write in another way.
        const xml = Buffer.from(response.content).toString();
        for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(key.slice(prefix.length));
        token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
      }
      return names.filter(parseSegmentName).sort();
    },
    async remove(name) {
      const response = await send('DELETE', `/${prefix}${name}`);
      if (![200, 204, 404].includes(response.status)) throw refuse('DELETE', response);
    },
  };
}
