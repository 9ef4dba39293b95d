import { CONSOLE_PASSKEYS_PATH } from '../../core/paths.ts';

/** Sends a step of a passkey's ceremony; rejects with the server's reason. */
export async function postPasskeyStep(step: string, body: object): Promise<unknown> {
  const response = await fetch([CONSOLE_PASSKEYS_PATH, step].join('/'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result: unknown = await response.json();
  if (response.ok) return result;
  const isProblem = typeof result === 'object' && result !== null && 'detail' in result;
  throw new Error(isProblem ? String(result.detail) : 'The server did not respond as it should.');
}
