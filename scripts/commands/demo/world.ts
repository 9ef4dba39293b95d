import path from 'node:path';
import { createAnswerCodeParser, type ParseAnswerCodes } from '../../../src/core/assessment/answers.ts';
import type { Assessment } from '../../../src/core/assessment/assessment.schema.ts';
import type { FactSource } from '../../../src/core/commissions/commission-fact.ts';
import type { Campaign } from '../../../src/core/events/campaign.ts';
import { choosePartner } from '../../../src/core/outbound/cta.ts';
import type { Partner } from '../../../src/core/outbound/partner.ts';
import { getSectionPosition, HEADER_POSITION } from '../../../src/core/outbound/placement.ts';
import type { Content } from '../../../src/core/pages/content.ts';
import type { Page } from '../../../src/core/pages/page.schema.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../../../src/core/paths.ts';
import { RESULTS_SOURCE } from '../../../src/islands/assessment/assessment-props.ts';
import { parseArticleFile } from '../../../src/sources/articles/files/article-file.ts';
import { listArticleSlugs } from '../../../src/sources/articles/files/read-article-files.ts';
import { readTextFile } from '../../../src/sources/content/read-text-file.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What generated visitors find: the site of the content folder, the channels that lead to it, and its programs. */
export interface DemoWorld {
  readonly pages: readonly DemoPage[];
  readonly channels: readonly DemoChannel[];
  readonly assessment: Assessment;
  readonly parseAnswerCodes: ParseAnswerCodes;
  /** By partner, the promoted one first. */
  readonly programs: ReadonlyMap<string, DemoProgram>;
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
  readonly hasPrices: boolean;
  readonly placements: readonly DemoPlacement[];
}

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

/** Where generated sessions come from. */
export interface DemoChannel {
  /** Share of the sessions; the shares need no particular sum. */
  readonly weight: number;
  /** Address of the page before the entry, or `direct`. */
  readonly referrer: string;
  /** How much more often its visitors click and buy than average ones. */
  readonly quality: number;
  /** Campaign of one arrival; ids of ad clicks are new for each. */
  readonly build: (random: SeededRandom) => Campaign;
  /** Path of its landing page; any page when left out. */
  readonly landing?: string | undefined;
  /** Days before the end of the data on which the campaign began and ended. */
  readonly days?: readonly [from: number, to: number];
}

/** How the affiliate program of a partner behaves. */
export interface DemoProgram {
  readonly source: FactSource;
  readonly currency: string;
  /** The smallest commission, in minor units; some are three and five times as much. */
  readonly amount: number;
  /** Share of average clicks that earn. */
  readonly rate: number;
  /** Days from the click to the commission: half come earlier. */
  readonly delayDays: number;
  /** Days from the commission until it is approved. */
  readonly approvalDays: number;
  /** Share of the commissions that are taken back. */
  readonly reversals: number;
  /** Share of customers who stay from one month to the next; 0 for a program that pays once. */
  readonly monthlyRetention: number;
}

type ProgramKind = Omit<DemoProgram, 'monthlyRetention'>;

/** Partners take these in turn: every way to report, and two currencies, have something to show. */
const PROGRAM_KINDS: readonly [ProgramKind, ...ProgramKind[]] = [
  {
    ...{ source: 'webhook', currency: 'USD', amount: 3_900, rate: 0.02 },
    ...{ delayDays: 7, approvalDays: 16, reversals: 0.06 },
  },
  {
    ...{ source: 'postback', currency: 'EUR', amount: 900, rate: 0.03 },
    ...{ delayDays: 11, approvalDays: 30, reversals: 0.08 },
  },
  {
    ...{ source: 'csv', currency: 'USD', amount: 2_500, rate: 0.035 },
    ...{ delayDays: 9, approvalDays: 45, reversals: 0.16 },
  },
  {
    ...{ source: 'api', currency: 'USD', amount: 1_000, rate: 0.045 },
    ...{ delayDays: 4, approvalDays: 15, reversals: 0.04 },
  },
];
const MONTHLY_RETENTION = 0.86;

/** What landing pages are like, in turn from the one with the most links to partners. */
const TRAITS = [
  { clickRate: 0.12, quality: 1.6 },
  { clickRate: 0.09, quality: 1.3 },
  { clickRate: 0.16, quality: 1.5 },
  { clickRate: 0.05, quality: 0.7 },
  { clickRate: 0.03, quality: 0.5 },
];

/** Reads the world from the content folder. */
export function readDemoWorld(content: Content, contentDir: string): DemoWorld {
  const { assessment, partners, site } = content;
  const promoted = choosePartner(partners, site.promotedPartner);
  const landings = listLandingPages(content, promoted);
  const others = [...partners.values()].filter((partner) => partner !== promoted);
  return {
    pages: [...listSitePages(content, promoted), ...landings, ...listArticles(content, contentDir, promoted)],
    channels: listChannels(
      landings.map(({ path }) => path),
      promoted.name.toLowerCase(),
    ),
    assessment,
    parseAnswerCodes: createAnswerCodeParser(assessment.questions),
    programs: new Map(
      [promoted, ...others].map(({ key, terms }, index): [string, DemoProgram] => {
        const kind = PROGRAM_KINDS[index % PROGRAM_KINDS.length] ?? PROGRAM_KINDS[0];
        return [key, { ...kind, monthlyRetention: terms.recurring ? MONTHLY_RETENTION : 0 }];
      }),
    ),
  };
}

const buildPlacement = (source: string, position: string, partner: Partner, weight = 1): DemoPlacement => ({
  ...{ source, position, partner, weight },
  destination: partner.destinations.has('trial') ? 'trial' : 'pricing',
});

function listSitePages({ assessment, partners }: Content, promoted: Partner): DemoPage[] {
  const page = { weight: 4, clickRate: 0, quality: 1, hasPrices: false, placements: [] };
  const results = assessment.outcomes.map(({ partner }) =>
    buildPlacement(RESULTS_SOURCE, 'result', choosePartner(partners, partner)),
  );
  const hero = [buildPlacement('home', 'hero', promoted)];
  return [
    { ...page, path: HOME_PATH, weight: 12, clickRate: 0.03, quality: 0.8, placements: hero },
    { ...page, path: BLOG_PATH },
    // A click follows the result, and nothing else.
    { ...page, path: ASSESSMENT_PATH, weight: 5, quality: 1.7, placements: results },
  ];
}

/** Pages with more links to partners are those that a site promotes: they are seen more often. */
function listLandingPages({ pages, partners }: Content, promoted: Partner): DemoPage[] {
  return [...pages]
    .filter(([, page]) => page.index)
    .map(([path, page]) => ({ path, page, placements: listPlacements(page, partners, promoted) }))
    .sort((one, other) => other.placements.length - one.placements.length)
    .map(({ path, page, placements }, rank) => {
      const hasPrices = page.sections.some(({ type }) => type === 'pricing-plans');
      const shared = { path, placements, hasPrices };
      if (placements.length === 0) return { ...shared, weight: 0.5, clickRate: 0, quality: 1 };
      const { clickRate = 0.05, quality = 1 } = TRAITS[rank % TRAITS.length] ?? {};
      return { ...shared, weight: 20 / (1.5 + rank), clickRate, quality };
    });
}

function listPlacements({ header, cta, sections }: Page, partners: Content['partners'], promoted: Partner) {
  const links = sections.flatMap((section) =>
    collectLinks(section).map((link) => ({ ...link, position: getSectionPosition(section) })),
  );
  if (header === 'landing' && cta !== undefined) {
    links.unshift({ ...cta, source: cta.headerSource, position: HEADER_POSITION });
  }
  return links.flatMap(({ source, position, partnerLink, partner: key }, index): DemoPlacement[] => {
    const partner = choosePartner(partners, key, cta?.partner, promoted.key);
    if (!partner.destinations.has(partnerLink)) return [];
    // A page shows its first links to most of its readers.
    const weight = 1 / (1 + index);
    return [{ source: source ?? cta?.source ?? 'cta', position, destination: partnerLink, partner, weight }];
  });
}

interface FoundLink {
  readonly partnerLink: string;
  readonly source?: string | undefined;
  readonly partner?: string | undefined;
}

/** Every object of a section that is a link to a partner, in their order. */
function collectLinks(value: unknown): FoundLink[] {
  if (typeof value !== 'object' || value === null) return [];
  const { partnerLink, source, partner }: Record<string, unknown> = { ...value };
  const text = (field: unknown) => (typeof field === 'string' ? field : undefined);
  const own =
    typeof partnerLink === 'string' ? [{ partnerLink, source: text(source), partner: text(partner) }] : [];
  return [...own, ...Object.values(value).flatMap(collectLinks)];
}

function listArticles({ partners }: Content, contentDir: string, promoted: Partner): DemoPage[] {
  const folder = path.join(contentDir, 'articles');
  return listArticleSlugs(folder).flatMap((slug, index): DemoPage[] => {
    const source = readTextFile(folder, `${slug}.md`);
    const read = 'problem' in source ? null : parseArticleFile(`${slug}.md`, source.text);
    if (read === null || !('file' in read)) return [];
    const own = choosePartner(partners, read.file.front.partner, promoted.key);
    const placements = [
      buildPlacement('article', 'body', own, 3),
      buildPlacement('article', 'end', promoted),
    ];
    // A few articles get most of the readers.
    const weight = 14 / (2 + ((index * 7) % 24));
    const shared = { clickRate: 0.06, quality: 0.9, hasPrices: false, placements };
    return [{ path: buildArticlePath(slug), weight, ...shared }];
  });
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

function buildAdId(random: SeededRandom, beginning: string): string {
  return beginning + Array.from({ length: 28 }, () => ID_CHARACTERS[random.integer(0, 63)]).join('');
}

const buildUtm = (source: string, medium: string, campaign: string, more: Campaign = {}): Campaign => ({
  ...{ utm_source: source, utm_medium: medium, utm_campaign: campaign },
  ...more,
});

/** Search, ads with and without utm parameters, mail, social networks and direct visits. */
function listChannels(landings: readonly string[], product: string): readonly DemoChannel[] {
  const [first, second, third, fourth] = landings;
  const [google, bing] = ['https://www.google.com/', 'https://www.bing.com/'];
  const channel = (weight: number, referrer: string, quality: number, more: Partial<DemoChannel> = {}) => ({
    ...{ weight, referrer, quality, build: () => ({}) },
    ...more,
  });
  return [
    channel(38, google, 1),
    channel(5, bing, 1),
    channel(3, 'https://duckduckgo.com/', 0.9),
    channel(19, 'direct', 1.05),
    channel(3, 'https://news.ycombinator.com/', 0.2, { days: [203, 199] }),
    channel(7, google, 1.5, {
      landing: first,
      build: (random) =>
        buildUtm('google', 'cpc', 'comparison-search', {
          utm_content: random.chance(0.6) ? 'pricing-headline' : 'seats-headline',
          utm_term: random.pick([`${product} alternative`, `${product} pricing`, 'crm without seats']),
          gclid: buildAdId(random, 'Cj0KCQ'),
        }),
    }),
    // Auto-tagging without utm parameters.
    channel(4, google, 1.3, {
      landing: second,
      build: (random) => ({ gclid: buildAdId(random, 'EAIaIQ') }),
    }),
    channel(4, google, 1.7, {
      landing: second,
      days: [180, 0],
      build: (random) => buildUtm('google', 'cpc', 'brand', { gclid: buildAdId(random, 'Cj0KCQ') }),
    }),
    channel(4, bing, 1.2, {
      landing: first,
      days: [260, 40],
      build: (random) => buildUtm('bing', 'cpc', 'comparison-search', { msclkid: buildAdId(random, '') }),
    }),
    channel(5, 'https://www.facebook.com/', 0.35, {
      landing: third,
      days: [330, 150],
      build: (random) =>
        buildUtm('facebook', 'paid-social', 'report-download', {
          utm_content: random.pick(['video-a', 'video-b', 'carousel']),
          fbclid: buildAdId(random, 'IwAR'),
        }),
    }),
    channel(6, 'direct', 1.6, {
      build: (random) =>
        buildUtm('newsletter', 'email', random.chance(0.75) ? 'weekly' : 'pricing-change', {
          utm_content: random.pick(['lead-story', 'button', 'footer']),
        }),
    }),
    channel(3, 'https://www.youtube.com/', 0.9, {
      landing: third,
      build: () => buildUtm('youtube', 'video', 'setup-series'),
    }),
    channel(2.5, 'https://www.linkedin.com/', 0.8, {
      build: () => buildUtm('linkedin', 'social', 'founder-posts'),
    }),
    channel(2, 'https://partner-blog.example/', 1.4, {
      landing: fourth,
      days: [140, 0],
      build: () => buildUtm('partner-blog', 'referral', 'calculator'),
    }),
  ];
}
