import path from 'node:path';
import { ROOT } from '../../scripts/pinned-node.mjs';
import { composeNode } from '../../src/server/compose-node.ts';
import { parseConfig } from '../../src/server/config.ts';
import { createLog } from '../../src/server/log.ts';
import { startSite } from '../../src/server/start-site.ts';
import { LIMIT_POLICY } from './limit-page.ts';

/** Serves limit pages by path with the site's own server, whose files they share. */
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
  const site = await startSite({
    config,
    log: createLog(() => undefined, Date.now),
    clientFolder: path.join(ROOT, 'dist/client'),
    compose: composeNode,
    render: async (request) => {
      const page = pages.get(new URL(request.url).pathname);
      return new Response(page ?? 'not here', {
        status: page === undefined ? 404 : 200,
        headers: { 'content-type': 'text/html', 'content-security-policy': LIMIT_POLICY },
      });
    },
  });
  return { url: `http://127.0.0.1:${settings.port}`, stop: site.stop };
}
