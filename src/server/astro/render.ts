import { createApp } from 'astro/app/entrypoint';
import { LATE_SCRIPT, WAKE_SCRIPT } from './inline-scripts.ts';
import { createLog } from './log.ts';
import { hashInline, type PageHashes } from './security-headers.ts';

const app = createApp({ streaming: false });
const { csp } = app.manifest;
// The build has hashed the styles that pages carry inline; Astro would hash them again for every page.
app.manifest.shouldInjectCspMetaTags = false;
const log = createLog((line) => process.stderr.write(line), Date.now);
// What Astro reports, the fault of a page above all, is a line of the same log as everything else.
app.logger.setDestination({
  write: ({ level, message }) => (level === 'error' ? log.error : log.warn)('astro', { said: message }),
});

/** Hashes for the policy that the front server sends with every page. */
export const pageHashes: PageHashes = {
  scripts: [hashInline(LATE_SCRIPT), hashInline(WAKE_SCRIPT)],
  styles: [...new Set(csp?.styleHashes)],
};

/** Renders one request through Astro's routes and middleware. Never rejects for a page error: that is a 500 page. */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals });
}
