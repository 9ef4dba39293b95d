import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import {
  CRAWLERS,
  type CrawlerAgent,
  type CrawlerRequests,
  findCrawler,
} from '../../core/events/crawlers.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { CrawlerRequestCounts } from '../../stores/crawler-requests.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';

type Address = ReturnType<typeof ipaddr.process>;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Address ranges that operators of agents have published, by the name of the file. */
export class CrawlerRanges {
  readonly #networks: ReadonlyMap<string, readonly Network[]>;
  /** What was not read, a line each. */
  readonly problems: readonly string[];

  /**
   * `files`: texts by their names, such as `gptbot.json`, as the operators publish them: `prefixes` with `ipv4Prefix` or
   * `ipv6Prefix`. Files that no agent has are ignored.
   */
  constructor(files: ReadonlyMap<string, string>) {
    const networks = new Map<string, readonly Network[]>();
    const problems: string[] = [];
    for (const name of RANGE_FILES) {
      const text = files.get(`${name}.json`);
      if (text === undefined) continue;
      const parsed = parseRanges(text);
      if (parsed === null)
        problems.push(`${name}.json has no ranges of addresses: save it again as its operator publishes it`);
      else networks.set(name, parsed);
    }
    this.#networks = networks;
    this.problems = problems;
  }

  /** Whether the ranges of an agent are known. */
  has({ ranges }: { readonly ranges: CrawlerAgent['ranges'] }): boolean {
    return ranges !== null && this.#networks.has(ranges);
  }

  /** Whether an address is in the ranges of an agent; false where they are not known. */
  isVerified({ ranges }: { readonly ranges: CrawlerAgent['ranges'] }, address: string): boolean {
    const networks = ranges === null ? undefined : this.#networks.get(ranges);
    if (networks === undefined || !ipaddr.isValid(address)) return false;
    const parsed: Address = ipaddr.process(address);
    return networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  }
}

const RANGE_FILES = new Set(CRAWLERS.flatMap(({ ranges }) => (ranges === null ? [] : [ranges])));

const rangesSchema = z.object({
  prefixes: z
    .array(z.object({ ipv4Prefix: z.string().optional(), ipv6Prefix: z.string().optional() }))
    .min(1),
});

function parseRanges(text: string): readonly Network[] | null {
  const parsed = rangesSchema.safeParse(parseJson(text)).data;
  if (parsed === undefined) return null;
  const texts = parsed.prefixes.flatMap(({ ipv4Prefix, ipv6Prefix }) =>
    [ipv4Prefix, ipv6Prefix].filter((prefix) => prefix !== undefined),
  );
  return texts.length > 0 && texts.every((prefix) => ipaddr.isValidCIDR(prefix))
    ? texts.map((prefix) => ipaddr.parseCIDR(prefix))
    : null;
}

/** What the counter needs of a site. */
interface CrawlerCounterParts {
  readonly store: { readonly add: CrawlerRequestCounts['add'] };
  readonly ranges: CrawlerRanges;
  readonly clock: { readonly now: Clock['now'] };
  readonly timeZone: string;
  readonly log: Log;
  /** Keeps an instance of a worker running until the counts are written; left out: a job of the process writes them. */
  readonly keepAlive?: ((work: Promise<unknown>) => void) | undefined;
}

/** Counts that wait in memory, each for a page and an agent. Requests of further pages are not counted. */
const MAX_WAITING = 5_000;
/** Agents name themselves before this; a longer text would take longer to search. */
const MAX_USER_AGENT = 500;
/** How long counts wait. Those that wait when a process is killed are lost. */
const WRITE_MS = 10_000;

/**
 * Counts requests of pages by known agents, in memory: a request waits for nothing. Neither its address nor its user
 * agent is stored.
 */
export class CrawlerCounter {
  readonly #parts: CrawlerCounterParts;
  #waiting = new Map<string, { -readonly [key in keyof CrawlerRequests]: CrawlerRequests[key] }>();
  #isScheduled = false;

  constructor(parts: CrawlerCounterParts) {
    this.#parts = parts;
  }

  /**
   * Counts a request if a known agent has sent it. `page`: path of a page that was sent; `address`: that of the client
   * after trusted proxies.
   */
  count(page: string, userAgent: string | undefined, address: string): void {
    if (userAgent === undefined) return;
    const crawler = findCrawler(userAgent.slice(0, MAX_USER_AGENT));
    if (crawler === null) return;
    const { ranges, clock, timeZone, keepAlive } = this.#parts;
    const { agent } = crawler;
    const day = getLocalDay(clock.now(), timeZone);
    const key = `${day} ${agent} ${page}`;
    const waiting = this.#waiting.get(key) ?? { day, agent, page, requests: 0, verified: 0 };
    if (waiting.requests === 0 && this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(key, waiting);
    waiting.requests += 1;
    if (ranges.isVerified(crawler, address)) waiting.verified += 1;
    if (keepAlive === undefined || this.#isScheduled) return;
    this.#isScheduled = true;
    keepAlive(this.#writeLater());
  }

  /** Writes what was counted since the last time. Rejects with `EventStoreError`; the counts wait for the next time. */
  async write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const counts = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await this.#parts.store.add(counts);
    } catch (error) {
      for (const count of counts) this.#restore(count);
      throw error;
    }
  }

  #restore(count: CrawlerRequests): void {
    const key = `${count.day} ${count.agent} ${count.page}`;
    const { requests = 0, verified = 0 } = this.#waiting.get(key) ?? {};
    this.#waiting.set(key, {
      ...count,
      requests: count.requests + requests,
      verified: count.verified + verified,
    });
  }

  async #writeLater(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, WRITE_MS));
    this.#isScheduled = false;
    await this.write().catch((error: unknown) => this.#parts.log.warn(FAILURE, { error }));
  }
}

const FAILURE = 'requests of crawlers could not be counted';

/** Creates the job that writes what was counted. */
export function createCrawlerJob({ log, visitors: { crawlers } }: Site): PeriodicJob {
  return new PeriodicJob(log, FAILURE, () => crawlers.write(), WRITE_MS);
}

/** Whether a response is a page, new or unchanged since the client requested it before. */
export function isPageResponse(status: number, contentType: string | null | undefined): boolean {
  return (status === 200 || status === 304) && contentType?.startsWith('text/html') === true;
}
