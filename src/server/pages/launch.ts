import type { Content } from '../../core/pages/content.ts';
import { findLaunchFaults, isPublicAddress, type LaunchFinding } from '../../core/pages/launch-report.ts';
import { readLastBackup } from '../../stores/data-marks.ts';
import { ARTICLE_SOURCES } from '../articles/article-sources.ts';
import { readContactNotices } from '../contact/contact.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/** Lists what is missing before the launch, from the content, the settings and the last backup. */
export function readLaunchFaults(
  content: Content,
  settings: Settings,
  now: number,
): readonly LaunchFinding[] {
  const { key } = ARTICLE_SOURCES[settings.ARTICLE_SOURCE];
  const hasMail = (settings.SMTP_URL !== '' || settings.SMTP_HOST !== '') && settings.MAIL_TO !== '';
  return findLaunchFaults(
    content,
    {
      siteUrl: settings.SITE_URL,
      articleSource: settings.ARTICLE_SOURCE,
      hasArticleKey: key === null || settings[key] !== '',
      trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
      isContactDelivered: hasMail || settings.CONTACT_WEBHOOK_URL !== '',
      hasNewsletter: settings.NEWSLETTER_PROVIDER !== 'off',
      lastBackup: readLastBackup(settings.DATA_DIR),
      maxAgeDays: settings.CLAIM_MAX_AGE_DAYS,
    },
    now,
  );
}

/** Reads messages for the operator at the start, a line each. Rejects with `EventStoreError`. */
export async function readStartNotices(site: Site): Promise<readonly string[]> {
  return [...buildLaunchNotices(site), ...(await readContactNotices(site))];
}

function buildLaunchNotices({ content, settings, clock }: Site): readonly string[] {
  if (!isPublicAddress(settings.SITE_URL)) return [];
  const faults = readLaunchFaults(content, settings, clock.now());
  if (faults.length === 0) return [];
  return [
    'Before the launch (npm run -s launch-check):',
    ...faults.map(({ level, file, text }) => `  ${level}: ${file}: ${text}`),
  ];
}
