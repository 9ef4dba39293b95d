import scriptNames from 'virtual:script-names';
import { createApp } from 'astro/app/entrypoint';
import { readResponse } from '../../server/http/responses.ts';
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

/** Hashes for the policy that the front server sends with every page. */
export const pageHashes: PageHashes = {
  scripts: csp?.scriptHashes ?? [],
  styles: { has: (hash) => hashes.has(hash) || built.has(hash) },
};

/** Renders one request through Astro's routes and middleware. Never rejects for a page error: that is a 500 page. */
export async function render(request: Request, locals: App.Locals): Promise<Response> {
  const response = await app.render(request, { locals });
  // A page without parameters is rendered once a minute at most. Others may be rendered for each request: they keep
  // the whole style sheet of their kind of page, because selecting takes a quarter of their time.
  if (request.method !== 'GET' || locals.consolePage !== undefined || request.url.includes('?'))
    return response;
  const { status, headers, body } = await readResponse(response);
  return new Response(selectStyles(body), { status, headers });
}
