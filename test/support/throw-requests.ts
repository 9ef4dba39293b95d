import { connect } from 'node:net';
import type { RawRequest } from './raw-http.ts';

/** What came back for a request: every byte as Latin-1; null when nothing came within the time. */
export type ThrownAnswer = Buffer | null;

const NO_ANSWER_MS = 20_000;

/** Sends every request on a connection of its own, `lanes` at a time, and hands each response over as it comes. */
export async function throwRequests(
  port: number,
  requests: readonly RawRequest[],
  lanes: number,
  onAnswer: (request: RawRequest, response: ThrownAnswer) => void,
): Promise<void> {
  const queue = requests.values();
  const runLane = async () => {
    for (const request of queue) onAnswer(request, await throwOne(port, request.bytes));
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}

/** Resolves when the server has closed the connection. */
function throwOne(port: number, bytes: string): Promise<ThrownAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(NO_ANSWER_MS, () => {
      resolve(null);
      socket.destroy();
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a body half-way may reset the connection behind its response.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}
