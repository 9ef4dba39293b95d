import { findKeyOf, findPagePath, isOfKind } from '../../content-files/kinds.ts';
import { buildClickCounts } from '../../core/commissions/credit/commission-report.ts';
import { addDays, getLocalDay } from '../../core/commissions/local-time.ts';
import {
  type ContentUpdate,
  type KnownLink,
  listLinkUpdates,
  type RankedUpdate,
  rankUpdates,
} from '../../core/outbound/content-updates.ts';
import { leadTarget } from '../../core/pages/addresses.ts';
import { findClaimFaults } from '../../core/pages/claims/claims.ts';
import { listOrphanedPages, listUsingFiles, type WrittenFile } from '../../core/pages/content-uses.ts';
import { findLaunchFaults } from '../../core/pages/launch-report.ts';
import { readWatchedLinks } from '../../server/outbound/link-watch.ts';
import type { Site } from '../../server/site.ts';
import type { ConsoleSite } from '../console-site.ts';
import { DEFAULT_QUERY } from '../reports/query.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { readWrittenFiles } from './written-files.ts';

/** Clicks and money of so many days depend on what has to be updated. */
export const RISK_DAYS = 30;

/** Reads the watched links with what is known of them. Rejects with `LedgerError`. */
export async function readKnownLinks(site: Site): Promise<readonly KnownLink[]> {
  const [watched, records] = await Promise.all([readWatchedLinks(site), site.content.links.readAll()]);
  return watched.map((link) => ({ link, record: records.get(link.url) ?? null }));
}

/** Reads the clicks and the money of the last 30 days, by which what depends on them is ordered. */
export async function readRisk(site: ConsoleSite) {
  const { periods, clock, settings } = site;
  const { rollups } = site.money;
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  const days = { from: addDays(today, 1 - RISK_DAYS), to: today };
  const [{ cells, currency }, pages, partners] = await Promise.all([
    periods.readCells({ ...DEFAULT_QUERY, ...days }),
    rollups.readByKey({ dimension: 'page', ...days }),
    rollups.readByKey({ dimension: 'partner', ...days }),
  ]);
  const recent = cells.filter((cell) => cell.currency === currency && cell.path !== null);
  const counts = {
    pages: buildClickCounts(pages, { by: 'page', answerField: '' }),
    partners: buildClickCounts(partners, { by: 'partner', answerField: '' }),
  };
  return {
    currency,
    rank: <T extends RankedUpdate>(updates: readonly T[]) => rankUpdates(updates, recent, counts),
  };
}

/**
 * Reads what is not right any more on the site: links, prices and the given claims, by the money of the last 30 days that
 * depends on it. Rejects with the errors of the stores.
 */
export async function readUpdates(
  site: ConsoleSite,
  known: readonly KnownLink[],
  claims: readonly ContentUpdate[] = [],
) {
  const content = site.content.read();
  const { rank, currency } = await readRisk(site);
  const { files } =
    claims.length === 0
      ? { files: new Map<string, string>() }
      : site.platform.content.readClaimUses(content.claims);
  const updates = [...listLinkUpdates(known, content), ...claims].map((update) =>
    update.file === 'claims/' ? { ...update, file: files.get(update.at ?? '') ?? '' } : update,
  );
  return { updates: rank(updates), currency };
}

/** Lists claims without evidence, without a day, or too old, with the pages that make them. */
export function listClaimUpdates(site: ConsoleSite): ContentUpdate[] {
  const { clock, platform } = site;
  const content = site.content.read();
  const { uses, files } = platform.content.readClaimUses(content.claims);
  const findings = findClaimFaults({
    claims: content.claims,
    uses,
    samples: [],
    today: clock.now(),
  });
  return findings.flatMap(({ kind, text, claims: [key = ''] }): ContentUpdate[] => {
    const paths = (uses.get(key) ?? []).flatMap(findPage);
    const pages = [...new Set(paths.map((path) => leadTarget(path, content.addresses)))];
    if (!['unproven', 'undated', 'old'].includes(kind) || pages.length === 0) return [];
    const file = files.get(key) ?? '';
    return [{ key: `claim:${key}`, kind: 'claim', text, file, at: key, url: '', partner: null, pages }];
  });
}

/** A site that is ready for its visitors: only what the content lacks is listed. */
const READY = {
  siteUrl: 'https://site.example',
  articleSource: 'files',
  hasArticleKey: true,
  trustedProxyHops: 1,
  isRegionUnknown: false,
  isContactDelivered: true,
  hasNewsletter: true,
};

/**
 * Lists what the checks of the content report, as `signpost content` and the launch check do: texts to replace, amounts
 * without a source, figures that were not compared, pages without a link.
 */
export function listContentFindings(site: ConsoleSite): readonly ContentUpdate[] {
  const [content, hour] = [site.content.read(), Math.floor(site.clock.now() / HOUR_MS)];
  const known = findings.get(content);
  if (known?.hour === hour) return known.list;
  const list = findInFiles(site);
  findings.set(content, { hour, list });
  return list;
}

/** Every file is read for them: they stay until content is read again, and an hour. */
const findings = new WeakMap<object, { readonly hour: number; readonly list: readonly ContentUpdate[] }>();
const HOUR_MS = 3_600_000;

function findInFiles(site: ConsoleSite): ContentUpdate[] {
  const { clock, platform } = site;
  const content = site.content.read();
  const own = new Map(listSitePages(site).map(({ file, path }) => [file, path]));
  const written = readWrittenFiles(site);
  const build = (
    kind: ContentUpdate['kind'],
    place: string,
    text: string,
    rest: Partial<ContentUpdate> = {},
  ): ContentUpdate => {
    const [, file = '', line] = /^content\/([\w/.-]*?)(?::(\d+))?$/.exec(place) ?? [];
    const partner = findKeyOf('partner', file);
    const page = own.get(file);
    const isPage = page !== undefined && isOfKind(file, 'page', 'article');
    const using = isPage ? [page] : listPagesUsing(file, written, own);
    return {
      key: `${kind}:${place}:${text}`,
      kind,
      text,
      file: file.endsWith('/') ? '' : file,
      url: '',
      partner,
      pages: partner === null ? using : [],
      ...rest,
      ...(line !== undefined && { line: Number(line) }),
    };
  };
  const launch = findLaunchFaults(content, { ...READY, lastBackup: clock.now() }, clock.now());
  return [
    ...platform.content.checkCopy(content).map(({ file, text }) => build('copy', file, text)),
    ...launch
      // The claims are listed one by one.
      .filter(({ file }) => /^content\/.*[^/]$/.test(file))
      .map(({ file, text, at, details }) => build('launch', file, text, { at, details })),
    ...listOrphanedPages(
      content,
      written.filter(({ file }) => isOfKind(file, 'article')).map(({ text }) => text),
    ).map((path) => build('launch', `content/pages${path}.yaml`, `No other page links to ${path}`)),
  ];
}

/** The pages that name the product of a file. */
export function listPagesUsing(
  file: string,
  written: readonly WrittenFile[],
  own: ReadonlyMap<string, string>,
): readonly string[] {
  const product = findKeyOf('product', file);
  if (product === null) return [];
  return listUsingFiles('product', product, written).flatMap((one) => own.get(one) ?? []);
}

/** The page of a content file that `place` (file, field) names. */
function findPage(place: string): string[] {
  const [file = ''] = place.replaceAll('\\', '/').split(',', 1);
  const path = isOfKind(file, 'author') ? null : findPagePath(file);
  return path === null ? [] : [path];
}
