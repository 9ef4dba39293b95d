import { isPartnerPath } from '../../outbound/partner.ts';
import {
  buildAuthorPath,
  buildDefaultPath,
  HOME_PATH,
  isFormerPath,
  parsePath,
  parseRedirectPath,
} from '../../paths.ts';
import { createLinkCheck, type LinkTargets } from '../check-references.ts';

/**
 * Addresses of a former site, and where each of them leads for good: a path of this site, or an absolute address. An
 * address is a path without a slash at its end, alone or with parameters by name, such as `/?p=12`.
 */
export type Redirects = ReadonlyMap<string, string>;

/** A redirect as a file states it. */
export interface RedirectLine {
  readonly from: string;
  readonly to: string;
  /** File below the content folder, and its line. */
  readonly file: string;
  readonly line: number;
}

/** Where redirects are, below the content folder. */
export const REDIRECT_FOLDER = 'redirects';
/** The first line of a file of redirects. */
export const REDIRECT_COLUMNS = ['from', 'to'] as const;

/** Parameters of a request that are looked up: a longer query is no former address. */
const MAX_PARAMETERS = 10;

/**
 * Finds the redirect of a request; null without one. `path`: as `parsePath` returns it. An address with parameters wins over
 * the path alone.
 */
export function findRedirect(redirects: Redirects, path: string, query: string) {
  if (redirects.size === 0) return null;
  if (query !== '') {
    const parameters = new URLSearchParams(query);
    for (const from of listFormerAddresses(path, parameters)) {
      const to = redirects.get(from);
      if (to === undefined) continue;
      for (const name of new URLSearchParams(from.slice(path.length)).keys()) parameters.delete(name);
      return { to, query: parameters.toString() };
    }
  }
  const to = redirects.get(path) ?? findFirstPage(redirects, path) ?? findOtherForm(redirects, path);
  return to === undefined ? null : { to, query };
}

/** The addresses with parameters that a request may mean: with all of them, then with each. */
export function listFormerAddresses(path: string, query: URLSearchParams): string[] {
  const parameters = [...query].slice(0, MAX_PARAMETERS);
  const sets = [parameters, ...parameters.map((parameter) => [parameter])];
  return sets.map((set) => `${path}?${sortQuery(set)}`);
}

function sortQuery(parameters: Iterable<[string, string]>): string {
  const query = new URLSearchParams([...parameters]);
  query.sort();
  return query.toString();
}

/** Whether a request is for a post that a former site of WordPress does not have, by its number. */
export function isUnknownPost(redirects: Redirects, path: string, query: string): boolean {
  if (path !== HOME_PATH || !/(?:^|&)(?:p|page_id)=\d+(?:&|$)/.test(query)) return false;
  const hasPosts = [...redirects.keys()].some((from) => from.startsWith('/?p='));
  return hasPosts && findRedirect(redirects, path, query) === null;
}

/** A later page of a former archive, such as `/tag/crm/page/3`, leads where the archive leads; of comments, the article. */
function findFirstPage(redirects: Redirects, path: string): string | undefined {
  const later = splitLaterPage(path);
  if (later === null) return undefined;
  const first = later.isComments ? undefined : redirects.get(`${later.base}/page/1`);
  return first ?? redirects.get(later.base);
}

/** A feed in another format leads where the feed leads, and the frame of a post where the post leads. */
function findOtherForm(redirects: Redirects, path: string): string | undefined {
  const [, feed = '', post = ''] = /^(.+\/feed)\/(?:atom|rss2?|rdf)$|^(.+)\/embed$/.exec(path) ?? [];
  // A post that kept its address has no redirect, but its feed has one that leads to it.
  return (
    redirects.get(feed) ?? redirects.get(post) ?? (post === '' ? undefined : redirects.get(`${post}/feed`))
  );
}

/** Splits the path of a later page of an archive or of comments; null for every other path. */
export function splitLaterPage(path: string): { readonly base: string; readonly isComments: boolean } | null {
  const [, base, comments] = /^(.*)\/(?:page\/|(comment-page-))\d{1,6}$/.exec(path) ?? [];
  return base === undefined ? null : { base, isComments: comments !== undefined };
}

/**
 * Writes a former address as requests are looked up: no slash at the end, one spelling of percent-encoding, parameters by
 * name. Null when it cannot be the address of a request.
 */
export function parseFormerAddress(address: string): string | null {
  const [written = '', query, ...others] = encodeText(address.trim()).split('?');
  if (others.length > 0 || written.includes('#')) return null;
  const trimmed = written === HOME_PATH ? written : written.replace(/\/+$/, '');
  const path = parsePath(trimmed);
  if (path === null || query === undefined || query === '') return path === HOME_PATH ? null : path;
  const parameters = [...new URLSearchParams(query)];
  const isRead = parameters.length <= MAX_PARAMETERS && parameters.every(([name]) => name !== '');
  return isRead && parameters.length > 0 ? `${path}?${sortQuery(parameters)}` : null;
}

/**
 * Writes the target of a redirect as a `Location` header can have it: a path or a web address. An image of the content folder
 * stays as it is written, such as `../images/photo.jpg`. Null for everything else.
 */
export function parseRedirectTarget(target: string): string | null {
  const text = encodeText(target.trim());
  if (/[^\x21-\x7e]/.test(text)) return null;
  if (/^\/(?![/\\])/.test(text) || isImageTarget(text)) return text;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { username, password } = new URL(text);
  return username === '' && password === '' ? text : null;
}

/** Whether a redirect leads to an image of the content folder. */
export const isImageTarget = (target: string): boolean => target.startsWith('../images/');

const encodeText = (text: string) => text.toWellFormed().replace(/(?:[^\p{ASCII}]| )+/gu, encodeURIComponent);

/**
 * Finds what is wrong with redirects: an address that the site itself has, or that is there twice; a target that does not
 * exist, or leads on. `drafts`: paths of drafts, which visitors do not see, so that redirects can have them.
 */
export function checkRedirects(
  lines: readonly RedirectLine[],
  targets: LinkTargets,
  drafts: ReadonlySet<string> = new Set(),
) {
  // A target that is a former address itself would be a second hop.
  const findFault = createLinkCheck({ ...targets, redirects: undefined });
  const findClash = createClashCheck(targets, drafts);
  const first = new Map<string, RedirectLine>();
  for (const line of lines) if (!first.has(line.from)) first.set(line.from, line);
  return lines.flatMap((line) => {
    const { from, to } = line;
    const earlier = first.get(from);
    const next = to.startsWith('/') ? parseFormerAddress(to.split('#', 1)[0] ?? '') : null;
    const clash = findClash(from);
    const reason =
      earlier !== line && earlier !== undefined
        ? `${from} is in ${earlier.file}, line ${earlier.line}, already`
        : clash !== null
          ? clash
          : next !== null && first.has(next) && findClash(next) === null
            ? `${from} leads to ${to}, which is a redirect itself`
            : describeFault(from, findFault(to, new Set()));
    return reason === null ? [] : [{ line, reason }];
  });
}

const describeFault = (from: string, fault: string | null) => (fault === null ? null : `${from} ${fault}`);

/** Creates the check whether an address belongs to the site, so that no redirect can have it; null: it does not. */
export function createClashCheck(
  { site, pages, authors, partners, articles, leftOut }: LinkTargets,
  drafts: ReadonlySet<string> = new Set(),
) {
  const all = [
    ...pages.keys(),
    ...(leftOut ?? []),
    ...[...authors.keys()].map(buildAuthorPath),
    ...[...(articles ?? [])].map(buildDefaultPath),
  ];
  const paths = new Set(all.filter((path) => !drafts.has(path)));
  return (from: string): string | null => {
    if (from.includes('?')) return null;
    const key = parseRedirectPath(from);
    if (key === null ? isPartnerPath(from, partners) : partners.has(key))
      return `${from} leads to a partner of this site`;
    if (Object.hasOwn(site.aliases, from)) return `${from} is an alias of content/site.yaml already`;
    if (paths.has(from)) return `${from} is a page of this site`;
    return isFormerPath(from) ? null : `the site responds at ${from} itself`;
  };
}
