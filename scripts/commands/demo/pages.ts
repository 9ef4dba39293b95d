import path from 'node:path';
import { choosePartner } from '../../../src/core/outbound/cta.ts';
import type { Partner } from '../../../src/core/outbound/partner.ts';
import type { Content } from '../../../src/core/pages/content.ts';
import { buildPageOutline } from '../../../src/core/pages/page-outline.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../../../src/core/paths.ts';
import { RESULTS_SOURCE } from '../../../src/islands/assessment/assessment-props.ts';
import { parseArticleFile } from '../../../src/sources/articles/files/article-file.ts';
import { listArticleSlugs } from '../../../src/sources/articles/files/read-article-files.ts';
import { readTextFile } from '../../../src/sources/content/read-text-file.ts';

/** A page that the generated visitors see. */
export interface DemoPage {
  readonly path: string;
  /** How often it is seen. */
  readonly weight: number;
  /** Share of its views that lead to a click. */
  readonly clickRate: number;
  /** How much more often its clicks earn than an average click. */
  readonly quality: number;
  readonly hasPrices: boolean;
  /** Its links to partners, from the top. */
  readonly links: readonly DemoLink[];
}

/** A link to a partner on a page. */
export interface DemoLink {
  readonly source: string;
  /** The part of the page that it is in. */
  readonly position: string;
  readonly partner: Partner;
}

/** What landing pages are like, in turn from the one with the most links to partners. */
const TRAITS = [
  { clickRate: 0.12, quality: 1.6 },
  { clickRate: 0.09, quality: 1.3 },
  { clickRate: 0.16, quality: 1.5 },
  { clickRate: 0.05, quality: 0.7 },
  { clickRate: 0.03, quality: 0.5 },
];

/** Reads all pages of the content folder, and the landing pages, the one with the most links first. */
export function readDemoPages(content: Content, contentDir: string) {
  const { assessment, partners, site } = content;
  const promoted = choosePartner(partners, site.promotedPartner);
  const base = { weight: 4, clickRate: 0, quality: 1, hasPrices: false, links: [] };
  const results = assessment.outcomes.map((outcome) => {
    const partner = choosePartner(partners, outcome.partner);
    return { source: RESULTS_SOURCE, position: 'result', partner };
  });
  const landings = [...content.pages]
    .filter(([, page]) => page.index)
    .map(([path, page]): DemoPage => {
      const partner = choosePartner(partners, page.cta?.partner, promoted.key);
      const links = buildPageOutline(page).flatMap(({ position, sources }) =>
        sources.map((source) => ({ source, position, partner })),
      );
      return { ...base, path, hasPrices: page.sections.some(({ type }) => type === 'pricing-plans'), links };
    })
    .sort((one, other) => other.links.length - one.links.length)
    // Pages with more links to partners are those that a site promotes: they are seen more often.
    .map((page, rank) => ({ ...page, weight: 20 / (1.5 + rank), ...TRAITS[rank % TRAITS.length] }));
  const folder = path.join(contentDir, 'articles');
  const articles = listArticleSlugs(folder).map((slug, index) => {
    const source = readTextFile(folder, `${slug}.md`);
    const read = 'text' in source ? parseArticleFile(`${slug}.md`, source.text) : null;
    const own = read !== null && 'file' in read ? read.file.front.partner : undefined;
    const links = [
      { source: 'article', position: 'body', partner: choosePartner(partners, own, promoted.key) },
      { source: 'article', position: 'end', partner: promoted },
    ];
    // A few articles get most of the readers.
    const weight = 14 / (2 + ((index * 7) % 24));
    return { ...base, path: buildArticlePath(slug), weight, clickRate: 0.06, quality: 0.9, links };
  });
  const hero = { source: 'home', position: 'hero', partner: promoted };
  const pages: readonly DemoPage[] = [
    { ...base, path: HOME_PATH, weight: 12, clickRate: 0.03, quality: 0.8, links: [hero] },
    { ...base, path: BLOG_PATH },
    // A click follows the result, and nothing else.
    { ...base, path: ASSESSMENT_PATH, weight: 5, quality: 1.7, links: results },
    ...landings,
    ...articles,
  ];
  return { pages, landings };
}
