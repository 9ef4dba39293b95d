import { defineMiddleware } from 'astro:middleware';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MiddlewareNext } from 'astro';
import { warnOfSettingFaults } from '../../commands/read-setting-faults.ts';
import { formatConsoleAddress } from '../../console/access/console-host.ts';
import type { RenderPreview } from '../../console/content/preview.ts';
import { escapeHtml } from '../../core/text/parse-text.ts';
import { createApp } from '../../server/app.ts';
import { readResponse } from '../../server/http/responses.ts';
import type { Route } from '../../server/http/route.ts';
import { createLog } from '../../server/log.ts';
import { parseSettings } from '../../server/settings.ts';
import { createRouteFinder, createRoutes, holdContent, type Site } from '../../server/site.ts';
import { createNodeSite, type NodeSite } from '../node/create-node-site.ts';
import { DEV_IMAGE_MANIFEST } from './dev-image-manifest.ts';

/** How long the site of earlier code may take to write what it has in memory. */
const CLOSE_TIMEOUT_MS = 2_000;

interface OpenedSite extends NodeSite {
  readonly routes: readonly Route[];
  readonly findRoute: (path: string) => Route | undefined;
}

/**
 * The site of the development server. Vite evaluates this module again after each edit of server code, so that the server
 * keeps it and hands it to each request (`scripts/build/dev-content.ts`).
 */
export interface Development {
  site?: Promise<OpenedSite>;
}

let opened: Promise<OpenedSite> | undefined;

/** Renders another page within the request in work. */
const rendering = new AsyncLocalStorage<RenderPreview>();

/**
 * In production `src/runtimes/node` runs the application in front of Astro. In development Astro's own server is in
 * front, so the application runs here, over the same site: it shows edits of the content folder while it runs, and the
 * last valid content while an edit is invalid.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals } = context;
  const { development = {} } = locals;
  let node: OpenedSite;
  try {
    opened ??= development.site = openSite(development.site);
    node = await opened;
  } catch (error) {
    return buildErrorPage(error);
  }
  const site = holdContent(node.site);
  const visitor = { requestId: 'development', clientAddress: context.clientAddress };
  Object.assign(locals, { site, ...visitor });
  // Astro finds a page by its path: one with an address of its own is rendered at its default path.
  const { addresses } = site.content.read();
  const showPage = async (address: string) => {
    const isRendered = addresses.has(address.split('?', 1)[0] ?? '');
    const response = await (isRendered ? next(address) : next());
    return readResponse(await addWarnings(await findBroken(response), node.site.content.readWarnings()));
  };
  const app = createApp(
    {
      ...site,
      routes: node.routes,
      findRoute: node.findRoute,
      console: (request) =>
        node.console.respond(request, async (consolePage, status, shown) => {
          Object.assign(locals, { consolePage, site: shown });
          const response = await findBroken(await next());
          return response.ok ? buildConsolePage(response, status) : response;
        }),
    },
    { render: showPage, submit: showPage },
  );
  return rendering.run(
    (shown, request) => renderOther(shown, request, locals, next),
    () => app.fetch(context.request, visitor),
  );
});

/** Renders the page of a preview in place of the requested one. */
async function renderOther(site: Site, request: Request, locals: App.Locals, next: MiddlewareNext) {
  Object.assign(locals, { site, consolePage: undefined });
  return readResponse(await next(request));
}

/** Opens the site of this code after the site of earlier code has closed its files, threads and timers. */
async function openSite(earlier: Promise<OpenedSite> | undefined): Promise<OpenedSite> {
  // A site that could not be opened has nothing to close.
  await earlier?.then((site) => site.close(CLOSE_TIMEOUT_MS)).catch(() => {});
  if (earlier === undefined) warnOfSettingFaults();
  try {
    const settings = parseSettings(process.env);
    const node = await createNodeSite(
      settings,
      // What is wrong with the content has several lines.
      createLog((line) => process.stderr.write(line.replaceAll('\\n', '\n')), Date.now),
      // Vite writes the styles of a page into it, others with each edit.
      { scripts: [], styles: { has: () => true }, beside: '' },
      {
        imageManifest: DEV_IMAGE_MANIFEST,
        convertsOnRequest: true,
        watch: true,
        renderPreview(site, request) {
          const render = rendering.getStore();
          return render === undefined ? Promise.reject(new Error('no request')) : render(site, request);
        },
      },
    );
    if (earlier === undefined)
      process.stdout.write(
        formatConsoleAddress(settings, settings.PORT, await node.console.createEntryPath()),
      );
    return { ...node, routes: createRoutes(node.site), findRoute: createRouteFinder(node.site) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    // The next request tries again.
    opened = undefined;
    throw error;
  }
}

/** Vite adds scripts and styles while a page is open, so its policy only keeps other sites from framing it. */
function buildConsolePage({ body, headers }: Response, status = 200): Response {
  const response = new Response(body, { status, headers });
  response.headers.set('content-security-policy', "frame-ancestors 'self'");
  response.headers.set('cache-control', 'no-store');
  return response;
}

/** A component that throws ends its page where it stands, and Astro sends what there is with status 200. */
async function findBroken(response: Response): Promise<Response> {
  if (!response.ok || response.headers.get('content-type')?.startsWith('text/html') !== true) return response;
  const html = await response.text();
  const { status, headers } = response;
  if (html.includes('</html>')) return new Response(html, { status, headers });
  return buildErrorPage('A component of this page failed. The terminal has the error and its place.', 500);
}

/** Writes at the top of a page why edits of the content are not shown. */
async function addWarnings(response: Response, warnings: readonly string[]): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (warnings.length === 0 || !type.startsWith('text/html')) return response;
  const html = await response.text();
  const { status, headers } = response;
  return new Response(
    html.replace(/<body[^>]*>/, (tag) => tag + warnings.map(buildMessage).join('')),
    { status, headers },
  );
}

const buildMessage = (text: string) =>
  `<pre style="white-space: pre-wrap; margin: 0; padding: 1rem; background: #b00020; color: #fff">${escapeHtml(text)}</pre>`;

/** The error as a page, because the site's own error page needs the content. Vite's client reloads it after an edit. */
function buildErrorPage(error: unknown, status = 503): Response {
  const html = `<!doctype html>
<html lang="en">
<title>The site cannot be shown</title>
<script type="module" src="/@vite/client"></script>
<h1>The site cannot be shown</h1>
${buildMessage(error instanceof Error ? error.message : String(error))}
</html>
`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
