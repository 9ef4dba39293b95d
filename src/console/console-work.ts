import { randomUUID } from 'node:crypto';
import type { ConsoleViewKey } from '../core/console/console-view.ts';
import { findClaimFaults } from '../core/pages/claims.ts';
import type { Content } from '../core/pages/content.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../core/paths.ts';
import type { Articles } from '../server/articles/articles.ts';
import type { Commissions } from '../server/commissions/commissions.ts';
import type { EventReaders } from '../server/events/events.ts';
import type { Platform } from '../server/platform.ts';
import type { Settings } from '../server/settings.ts';
import { AssessmentReader } from './assessment/read.ts';
import { CommissionsReader } from './commissions/read.ts';
import { ContentReader } from './content/read.ts';
import type { SiteNames } from './figures/names.ts';
import { ImportReader } from './import/read.ts';
import type { Imports } from './import/run-imports.ts';
import { JourneysReader } from './journeys/read.ts';
import { LiveReader } from './live/read.ts';
import { MessagesReader } from './messages/read.ts';
import { PartnersReader } from './partners/read.ts';
import { listWaiting, UnmatchedReader } from './unmatched/read.ts';

/** What the views of the console read. */
export interface WorkSources {
  readonly events: Pick<EventReaders, 'rollups' | 'feed' | 'clicks' | 'messages'>;
  readonly commissions: Pick<Commissions, 'readEntries' | 'getLedger' | 'createLedger' | 'clicks' | 'intake'>;
  readonly articles: Pick<Articles, 'getSummaries' | 'getUnpublished'>;
}

/** Creates the readers of the working views. */
export function createWorkReaders(
  options: WorkSources & {
    readonly settings: Settings;
    readonly content: Content;
    readonly platform: Pick<Platform, 'clock' | 'content'>;
    readonly imports: Imports;
    readonly readContentWarnings: () => readonly string[];
    readonly readNames: () => SiteNames;
  },
) {
  const { settings, content, events, commissions } = options;
  const { clock } = options.platform;
  const { intake } = commissions;
  const { partners } = content;
  const reading = {
    readEntries: () => commissions.readEntries(),
    timeZone: settings.TIME_ZONE,
    now: clock.now,
  };
  const getStore = () => commissions.getLedger()?.store ?? null;
  const sync = { networks: intake.networks, syncHours: settings.COMMISSION_SYNC_HOURS, partners };
  return {
    assessment: new AssessmentReader({
      ...reading,
      rollups: events.rollups,
      readNames: options.readNames,
    }),
    journeys: new JourneysReader({
      ...reading,
      clicks: events.clicks,
      getPaths: () => listSitePages(options).map((page) => page.path),
    }),
    commissions: new CommissionsReader({ ...reading, getStore }),
    unmatched: new UnmatchedReader({
      ...reading,
      getLedger: () => commissions.getLedger(),
      clicks: events.clicks,
    }),
    partners: new PartnersReader({ ...reading, ...sync, rollups: events.rollups, getStore }),
    live: new LiveReader(events.feed, clock.now),
    content: createContentReader(options),
    messages: new MessagesReader(events.messages, clock.now),
    import: new ImportReader({
      ...reading,
      ...sync,
      getStore,
      openLedger: () => commissions.createLedger(),
      ...options.imports,
      newId: randomUUID,
      readTokens: intake.readTokens,
      createTokens: intake.createTokens,
      sendTest: intake.sendTest,
      runSync: intake.runSync,
      siteUrl: settings.siteUrl,
    }),
  };
}

/** Counts what waits for the operator, for the navigation. */
export function createWorkCounts({
  events,
  commissions,
}: WorkSources): () => Promise<Partial<Readonly<Record<ConsoleViewKey, number>>>> {
  return async () => {
    const [entries, messages] = await Promise.all([commissions.readEntries(), events.messages.count()]);
    return { unmatched: listWaiting(entries).length, messages: messages.new };
  };
}

function createContentReader({
  settings,
  content,
  platform: { clock, content: source },
  events,
  articles,
  readContentWarnings,
}: Parameters<typeof createWorkReaders>[0]): ContentReader {
  const readClaimUses = source.createClaimUsesReader(new Set(content.claims.keys()));
  return new ContentReader({
    readWarnings: readContentWarnings,
    readClaims() {
      const { files, uses, samples } = readClaimUses();
      const findings = findClaimFaults({
        claims: content.claims,
        uses,
        samples,
        today: clock.now(),
        maxAgeDays: settings.CLAIM_MAX_AGE_DAYS,
      });
      return { findings, files };
    },
    getUnpublished: () => articles.getUnpublished(),
    getPages: () => listSitePages({ settings, content, articles }),
    rollups: events.rollups,
    claimMaxAgeDays: settings.CLAIM_MAX_AGE_DAYS,
  });
}

/** Every page of the site with its file below the content folder. */
function listSitePages({
  settings,
  content,
  articles,
}: Pick<Parameters<typeof createWorkReaders>[0], 'settings' | 'content' | 'articles'>) {
  const isBuiltIn = settings.ARTICLE_SOURCE === 'files';
  return [
    { path: HOME_PATH, title: content.site.name, file: 'site.yaml' },
    { path: BLOG_PATH, title: 'Blog', file: 'site.yaml' },
    { path: ASSESSMENT_PATH, title: content.assessment.copy.title, file: 'assessment.yaml' },
    ...[...content.pages].map(([address, page]) => ({
      path: address,
      title: page.title,
      file: `pages${address}.yaml`,
    })),
    ...articles.getSummaries().map(({ slug, title }) => ({
      path: buildArticlePath(slug),
      title,
      file: isBuiltIn ? `articles/${slug}.md` : '',
    })),
  ];
}
