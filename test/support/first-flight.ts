import { type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** A response as it crosses the wire, its body not decoded. `accepted`: what the client says it takes. */
export function fetchEncoded(
  address: string,
  accepted: string,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: { 'accept-encoding': accepted } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** The body as it crosses the wire with brotli, not decoded. Rejects when it is sent in another form. */
export async function readBrotliBody(address: string): Promise<Buffer> {
  const { headers, body } = await fetchEncoded(address, 'br');
  if (headers['content-encoding'] !== 'br') throw new Error(`${address} is not sent with brotli`);
  return body;
}

/** The body as it is sent from the third request on, compressed at the highest level. Gives up after ten seconds. */
export async function readSmallestBody(address: string): Promise<Buffer> {
  for (const until = performance.now() + 10_000; performance.now() < until; ) {
    const { headers, body } = await fetchEncoded(address, 'br');
    if (headers['content-encoding'] === 'br' && !headers.etag?.includes('-fast')) return body;
    await setTimeout(20);
  }
  throw new Error(`${address} is not compressed at the highest level`);
}
