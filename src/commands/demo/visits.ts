import path from 'node:path';
import { z } from 'zod';
import { parseArticleFile } from '../../content-files/articles/article-file.ts';
import { listArticleSlugs } from '../../content-files/articles/read-article-files.ts';
import { readTextFile } from '../../content-files/read-text-file.ts';
import { type Answers, createAnswerCodeParser } from '../../core/assessment/answers.ts';
import { buildConversionLabel, recommendPlatform } from '../../core/assessment/recommend-platform.ts';
import { buildCompletedEvent } from '../../core/assessment/submission.schema.ts';
import { DAY_MS } from '../../core/clock.ts';
import { AD_PLATFORMS, type CampaignCost } from '../../core/commissions/cost/campaign-cost.ts';
import { buildSiteEvent, type EventParts } from '../../core/events/build-site-event.ts';
import type { Campaign } from '../../core/events/campaign.ts';
import { type CrawlerRequests, getCrawler } from '../../core/events/crawlers.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { classifyClick, classifyFirstView } from '../../core/events/visit-source.ts';
import { choosePartner } from '../../core/outbound/cta.ts';
import { buildClickParts, MAX_JOURNEY_PAGES } from '../../core/outbound/outbound-link.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildPageOutline } from '../../core/pages/page-outline.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, CONTACT_PATH, HOME_PATH } from '../../core/paths.ts';
import { RESULTS_SOURCE } from '../../islands/assessment/assessment-props.ts';
import demoChannels from './channels.json' with { type: 'json' };
import type { SeededRandom } from './seeded-random.ts';

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
  /** How many days before the end it lost most of its readers, to another site's page; left out when it did not. */
  readonly lostDays?: number;
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
function readDemoPages(content: Content, contentDir: string) {
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
  const files = listArticleSlugs(folder).flatMap((slug) => {
    const source = readTextFile(folder, `${slug}.md`);
    const read = 'text' in source ? parseArticleFile(`${slug}.md`, source.text) : null;
    return read === null || !('file' in read) || read.file.front.draft ? [] : [read.file];
  });
  const articles = files.map(({ slug, front: { address, partner: own } }, index) => {
    const links = [
      { source: 'article', position: 'body', partner: choosePartner(partners, own, promoted.key) },
      { source: 'article', position: 'end', partner: promoted },
    ];
    // A few articles get most of the readers; the first of them has lost its place in the search results.
    const weight = 14 / (2 + ((index * 7) % 24)) / (1 + Math.floor(index / 100));
    const lost = index === 0 ? { lostDays: 30 } : {};
    return {
      ...base,
      ...lost,
      path: buildArticlePath({ slug, address }),
      weight,
      clickRate: 0.06,
      quality: 0.9,
      links,
    };
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

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Visits by day of the week, Sunday first. */
const WEEKDAYS = [0.68, 1.12, 1.15, 1.12, 1.08, 0.98, 0.62];
/** Visits by hour of the day in UTC: most visitors are in America and Europe. */
const HOURS = [3, 2, 2, 1, 1, 1, 2, 3, 5, 6, 6, 6, 7, 8, 9, 9, 9, 8, 8, 7, 6, 5, 4, 4];
/** Visits by month, January first: agencies buy software after New Year and after the summer, and not on holidays. */
const SEASONS = [1.1, 1.06, 1.04, 0.99, 0.96, 0.9, 0.84, 0.88, 1.03, 1.07, 1.05, 0.82];
const GROWTH = { first: 0.55, last: 1.3 };
/** Share of its readers that a page retains which lost most of them. */
const LEFT_READERS = 0.3;
/** Sessions of the last half hour. */
const LIVE_SESSIONS = 14;
const MAX_PAGES = 9;
const SECONDS_PER_STEP = 30;
const SHARE = {
  // Some come by one campaign, look around, and come again by another one in the same tab.
  nextPage: 0.52,
  secondArrival: 0.22,
  readsPrices: 0.6,
  trial: 0.75,
  nextStep: 0.86,
  followsResult: 0.45,
  message: 0.05,
};
const MESSAGES = [
  'Does the comparison include the price of phone numbers and text messages?',
  'We are an agency with nine people.\nWhich plan should we look at first?',
  'Your table says 3 sub-accounts. Is that still right?',
];

/** Where generated sessions come from. */
const channelSchema = z.object({
  /** Address of the page before the entry, or `direct`. */
  referrer: z.string(),
  /** Share of the sessions; the shares need no particular sum. */
  weight: z.number(),
  /** How much more often its visitors click and buy than average ones. */
  quality: z.number(),
  /** An arrival has one value of each parameter; the id of an ad click begins with it. */
  campaign: z.record(z.string(), z.array(z.string())).optional(),
  /** Every session begins with this landing page, counted from the one that is seen most; with any page when missing. */
  landing: z.number().optional(),
  /** How many times as many sessions it has at the end as at the beginning; 1 when missing. */
  growth: z.number().optional(),
  /** The channel has begun this many days before the end; at the beginning when missing. */
  sinceDays: z.number().optional(),
  /** What a click on an ad costs, in cents of USD, and the platform that is paid. */
  cost: z.object({ platform: z.enum(AD_PLATFORMS), amount: z.number() }).optional(),
});
type Channel = Readonly<z.infer<typeof channelSchema>>;

/** Search, assistants, links, ads with and without utm parameters, mail, social networks and direct visits. */
const CHANNELS: readonly Channel[] = z.array(channelSchema).parse(demoChannels);

/** Those by which a visitor comes again: mail and search ads more often than others. */
const RETURNS = CHANNELS.filter(({ campaign }) => campaign?.['utm_campaign'] !== undefined);

/** A click, which a commission may follow. */
export interface DemoClick {
  readonly event: SiteEvent;
  /** How much more often it earns than an average click. */
  readonly quality: number;
  /** The events of its session. */
  readonly session: readonly SiteEvent[];
}

/** What gets the results of generated days beside their events. */
export interface DemoResults {
  readonly addClick: (click: DemoClick) => void;
  readonly addCost: (cost: Omit<CampaignCost, 'entry'>) => void;
}

/**
 * Generates the events of each day from `start` to `now` (ms since 1970), in the order of time: about `sessions`
 * sessions in all. `results` get every click, and what the ads of each day cost.
 */
export function* simulateDays(
  content: Content,
  contentDir: string,
  { start, now, sessions }: { readonly start: number; readonly now: number; readonly sessions: number },
  random: SeededRandom,
  results: DemoResults,
): Generator<readonly SiteEvent[]> {
  const site = {
    ...readDemoPages(content, contentDir),
    assessment: content.assessment,
    parseAnswerCodes: createAnswerCodeParser(content.assessment.questions),
  };
  const firstDay = Math.floor(start / DAY_MS) * DAY_MS;
  const count = Math.floor((now - firstDay) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, index) => {
    const time = firstDay + index * DAY_MS;
    const growth = GROWTH.first + (GROWTH.last - GROWTH.first) * (index / count);
    const date = new Date(time);
    const season = SEASONS[date.getUTCMonth()] ?? 1;
    return { time, weight: growth * season * (WEEKDAYS[date.getUTCDay()] ?? 1) };
  });
  const sum = days.reduce((total, { weight }) => total + weight, 0);
  for (const { time: day, weight } of days) {
    const isLast = day + DAY_MS > now;
    const length = Math.round(((sessions * weight) / sum) * random.logNormal(1, 0.1));
    const pickTime = () => {
      const hour = random.pick([...HOURS.keys()], (_, index) => HOURS[index] ?? 0);
      return day + hour * HOUR_MS + random.integer(0, HOUR_MS - 1);
    };
    const pickLiveTime = () => now - random.integer(1, 30) * MINUTE_MS;
    const live = Array.from({ length: isLast ? LIVE_SESSIONS : 0 }, pickLiveTime);
    const events: SiteEvent[] = [];
    const arrivals: Channel[] = [];
    const choices = chooseDay(site.pages, {
      progress: (day - firstDay) / (now - firstDay),
      daysLeft: (now - day) / DAY_MS,
    });
    for (const time of [...Array.from({ length }, pickTime), ...live]) {
      if (time < start || time > now) continue;
      const session = simulateSession({ ...site, ...choices }, time, random);
      events.push(...session.events);
      arrivals.push(...session.arrivals);
      // A visitor of this moment has not done the rest yet.
      for (const click of session.clicks) if (click.event.serverTime <= now) results.addClick(click);
    }
    for (const cost of buildCosts(arrivals, new Date(day).toISOString().slice(0, 10))) results.addCost(cost);
    if (random.chance(SHARE.message)) events.push(...writeMessage(content, pickTime(), random));
    const known = events.filter(({ serverTime }) => serverTime >= start && serverTime <= now);
    yield known.sort((one, other) => one.serverTime - other.serverTime);
  }
}

/** How often agents read the page that is seen most on an average day; other pages by how often they are seen. */
const CRAWLER_RATES: Readonly<Record<string, number>> = {
  Googlebot: 9,
  bingbot: 4,
  Applebot: 0.8,
  PerplexityBot: 1.4,
  'OAI-SearchBot': 2.6,
  GPTBot: 2,
  ClaudeBot: 1.6,
  CCBot: 0.3,
  'meta-externalagent': 1.1,
  'ChatGPT-User': 3.4,
  'Claude-User': 0.6,
  'Perplexity-User': 0.8,
  'AdsBot-Google': 0.4,
};
/** Share of the requests with the name of an agent that another program sends. */
const INVENTED = 0.04;
const CRAWLED_DAYS = 120;

/** Generates the requests of crawlers of each of the last 120 days before `now` (ms since 1970). */
export function* simulateCrawlers(
  content: Content,
  contentDir: string,
  now: number,
  random: SeededRandom,
): Generator<readonly CrawlerRequests[]> {
  const { pages } = readDemoPages(content, contentDir);
  const highest = Math.max(...pages.map(({ weight }) => weight));
  for (let age = CRAWLED_DAYS; age >= 0; age--) {
    const day = new Date(now - age * DAY_MS).toISOString().slice(0, 10);
    yield Object.entries(CRAWLER_RATES).flatMap(([agent, rate]) =>
      pages.flatMap(({ path, weight }): CrawlerRequests[] => {
        const requests = Math.floor((rate * weight * random.logNormal(1, 0.6)) / highest + random.next());
        const hasRanges = (getCrawler(agent)?.ranges ?? null) !== null;
        const invented = random.chance(INVENTED * requests) ? 1 : 0;
        const verified = hasRanges ? Math.max(0, requests - invented) : 0;
        return requests === 0 ? [] : [{ day, agent, page: path, requests, verified }];
      }),
    );
  }
}

/** The channels and pages of a day with their weights. `progress`: from 0, the first day, to 1. */
function chooseDay(
  pages: readonly DemoPage[],
  { progress, daysLeft }: { readonly progress: number; readonly daysLeft: number },
) {
  const channels = CHANNELS.filter(({ sinceDays = Infinity }) => daysLeft < sinceDays).map((channel) => {
    const { weight, growth = 1 } = channel;
    return { channel, weight: weight * (1 + (growth - 1) * progress) };
  });
  const known = pages.map((page) => {
    const { weight, lostDays = 0 } = page;
    return daysLeft < lostDays ? { ...page, weight: weight * LEFT_READERS } : page;
  });
  return { channels, pages: known };
}

/** What the ads of a day cost: every click on one, of which the arrivals are those that were counted. */
function buildCosts(arrivals: readonly Channel[], period: string): Omit<CampaignCost, 'entry'>[] {
  return [...Map.groupBy(arrivals, (channel) => channel)].flatMap(([{ cost, campaign = {} }, own]) => {
    const [source, medium, name] = ['utm_source', 'utm_medium', 'utm_campaign'].map(
      (parameter) => campaign[parameter]?.[0],
    );
    if (cost === undefined || name === undefined) return [];
    const amount = own.length * cost.amount;
    const named = { name, campaign: `${source} / ${medium} / ${name}` };
    return [{ platform: cost.platform, ...named, period, amount, currency: 'USD' }];
  });
}

function writeMessage({ pages }: Content, now: number, random: SeededRandom): SiteEvent[] {
  const form = pages.get(CONTACT_PATH)?.sections.find((section) => section.type === 'contact-form');
  if (form === undefined) return [];
  const { key: topic } = random.pick(form.topics);
  const reader = random.integer(1, 99);
  const sender = { name: `Sample reader ${reader}`, email: `reader${reader}@example.com` };
  const data = { topic, ...sender, message: random.pick(MESSAGES) };
  const parts = { name: 'contact_message', page: CONTACT_PATH, label: topic, data } as const;
  return [buildSiteEvent({ id: random.uuid(), ...parts }, { now, gpc: false })];
}

interface DemoSite extends Pick<ReturnType<typeof readDemoPages>, 'landings'>, ReturnType<typeof chooseDay> {
  readonly assessment: Content['assessment'];
  readonly parseAnswerCodes: ReturnType<typeof createAnswerCodeParser>;
}

type ActionParts = Omit<EventParts, 'id'>;

/** What one visitor does after an arrival by one of the channels, and the channels by which the visitor came. */
function simulateSession(site: DemoSite, start: number, random: SeededRandom) {
  const events: SiteEvent[] = [];
  const clicks: DemoClick[] = [];
  const arrivals: Channel[] = [];
  const session = random.uuid();
  const channel = random.pick(site.channels, ({ weight }) => weight).channel;
  const { referrer } = channel;
  let firstTouch = arrive(channel);
  let lastTouch = firstTouch;
  const visited = new Set<string>();
  let answers: Answers | null = null;
  let time = start;
  readPages();
  return { events, clicks, arrivals };

  function arrive(by: Channel): Campaign {
    arrivals.push(by);
    const values = Object.entries(by.campaign ?? {}).map(([name, options]) => {
      const value = random.pick(options);
      return [name, name.endsWith('clid') ? `${value}${random.uuid()}` : value];
    });
    return Object.fromEntries(values);
  }

  function readPages(): void {
    const { pages, landings } = site;
    let page = landings[channel.landing ?? -1] ?? random.pick(pages, ({ weight }) => weight);
    visit(page, { referrer });
    for (let count = 1; count < MAX_PAGES && random.chance(SHARE.nextPage); count++) {
      const others = pages.filter((other) => other !== page);
      page = random.pick(others, ({ weight }) => weight);
      if (random.chance(SHARE.secondArrival)) {
        lastTouch = arrive(random.pick(RETURNS, ({ weight, quality }) => weight * quality));
        if (Object.keys(firstTouch).length === 0) firstTouch = lastTouch;
      }
      visit(page);
    }
  }

  function visit(page: DemoPage, data: EventParts['data'] = {}): void {
    const { path, links } = page;
    visited.add(path);
    add({ name: 'page_view', page: path, data });
    if (path === ASSESSMENT_PATH) takeAssessment(page);
    if (page.hasPrices && random.chance(SHARE.readsPrices))
      add({ name: 'pricing_view', page: path, label: 'pricing', data: { source: 'pricing' } });
    if (links.length === 0 || !random.chance(page.clickRate * channel.quality)) return;
    const link = random.pickEarly(links);
    click(page, link, { name: 'call_to_action', label: link.source });
  }

  function takeAssessment(page: DemoPage): void {
    const { assessment } = site;
    for (let step = 1; step <= assessment.questions.length; step++) {
      add({ name: 'assessment_step', page: page.path, value: step });
      if (!random.chance(SHARE.nextStep)) return;
    }
    const pick = (field: keyof Answers) => {
      const question = assessment.questions.find((one) => one.field === field);
      return random.pickEarly(question?.options ?? []).key;
    };
    const [businessType, budget] = [pick('businessType'), pick('budget')];
    answers = { businessType, budget, revenue: pick('revenue'), challenges: [pick('challenges')] };
    add(buildCompletedEvent(assessment, answers, { id: random.uuid(), session }));
    const outcome = recommendPlatform(assessment, businessType);
    const link = page.links.find(({ partner }) => partner.key === outcome.partner);
    if (link === undefined || !random.chance(SHARE.followsResult)) return;
    const data = { business_type: businessType, budget, platform: outcome.platform };
    const label = buildConversionLabel(answers, outcome);
    click(page, link, { name: 'assessment_conversion', label, data });
  }

  /** The click as the browser reports it, then the redirect. */
  function click({ path, quality }: DemoPage, { partner, source, position }: DemoLink, action: ActionParts) {
    const id = random.uuid();
    add({ ...action, page: path, value: 1, data: { ...action.data, source, position, click: id } });
    const pages = [...visited];
    const visit = {
      session,
      page: path,
      answers: '',
      firstTouch,
      lastTouch,
      referrer,
      entryPage: pages[0] ?? '',
      journeyPages: pages.slice(0, MAX_JOURNEY_PAGES),
      sessionTime: Math.round((time - start) / 1_000),
    };
    const isTrial = partner.destinations.has('trial') && random.chance(SHARE.trial);
    const pageKey = isTrial ? 'trial' : 'pricing';
    const link = { pageKey, source, position, content: '', clickToken: id, visit, isRepeated: false };
    const codes = site.parseAnswerCodes(answers);
    const event = add(buildClickParts(partner, pageKey, link, { id, gpc: false, answers: codes }));
    clicks.push({ event, quality: quality * channel.quality, session: events });
  }

  /** Adds an event; the visitor takes some time until the next one. */
  function add(parts: ActionParts & { readonly id?: string }): SiteEvent {
    const all = { id: random.uuid(), session, campaign: lastTouch, ...parts };
    const source =
      all.name === 'affiliate_redirect'
        ? classifyClick({ lastTouch, referrer }, '', [])
        : classifyFirstView(all, []);
    const event = buildSiteEvent(all, { now: time, gpc: false, source });
    events.push(event);
    time += Math.round(random.logNormal(SECONDS_PER_STEP, 0.7) * 1_000);
    return event;
  }
}
