import path from 'node:path';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { composeNode } from '../../src/runtimes/node/compose-node.ts';
import { startSite } from '../../src/runtimes/node/start-site.ts';
import { hashInline } from '../../src/server/http/security-headers.ts';
import { createLog } from '../../src/server/log.ts';
import { parseSettings } from '../../src/server/settings.ts';

/** Serves pages by path with the site's own server, whose files they share. */
export async function startBaselineServer(
  pages: ReadonlyMap<string, string>,
  { port, dataDir }: { readonly port: number; readonly dataDir: string },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const settings = parseSettings({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    CONTENT_DIR: path.join(ROOT, 'content'),
  });
  const styles = [...pages.values()].flatMap((page) => [...page.matchAll(/<style>(.*?)<\/style>/gs)]);
  const site = await startSite({
    settings,
    log: createLog(() => undefined, Date.now),
    clientFolder: path.join(ROOT, 'dist/client'),
    compose: (...parts) => composeNode(...parts, { imageManifest: path.join(ROOT, 'dist/images.json') }),
    pageHashes: { scripts: [], styles: new Set(styles.map(([, style = '']) => hashInline(style))) },
    render: async (request) => {
      const page = pages.get(new URL(request.url).pathname);
      const headers = { 'content-type': 'text/html' };
      return new Response(page ?? 'not here', { status: page === undefined ? 404 : 200, headers });
    },
  });
  return { url: `http://127.0.0.1:${port}`, stop: site.stop };
}
