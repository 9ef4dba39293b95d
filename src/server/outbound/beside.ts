import { createHash } from 'node:crypto';
import { buildStorageRule } from '../../core/consent/needs-asking.ts';
import { answerLink, type BesideConfig, findListedHost } from '../../core/outbound/beside.schema.ts';
import { BESIDE_PATH, EVENTS_API_PATH, LINKED_PAGES } from '../../core/paths.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { refuseForRate } from '../http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../http/responses.ts';
import { type AppContext, type Handler, type Route, splitTarget } from '../http/route.ts';
import { buildHostOrigin, getSiteOrigin } from '../http/same-origin.ts';
import type { Site } from '../site.ts';

/** Responses to the pages of a listed site may be read by them, without cookies. */
const allowOrigin = (origin: string) => ({ 'access-control-allow-origin': origin, vary: 'origin' });

/** The address of the first listed site while our own has no piece, so that there is nothing to read here; null otherwise. */
export function findOnlySite({ content }: Pick<Site, 'content'>): string | null {
  const { beside, pages } = content.read();
  const isOwn = [...pages.keys()].some((path) => ![...LINKED_PAGES, '/terms'].includes(path));
  return isOwn || content.articles.getSummaries().length > 0 ? null : (beside.hosts[0]?.address ?? null);
}

/** Creates `/beside.js`. With the hash of its content (`?v=…`) it never changes; else browsers ask again after five minutes. */
export function createBesideRoute(site: Site): Route {
  const build = memoizeByKey((content: ReturnType<Site['content']['read']>) => {
    const text = buildBesideScript(content, site.settings, site.platform.pageHashes.beside);
    return { text, version: createHash('sha256').update(text).digest('base64url').slice(0, 12) };
  });
  return {
    method: 'GET',
    path: BESIDE_PATH,
    isLong: true,
    handle: ({ req, env }) => {
      const content = site.content.read();
      if (content.beside.hosts.length === 0) return buildProblem('not-found', env.requestId);
      const { text, version } = build(content);
      const isNamed = new URLSearchParams(splitTarget(req.url)[1]).get('v') === version;
      const etag = `"${version}"`;
      const isKnown = req.header('if-none-match') === etag;
      return new Response(isKnown ? null : text, {
        status: isKnown ? 304 : 200,
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': isNamed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
          'cross-origin-resource-policy': 'cross-origin',
          etag,
        },
      });
    },
  };
}

/** Builds the script of the build with what the content says. Without `SITE_URL` it is for this machine alone. */
export function buildBesideScript(
  { beside, partners }: Pick<ReturnType<Site['content']['read']>, 'beside' | 'partners'>,
  settings: Pick<Site['settings'], 'HOST' | 'PORT' | 'SITE_URL' | 'siteUrl' | 'STORAGE_CONSENT_REGIONS'>,
  script: string,
): string {
  const hosts = [...partners.values()].flatMap(({ site, watch }) => [
    new URL(site).host,
    ...(watch?.hosts ?? []),
  ]);
  // The region that a proxy names is that of this site's requests; pages of others know their time zone alone.
  const rule = buildStorageRule(settings.STORAGE_CONSENT_REGIONS, false);
  const origin = getSiteOrigin(settings as Site['settings']) ?? buildHostOrigin(settings.HOST, settings.PORT);
  const storage = ({ site: rule, none: 'all', full: '' } as const)[beside.consent];
  const config: BesideConfig = [origin, EVENTS_API_PATH, [...new Set(hosts)], beside.prefixes, storage];
  // A text of the content must not end the script where a cache plugin puts it into the page.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return script.replace('besideConfig', () => json);
}

/**
 * `GET /api/journey?link=…`: where a link on a page of a listed site leads (`LinkAnswer`). That it answers also says that
 * the redirect would.
 */
export function createLinkAnswers(site: Site): Handler {
  return async (context: AppContext) => {
    const { req, env } = context;
    const { beside, partners } = site.content.read();
    const origin = req.header('origin') ?? '';
    const host = findListedHost(beside, origin);
    if (host === null) return buildProblem('cross-site', env.requestId);
    const refusal = await refuseForRate(context, site.visitors.postLimiter, 1);
    if (refusal) return refusal;
    const href = new URLSearchParams(splitTarget(req.url)[1]).get('link')?.slice(0, 2_000) ?? '';
    const ourOrigin = getSiteOrigin(site.settings) ?? `http://${req.header('host')}`;
    return buildJsonResponse(
      answerLink(beside, partners, { host, href, ourOrigin }),
      200,
      allowOrigin(origin),
    );
  };
}
