import type { Saving } from '../../content-files/content-files.ts';
import type { BuiltFiles } from '../../content-files/content-source.ts';
import type { PlannedContent } from '../../content-files/edit/plan-address.ts';
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

/** What kind of content a file has, by its folder or name, in the order of the list. */
export const FILE_KINDS: ReadonlyMap<string, string> = new Map([
  ['articles', 'Article'],
  ['pages', 'Page'],
  ['partners', 'Partner'],
  ['products', 'Product'],
  ['authors', 'Author'],
  ['claims', 'Claims'],
  ['calculators.yaml', 'Calculators'],
  ['assessment.yaml', 'Assessment'],
  ['site.yaml', 'Site'],
  ['brand.yaml', 'Brand'],
  ['images.yaml', 'Image descriptions'],
]);

/** The title of the page that a file is, else `Partner: Kit`: files of several kinds may have the same name. */
export function nameContentFile(site: ConsoleSite, file: string): string {
  const page = listSitePages(site).find((one) => one.file === file);
  if (page !== undefined) return page.title;
  const [kind, name] = [FILE_KINDS.get(file.split('/')[0] ?? ''), nameFile(site, file)];
  return kind === undefined || kind === name ? name : `${kind}: ${name}`;
}

/** What a file without a page of its own is called. */
export function nameFile(site: ConsoleSite, file: string): string {
  const content = site.content.read();
  const name = file.replace(/^.*\//, '').replace(/\.(?:yaml|md)$/, '');
  if (file.startsWith('partners/')) return content.partners.get(name)?.name ?? name;
  if (file.startsWith('products/')) return content.products.get(name)?.name ?? name;
  if (file.startsWith('authors/')) return content.authors.get(name)?.name ?? name;
  return FILE_KINDS.get(file) ?? name;
}
