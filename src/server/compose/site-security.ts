import { listImageHosts } from '../articles/image-hosts.ts';
import type { Config } from '../config.ts';
import { ANALYTICS_POLICY } from '../consent/analytics-policy.ts';
import {
  createSecurityHeaders,
  hashInline,
  type PageHashes,
  type SecurityHeaders,
} from '../http/security-headers.ts';

/** Creates the headers of the site's responses from its settings and what the build has hashed. */
export function createSiteSecurity(
  config: Config,
  pageHashes: PageHashes,
  speculationRules: string,
): SecurityHeaders {
  return createSecurityHeaders(
    {
      https: config.siteUrl.startsWith('https:'),
      imageHosts: listImageHosts(config),
      analytics: config.GA_MEASUREMENT_ID === '' ? null : ANALYTICS_POLICY,
    },
    { ...pageHashes, scripts: [...pageHashes.scripts, hashInline(speculationRules)] },
  );
}
