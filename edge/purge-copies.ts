import { parseArgs } from 'node:util';
import { FLAG } from '../scripts/commands/arguments/parse-arguments.ts';
import { runPurge } from '../scripts/commands/articles/run-purge.ts';
import { openSharedCopies, type PurgePlatform } from '../src/server/articles/purge-articles.ts';
import { parseSettings } from '../src/server/settings.ts';
import { createBodyPreparer } from '../src/sources/articles/html/prepare-body.ts';
import { fetchGet } from '../src/sources/http/fetch.ts';
import { D1Executor } from '../src/stores/sql/d1/d1-executor.ts';
import { openLocalBindings, openRemoteBindings } from './open-bindings.ts';
import { readWorkerVars } from './worker-vars.ts';

const PLATFORM: PurgePlatform = {
  clock: { now: Date.now, monotonic: () => performance.now() },
  httpGet: fetchGet,
  createBodyProcessor(policy) {
    const prepare = createBodyPreparer(policy);
    return { process: async (body) => prepare(body), close: async () => undefined };
  },
};

/** Replaces the copies of articles of the local state or, with --remote, of the deployed worker. */
export async function purgeCopies(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { force: FLAG, edge: FLAG, remote: FLAG },
    allowPositionals: true,
  });
  const config = parseSettings({ ...process.env, ...(values.remote ? readWorkerVars() : {}) });
  if (config.ARTICLE_SOURCE === 'files') throw new Error('The source "files" has no copies.');
  const { miniflare, close } = await (values.remote
    ? openRemoteBindings()
    : openLocalBindings(config.DATA_DIR));
  try {
    const database = new D1Executor(await miniflare.getD1Database('ARTICLES'));
    const copies = await openSharedCopies(database, config);
    const request = { ...copies, slug: positionals[0] ?? null, isForced: values.force };
    process.exitCode = await runPurge(config, PLATFORM, request);
  } finally {
    await close();
  }
}
