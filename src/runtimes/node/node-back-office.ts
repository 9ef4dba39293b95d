import type { BackOffice } from '../../console/back-office.ts';
import { createBackOffice } from '../../console/create-back-office.ts';
import { listPartnerPaths } from '../../core/outbound/partner-paths.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildSpeculationRules } from '../../core/seo/crawler-rules.ts';
import { createCommissions } from '../../server/commissions/commissions.ts';
import { createEventReaders } from '../../server/events/event-readers.ts';
import { TrustedTime } from '../../server/events/trusted-time.ts';
import type { PageHashes, SecurityHeaders } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import { createLiveContent } from '../../server/pages/live-content.ts';
import type { Config } from '../../server/settings.ts';
import { createSiteSecurity } from '../../server/site-security.ts';
import type { SiteSnapshot } from './back-office-messages.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';

/** The back office in its own thread. */
interface NodeBackOffice extends Pick<BackOffice, 'respond' | 'close'> {
  /** What was shown last. */
  readonly content: Content;
  readonly security: SecurityHeaders;
  /** Takes over what the site shows now. */
  show(site: SiteSnapshot): void;
}

/** Opens the back office over connections of its own to the databases of the site. */
export function openNodeBackOffice(
  config: Config,
  log: Log,
  pageHashes: PageHashes,
  initial: SiteSnapshot,
  options: NodeOptions,
): NodeBackOffice {
  const live = createLiveContent(initial.content);
  const { content } = live;
  let site = initial;
  const platform = createNodePlatform(config, log, options);
  const { executor, store } = platform.openEvents();
  const events = createEventReaders(executor, new TrustedTime(store, platform.clock), config.TIME_ZONE);
  const { readTrustedTime } = events;
  const shared = { config, content, platform, log };
  const commissions = createCommissions({ ...shared, events: executor, readTrustedTime, runsJobs: true });
  const office = createBackOffice({
    ...{ ...shared, events, commissions },
    articles: { getSummaries: () => site.summaries, getUnpublished: () => site.unpublished },
    readContentWarnings: () => site.warnings,
  });
  const speculationRules = buildSpeculationRules(listPartnerPaths(content.partners));
  return {
    respond: office.respond,
    content,
    security: createSiteSecurity(config, pageHashes, speculationRules),
    show(next) {
      live.replace(next.content);
      site = next;
    },
    async close() {
      await Promise.all([office.close(), commissions.close()]);
      await store.close();
    },
  };
}
