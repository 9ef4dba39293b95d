import type { BuiltFiles } from '../../content-files/content-source.ts';
import type { WrittenFile } from '../../core/pages/content-uses.ts';
import type { ConsoleSite } from '../console-site.ts';

const NO_FILES: BuiltFiles = { list: () => [], read: () => ({ problem: 'is missing' }) };

/** The files of the content as they are written, in the folder or in the build. */
export function openContentFiles({ platform }: ConsoleSite) {
  return platform.content.files ?? platform.content.builtFiles ?? NO_FILES;
}

/** Reads every content file as it is written. */
export function readWrittenFiles(site: ConsoleSite): readonly WrittenFile[] {
  const files = openContentFiles(site);
  return files.list().flatMap(({ file }) => {
    const read = files.read(file);
    return 'text' in read ? [{ file, text: read.text }] : [];
  });
}
