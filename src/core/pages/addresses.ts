import {
  buildAuthorPath,
  buildDefaultPath,
  FIXED_PATHS,
  isGroupPath,
  parseAddress,
  parseConsolePath,
  parsePath,
  tidyAddress,
  trimAddress,
} from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';
import type { Redirects } from './redirects/redirects.ts';

/**
 * The addresses of pages and articles that have one of their own, by the path at which they are rendered: `/name` of a page,
 * `/blog/slug` of an article. They begin and end as `parseAddress` writes them.
 */
export type Addresses = ReadonlyMap<string, string>;

/** A page or article that has an address of its own, as a request finds it. */
export interface RequestedPiece {
  /** At which it is rendered. */
  readonly path: string;
  readonly address: string;
}

const mapRequests = memoizeByKey(
  (addresses: Addresses): ReadonlyMap<string, RequestedPiece> =>
    new Map(
      [...addresses].flatMap(([path, address]) => [
        [path, { path, address }] as const,
        [trimAddress(address), { path, address }] as const,
      ]),
    ),
);

/**
 * Finds the piece with an address of its own that a request is for, by that address or by the path at which it is rendered; null
 * for all other paths. `path`: without a slash at its end, as `parsePath` returns it.
 */
export function findRequestedPiece(addresses: Addresses, path: string): RequestedPiece | null {
  if (addresses.size === 0) return null;
  const requests = mapRequests(addresses);
  const found = requests.get(path);
  if (found !== undefined || !path.includes('%')) return found ?? null;
  // Another spelling of the same letters, such as an accent by itself.
  return requests.get(parseAddress(path) ?? '') ?? null;
}

/** Whether a request is for the address as links write it, in whatever percent-encoding. `requested`: as the client sent it. */
export const isAddressOf = (requested: string, { address }: RequestedPiece): boolean =>
  requested === address || parsePath(requested) === address;

/** Leads a target that names a piece by its default path to its address; others stay as they are. */
export function leadTarget(target: string, addresses: Addresses): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return (addresses.get(trimAddress(path)) ?? path) + rest;
}

/** Leads the links of HTML that name a piece by its default path to its address. */
export function leadLinks(html: string, addresses: Addresses): string {
  if (addresses.size === 0) return html;
  return html.replace(
    / href="(\/[^"?#]*)(?=["?#])/g,
    (_, path: string) => ` href="${leadTarget(path, addresses).replace(/&(?!amp;)/g, '&amp;')}`,
  );
}

/** The addresses that content gives a site. */
export interface ContentAddresses {
  readonly redirects: Redirects;
  /** Addresses that pages and articles have of their own; none when left out. */
  readonly addresses?: Addresses;
  readonly pages?: ReadonlyMap<string, unknown>;
  readonly authors?: ReadonlyMap<string, unknown>;
  readonly site: { readonly aliases: Readonly<Record<string, string>> };
}

/** Addresses that have capitals or other signs that `tidyAddress` writes otherwise, by how it writes them. */
const mapTidied = memoizeByKey(({ redirects, addresses, site: { aliases } }: ContentAddresses) => {
  const written = [...redirects.keys(), ...(addresses?.values() ?? []), ...Object.keys(aliases)];
  return new Map(
    written.flatMap((address) => {
      const plain = trimAddress(address);
      const tidied = /^[a-z0-9/-]*$|\?/.test(plain) ? plain : tidyAddress(plain)?.path;
      return tidied === undefined || tidied === plain ? [] : [[tidied, address] as const];
    }),
  );
});

/** The default paths of articles. */
export const listSlugs = memoizeByKey(
  (articles: readonly { readonly slug: string }[]) =>
    new Set(articles.map(({ slug }) => buildDefaultPath(slug))),
);

/**
 * Finds the address of the site that a request means which is no address of it: one that differs by what `tidyAddress` leaves
 * out. Null when there is none, and for a piece that visitors do not see. `hasRoute`: whether the site responds at a path that is
 * no page; `isShown`: whether visitors see the piece that is rendered at a path.
 */
export function findMeantAddress(
  requested: string,
  content: ContentAddresses,
  articles: readonly { readonly slug: string }[],
  hasRoute: (path: string) => boolean,
  isShown: (path: string) => boolean = () => true,
): { readonly path: string; readonly query: string } | null {
  const { redirects, addresses, pages, authors, site } = content;
  const isKnown = (path: string) =>
    FIXED_PATHS.includes(path) ||
    redirects.has(path) ||
    Object.hasOwn(site.aliases, path) ||
    (pages?.has(path) === true && isShown(path)) ||
    listSlugs(articles).has(path) ||
    (authors !== undefined && [...authors.keys()].some((key) => buildAuthorPath(key) === path)) ||
    (addresses !== undefined && findRequestedPiece(addresses, path) !== null) ||
    hasRoute(path);
  const tidied = tidyAddress(requested);
  // Nothing says without a session that there is a console.
  if (tidied === null || isKnown(trimAddress(requested)) || parseConsolePath(tidied.path) !== null)
    return null;
  const own = addresses && findRequestedPiece(addresses, tidied.path)?.address;
  const path = own ?? mapTidied(content).get(tidied.path) ?? tidied.path;
  const piece = addresses && findRequestedPiece(addresses, trimAddress(path));
  if (piece && !isShown(piece.path)) return null;
  const isMeant = path !== tidied.path || isKnown(path) || isGroupPath(path);
  return path !== requested && isMeant ? { ...tidied, path } : null;
}
