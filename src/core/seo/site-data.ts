import type { Author } from '../articles/author.schema.ts';
import { findAuthor } from '../articles/find-author.ts';
import { BLOG_PATH, buildAuthorPath } from '../paths.ts';

export interface SiteIdentity {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  /** Signs what no person signs. */
  readonly author: string;
  /** Those who have a page. */
  readonly authors: ReadonlyMap<string, Author>;
  /** The site's address without a trailing slash. */
  readonly origin: string;
}

export const SCHEMA = 'https://schema.org';

const LOGO = '/icons/maskable-512.png';

/** Builds the structured data of the front page: the site with its search, and who runs it. */
export function buildSiteData(site: SiteIdentity): object[] {
  return [
    {
      '@context': SCHEMA,
      '@type': 'WebSite',
      '@id': `${site.origin}/#website`,
      name: site.name,
      description: site.description,
      inLanguage: site.language,
      url: `${site.origin}/`,
      publisher: { '@id': buildPublisherId(site.origin) },
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${site.origin}${BLOG_PATH}?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
    { '@context': SCHEMA, ...buildPublisher(site) },
  ];
}

/** Builds the organisation behind the site, as a part of other data. */
export function buildPublisher(site: SiteIdentity): object {
  return {
    '@type': 'Organization',
    '@id': buildPublisherId(site.origin),
    name: site.name,
    url: `${site.origin}/`,
    logo: { '@type': 'ImageObject', url: site.origin + LOGO, width: 512, height: 512 },
  };
}

/** Builds who wrote something: an author with a page, else the site's own desk or a person. */
export function buildAuthor(name: string, site: SiteIdentity): object {
  const author = findAuthor(site.authors, name);
  if (author !== undefined) return buildAuthorData(author, site);
  const isDesk = name.toLowerCase().endsWith(site.author.toLowerCase());
  return isDesk ? { '@type': 'Organization', name, url: `${site.origin}/` } : { '@type': 'Person', name };
}

/** Builds a person or a team with a page of their own. */
export function buildAuthorData({ key, kind, name, role, links }: Author, site: SiteIdentity): object {
  return {
    '@type': kind === 'person' ? 'Person' : 'Organization',
    '@id': `${site.origin}${buildAuthorPath(key)}#author`,
    name,
    url: site.origin + buildAuthorPath(key),
    ...(kind === 'person' && { jobTitle: role, worksFor: { '@id': buildPublisherId(site.origin) } }),
    ...(kind === 'team' && { parentOrganization: { '@id': buildPublisherId(site.origin) } }),
    ...(links.length > 0 && { sameAs: links.map(({ href }) => href) }),
  };
}

function buildPublisherId(origin: string): string {
  return `${origin}/#organization`;
}
