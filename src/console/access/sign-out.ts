import { CONSOLE_PATH, CONSOLE_SIGN_IN_PATH } from '../../core/paths.ts';
import { isSameOrigin } from '../../server/http/same-origin.ts';
import { createTokenCheck } from '../../server/http/secret-token.ts';
import type { ConsoleEntrance } from '../console-app.ts';
import { readConsoleForm } from '../console-form.ts';
import { buildConsoleRedirect } from '../console-response.ts';
import type { OperatorSessions } from './operator-sessions.ts';

const MAX_FORM_BYTES = 4_096;

/** Creates the end of a session: a posted form with the token of the session. */
export function createSignOut(sessions: OperatorSessions, siteOrigin: string | null): ConsoleEntrance {
  return async ({ context }) => {
    const request = context.req.raw;
    const session = await sessions.readSession(request);
    if (request.method !== 'POST' || session === null) return buildConsoleRedirect(CONSOLE_PATH);
    if (!isSameOrigin(request.headers, siteOrigin)) return buildConsoleRedirect(CONSOLE_PATH);
    const form = await readConsoleForm(request, MAX_FORM_BYTES);
    if (!createTokenCheck(session.formToken)(String(form.get('token') ?? '')))
      return buildConsoleRedirect(CONSOLE_PATH);
    return buildConsoleRedirect(CONSOLE_SIGN_IN_PATH, {
      'set-cookie': await sessions.end(request),
      'clear-site-data': '"cache"',
    });
  };
}
