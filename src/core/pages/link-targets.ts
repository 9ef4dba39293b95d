import { isPartnerPath } from '../outbound/partner-paths.ts';
import {
  buildArticlePath,
  buildAuthorPath,
  FIXED_PATHS,
  HOME_PATH,
  isBelowBlog,
  isGroupPath,
  isReservedPath,
  parsePath,
} from '../paths.ts';
import { findNearest } from '../text/find-nearest.ts';
import { listAnchors } from './anchors.ts';
import type { Content } from './content.ts';
import type { Page } from './page.schema.ts';

/** What links of content files can lead to. */
export interface LinkTargets extends Pick<Content, 'site' | 'pages' | 'authors' | 'partners'> {
  /** Slugs of the articles; undefined: they are elsewhere, so links to them cannot be checked. */
  readonly articles?: ReadonlySet<string> | undefined;
}

/** Finds what is wrong with a link of this site; null for a good one, and for links that lead to other sites. */
export type FindLinkFault = (target: string, ownAnchors: ReadonlySet<string>) => string | null;

/** Creates the check of links. `ownAnchors` of a link are the ids of the page that it is on. */
export function createLinkCheck({ site, pages, authors, partners, articles }: LinkTargets): FindLinkFault {
  const paths = new Set([
    ...FIXED_PATHS,
    ...pages.keys(),
    ...Object.keys(site.aliases),
    ...[...authors.keys()].map(buildAuthorPath),
    ...[...(articles ?? [])].map(buildArticlePath),
  ]);
  // Links to partners have a check of their own.
  const isKnown = (path: string) =>
    paths.has(path) ||
    isPartnerPath(path, partners) ||
    isGroupPath(path) ||
    (isBelowBlog(path) && articles === undefined) ||
    isPublicFile(path);
  return (target, ownAnchors) => {
    if (target.startsWith('#')) return findAnchorFault(target.slice(1), ownAnchors, 'this page');
    if (!/^\/(?!\/)/.test(target)) return null;
    const [address = '', anchor] = target.split('#', 2);
    const [written = '', query] = address.split('?', 2);
    const path = parsePath(trimSlash(written));
    if (path === null || !isKnown(path)) return describeUnknown(written, [...paths]);
    const page = pages.get(path);
    if (page === undefined) return null;
    const fault = anchor === undefined ? null : findAnchorFault(anchor, listAnchors(page), path);
    return fault ?? findTopicFault(query, page, path);
  };
}

/** Files that operators put into `public/` are not content: whether they are there is not known here. */
const isPublicFile = (path: string) => /\.[a-z0-9]+$/i.test(path) && !isReservedPath(path);

const trimSlash = (path: string) => (path === HOME_PATH ? path : path.replace(/\/$/, ''));

function describeUnknown(path: string, known: readonly string[]): string {
  const nearest = findNearest(path, known);
  return `leads to ${path}, which does not exist${nearest === null ? '' : `; did you mean ${nearest}?`}`;
}

function findAnchorFault(anchor: string, anchors: ReadonlySet<string>, page: string): string | null {
  if (anchors.has(anchor)) return null;
  return `leads to #${anchor}, but no section or heading of ${page} has this id`;
}

/** `?topic=` chooses a topic of the contact form. */
function findTopicFault(query: string | undefined, { sections }: Page, path: string): string | null {
  const form = sections.find((section) => section.type === 'contact-form');
  const topic = new URLSearchParams(query).get('topic');
  if (form === undefined || topic === null || form.topics.some(({ key }) => key === topic)) return null;
  const topics = form.topics.map(({ key }) => key).join(', ');
  return `names the topic "${topic}", which the form of ${path} does not have; it has ${topics}`;
}
