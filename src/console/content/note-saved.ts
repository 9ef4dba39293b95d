import type { ContentText, SavedTogether } from '../../content-files/content-files.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { buildFileAddress } from './file-address.ts';

/**
 * Stores what a file was before a change of the console (null: a new file) and what it is after it (null: it is removed).
 * Returns what the operator has to know of it, after a space; mostly empty. Never rejects.
 */
export async function storeVersion(
  { clock, log, content: { versions: contentVersions } }: ConsoleSite,
  file: string,
  change: {
    readonly before: ContentText | null;
    readonly text: string | null;
    readonly viewer: ViewRequest['viewer'];
  },
): Promise<string> {
  const { before, text, viewer } = change;
  const savedAt = clock.now();
  const operator = viewer.kind === 'operator' ? viewer.name : '';
  try {
    await contentVersions.add(
      file,
      ...(before === null ? [] : [{ ...before, operator: '', savedAt }]),
      ...(text === null ? [] : [{ text, hash: hashText(text), operator, savedAt }]),
    );
    return '';
  } catch (error) {
    log.error('the version of a saved file could not be stored', { file, error });
    return ' Its version could not be stored: the database of the console cannot be written.';
  }
}

/**
 * Stores the version, and notes the change; `version` is the one that was put back. What `removeCopy` removes goes with them,
 * in one commit. Returns what the operator has to know of it, after a space; mostly empty.
 */
export async function noteSaved(
  site: ConsoleSite,
  file: string,
  change: {
    readonly before: ContentText | null;
    readonly text: string;
    readonly viewer: ViewRequest['viewer'];
    readonly version?: number | undefined;
    readonly removeCopy?: () => Promise<unknown>;
  },
): Promise<string> {
  const { before, text, viewer, version, removeCopy } = change;
  const hash = hashText(text);
  const versions = await site.content.versions.readAll(file).catch(() => []);
  const back = version ?? versions.find((one) => one.hash === hash)?.number;
  const first = before === null ? 'Created' : 'Saved';
  const done = back === undefined ? first : `Put back version ${back} of`;
  site.log.info('content saved', { file, operator: viewer.id });
  const href = buildFileAddress(file, { view: 'history' });
  // What is asked for in one turn is one commit.
  const [note] = await Promise.all([
    storeVersion(site, file, { before, text, viewer }),
    noteContentChange(site, viewer, [file], `${done} content/${file}.`, href),
    removeCopy?.(),
  ]);
  return note;
}

/** Why files were not written together; null: they were. */
export function findSaveProblem(saved: SavedTogether): string | null {
  if (saved.outcome === 'failed') return saved.reason;
  if (saved.outcome === 'refused') return `content/${saved.file}: ${saved.reason}`;
  if (saved.outcome === 'changed') return `content/${saved.file} was changed meanwhile.`;
  if (saved.outcome === 'saved') return null;
  const [first] = saved.problems;
  return `${first?.file}, ${first?.field}: ${first?.reason}.`;
}
