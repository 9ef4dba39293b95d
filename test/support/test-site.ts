import { readShippedNetworks } from '../../src/content-files/networks.ts';
import { NO_BESIDE } from '../../src/core/outbound/beside.schema.ts';
import { brandSchema } from '../../src/core/pages/brand/brand.schema.ts';
import { buildFigures } from '../../src/core/pages/claims/placeholders.ts';
import type { Content } from '../../src/core/pages/content.ts';
import { NO_IMAGES } from '../../src/core/pages/images/content-image.ts';
import type { Articles } from '../../src/server/articles/articles.ts';
import { createLog } from '../../src/server/log.ts';
import type { Platform } from '../../src/server/platform.ts';
import { parseSettings } from '../../src/server/settings.ts';
import { createSite, type Site } from '../../src/server/site.ts';
import { type EventStore, SqlEventStore } from '../../src/stores/events.ts';
import { createMemoryEventArchive } from './memory-event-archive.ts';
import { MemoryExecutor, openMemoryDatabase } from './memory-executor.ts';
import {
  readSampleAssessment,
  readSampleClaims,
  readSamplePartners,
  readSampleProducts,
  readSampleSavings,
  readSampleSite,
} from './sample-content.ts';

/** What a test may set: settings by their environment names, parts of the content and of the platform, and members. */
interface TestSite extends Partial<Omit<Site, 'settings' | 'platform' | Group> & GroupMembers> {
  readonly settings?: Readonly<Record<string, string>>;
  readonly content?: Partial<Content>;
  readonly platform?: Partial<Platform>;
}

type Group = 'content' | 'money' | 'visitors' | 'operators';
/** Members of the groups, which a test sets by their names alone. */
type GroupMembers = Omit<Site['content'], 'read'> & Site['money'] & Site['visitors'] & Site['operators'];

let sample: Content | undefined;

/** The sample content, without pages, authors and images. */
function readSampleContent(): Content {
  const [savings, products, claims] = [readSampleSavings(), readSampleProducts(), readSampleClaims()];
  const figures = buildFigures({ savings, products, claims });
  return {
    site: readSampleSite(),
    partners: readSamplePartners(),
    networks: readShippedNetworks(),
    authors: new Map(),
    beside: NO_BESIDE,
    brand: brandSchema.parse({}),
    claims,
    products,
    savings,
    figures,
    aged: { listed: figures, charges: new Map() },
    assessment: readSampleAssessment(),
    images: NO_IMAGES,
    pages: new Map(),
    addresses: new Map(),
    addressClashes: [],
    redirects: new Map(),
  };
}

/**
 * Creates a site with databases in memory, the sample content, and neither articles nor timers. Handlers and jobs
 * use the given members; an event store that is given stores everything.
 */
export async function createTestSite({
  settings = {},
  content = {},
  platform,
  ...members
}: TestSite = {}): Promise<Site> {
  sample ??= readSampleContent();
  const parsed = parseSettings(settings);
  const site = await createSite(
    parsed,
    createMemoryPlatform({ ...sample, ...content }, { ...pickOwn(members), ...platform }),
  );
  const given = new Map(Object.entries(members).filter(([, value]) => value !== undefined));
  const takeOwn = (part: object) =>
    Object.fromEntries(Object.keys(part).flatMap((key) => (given.has(key) ? [[key, given.get(key)]] : [])));
  const withOwn = <Part extends object>(part: Part): Part => ({ ...part, ...takeOwn(part) });
  return {
    ...withOwn(site),
    content: withOwn(site.content),
    money: withOwn(site.money),
    visitors: withOwn(site.visitors),
    operators: withOwn(site.operators),
  };
}

/** The members that other parts of a site are made from. */
function pickOwn({ log, clock, events, articles }: TestSite): Partial<Platform> & {
  readonly store?: EventStore | undefined;
  readonly articles?: Articles | undefined;
} {
  return { ...(log && { log }), ...(clock && { clock }), store: events, articles };
}

function createMemoryPlatform(
  content: Content,
  { store, articles = createNoArticles(), ...given }: ReturnType<typeof pickOwn>,
): Platform {
  const unused = () => {
    throw new Error('a test that needs this part of the platform has to bring it');
  };
  return {
    log: createLog(() => undefined, Date.now),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    pageHashes: { scripts: [], styles: new Set(), beside: '' },
    content: {
      readStart: unused,
      readEdits: unused,
      remember: unused,
      readImages: unused,
      readClaimUses: () => ({ files: new Map(), uses: new Map(), samples: [], isComplete: true }),
      articles: { listSlugs: () => [], read: unused, readShown: unused },
      known: new Map(),
      checkCopy: () => [],
      builtFiles: null,
      files: null,
      imageStore: null,
    },
    readCrawlerRanges: () => new Map(),
    contentDir: 'content',
    images: null,
    shown: {
      read: () => content,
      articles,
      readWarnings: () => [],
      onChange: () => undefined,
      refreshPrices: () => undefined,
      applyEdits: async () => undefined,
    },
    openEvents() {
      const executor = new MemoryExecutor(openMemoryDatabase());
      return { executor, store: store ?? new SqlEventStore(executor) };
    },
    openEventArchive: createMemoryEventArchive,
    openDatabase: (name) => new MemoryExecutor(openMemoryDatabase(name)),
    secretsFile: null,
    httpGet: unused,
    httpPost: unused,
    createLinkRequests: unused,
    openArticles: unused,
    createBodyProcessor: unused,
    createMailChannel: unused,
    uploads: null,
    readDisk: async () => null,
    readDataProblems: async () => [],
    readCopyProblem: () => null,
    readLastBackup: () => null,
    isSample: false,
    hasTimers: false,
    sharesWork: true,
    ...given,
  };
}

/** Articles of a source that has none. */
export function createNoArticles(): Articles {
  const none = async () => null;
  const empty = async () => ({ articles: [], page: 1, pages: 1, total: 0, hasMore: false });
  return {
    list: empty,
    search: empty,
    get: none,
    preview: none,
    findMoved: none,
    findRelated: async () => [],
    getSummaries: () => [],
    getUnpublished: () => [],
    getHeldDeletions: () => null,
    acceptDeletions: async () => 0,
    readWarnings: () => [],
    readProblems: () => [],
    getCounts: () => ({ known: 0, skipped: 0, failures: 0, lastSuccess: 0 }),
    onChange: () => undefined,
    runDueJobs: async () => undefined,
    prepareEdits: () => null,
    close: async () => undefined,
  };
}
