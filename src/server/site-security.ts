import { listImageHosts } from './articles/article-sources.ts';
import {
  type CspSources,
  createSecurityHeaders,
  hashInline,
  type PageHashes,
  type SecurityHeaders,
} from './http/security-headers.ts';
import type { Settings } from './settings.ts';

/**
 * What the page policy opens for Google's tag, when one is set and only then. Source: Google's guide to content
 * security policies for the tag, as of 2026-11.
 */
const ANALYTICS_POLICY = {
  script: 'https://*.googletagmanager.com',
  img: 'https://*.google-analytics.com https://*.googletagmanager.com',
  connect: 'https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com',
} as const satisfies CspSources['analytics'];

/** Creates the headers of the site's responses from its settings and what the build has hashed. */
export function createSiteSecurity(
  settings: Settings,
  pageHashes: PageHashes,
  speculationRules: string,
): SecurityHeaders {
  return createSecurityHeaders(
    {
      https: settings.siteUrl.startsWith('https:'),
      imageHosts: listImageHosts(settings),
      analytics: settings.GA_MEASUREMENT_ID === '' ? null : ANALYTICS_POLICY,
    },
    { ...pageHashes, scripts: [...pageHashes.scripts, hashInline(speculationRules)] },
  );
}
