import { listPartnerPaths } from '../../core/outbound/partner-paths.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildSpeculationRules } from '../../core/seo/crawler-rules.ts';
import type { Config } from '../config.ts';
import type { BackOffice } from '../console/back-office.ts';
import { TrustedTime } from '../events/trusted-time.ts';
import type { PageHashes, SecurityHeaders } from '../http/security-headers.ts';
import type { Log } from '../log.ts';
import type { SiteSnapshot } from '../node/back-office-messages.ts';
import { createBackOffice } from './back-office.ts';
import { createCommissions } from './commissions.ts';
import { createEventReaders } from './event-readers.ts';
import { createLiveContent } from './live-content.ts';
import { createNodePlatform, type NodeOptions } from './node-platform.ts';
import { createSiteSecurity } from './site-security.ts';

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
