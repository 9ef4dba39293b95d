import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../scripts/pinned-node.mjs';
import { composeNode } from '../../src/server/compose-node.ts';
import { parseConfig } from '../../src/server/config.ts';
import { createLog } from '../../src/server/log.ts';
import { startSite } from '../../src/server/start-site.ts';
import { BARE_STYLE_HASH } from './limit-page.ts';

/** Serves pages by path with the site's own server, whose files they share. */
export async function startLimitServer(
  pages: ReadonlyMap<string, string>,
  settings: { readonly port: number; readonly dataDir: string },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const config = parseConfig({
    HOST: '127.0.0.1',
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    CONTENT_DIR: path.join(ROOT, 'content'),
  });
  const entry = pathToFileURL(path.join(ROOT, 'dist/server/entry.mjs')).href;
  const { pageHashes } = (await import(entry)) as typeof import('../../src/server/astro-entry.ts');
  const site = await startSite({
    config,
    log: createLog(() => undefined, Date.now),
    clientFolder: path.join(ROOT, 'dist/client'),
    compose: composeNode,
    pageHashes: { scripts: [], styles: [...pageHashes.styles, BARE_STYLE_HASH] },
    render: async (request) => {
      const page = pages.get(new URL(request.url).pathname);
      return new Response(page ?? 'not here', {
        status: page === undefined ? 404 : 200,
        headers: { 'content-type': 'text/html' },
      });
    },
  });
  return { url: `http://127.0.0.1:${settings.port}`, stop: site.stop };
}
