import { parseAddress, parsePath, trimAddress } from '../paths.ts';
import { memoizeByKey } from '../text/memoize-by-key.ts';

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
