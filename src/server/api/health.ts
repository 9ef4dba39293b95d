import type { HttpAnswer, HttpHandler } from '../http/message.ts';

/** `GET /healthz`: the process answers. */
export function createHealthHandler(): HttpHandler {
  return async () => answer(200, { status: 'alive' });
}

/** `GET /readyz`: 200 when everything works, 503 with the reasons when something does not. Notes are for operators. */
export function createReadyHandler(
  readProblems: () => Promise<readonly string[]>,
  readNotes: () => readonly string[],
): HttpHandler {
  return async () => {
    const problems = await readProblems();
    const notes = readNotes();
    return problems.length === 0
      ? answer(200, { status: 'ready', ...(notes.length > 0 && { notes }) })
      : answer(503, { status: 'not ready', problems, ...(notes.length > 0 && { notes }) });
  };
}

function answer(status: number, body: object): HttpAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return {
    status,
    headers: status === 503 ? { ...headers, 'retry-after': '5' } : headers,
    body: JSON.stringify(body),
  };
}
