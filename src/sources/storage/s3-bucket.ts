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

/** A response of a bucket. */
interface BucketResponse {
  readonly status: number;
  readonly content: Uint8Array;
}

/**
 * Creates what sends signed requests to a bucket, and rejects unless the response has one of the expected statuses.
 * `credentials`: id and secret of an access key, separated by a colon.
 */
function createSender({ endpoint, bucket, region }: BucketAddress, credentials: string) {
  const [accessKeyId = '', ...secret] = credentials.split(':');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: secret.join(':'),
    region,
    service: 's3',
    // What failed is tried again by what copies, which says so.
    retries: 0,
  });
  return async (
    method: string,
    path: string,
    expected: readonly number[],
    body?: Uint8Array,
  ): Promise<BucketResponse> => {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    // An object is written once: a service without conditional writes refuses it.
    const headers = { 'x-amz-content-sha256': hash, ...(body && { 'if-none-match': '*' }) };
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: new Uint8Array(body) }),
    };
    const { status, content } = await client.fetch(`${endpoint}/${bucket}${path}`, init).then(
      async (response) => ({
        status: response.status,
        content: new Uint8Array(await response.arrayBuffer()),
      }),
      ({ message, cause }: Error) => {
        const reason = cause instanceof Error ? cause.message : message;
        throw new Error(`the bucket does not respond: ${reason}`, { cause });
      },
    );
    if (expected.includes(status)) return { status, content };
    const code = /<Code>([\w.]+)<\/Code>/.exec(Buffer.from(content).toString())?.[1] ?? '';
    throw new Error(`the bucket refuses ${method}: ${status} ${code}`.trim());
  };
}

/** Stores a copy in a bucket. */
function createBucketCopyTarget(address: BucketAddress, credentials: string): CopyTarget {
  const { prefix } = address;
  const send = createSender(address, credentials);
  const get = async (name: string) => {
    const { status, content } = await send('GET', `/${prefix}${name}`, [200, 404]);
    return status === 404 ? null : content;
  };
  return {
    get,
    // What is written first tells as much.
    probe: () => Promise.resolve(),
    async put(name, content) {
      const { status } = await send('PUT', `/${prefix}${name}`, [200, 412], content);
      const stored = status === 412 ? await get(name) : content;
      if (stored === null || !Buffer.from(stored).equals(content)) throw new CopyConflictError(name);
    },
    async list() {
      const names: string[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const parameters = new URLSearchParams({ 'list-type': '2', prefix });
        if (token !== '') parameters.set('continuation-token', token);
        const { content } = await send('GET', `?${parameters}`, [200]);
        // Names of segments and tokens have no character that XML would write in another way.
        const xml = Buffer.from(content).toString();
        for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(key.slice(prefix.length));
        token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
      }
      return names.filter(parseSegmentName).sort();
    },
    async remove(name) {
      await send('DELETE', `/${prefix}${name}`, [200, 204, 404]);
    },
  };
}
