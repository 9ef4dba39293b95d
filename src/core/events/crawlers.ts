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

type CrawlerLine = readonly [
  agent: string,
  kind: CrawlerKind,
  ranges?: string | null,
  source?: string | null,
  isRequesting?: false,
];

const CHATGPT = 'AI assistant / ChatGPT';
const CLAUDE = 'AI assistant / Claude';
const PERPLEXITY = 'AI assistant / Perplexity';
const META_AI = 'AI assistant / Meta AI';
const GOOGLE = 'search / Google';

/**
 * The agents by operator, from the operators' own documentation of November 2026. An agent with several purposes has the
 * one for which its operator lets sites refuse it: ClaudeBot and Meta-ExternalAgent train models, among other things.
 */
const LINES: Readonly<Record<string, readonly CrawlerLine[]>> = {
  OpenAI: [
    ['OAI-SearchBot', 'search', 'searchbot', CHATGPT],
    ['GPTBot', 'training', 'gptbot', CHATGPT],
    ['ChatGPT-User', 'user', 'chatgpt-user', CHATGPT],
    ['OAI-AdsBot', 'ads', null, CHATGPT],
  ],
  Anthropic: [
    ['Claude-SearchBot', 'search', null, CLAUDE],
    ['ClaudeBot', 'training', null, CLAUDE],
    ['Claude-User', 'user', null, CLAUDE],
  ],
  Perplexity: [
    ['PerplexityBot', 'search', 'perplexitybot', PERPLEXITY],
    ['Perplexity-User', 'user', 'perplexity-user', PERPLEXITY],
  ],
  Google: [
    ['Googlebot', 'search', 'googlebot', GOOGLE],
    ['Storebot-Google', 'search', 'googlebot', GOOGLE],
    ['Google-Extended', 'training', null, null, false],
    ['Google-NotebookLM', 'user', 'user-triggered-fetchers-google', 'AI assistant / NotebookLM'],
    ['AdsBot-Google', 'ads', 'special-crawlers', GOOGLE],
    ['Mediapartners-Google', 'ads', 'special-crawlers'],
  ],
  Microsoft: [
    ['bingbot', 'search', 'bingbot', 'search / Bing'],
    ['adidxbot', 'ads', 'bingbot', 'search / Bing'],
  ],
  Apple: [
    ['Applebot', 'search', 'applebot'],
    ['Applebot-Extended', 'training', null, null, false],
  ],
  DuckDuckGo: [
    ['DuckDuckBot', 'search', 'duckduckbot', 'search / DuckDuckGo'],
    ['DuckAssistBot', 'user', 'duckassistbot', 'search / DuckDuckGo'],
  ],
  Meta: [
    ['meta-webindexer', 'search', null, META_AI],
    ['meta-externalagent', 'training', null, META_AI],
    ['meta-externalfetcher', 'user', null, META_AI],
    ['meta-externalads', 'ads'],
  ],
  Mistral: [['MistralAI-User', 'user', 'mistralai-user-ips', 'AI assistant / Le Chat']],
  Amazon: [
    ['Amzn-SearchBot', 'search'],
    ['Amazonbot', 'training'],
    ['Amzn-User', 'user'],
  ],
  'Common Crawl': [['CCBot', 'training', 'ccbot']],
  ByteDance: [['Bytespider', 'training']],
  Cohere: [['cohere-training-data-crawler', 'training']],
  Yandex: [['YandexBot', 'search', null, 'search / Yandex']],
  Baidu: [['Baiduspider', 'search', null, 'search / Baidu']],
};

/** Every known agent, by operator. */
export const CRAWLERS: readonly CrawlerAgent[] = Object.entries(LINES).flatMap(([operator, lines]) =>
  lines.map(([agent, kind, ranges = null, source = null, isRequesting = true]) => ({
    ...{ agent, operator, kind, ranges, source, isRequesting },
  })),
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
