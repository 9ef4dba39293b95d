import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { IS_FULL_LENGTH } from './cases.ts';

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

/** Pages of which there are many from one template, with how many of them a sample has. */
const TEMPLATES = [
  [/^\/blog\/tag\//, 1],
  [/^\/blog\/topic\//, 1],
  [/^\/authors\//, 1],
  [/^\/blog\/[^/]+$/, 2],
] as const;

/**
 * Pages that together have every type of section, in every variant unless `types` is asked for, and a few of each
 * template that makes many; every page in a run at full length. The sections are those in the site's content, so a new one
 * is never left out.
 */
export function sampleRoutes(
  routes: readonly string[],
  contentDir: string,
  detail: 'types' | 'variants' = 'variants',
): string[] {
  if (IS_FULL_LENGTH) return [...routes];
  const features = readPageFeatures(contentDir, detail);
  const chosen = new Set(coverFeatures(new Map([...features].filter(([route]) => routes.includes(route)))));
  for (const [template, count] of TEMPLATES) {
    for (const route of routes.filter((one) => template.test(one)).slice(0, count)) chosen.add(route);
  }
  const isSingle = (route: string) =>
    !features.has(route) && !TEMPLATES.some(([template]) => template.test(route));
  return routes.filter((route) => chosen.has(route) || isSingle(route));
}

/** The types of sections of each page in `content/pages`, with their variants, by route. */
function readPageFeatures(
  contentDir: string,
  detail: 'types' | 'variants',
): ReadonlyMap<string, ReadonlySet<string>> {
  const folder = path.join(contentDir, 'pages');
  return new Map(
    readdirSync(folder).map((name) => {
      const page = contentPage.parse(parse(readFileSync(path.join(folder, name), 'utf8')));
      const frame = (['header', 'footer'] as const).map((key) => `${key} ${page[key]}`);
      const sections = page.sections.flatMap((one) => (detail === 'types' ? [one.type] : listFeatures(one)));
      return [`/${name.replace(/\.yaml$/, '')}`, new Set([...frame, ...sections])];
    }),
  );
}

const contentPage = z.object({
  header: z.string().default('default'),
  footer: z.string().default('default'),
  sections: z.array(z.looseObject({ type: z.string() })),
});

/** The type of a section, and each variant and kind in it: "hero", "hero kind chart", "background sunken". */
function listFeatures(section: {
  readonly type: string;
  readonly [key: string]: unknown;
}): readonly string[] {
  const found = [section.type, `background ${section['background']}`];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && (key === 'variant' || key === 'kind'))
        found.push(`${section.type} ${key} ${inner}`);
      visit(inner);
    }
  };
  visit(section);
  return found;
}

/** Few keys whose features are those of all, chosen one after the other by how many features they add. */
function coverFeatures(features: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Set([...features.values()].flatMap((set) => [...set]));
  const chosen: string[] = [];
  while (left.size > 0) {
    const countNew = ([, set]: readonly [string, ReadonlySet<string>]) =>
      [...set].filter((one) => left.has(one)).length;
    const [best] = [...features].sort((a, b) => countNew(b) - countNew(a));
    if (!best) break;
    chosen.push(best[0]);
    for (const feature of best[1]) left.delete(feature);
  }
  return chosen;
}

/** One of `parts` shares of a list, so that two workers can go through it side by side; `part` counts from 1. */
export function takeShare<T>(items: readonly T[], part: number, parts: number): T[] {
  return items.filter((_, index) => index % parts === part - 1);
}
