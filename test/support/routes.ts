/** Paths of every page that the running site's sitemaps list, in their order. Throws without any. */
export async function readRoutes(origin: string): Promise<string[]> {
  const robots = await parseText(`${origin}/robots.txt`);
  const sitemaps = [...robots.matchAll(/^Sitemap:\s*(\S+)/gim)].map((match) => match[1] ?? '');
  const routes = (await Promise.all(sitemaps.map((address) => readSitemap(origin, address)))).flat();
  if (routes.length === 0) throw new Error(`${origin}/robots.txt leads to no page`);
  return [...new Set(routes)];
}

/** A sitemap or an index of sitemaps. */
async function readSitemap(origin: string, address: string): Promise<string[]> {
  const xml = await parseText(new URL(new URL(address).pathname, origin).href);
  const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] ?? '');
  if (!xml.includes('<sitemapindex')) return addresses.map((found) => new URL(found).pathname);
  return (await Promise.all(addresses.map((found) => readSitemap(origin, found)))).flat();
}

async function parseText(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responds ${response.status}`);
  return response.text();
}

/** Pages of which there are many from one template. */
const TEMPLATES = [/^\/blog\/tag\//, /^\/blog\/topic\//, /^\/blog\/[^/]+$/];

/** Every page, but only the first three of each template that makes many. For checks that take long. */
export function sampleRoutes(routes: readonly string[]): string[] {
  const made = TEMPLATES.map((template) => routes.filter((route) => template.test(route)));
  const left = new Set(made.flatMap((pages) => pages.slice(3)));
  return routes.filter((route) => !left.has(route));
}

/** One of `parts` shares of a list, so that two workers can go through it side by side; `part` counts from 1. */
export function takeShare<T>(items: readonly T[], part: number, parts: number): T[] {
  return items.filter((_, index) => index % parts === part - 1);
}
