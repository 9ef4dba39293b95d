import type { Content } from '../../core/pages/content.ts';
import { findLaunchFaults, isPublicAddress, type LaunchFinding } from '../../core/pages/launch-report.ts';
import { readLastBackup } from '../../stores/data-marks.ts';
import { ARTICLE_SOURCES } from '../articles/article-sources.ts';
import type { Config } from '../settings.ts';

/** Lists what is missing before the launch, from the content, the settings and the last backup. */
export function readLaunchFaults(content: Content, config: Config, now: number): readonly LaunchFinding[] {
  const { key } = ARTICLE_SOURCES[config.ARTICLE_SOURCE];
  const hasMail = (config.SMTP_URL !== '' || config.SMTP_HOST !== '') && config.MAIL_TO !== '';
  return findLaunchFaults(
    content,
    {
      siteUrl: config.SITE_URL,
      articleSource: config.ARTICLE_SOURCE,
      hasArticleKey: key === null || config[key] !== '',
      trustedProxyHops: config.TRUSTED_PROXY_HOPS,
      isContactDelivered: hasMail || config.CONTACT_WEBHOOK_URL !== '',
      hasNewsletter: config.NEWSLETTER_PROVIDER !== 'off',
      lastBackup: readLastBackup(config.DATA_DIR),
      maxAgeDays: config.CLAIM_MAX_AGE_DAYS,
    },
    now,
  );
}

/** The same as lines for the output of a start: nothing while the site has no public address. */
export function readLaunchNotices(content: Content, config: Config, now: number): readonly string[] {
  if (!isPublicAddress(config.SITE_URL)) return [];
  const faults = readLaunchFaults(content, config, now);
  if (faults.length === 0) return [];
  return [
    'Before the launch (npm run -s launch-check):',
    ...faults.map(({ level, file, text }) => `  ${level}: ${file}: ${text}`),
  ];
}
