import { isPartnerPath } from '../outbound/partner.ts';
import {
  BLOG_PATH,
  buildAuthorPath,
  buildDefaultPath,
  FIXED_PATHS,
  HOME_PATH,
  isBelowBlog,
  isGroupPath,
  isReservedPath,
  parseAddress,
  parsePath,
  trimAddress,
} from '../paths.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import { findNearest } from '../text/words.ts';
import { type Addresses, findRequestedPiece } from './addresses.ts';
import { CLAIM_NOTE_ID } from './claims/claims.ts';
import { listTexts, type TextPath } from './claims/placeholders.ts';
import { type Content, type ContentProblem, describeField } from './content.ts';
import type { Page } from './page.schema.ts';
import { listAnchors, listHeadingIds } from './page-outline.ts';
import { listTextTargets } from './partner-link-check.ts';

/** Content whose files name each other. */
interface ReferencingContent extends LinkTargets {
  readonly savings: SavingsSettings;
}

/** Records a fault; `isWarning`: the file can be shown with it. */
type Report = (path: TextPath, reason: string, isWarning?: boolean) => void;

/** What a file names and no file defines. */
interface ReferenceFault extends ContentProblem {
  /** Whether the file can be shown with it: it only leads nowhere. */
  readonly isWarning: boolean;
}

const SITE_FILE = 'site.yaml';
const NO_ANCHORS: ReadonlySet<string> = new Set();
/** What every page has that shows copy of the site with a claim. */
const SITE_ANCHORS: ReadonlySet<string> = new Set([CLAIM_NOTE_ID]);

/** Finds what content files name and no file defines: pages, anchors, articles, plans, calculators. */
export function checkReferences(content: ReferencingContent): ReferenceFault[] {
  const problems: ReferenceFault[] = [];
  const findFault = createLinkCheck(content);
  const open = (file: string, value: unknown): Report => {
    return (path, reason, isWarning = false) =>
      problems.push({ file, field: describeField(value, path), reason, path, isWarning });
  };
  const report = open(SITE_FILE, content.site);
  checkLinks(content.site, SITE_ANCHORS, findFault, report);
  checkAliases(content, findFault, report);
  checkBill(content, findFault, report);
  content.site.untestedRatings.forEach((path, index) => {
    if (content.pages.has(path) || content.leftOut?.has(path)) return;
    report(['untestedRatings', index], `${path} is not a page of content/pages/`, true);
  });
  for (const [path, page] of content.pages) {
    const reportPage = open(`pages${path}.yaml`, page);
    checkLinks(page, listAnchors(page), findFault, reportPage);
    checkTeasers(page, content.articles, reportPage);
  }
  for (const [key, author] of content.authors) {
    const anchors = new Set(listHeadingIds(author.bio));
    checkLinks(author, anchors, findFault, open(`authors/${key}.yaml`, author));
  }
  return problems;
}

function checkLinks(
  content: unknown,
  anchors: ReadonlySet<string>,
  findFault: FindLinkFault,
  report: Report,
): void {
  for (const { text, path } of listTexts(content)) {
    for (const target of path.at(-1) === 'href' ? [text] : listTextTargets(text)) {
      const fault = findFault(target, anchors);
      if (fault !== null) report(path, fault, true);
    }
  }
}

function checkAliases(
  { site: { aliases }, partners, redirects }: LinkTargets,
  findFault: FindLinkFault,
  report: Report,
): void {
  for (const [alias, target] of Object.entries(aliases)) {
    const at = ['aliases', alias];
    const fault = findFault(target, NO_ANCHORS);
    if (alias.endsWith('/')) report(at, 'must not end with a slash: it applies to both spellings');
    else if (isReservedPath(alias)) report(at, `the site responds at ${alias} itself`);
    else if (isPartnerPath(alias, partners)) report(at, `${alias} leads to a partner`);
    else if (Object.hasOwn(aliases, target)) report(at, `leads to ${target}, which is an alias itself`);
    else if (redirects?.has(target)) report(at, `leads to ${target}, which is a redirect itself`, true);
    else if (fault !== null) report(at, fault, true);
  }
}

function checkBill(
  { site, pages, savings, leftOut }: ReferencingContent,
  findFault: FindLinkFault,
  report: Report,
): void {
  if (site.home.bill === undefined) return;
  const { plan, calculator } = site.home.bill;
  const at = ['home', 'bill', 'calculator'];
  if (!savings.plans.some(({ key }) => key === plan)) {
    const known = savings.plans.map(({ key }) => key).join(', ');
    report(['home', 'bill', 'plan'], `there is no plan "${plan}"; the plans are ${known}`);
  }
  if (calculator === undefined) return;
  const { name, page: path, section: id } = calculator;
  if (!Object.hasOwn(savings.calculators, name)) {
    const known = Object.keys(savings.calculators).join(', ');
    report([...at, 'name'], `there is no calculator "${name}"; calculators.yaml has ${known}`, true);
    return;
  }
  const page = pages.get(path);
  if (page === undefined && leftOut?.has(path)) return;
  if (page === undefined) {
    report([...at, 'page'], findFault(path, NO_ANCHORS) ?? `${path} is not a page of content/pages/`, true);
    return;
  }
  const shown = page.sections.filter((section) => getCalculator(section) === name);
  if (shown.some((section) => section.id === id)) return;
  const ids = shown.flatMap((section) => section.id ?? []);
  const advice = ids.length === 0 ? 'none has' : `${ids.join(' and ')} has`;
  report([...at, 'section'], `no section "${id}" of ${path} has the calculator "${name}"; ${advice}`, true);
}

function getCalculator(section: Page['sections'][number]): string | undefined {
  if (section.type === 'savings-calculator') return section.calculator;
  if (section.type !== 'hero' || section.figure?.kind !== 'calculator') return undefined;
  return section.figure.calculator;
}

function checkTeasers({ sections }: Page, articles: ReadonlySet<string> | undefined, report: Report): void {
  if (articles === undefined) return;
  sections.forEach((section, index) => {
    if (section.type !== 'article-teasers') return;
    section.slugs?.forEach((slug, position) => {
      if (articles.has(slug)) return;
      const reason = `there is no article "${slug}"`;
      report(['sections', index, 'slugs', position], reason, true);
    });
  });
}

/** What links of content files can lead to. */
export interface LinkTargets extends Pick<Content, 'site' | 'pages' | 'authors' | 'partners'> {
  /** Slugs of the articles; undefined: they are elsewhere, so links to them cannot be checked. */
  readonly articles?: ReadonlySet<string> | undefined;
  /** Paths of pages that are left out because their files are invalid; links to them are right. */
  readonly leftOut?: ReadonlySet<string> | undefined;
  /** Addresses that pieces have of their own. */
  readonly addresses?: Addresses | undefined;
  /** Former addresses, by path: links to them lead on. */
  readonly redirects?: ReadonlyMap<string, unknown> | undefined;
}

/** Finds what is wrong with a link of this site; null for a good one, and for links that lead to other sites. */
export type FindLinkFault = (target: string, ownAnchors: ReadonlySet<string>) => string | null;

/** Creates the check of links. `ownAnchors` of a link are the ids of the page that it is on. */
export function createLinkCheck({
  site,
  pages,
  authors,
  partners,
  articles,
  leftOut,
  addresses = new Map(),
  redirects,
}: LinkTargets): FindLinkFault {
  const paths = new Set([
    ...FIXED_PATHS,
    ...pages.keys(),
    ...(leftOut ?? []),
    ...Object.keys(site.aliases),
    ...[...authors.keys()].map(buildAuthorPath),
    ...[...(articles ?? [])].map(buildDefaultPath),
    ...[...addresses.values()].map(trimAddress),
  ]);
  // Links to partners have a check of their own.
  const isKnown = (path: string) =>
    paths.has(path) ||
    redirects?.has(path) ||
    isPartnerPath(path, partners) ||
    isGroupPath(path) ||
    (isBelowBlog(path) && articles === undefined) ||
    isPublicFile(path);
  return (target, ownAnchors) => {
    if (target.startsWith('#')) return findAnchorFault(target.slice(1), ownAnchors, 'this page');
    if (!/^\/(?!\/)/.test(target)) return null;
    const [address = '', anchor] = target.split('#', 2);
    const [written = '', query] = address.split('?', 2);
    const path = parsePath(trimSlash(parseAddress(written) ?? written));
    if (path === null || !isKnown(path)) return describeUnknown(written, [...paths]);
    const page = pages.get(findRequestedPiece(addresses, path)?.path ?? path);
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

const ARTICLE_LINK = new RegExp(`(?<![\\w.:/-])${BLOG_PATH}/[^\\s()<>"'#?]+`, 'g');

/**
 * Lists the links to articles, topics and tags in the texts of a content file: paths without query and fragment, and
 * where they are, such as `/roi-calculator, section 2 (prose), field body`. `file` begins the places.
 */
export function listArticleReferences(content: unknown, file: string) {
  return listTexts(content).flatMap(({ text, path: field }) =>
    [...text.matchAll(ARTICLE_LINK)].flatMap(([link]) => {
      const path = parsePath(link.replace(/[.,;:!]+$/, ''));
      return path === null ? [] : [{ place: `${file}, ${describeField(content, field)}`, path }];
    }),
  );
}
