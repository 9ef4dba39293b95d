import { request } from 'node:http';
import { brotliDecompressSync, constants } from 'node:zlib';

/** The body as it crosses the wire with brotli, not decoded. */
export function readBrotliBody(address: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      if (answer.headers['content-encoding'] !== 'br') {
        answer.destroy();
        reject(new Error(`${address} is not sent with brotli`));
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** The text that a browser can read once the first `bytes` of a brotli body have arrived. */
export function decodeFirst(body: Buffer, bytes: number): string {
  return brotliDecompressSync(body.subarray(0, bytes), {
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  }).toString();
}
