import { createBody } from '../compression.ts';
import type { HttpAnswer } from './message.ts';

/** Below this an answer of a handler fits into a few packets as it is; bytes. */
const SHORTEST = 4_096;
const TEXT = /^text\/|[/+](json|xml)\b/;

/** Compresses what a handler answers, where that is long, text, not compressed yet, and the client takes it. */
export async function compressAnswer(answer: HttpAnswer, accept: string | undefined): Promise<HttpAnswer> {
  const { headers, body } = answer;
  if (body === null || body.length < SHORTEST || 'content-encoding' in headers) return answer;
  if (!TEXT.test(headers['content-type'] ?? '')) return answer;
  const varying = { ...headers, vary: 'Accept-Encoding' };
  const { encoding, bytes } = await createBody(Buffer.from(body)).pick(accept);
  if (encoding === 'identity') return { ...answer, headers: varying };
  return { ...answer, headers: { ...varying, 'content-encoding': encoding }, body: bytes };
}
