import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContentError } from '../core/content/content-error.ts';
import { composeNode } from './compose-node.ts';
import { ConfigError, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { startSite } from './start-site.ts';
import { letYoungSpaceGrow } from './young-space.ts';

const BUILD = path.resolve(import.meta.dirname, '../../dist');
/** What starting leaves to do behind, the search index above all, is done by then. */
const SETTLED_MS = 2_000;
const log = createLog((line) => process.stderr.write(line), Date.now);
// A closed pipe or a full log disk must not end the process.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

// The page renderer picks its build by this, when it is imported.
process.env['NODE_ENV'] ??= 'production';

try {
  const entry = path.join(BUILD, 'server/entry.mjs');
  if (!existsSync(entry))
    throw new ConfigError(['there is no build yet: run "npm run build" (or "npm start")']);
  const config = parseConfig(process.env);
  const { render, pageHashes } = (await import(
    pathToFileURL(entry).href
  )) as typeof import('./astro-entry.ts');
  const site = await startSite({
    config,
    log,
    render,
    pageHashes,
    clientFolder: path.join(BUILD, 'client'),
    compose: composeNode,
  });
  setTimeout(letYoungSpaceGrow, SETTLED_MS).unref();
  process.stdout.write(`Signpost is serving on ${site.address}\n`);
  const stop = (signal: string) => {
    log.info('stopping', { signal });
    site.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stopped with an error', { error });
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const expected =
    error instanceof ConfigError ||
    error instanceof ContentError ||
    (error instanceof Error && 'code' in error);
  process.stderr.write(
    `${expected ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}
