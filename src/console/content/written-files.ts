import type { Saving } from '../../content-files/content-files.ts';
import type { BuiltFiles } from '../../content-files/content-source.ts';
import type { PlannedContent } from '../../content-files/edit/plan-address.ts';
import { findKind, isFolder, nameOfFile } from '../../content-files/kinds.ts';
import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import type { WrittenFile } from '../../core/pages/content-uses.ts';
import type { ConsoleSite } from '../console-site.ts';
import { listSitePages } from '../reports/site-pages.ts';
import { mayWriteNetworks } from './drafts.ts';

const NO_FILES: BuiltFiles = { list: () => [], read: () => ({ problem: 'is missing' }) };

/** The files of the content as they are written, in the folder or in the build. */
export function openContentFiles({ platform }: ConsoleSite) {
  return platform.content.files ?? platform.content.builtFiles ?? NO_FILES;
}

/** Reads every content file as it is written. */
export const readWrittenFiles = (site: ConsoleSite): readonly WrittenFile[] =>
  [...readTexts(site)].map(([file, { text }]) => ({ file, text }));

/** What was found in all files, by what was looked for; of the files as they were. */
const found = new WeakMap<object, { readonly state: string; readonly known: Map<string, unknown> }>();

/** Looks for something in the content and all files as they are written, once while none of them changes. */
export function findOnce<Found>(site: ConsoleSite, what: string, find: () => Found): Found {
  const content = site.content.read();
  const files = openContentFiles(site).list();
  const state = files.map(({ file, changedAt }) => `${file} ${changedAt}`).join('\n');
  const last = found.get(content);
  const { known } = last?.state === state ? last : { known: new Map<string, unknown>() };
  if (last?.known !== known) found.set(content, { state, known });
  if (!known.has(what)) known.set(what, find());
  return known.get(what) as Found;
}

function readTexts(site: ConsoleSite) {
  const files = openContentFiles(site);
  return new Map(
    files.list().flatMap(({ file }) => {
      const read = files.read(file);
      return 'text' in read ? [[file, read] as const] : [];
    }),
  );
}

/** When a plan of this moment is made. */
export const readPlanTime = ({ clock, settings }: ConsoleSite) => ({
  now: clock.now(),
  timeZone: settings.TIME_ZONE,
});

/** What content is saved with by an operator, or by a job. */
export const readSaving = (site: ConsoleSite, viewer?: ConsoleViewer): Saving => ({
  ...readPlanTime(site),
  content: site.content.read(),
  siteUrl: site.settings.siteUrl,
  hasArticleFiles: site.settings.ARTICLE_SOURCE === 'files',
  mayWriteNetworks: viewer !== undefined && mayWriteNetworks(viewer),
});

/** Reads the content for plans: as visitors see it, and as the folder has it. */
export function readPlannedContent(site: ConsoleSite): PlannedContent {
  const content = site.content.read();
  const built = [...content.redirects].map(([from, to]) => ({ from, to, file: '', line: 0 }));
  return {
    ...readPlanTime(site),
    content,
    pages: listSitePages(site),
    files: new Set(
      openContentFiles(site)
        .list()
        .map(({ file }) => file),
    ),
    texts: readTexts(site),
    redirects: site.platform.content.files?.readRedirects() ?? { lines: built, texts: new Map() },
    siteUrl: site.settings.siteUrl,
  };
}

/** The title of the page that a file is, else `Partner: Kit`: files of several kinds may have the same name. */
export const nameContentFile = (site: ConsoleSite, file: string): string =>
  listFileTitles(site, [file]).get(file) ?? file;

/** What files are called, by file: there may be thousands. */
export function listFileTitles(site: ConsoleSite, files: readonly string[]): ReadonlyMap<string, string> {
  const titles = new Map(listSitePages(site).map(({ file, title }) => [file, title]));
  const name = (file: string) => {
    const [kind, own] = [findKind(file)?.label, nameFile(site, file)];
    return titles.get(file) ?? (kind === undefined || kind === own ? own : `${kind}: ${own}`);
  };
  return new Map([...new Set(files)].map((file) => [file, name(file)]));
}

/** What a file without a page of its own is called. */
export function nameFile(site: ConsoleSite, file: string): string {
  const { partners, products, authors } = site.content.read();
  const [kind, key] = [findKind(file), nameOfFile(file)];
  const named = { partner: partners, product: products, author: authors };
  const found = Object.entries(named)
    .find(([name]) => name === kind?.key)?.[1]
    .get(key)?.name;
  return found ?? (kind === null || isFolder(kind) ? key : kind.label);
}
