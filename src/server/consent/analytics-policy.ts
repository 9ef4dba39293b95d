import type { CspSources } from '../http/security-headers.ts';

/**
 * What the page policy opens for Google's tag, when one is set and only then. Source: Google's guide to content
 * security policies for the tag, as of 2026-11.
 */
export const ANALYTICS_POLICY = {
  script: 'https://*.googletagmanager.com',
  img: 'https://*.google-analytics.com https://*.googletagmanager.com',
  connect: 'https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com',
} as const satisfies CspSources['analytics'];
