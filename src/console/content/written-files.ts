import type { BuiltFiles } from '../../content-files/content-source.ts';
import type { PlannedContent } from '../../content-files/edit/plan-address.ts';
import type { WrittenFile } from '../../core/pages/content-uses.ts';
import type { ConsoleSite } from '../console-site.ts';
import { listSitePages } from '../reports/site-pages.ts';

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
