import besideScript from 'virtual:beside-script';
import scriptNames from 'virtual:script-names';
import { createApp } from 'astro/app/entrypoint';
import { buildBrandStyles } from '../../core/pages/brand/build-brand-styles.ts';
import type { Content } from '../../core/pages/content.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { type ReadResponse, readResponse } from '../../server/http/responses.ts';
import type { PageHashes } from '../../server/http/security-headers.ts';
import { createLog } from '../../server/log.ts';
import { createStyleInserter } from './insert-styles.ts';

const app = createApp({ streaming: false });
const { csp } = app.manifest;
// The build has hashed the styles that pages carry inline; Astro would hash them again for every page.
app.manifest.shouldInjectCspMetaTags = false;
// Astro would import the module of a page again for each request.
for (const [component, load] of app.manifest.pageMap ?? []) {
  let page: ReturnType<typeof load> | undefined;
  app.manifest.pageMap?.set(component, () => {
    page ??= load();
    return page;
  });
}
const log = createLog((line) => process.stderr.write(line), Date.now);
// What Astro reports, the fault of a page above all, is a line of the same log as everything else.
app.logger.setDestination({
  write: ({ level, message }) => (level === 'error' ? log.error : log.warn)('astro', { said: message }),
});

// Astro writes the number of its style sheet into a page: to encode the sheet with each page takes a tenth of the time.
const sheets: string[] = [];
for (const { styles } of app.manifest.routes)
  for (const style of styles)
    if (style.type === 'inline') {
      if (!sheets.includes(style.content)) sheets.push(style.content);
      style.content = String(sheets.indexOf(style.content));
    }
const { insertStyles, hashes } = createStyleInserter(sheets, scriptNames);
const built = new Set<string>(csp?.styleHashes);
const getBrandStyles = memoizeByKey(({ brand, images }: Content) =>
  [buildBrandStyles(brand).css, images.fontStyles].filter(Boolean).join('\n'),
);
/** The console has the colors of a brand, and neither its look nor its font. */
const getConsoleStyles = memoizeByKey(
  ({ brand }: Content) => buildBrandStyles({ ...brand, look: 'signpost' }).css,
);

/** Hashes for the policy that the front server sends with every page. */
export const pageHashes: PageHashes = {
  scripts: csp?.scriptHashes ?? [],
  styles: { has: (hash) => hashes.has(hash) || built.has(hash) },
  beside: besideScript,
};

/** Renders one request through Astro's routes and middleware. Never rejects for a page error: that is a 500 page. */
export async function render(request: Request, locals: App.Locals): Promise<ReadResponse> {
  const { status, headers, body } = await readResponse(await app.render(request, { locals }));
  // A page without parameters is rendered once a minute at most. Others may be rendered for each request: they keep
  // the whole style sheet of their kind of page, because selecting takes a quarter of their time.
  const isSelected =
    request.method === 'GET' && locals.consolePage === undefined && !request.url.includes('?');
  const getStyles = locals.consolePage === undefined ? getBrandStyles : getConsoleStyles;
  const styles = getStyles(locals.site.content.read());
  const page = insertStyles(body, isSelected, styles);
  return { status, headers: page.link === '' ? headers : { ...headers, link: page.link }, body: page.body };
}
