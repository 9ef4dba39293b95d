import { CLOSED_PREFIXES, CONSOLE_PATH, SITEMAP_PATH } from '../paths.ts';

/** Builds robots.txt: everything is open except the redirects to partners, the article proxy and the API. */
export function buildRobots(origin: string, partnerPaths: readonly string[]): string {
  const lines = [
    'User-agent: *',
    ...listClosedPaths(partnerPaths).map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}${SITEMAP_PATH}`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Rules by which browsers prerender the next page while a visitor points at its link: pages of this site, never a
 * redirect to a partner (it would count a click that no visitor made), a file, or an address with a query.
 */
export function buildSpeculationRules(partnerPaths: readonly string[]): string {
  const closed = [CONSOLE_PATH, ...listClosedPaths(partnerPaths)].map((path) =>
    path.endsWith('/') ? `${path}*` : path,
  );
  const where = {
    and: [
      { href_matches: '/*' },
      { not: { href_matches: [...closed, '/*\\?(.+)', '/*.*'] } },
      { not: { selector_matches: '[target], [download]' } },
    ],
  };
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] });
}

/** The closed prefixes, and the partners' paths that none of them covers. */
function listClosedPaths(partnerPaths: readonly string[]): string[] {
  const open = partnerPaths.filter((path) => !CLOSED_PREFIXES.some((prefix) => path.startsWith(prefix)));
  return [...CLOSED_PREFIXES, ...open];
}
