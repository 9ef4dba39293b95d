/** Builds robots.txt: everything is open but the redirects, the functions and the API. */
export function buildRobots(origin: string, partnerKeys: readonly string[]): string {
  const closed = ['/go/', '/api/', '/functions/', ...partnerKeys.map((key) => `/${key}-trial`)];
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  return `${lines.join('\n')}\n`;
}
