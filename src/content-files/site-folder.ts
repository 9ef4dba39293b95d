import { hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';
import { copyWhole, createFolder, move, placeLink, remove, writeWhole } from '../stores/disk.ts';

/** The sample that ships, which is never written. `CONTENT_DIR` with this very value counts as unset. */
const SAMPLE = './content';
/** What an operator writes: git ignores it, so that no upgrade meets it. */
export const SITE_CONTENT = './site/content';
/** The SHA-256 of each file of the content that ships, in the form of `sha256sum`; `npm run fix` writes it. */
const SHIPPED = 'move-in/shipped-content.txt';

/** Where a file of the sources is: from them, and from a build, whose programs are in `dist/server`. Null: nowhere. */
export function locateSource(name: string): string | null {
  const places = ['..', '../../src', '../../../src'].map((up) => path.resolve(import.meta.dirname, up, name));
  return places.find((place) => existsSync(place)) ?? null;
}

/** The hashes of the files that ship, by their path below the content folder; null when their list is missing. */
export function readShippedHashes(): ReadonlyMap<string, string> | null {
  const file = locateSource(SHIPPED);
  const lines = file === null ? null : readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines && new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();

/** The content files below a folder, without those of programs. */
export const listContentFiles = (folder: string): readonly string[] =>
  listFiles(folder).filter((file) => !file.startsWith('.') && file !== 'page.schema.json');

/** The files of a folder that are not as they shipped, and those that shipped and are gone. */
export function listChangesOfSample(folder: string): readonly string[] {
  const shipped = readShippedHashes();
  if (shipped === null) return [];
  const present = listContentFiles(folder);
  const isShipped = (file: string) => {
    const bytes = readFileSync(path.join(folder, file));
    // git writes CR LF where it is told to.
    const texts = [bytes, Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')];
    return texts.some((text) => hash('sha256', text, 'hex') === shipped.get(file));
  };
  const gone = [...shipped.keys()].filter((file) => !present.includes(file));
  return [...present.filter((file) => !isShipped(file)), ...gone].sort();
}

/** The file of a build that says which site its icons, fonts and sharing images were made for. */
const BUILT_FOR = 'content.json';
const builtSchema = z.object({ name: z.string(), isSample: z.boolean() });

const describeSite = (folder: string, name: string): z.output<typeof builtSchema> => ({
  name,
  isSample: listChangesOfSample(folder).length === 0,
});

/** Notes in a build for which site it was made. `name`: that of the site. */
export const noteBuiltSite = (build: string, folder: string, name: string): void =>
  void writeWhole(path.join(build, BUILT_FOR), JSON.stringify(describeSite(folder, name)));

/** Says for which other site a build was made; null when it was made for this one, or does not say it. */
export function findOtherBuiltSite(build: string, folder: string, name: string): string | null {
  const file = path.join(build, BUILT_FOR);
  const built = builtSchema.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : null).data;
  if (built === undefined) return null;
  if (built.name !== name) return built.name;
  return built.isSample && !describeSite(folder, name).isSample ? `the sample, ${name}` : null;
}

/**
 * The content folder of a product: that of the operator when it is there, else the sample. `given`: `CONTENT_DIR`, which
 * names any other.
 */
export function findContentFolder(root: string, given: string | undefined): string {
  const named = given?.trim() || SAMPLE;
  if (named !== SAMPLE) return named;
  return existsSync(path.join(root, SITE_CONTENT)) ? SITE_CONTENT : SAMPLE;
}

/**
 * Begins to serve from a product's folder: returns the content folder as `findContentFolder` does. A sample that was changed
 * by an earlier version is copied to `site/content`; one that was not is linked there until the first edit. `report` takes a
 * line for the operator. Where nothing can be written, the sample is served.
 */
export function openSiteContent(
  given: string | undefined,
  report: (line: string) => void,
  root = process.cwd(),
): string {
  const [sample, own] = [path.join(root, SAMPLE), path.join(root, SITE_CONTENT)];
  const found = findContentFolder(root, given);
  if ((found !== SAMPLE && (found !== SITE_CONTENT || !isLink(own))) || !existsSync(sample)) return found;
  const changed = listChangesOfSample(sample);
  try {
    if (changed.length > 0) {
      copyContent(sample, own);
      report(
        `${changed.length} files of content/ are not as they shipped: all of it was copied to site/content, compared, and is ` +
          'shown from there. The shipped folder was left as it is; this puts it back: git checkout -- content',
      );
    } else if (!isSameFolder(own, sample)) {
      // A link to the sample of another version, or of a container, is renewed.
      createFolder(path.dirname(own));
      placeLink(sample, own);
    }
    return SITE_CONTENT;
  } catch (error) {
    if (changed.length > 0)
      report(
        `content/ was changed and could not be copied to site/content (${readReason(error)}), so it is shown as it is: ` +
          'create the folder site for the user of the site',
      );
    return SAMPLE;
  }
}

/**
 * Makes the content folder the operator's before it is written: a link to the sample becomes a copy of it. Returns the
 * folder to write into. Throws when the copy cannot be made, which changes nothing.
 */
export function takeSiteContent(folder: string): string {
  const isSample = folder === SAMPLE;
  if (isSample || isLinkToSample(folder)) copyContent(folder, isSample ? SITE_CONTENT : folder);
  return isSample ? SITE_CONTENT : folder;
}

/** Whether a content folder is a link to the sample beside it, which the first edit replaces. */
export const isLinkToSample = (folder: string): boolean =>
  isLink(folder) && path.basename(path.dirname(path.resolve(folder))) === 'site';

const isLink = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
const isSameFolder = (one: string, other: string) =>
  existsSync(one) && realpathSync(one) === realpathSync(other);

/** Copies a folder, compares the copy byte by byte, and puts it in its place, where a link may be. */
function copyContent(from: string, to: string): void {
  const draft = `${to}.part`;
  createFolder(path.dirname(to));
  remove(draft);
  copyWhole(realpathSync(from), draft, { preserveTimestamps: true });
  const files = listFiles(from);
  if (listFiles(draft).join('\n') !== files.join('\n'))
    throw new Error('files were added or removed meanwhile');
  for (const file of files) {
    if (!readFileSync(path.join(draft, file)).equals(readFileSync(path.join(from, file))))
      throw new Error(`the copy of ${file} differs`);
  }
  if (isLink(to)) remove(to);
  move(draft, to);
}

const readReason = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
