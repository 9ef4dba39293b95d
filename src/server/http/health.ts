import path from 'node:path';
import type { Site } from '../site.ts';
import { buildJsonResponse } from './responses.ts';
import { type Handler, splitTarget } from './route.ts';

/** `GET /healthz`: the process responds. */
export function createHealthHandler(): Handler {
  return () => buildJsonResponse({ status: 'alive' });
}

/**
 * `GET /readyz`: 200 when visitors are served, else 503 with the reasons. Warnings are for operators; with `?all`, each of
 * them is a reason too. Any visitor can request it, so the names of folders are left out; the log has them.
 */
export function createReadyHandler(site: Site): Handler {
  const { settings, platform } = site;
  const folders = [settings.DATA_DIR, platform.contentDir, '.'].map((folder) => path.resolve(folder));
  const hide = (message: string) =>
    folders.reduce(
      (text, folder) => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the folder'),
      message,
    );
  return async ({ req }) => {
    const problems = (await readProblems(site)).map(hide);
    const warnings = (await readWarnings(site)).map(hide);
    const extra = warnings.length > 0 ? { warnings } : {};
    const isAll = new URLSearchParams(splitTarget(req.url)[1]).has('all');
    return problems.length === 0 && !(isAll && warnings.length > 0)
      ? buildJsonResponse({ status: 'ready', ...extra })
      : buildJsonResponse({ status: 'not ready', problems, ...extra }, 503, { 'retry-after': '5' });
  };
}

/** How a line about the content is recognized: what it does not say of another kind is an edit that is frozen. */
const CONTENT_KINDS = {
  'left-out': / is left out /,
  copy: / last (?:valid )?copy/,
  articles: /^articles: /,
  frozen: /^/,
} as const;

/** What a line about the content says: a file is left out, shown from its last copy, or an edit is frozen. */
export type ContentProblemKind = keyof typeof CONTENT_KINDS;
export const CONTENT_PROBLEM_KINDS = [
  'left-out',
  'copy',
  'articles',
  'frozen',
] as const satisfies readonly ContentProblemKind[];

/** The kind of a line of `site.content.readWarnings`. */
export const classifyContentProblem = (line: string): ContentProblemKind =>
  CONTENT_PROBLEM_KINDS.find((kind) => CONTENT_KINDS[kind].test(line)) ?? 'frozen';

/** Reads the reasons why the site is not ready; none when it is. */
export async function readProblems({
  content: { articles },
  visitors: { events },
}: Site): Promise<readonly string[]> {
  const reason = await events.probe();
  return [...(reason === null ? [] : [reason]), ...articles.readProblems()];
}

/** Returns what operators should know although visitors notice nothing, a line each. */
export async function readWarnings(site: Site): Promise<readonly string[]> {
  const problems = await site.dataHealth.read();
  return [
    ...site.content.readWarnings(),
    ...[site.visitors.retention, site.content.articles].flatMap((part) => part.readWarnings()),
    ...problems.map(({ title, detail }) => `${title}: ${detail}`),
  ];
}
