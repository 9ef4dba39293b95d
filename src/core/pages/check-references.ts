import { isPartnerPath } from '../outbound/partner-paths.ts';
import { isReservedPath } from '../paths.ts';
import type { Plans } from '../savings/plans.schema.ts';
import { listAnchors, listHeadingIds } from './anchors.ts';
import type { ContentProblem } from './content-error.ts';
import { describeField } from './describe-field.ts';
import type { TextPath } from './figures.ts';
import { createLinkCheck, type FindLinkFault, type LinkTargets } from './link-targets.ts';
import { listTexts } from './list-texts.ts';
import type { Page } from './page.schema.ts';
import { listTextTargets } from './partner-link-check.ts';

/** Content whose files name each other. */
interface ReferencingContent extends LinkTargets {
  readonly plans: Plans;
}

type Report = (path: TextPath, reason: string) => void;

const SITE_FILE = 'site.yaml';
const NO_ANCHORS: ReadonlySet<string> = new Set();

/** Finds what content files name and no file defines: pages, anchors, articles, plans, calculators. */
export function checkReferences(content: ReferencingContent): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const findFault = createLinkCheck(content);
  const open = (file: string, value: unknown): Report => {
    return (path, reason) => problems.push({ file, field: describeField(value, path), reason });
  };
  const report = open(SITE_FILE, content.site);
  checkLinks(content.site, NO_ANCHORS, findFault, report);
  checkAliases(content, findFault, report);
  checkBill(content, findFault, report);
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

/** Every `href` and every link of a text. */
function checkLinks(
  content: unknown,
  anchors: ReadonlySet<string>,
  findFault: FindLinkFault,
  report: Report,
): void {
  for (const { text, path } of listTexts(content)) {
    for (const target of path.at(-1) === 'href' ? [text] : listTextTargets(text)) {
      const fault = findFault(target, anchors);
      if (fault !== null) report(path, fault);
    }
  }
}

function checkAliases(
  { site: { aliases }, partners }: LinkTargets,
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
    else if (fault !== null) report(at, fault);
  }
}

/** The bill of the front page: its plan, and the calculator whose fields it has. */
function checkBill(
  { site, pages, plans }: ReferencingContent,
  findFault: FindLinkFault,
  report: Report,
): void {
  const { plan, calculator } = site.home.bill;
  const at = ['home', 'bill', 'calculator'];
  if (!plans.plans.some(({ key }) => key === plan)) {
    const known = plans.plans.map(({ key }) => key).join(', ');
    report(['home', 'bill', 'plan'], `there is no plan "${plan}"; plans.yaml has ${known}`);
  }
  if (calculator === undefined) return;
  const { name, page: path, section: id } = calculator;
  if (!Object.hasOwn(plans.calculators, name)) {
    const known = Object.keys(plans.calculators).join(', ');
    report([...at, 'name'], `there is no calculator "${name}"; plans.yaml has ${known}`);
    return;
  }
  const page = pages.get(path);
  if (page === undefined) {
    report([...at, 'page'], findFault(path, NO_ANCHORS) ?? `${path} is not a page of content/pages/`);
    return;
  }
  const shown = page.sections.filter((section) => getCalculator(section) === name);
  if (shown.some((section) => section.id === id)) return;
  const ids = shown.flatMap((section) => section.id ?? []);
  const advice = ids.length === 0 ? 'none has' : `${ids.join(' and ')} has`;
  report([...at, 'section'], `no section "${id}" of ${path} has the calculator "${name}"; ${advice}`);
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
      report(['sections', index, 'slugs', position], `no file in content/articles/ is called "${slug}.md"`);
    });
  });
}
