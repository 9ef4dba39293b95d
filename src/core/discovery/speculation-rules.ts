/**
 * Rules by which browsers may load the next page before it is asked for: same-site pages that a visitor points at,
 * never a redirect to a partner (a click would be counted that nobody made), a file or an address with a query.
 */
export function buildSpeculationRules(partnerKeys: readonly string[]): string {
  const closed = ['/go/*', '/api/*', '/functions/*', ...partnerKeys.map((key) => `/${key}-trial`)];
  const where = {
    and: [
      { href_matches: '/*' },
      { not: { href_matches: [...closed, '/*\\?(.+)', '/*.*'] } },
      { not: { selector_matches: '[target], [download]' } },
    ],
  };
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] });
}
