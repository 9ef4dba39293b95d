import crawlers from './crawlers.json' with { type: 'json' };

/**
 * What an agent requests pages for: an index that people search, training of models, one person who asked for the page,
 * or a check of the landing pages of advertisements.
 */
export const CRAWLER_KINDS = ['search', 'training', 'user', 'ads'] as const;
export type CrawlerKind = (typeof CRAWLER_KINDS)[number];

/** An agent that names itself in its requests. */
export interface CrawlerAgent {
  /** Its product token, as in its user agent and in robots.txt. */
  readonly agent: string;
  readonly operator: string;
  readonly kind: CrawlerKind;
  /** The file of address ranges that its operator publishes, without `.json`; null without one. */
  readonly ranges: string | null;
  /** The source of the visits that the same product sends, as `channel / name`; null when it sends none. */
  readonly source: string | null;
  /** false: a token of robots.txt alone, which requests nothing. */
  readonly isRequesting: boolean;
}

const AGENTS: Readonly<Record<CrawlerKind, readonly Omit<CrawlerAgent, 'kind'>[]>> = crawlers;

/**
 * Every known agent, from the operators' own documentation of November 2026. An agent with several purposes has the one for
 * which its operator lets sites refuse it: ClaudeBot and Meta-ExternalAgent train models, among other things.
 */
export const CRAWLERS: readonly CrawlerAgent[] = CRAWLER_KINDS.flatMap((kind) =>
  AGENTS[kind].map((agent) => ({ ...agent, kind })),
);

const byToken = new Map(
  CRAWLERS.filter(({ isRequesting }) => isRequesting).map((crawler) => [
    crawler.agent.toLowerCase(),
    crawler,
  ]),
);

/** A token is a word of its own, or the beginning of a variant such as `Googlebot-Image` and `AdsBot-Google-Mobile`. */
const TOKENS = new RegExp(
  `(?<![\\w-])(${[...byToken.keys()].sort((one, other) => other.length - one.length).join('|')})(?![\\w])`,
  'i',
);

/** The agent that a user agent names; null for browsers and unknown programs. What it names can be invented. */
export function findCrawler(userAgent: string): CrawlerAgent | null {
  const [, token = ''] = TOKENS.exec(userAgent) ?? [];
  return byToken.get(token.toLowerCase()) ?? null;
}

/** The agent with a product token; null for an unknown one. */
export function getCrawler(agent: string): CrawlerAgent | null {
  return byToken.get(agent.toLowerCase()) ?? null;
}

/** Requests of pages by one agent on one day. */
export interface CrawlerRequests {
  /** `YYYY-MM-DD` in the time zone of the site. */
  readonly day: string;
  /** Product token of the agent, as in `CRAWLERS`. */
  readonly agent: string;
  /** Path of the page; `(other)` for those beyond the number that a day has. */
  readonly page: string;
  readonly requests: number;
  /** How many of them came from an address that the operator of the agent has published. */
  readonly verified: number;
}

/** The page of requests beyond the number of pages that a day has for one agent. */
export const OTHER_CRAWLED_PAGE = '(other)';
