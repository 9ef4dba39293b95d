import { listArticleSlugs } from '../../content-files/articles/read-article-files.ts';
import { readTextFile } from '../../content-files/read-text-file.ts';
import type { Content } from '../../core/pages/content.ts';
import { findLaunchFaults, type LaunchFinding } from '../../core/pages/launch-report.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { isPublicAddress } from '../../core/text/parse-text.ts';
import { findCopyFault } from '../../stores/data-copy.ts';
import { readFirstStart, readLastBackup } from '../../stores/last-backup.ts';
import type { Links } from '../../stores/links.ts';
import { ARTICLE_SOURCES } from '../articles/article-sources.ts';
import { readContactNotices } from '../contact/contact.ts';
import { findUnknownChecks } from '../outbound/link-watch.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';

/**
 * Lists what is missing before the launch, from the content, the settings, the checks of links and the last backup. Rejects with `LedgerError`.
 */
export async function readLaunchFaults(
  content: Content,
  settings: Settings,
  links: Links,
  now: number,
): Promise<readonly LaunchFinding[]> {
  const { key } = ARTICLE_SOURCES[settings.ARTICLE_SOURCE];
  const hasMail = settings.SMTP_URL !== '' && settings.MAIL_TO !== '';
  const faults = findLaunchFaults(
    content,
    {
      siteUrl: settings.SITE_URL,
      articleSource: settings.ARTICLE_SOURCE,
      hasArticleKey: key === null || settings[key] !== '',
      trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
      isRegionUnknown:
        settings.REGION_HEADER === '' && !/^(?:all|none)?$/i.test(settings.STORAGE_CONSENT_REGIONS.join()),
      isContactDelivered: hasMail || settings.CONTACT_WEBHOOK_URL !== '',
      hasNewsletter: settings.NEWSLETTER_PROVIDER !== 'off',
      lastBackup: readLastBackup(settings.DATA_DIR),
      copyFault: findCopyFault(settings.LEDGER_COPY, settings.LEDGER_COPY_KEY, settings.DATA_DIR),
    },
    now,
  );
  return [...faults, ...findOlderArticles(settings), ...(await findUnknownChecks(content, links))];
}

/**
 * Finds article files with a day before the first start of the site, on which nobody can have read them here. An address of
 * its own says that an article was published elsewhere before.
 */
function findOlderArticles({ ARTICLE_SOURCE, CONTENT_DIR, DATA_DIR }: Settings): LaunchFinding[] {
  const start = readFirstStart(DATA_DIR);
  if (ARTICLE_SOURCE !== 'files' || start === null) return [];
  const first = new Date(start).toISOString().slice(0, 10);
  const older = listArticleSlugs(`${CONTENT_DIR}/articles`).flatMap((slug) => {
    const read = readTextFile(CONTENT_DIR, `articles/${slug}.md`);
    const [head = ''] = 'text' in read ? read.text.split(/^---\r?$/m, 2).slice(1) : [];
    const day = /^publishedAt: *["']?(\d{4}-\d{2}-\d{2})/m.exec(head)?.[1];
    return day === undefined || day >= first || /^address:|^draft: *true/m.test(head)
      ? []
      : [`${slug}: ${day}`];
  });
  if (older.length === 0) return [];
  return [
    {
      level: 'warning',
      file: 'content/articles/',
      text:
        `${older.length} articles have a day before the first start of this site, ${first}: ${nameCommand('content publish')} ` +
        'articles/NAME.md writes the day on which you publish one; the address that it had elsewhere explains an older day',
      details: older,
    },
  ];
}

/** Reads messages for the operator at the start, a line each. Rejects with `EventStoreError` or `LedgerError`. */
export async function readStartNotices(site: Site): Promise<readonly string[]> {
  return [...(await readLaunchNotices(site)), ...(await readContactNotices(site))];
}

async function readLaunchNotices(site: Site): Promise<readonly string[]> {
  const { settings, clock } = site;
  const content = site.content.read();
  const { links } = site.content;
  if (!isPublicAddress(settings.SITE_URL)) return [];
  const faults = await readLaunchFaults(content, settings, links, clock.now());
  if (faults.length === 0) return [];
  return [
    `Before the launch (${nameCommand('launch-check')}):`,
    ...faults.map(({ level, file, text }) => `  ${level}: ${file}: ${text}`),
  ];
}
