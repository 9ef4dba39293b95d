import { DOSSIER_STYLE, renderDossier } from '../../core/pages/dossier.ts';
import { hashInline } from '../../server/http/security-headers.ts';
import type { ConsoleSite } from '../console-site.ts';
import { CONSOLE_HEADERS } from '../http.ts';

/** Responds with the dossier of a page or an article (`view=dossier`), as `npm run content` writes it; null for other views. */
export async function respondWithDossier(
  { platform, content, settings, clock }: ConsoleSite,
  rest: readonly string[],
  parameters: URLSearchParams,
): Promise<Response | null> {
  const { files } = platform.content;
  const file = rest.join('/');
  if (parameters.get('view') !== 'dossier' || files === null) return null;
  const at = { siteUrl: settings.siteUrl, now: clock.now() };
  const dossier = files.readDossier(file, content.read(), at, await content.versions.readAll(file));
  if (dossier === null) return null;
  return new Response(renderDossier(dossier), {
    headers: {
      ...CONSOLE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src '${hashInline(DOSSIER_STYLE)}'; frame-ancestors 'none'`,
    },
  });
}
