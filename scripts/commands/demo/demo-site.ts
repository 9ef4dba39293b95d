import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { choosePartner } from '../../../src/core/outbound/cta.ts';
import type { Partner } from '../../../src/core/outbound/partner.ts';
import { getSectionPosition, HEADER_POSITION } from '../../../src/core/outbound/placement.ts';
import type { Content } from '../../../src/core/pages/content.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../../../src/core/paths.ts';
import { RESULTS_SOURCE } from '../../../src/islands/assessment/assessment-props.ts';

/** A link to a partner on a page. */
export interface DemoPlacement {
  readonly source: string;
  /** The part of the page that it is in. */
  readonly position: string;
  /** Page key of the destination. */
  readonly destination: string;
  readonly partner: Partner;
  /** How often visitors choose it among the links of its page. */
  readonly weight: number;
}

/** A page that the generated visitors see. */
export interface DemoPage {
  readonly path: string;
  /** How often it is seen. */
  readonly weight: number;
  /** Share of its views that lead to a click. */
  readonly clickRate: number;
  /** How much more often its clicks earn than an average click. */
  readonly quality: number;
  readonly placements: readonly DemoPlacement[];
}

/** Weight, click rate and quality by the beginning of a path; the first that fits applies. */
const TRAITS: readonly (readonly [beginning: string, weight: number, clickRate: number, quality: number])[] =
  [
    ['/hubspot-vs-gohighlevel', 14, 0.12, 1.6],
    ['/expert-review', 8, 0.1, 1.35],
    ['/gohighlevel-free-trial', 6, 0.19, 1.5],
    ['/roi-calculator', 6, 0.08, 1.1],
    ['/gohighlevel-complete-tutorial', 9, 0.04, 0.6],
    ['/free-trial-demo', 4, 0.13, 1.2],
    ['/industry-report', 4, 0.02, 0.5],
    ['/business-tool', 4, 0.05, 0.9],
    ['/feature-comparison', 4, 0.07, 1.1],
    ['/case-studies', 3, 0.04, 0.8],
    ['/tutorials', 2, 0.02, 0.6],
    ['/help', 1, 0.01, 0.5],
    ['/privacy', 0.3, 0, 1],
    ['/terms', 0.2, 0, 1],
    ['/affiliate-disclosure', 0.4, 0, 1],
    ['/contact', 0.8, 0, 1],
  ];
/** A page for editors to copy, which visitors do not find. */
const TEMPLATE_PATH = '/template';

/** Lists the pages of the content folder with their links to partners, as the site renders them. */
export function readDemoSite(content: Content, contentDir: string): readonly DemoPage[] {
  const { partners, site } = content;
  const promoted = choosePartner(partners, site.promotedPartner);
  const link = (source: string, position: string, partner: Partner, weight = 1): DemoPlacement => ({
    source,
    position,
    destination: partner === promoted ? 'pricing' : 'trial',
    partner,
    weight,
  });
  const outcomes = content.assessment.outcomes.map(({ partner }) => choosePartner(partners, partner));
  return [
    {
      path: HOME_PATH,
      weight: 12,
      clickRate: 0.03,
      quality: 0.8,
      placements: [link('home', 'hero', promoted)],
    },
    { path: BLOG_PATH, weight: 4, clickRate: 0, quality: 1, placements: [] },
    {
      path: ASSESSMENT_PATH,
      weight: 5,
      clickRate: 0,
      quality: 1.7,
      placements: outcomes.map((partner) => link(RESULTS_SOURCE, 'result', partner)),
    },
    ...listLandingPages(content, promoted),
    ...listArticles(contentDir).map(({ slug, partner }, index): DemoPage => {
      const own = choosePartner(partners, partner, site.promotedPartner);
      // A few articles get most of the readers.
      const weight = 14 / (2 + ((index * 7) % 24));
      const placements = [link('article', 'body', own, 3), link('article', 'end', promoted)];
      return { path: buildArticlePath(slug), weight, clickRate: 0.06, quality: 0.9, placements };
    }),
  ];
}

function listLandingPages({ pages, partners, site }: Content, promoted: Partner): DemoPage[] {
  return [...pages].flatMap(([path, page]): DemoPage[] => {
    if (path === TEMPLATE_PATH) return [];
    const [, weight, clickRate, quality] = TRAITS.find(([beginning]) => path.startsWith(beginning)) ?? [
      '',
      2,
      0.03,
      1,
    ];
    const { cta } = page;
    const found = new Map<string, DemoPlacement>();
    const add = (source: string, position: string, destination: string, key: string | undefined) => {
      const partner = choosePartner(partners, key, cta?.partner, site.promotedPartner);
      const known = found.get(`${source} ${position} ${destination} ${partner.key}`);
      // A page shows its first links to most of its readers.
      const more = known === undefined ? 1 / (1 + found.size) : known.weight / 4;
      const placement = { source, position, destination, partner, weight: (known?.weight ?? 0) + more };
      found.set(`${source} ${position} ${destination} ${partner.key}`, placement);
    };
    if (cta?.headerSource !== undefined) add(cta.headerSource, HEADER_POSITION, cta.partnerLink, undefined);
    for (const section of page.sections) {
      for (const { source, partnerLink, partner } of collectLinks(section)) {
        add(source ?? cta?.source ?? 'cta', getSectionPosition(section), partnerLink, partner);
      }
    }
    const placements = [...found.values()].filter(({ partner, destination }) =>
      partner.destinations.has(destination),
    );
    if (placements.length === 0 && cta !== undefined) {
      placements.push({
        source: cta.source,
        position: HEADER_POSITION,
        destination: cta.partnerLink,
        partner: promoted,
        weight: 1,
      });
    }
    return [{ path, weight, clickRate: placements.length === 0 ? 0 : clickRate, quality, placements }];
  });
}

interface FoundLink {
  readonly partnerLink: string;
  readonly source: string | undefined;
  readonly partner: string | undefined;
}

/** Every object of a page's sections that is a link to a partner, in their order. */
function collectLinks(value: unknown): FoundLink[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const getText = (name: string) => {
    const text = fields.get(name);
    return typeof text === 'string' ? text : undefined;
  };
  const partnerLink = getText('partnerLink');
  const own =
    partnerLink === undefined
      ? []
      : [{ partnerLink, source: getText('source'), partner: getText('partner') }];
  return [...own, ...[...fields.values()].flatMap(collectLinks)];
}

function listArticles(contentDir: string): { readonly slug: string; readonly partner: string | undefined }[] {
  const folder = path.join(contentDir, 'articles');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const [, partner] =
        /^partner: *([a-z0-9-]+) *$/m.exec(readFileSync(path.join(folder, name), 'utf8')) ?? [];
      return { slug: name.slice(0, -'.md'.length), partner };
    });
}
