import { defineMiddleware } from 'astro:middleware';
import type { Content } from '../../core/pages/content.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import { createApp } from '../../server/app.ts';
import type { Route } from '../../server/http/route.ts';
import { createLog } from '../../server/log.ts';
import { parseSettings } from '../../server/settings.ts';
import { createRouteFinder, createRoutes } from '../../server/site.ts';
import { createNodeSite, type NodeSite } from '../node/create-node-site.ts';
import { DEV_IMAGE_MANIFEST } from './dev-image-manifest.ts';

/** How long the site of earlier code may take to write what it has in memory. */
const CLOSE_TIMEOUT_MS = 2_000;

type OpenedSite = NodeSite & { readonly routes: readonly Route[] };

declare global {
  // Vite evaluates this module again after each edit of server code; a variable of the module would be lost.
  var developmentSite: Promise<OpenedSite> | undefined;
}

let opened: Promise<OpenedSite> | undefined;

/**
 * In production `src/runtimes/node` runs the application in front of Astro. In development Astro's own server is in
 * front, so the application runs here: the site is created once, and the content is read again for every request, so
 * that an edit shows at once.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  let node: OpenedSite;
  let content: Content;
  try {
    opened ??= globalThis.developmentSite = openSite(globalThis.developmentSite);
    node = await opened;
    content = node.site.readContent();
  } catch (error) {
    return buildErrorPage(error);
  }
  const site = { ...node.site, content };
  const visitor = { requestId: 'development', clientAddress: context.clientAddress };
  Object.assign(context.locals, { site, ...visitor });
  const app = createApp(
    {
      ...site,
      routes: node.routes,
      findRoute: createRouteFinder(site),
      console: (request) =>
        node.console.respond(request, (consolePage) => {
          Object.assign(context.locals, { consolePage });
          return next();
        }),
    },
    { render: () => next(), submit: () => next() },
  );
  return app.fetch(context.request, visitor);
});

/** Opens the site of this code after the site of earlier code has closed its files, threads and timers. */
async function openSite(earlier: Promise<OpenedSite> | undefined): Promise<OpenedSite> {
  // A site that could not be opened has nothing to close.
  await earlier?.then((site) => site.close(CLOSE_TIMEOUT_MS)).catch(() => {});
  try {
    const node = await createNodeSite(
      parseSettings(process.env),
      createLog((line) => process.stderr.write(line), Date.now),
      { scripts: [], styles: new Set() },
      { imageManifest: DEV_IMAGE_MANIFEST, reload: true },
    );
    return { ...node, routes: createRoutes(node.site) };
  } catch (error) {
    // The next request tries again.
    opened = undefined;
    throw error;
  }
}

/** The error as a page, because the site's own error page needs the content. Vite's client reloads it after an edit. */
function buildErrorPage(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  const html = `<!doctype html>
<html lang="en">
<title>The site cannot be shown</title>
<script type="module" src="/@vite/client"></script>
<h1>The site cannot be shown</h1>
<pre style="white-space: pre-wrap">${escapeHtml(message)}</pre>
</html>
`;
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
