import path from 'node:path';
import { DAY_MS } from '../../core/clock.ts';
import { isLoopback } from '../../core/text/parse-text.ts';
import type { Site } from '../site.ts';
import { OperatorSessions } from './operator-sessions.ts';
import { buildJsonResponse } from './responses.ts';
import { type AppContext, type Handler, splitTarget } from './route.ts';

/** `GET /healthz`: the process responds. */
export function createHealthHandler(): Handler {
  return () => buildJsonResponse({ status: 'alive' });
}

/**
 * `GET /readyz`: 200 when visitors are served, else 503 with the reasons. Warnings are for operators; with `?all`, each of
 * them is a reason too, and so is whatever else needs a person. They name drafts and quote them, so only operators and this
 * machine read them; all others get their numbers. The names of folders are left out; the log has them.
 */
export function createReadyHandler(site: Site): Handler {
  const { settings, platform } = site;
  const folders = [settings.DATA_DIR, settings.LEDGER_COPY, platform.contentDir, '.'].map((folder) =>
    path.resolve(folder),
  );
  const hide = (message: string) =>
    folders.reduce(
      (text, folder) => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the folder'),
      message,
    );
  return async (context) => {
    const problems = (await readProblems(site)).map(hide);
    const warnings = (await readWarnings(site)).map(hide);
    const isAll = new URLSearchParams(splitTarget(context.req.url)[1]).has('all');
    if (isAll) problems.push(...warnings, ...(await readDuties(site)));
    const found = Object.entries({ problems, warnings }).filter(([, lines]) => lines.length > 0);
    const shown = Object.fromEntries(
      (await mayReadWords(site, context))
        ? found
        : found.map(([kind, { length }]) => [`${kind}Count`, length]),
    );
    return problems.length === 0
      ? buildJsonResponse({ status: 'ready', ...shown })
      : buildJsonResponse({ status: 'not ready', ...shown }, 503, { 'retry-after': '5' });
  };
}

/** What proxies add, which connect over loopback too. Every request to Workers has the last one. */
const PROXY_HEADER = /^(x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip)$/;

/** Whether a request comes from a program on this machine, or with the session of an operator. */
async function mayReadWords(site: Site, { req: { raw }, env }: AppContext): Promise<boolean> {
  const host = URL.parse(`http://${raw.headers.get('host')}`)?.hostname ?? '';
  const isProxied = [...raw.headers.keys()].some((name) => PROXY_HEADER.test(name));
  if (!isProxied && isLoopback(host) && isLoopback(env.clientAddress)) return true;
  return (await new OperatorSessions(site).readSession(raw).catch(() => null)) !== null;
}

/** How a line about the content is recognized: what it does not say of another kind is an edit that is frozen. */
const CONTENT_KINDS = {
  'left-out': / is left out /,
  copy: / last (?:valid )?copy/,
  articles: /^articles: /,
  flaw: /^content: content\/[^ ]+[,:] /,
  frozen: /^/,
} as const;

/** What a line about the content says: a file is left out, shown from its last copy, or has a flaw; or an edit is frozen. */
export type ContentProblemKind = keyof typeof CONTENT_KINDS;
export const CONTENT_PROBLEM_KINDS = [
  'left-out',
  'copy',
  'articles',
  'flaw',
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

/** A backup is too old after this many days. */
export const BACKUP_DAYS = 7;

/** The disk is called almost full while the events still have this many times what stays free. */
export const DISK_FACTOR = 3;

/** What needs a person although everything works. */
async function readDuties({ platform, clock, money: { ledger }, content }: Site): Promise<string[]> {
  const isKnown = ledger.exists();
  const [disk, unread, links] = await Promise.all([
    platform.readDisk(),
    isKnown ? ledger.countUnread().catch(() => []) : [],
    isKnown ? content.links.countStates().catch(() => null) : null,
  ]);
  const last = platform.readLastBackup();
  const duties: readonly (readonly [isDue: boolean, text: string])[] = [
    [disk !== null && disk.freeMb < disk.minFreeMb * DISK_FACTOR, 'The disk is almost full.'],
    [last !== null && clock.now() - last > BACKUP_DAYS * DAY_MS, 'The last backup is too old.'],
    [unread.length > 0, 'Messages of networks could not be read.'],
    [(links?.get('broken') ?? 0) + (links?.get('changed') ?? 0) > 0, 'Links are broken or have changed.'],
  ];
  return duties.filter(([isDue]) => isDue).map(([, text]) => text);
}

/** Returns what operators should know although visitors notice nothing, a line each. */
export async function readWarnings(site: Site): Promise<readonly string[]> {
  const problems = [...(await site.dataHealth.read()), ...(await site.visitors.outside.read())];
  return [
    ...site.content.readWarnings(),
    ...[site.visitors.retention, site.content.articles].flatMap((part) => part.readWarnings()),
    ...problems.map(({ title, detail }) => `${title}: ${detail}`),
  ];
}
