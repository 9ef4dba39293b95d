import { buildJsonResponse } from './json-post.ts';
import type { Handler } from './route.ts';

/** `GET /healthz`: the process responds. */
export function createHealthHandler(): Handler {
  return () => buildJsonResponse({ status: 'alive' });
}

/**
 * `GET /readyz`: 200 when everything works, else 503 with the reasons. `warnings` are for operators. Any visitor can
 * request it, so the names of `folders` are left out; the log has them.
 */
export function createReadyHandler(
  readProblems: () => Promise<readonly string[]>,
  readWarnings: () => readonly string[],
  folders: readonly string[],
): Handler {
  const hide = (message: string) =>
    folders.reduce(
      (text, folder) => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the folder'),
      message,
    );
  return async () => {
    const problems = (await readProblems()).map(hide);
    const warnings = readWarnings().map(hide);
    const extra = warnings.length > 0 ? { warnings } : {};
    return problems.length === 0
      ? buildJsonResponse({ status: 'ready', ...extra })
      : buildJsonResponse({ status: 'not ready', problems, ...extra }, 503, { 'retry-after': '5' });
  };
}
