import { isBelowBlog, isReservedPath, LINKED_PAGES, trimAddress } from '../paths.ts';
import type { Addresses } from './addresses.ts';
import type { LinkTargets } from './check-references.ts';
import type { ContentProblem } from './content.ts';
import { createClashCheck, type RedirectLine } from './redirects/redirects.ts';

/** A page or article whose file names an address. */
export interface AddressedPiece {
  /** Below the content folder. */
  readonly file: string;
  /** At which it is rendered, and which it has when it cannot have the address. */
  readonly path: string;
  readonly address: string;
  /** When it was published: the earlier piece keeps an address that two want. */
  readonly publishedAt: string;
  /** Visitors do not see it, so that a redirect can have its address. */
  readonly isDraft: boolean;
}

/** Gives each piece its address, unless something else of the site has it, or an earlier piece; these are problems. */
export function assignAddresses(
  pieces: readonly AddressedPiece[],
  targets: LinkTargets,
  redirects: readonly RedirectLine[],
): { readonly addresses: Addresses; readonly clashes: readonly ContentProblem[] } {
  const findClash = createAddressCheck(targets, redirects);
  const redirected = new Set(redirects.map(({ from }) => from));
  const addresses = new Map<string, string>();
  const owners = new Map<string, string>();
  const clashes: ContentProblem[] = [];
  const sorted = pieces.toSorted((one, other) => compareClaims(one, other));
  for (const { file, path, address, isDraft } of sorted) {
    const own = trimAddress(address);
    if (address === path) continue;
    if (isDraft && redirected.has(own)) continue;
    const owner = owners.get(own);
    const clash =
      owner === undefined ? findClash(address, path) : `${address} is the address of ${owner} already`;
    if (clash === null) {
      addresses.set(path, address);
      owners.set(own, file);
    } else clashes.push({ file, field: 'address', reason: `${clash}; it is at ${path} instead` });
  }
  return { addresses, clashes };
}

function compareClaims(one: AddressedPiece, other: AddressedPiece): number {
  if (one.isDraft !== other.isDraft) return one.isDraft ? 1 : -1;
  if (one.publishedAt !== other.publishedAt) return one.publishedAt < other.publishedAt ? -1 : 1;
  return one.file < other.file ? -1 : 1;
}

/** Creates the check whether a piece that is rendered at a path can have an address; null: it can. */
export function createAddressCheck(targets: LinkTargets, redirects: readonly RedirectLine[]) {
  const findClash = createClashCheck(targets);
  const lines = new Map(redirects.map((line) => [line.from, line]));
  return (address: string, path: string): string | null => {
    const own = trimAddress(address);
    if (LINKED_PAGES.includes(path)) return `The site itself links to ${path}`;
    if (own === path) return null;
    const line = lines.get(own);
    if (line !== undefined) return `${own} is a redirect to ${line.to} (${line.file}, line ${line.line})`;
    if (isReservedPath(own) && !isBelowBlog(own)) return `the site responds at ${own} itself`;
    const clash = findClash(own);
    const slug = own.split('/').at(-1);
    const file = isBelowBlog(own) ? `articles/${slug}.md` : `pages/${slug}.yaml`;
    return clash?.endsWith('is a page of this site') ? `${own} is the address of ${file}` : clash;
  };
}
