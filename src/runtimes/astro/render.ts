import scriptNames from 'virtual:script-names';
import { createApp } from 'astro/app/entrypoint';
import islandLoader from 'astro/runtime/server/astro-island.prebuilt.js';
import { readResponse } from '../../server/http/buffered-response.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import { createLog } from '../../server/log.ts';
import { createStyleSelector } from './select-styles.ts';

const app = createApp({ streaming: false });
const { csp } = app.manifest;
// The build has hashed the styles that pages carry inline; Astro would hash them again for every page.
app.manifest.shouldInjectCspMetaTags = false;
const log = createLog((line) => process.stderr.write(line), Date.now);
// What Astro reports, the fault of a page above all, is a line of the same log as everything else.
app.logger.setDestination({
  write: ({ level, message }) => (level === 'error' ? log.error : log.warn)('astro', { said: message }),
});

const { selectStyles, hashes } = createStyleSelector(scriptNames);
const built = new Set<string>(csp?.styleHashes);

/** What pages of the console read. */
type ConsoleLocals = Omit<App.Locals, 'services'> & {
  readonly services: Pick<App.Locals['services'], 'content'>;
};

/** Hashes for the policy that the front server sends with every page. */
export const pageHashes: PageHashes = {
  scripts: csp?.scriptHashes ?? [],
  styles: { has: (hash) => hashes.has(hash) || built.has(hash) },
};

/**
 * Renders one request through Astro's routes and middleware. Never rejects for a page error: that is a 500 page. A page
 * of the console reads the content alone.
 */
export async function render(request: Request, locals: App.Locals | ConsoleLocals): Promise<Response> {
  const response = await readResponse(await app.render(request, { locals }));
  const body = removeInlineLoader(response.body, app.manifest.clientDirectives.values());
  // The console's own style sheet is small, and its islands are no part of the site.
  const { status, headers } = response;
  return new Response(locals.consolePage === undefined ? selectStyles(body) : body, { status, headers });
}

/**
 * Removes the island loader that Astro writes into a rendered page in front of the first island, and the scripts of its
 * directives: `src/browser/islands/` loads the same code from a file when a visitor begins to use the page. What Astro
 * writes in another way stays as it is, and works.
 * @param html A page in UTF-8.
 * @param directives The inline scripts of the `client:` directives, from Astro's manifest.
 */
export function removeInlineLoader(
  html: Buffer<ArrayBuffer>,
  directives: Iterable<string>,
): Buffer<ArrayBuffer> {
  if (!html.includes('<astro-island')) return html;
  return [islandLoader, ...directives].reduce(
    (page, script) => removeText(page, `<script>${script}</script>`),
    html,
  );
}

function removeText(html: Buffer<ArrayBuffer>, text: string): Buffer<ArrayBuffer> {
  const start = html.indexOf(text);
  if (start < 0) return html;
  return Buffer.concat([html.subarray(0, start), html.subarray(start + Buffer.byteLength(text))]);
}
