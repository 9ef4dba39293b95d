import { z } from 'zod';
import type { ContentText } from '../../content-files/content-files.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import type { ActionOutcome, ConsoleSite, ViewRequest } from '../console-site.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { findSaveProblem, storeVersion } from './note-saved.ts';

const refuse = (location: string, problem: string): ActionOutcome => ({
  ...{ location, message: `Nothing was changed. ${problem}`, isError: true },
});

/** How long several files can be put back with one step. */
const UNDO_MS = 86_400_000;
const undoSchema = z.object({
  message: z.string(),
  time: z.number(),
  files: z.array(z.object({ file: z.string(), before: z.string(), after: z.string() })),
});

/** The last change of several files by an operator, which one step takes back; null when there is none. */
export async function readUndo({ operators, clock }: ConsoleSite, { viewer }: Pick<ViewRequest, 'viewer'>) {
  if (viewer.kind !== 'operator') return null;
  const stored = await operators.temporaryValues.read('undo', viewer.id, clock.now());
  return undoSchema.safeParse(parseJson(stored ?? '')).data ?? null;
}

/**
 * Saves several files, all of them or none, each with its version, and keeps the step back. `hashes`: of the files that were
 * shown; left out: those of the files as they are.
 */
export async function saveTexts(
  site: ConsoleSite,
  texts: ReadonlyMap<string, string>,
  { message, location, viewer }: { message: string; location: string; viewer: ConsoleViewer },
  hashes: ReadonlyMap<string, string> = new Map(),
): Promise<ActionOutcome> {
  const { files } = site.platform.content;
  if (files === null) return refuse(location, READ_ONLY_BUILD);
  const changes: { file: string; text: string; opened: string; before: ContentText }[] = [];
  for (const [file, text] of texts) {
    const before = files.read(file);
    if ('problem' in before) return refuse(location, `content/${file} ${before.problem}.`);
    const refused = findPublishProblem(viewer, file, [before.text, text]);
    if (refused !== null) return refuse(location, `content/${file}: ${refused}`);
    if (text !== before.text || hashes.has(file))
      changes.push({ file, text, before, opened: hashes.get(file) ?? before.hash });
  }
  const problem = findSaveProblem(files.saveTogether(changes, site.settings.ARTICLE_SOURCE === 'files'));
  if (problem !== null) return refuse(location, problem);
  let note = '';
  for (const { file, text, before } of changes)
    note ||= await storeVersion(site, file, { before, text, viewer });
  const names = changes.map(({ file }) => file);
  note += await noteContentChange(site, viewer, names, message, location);
  site.log.info('content of several files saved', {
    files: names,
    operator: viewer.kind === 'operator' && viewer.id,
  });
  if (viewer.kind === 'operator') {
    const now = site.clock.now();
    const undo = {
      ...{ message, time: now },
      files: changes.map(({ file, text, before }) => ({ file, before: before.hash, after: hashText(text) })),
    };
    const stored = {
      kind: 'undo',
      key: viewer.id,
      value: JSON.stringify(undo),
      expiresAt: now + UNDO_MS,
    } as const;
    await site.operators.temporaryValues.put(stored, { now });
  }
  return { location, message: message + note, isError: false, note: '' };
}

/** Puts back what the last change of several files has replaced, all of them or none. */
export async function undoChanges(
  site: ConsoleSite,
  request: ViewRequest,
  location: string,
): Promise<ActionOutcome> {
  const { viewer } = request;
  const undo = await readUndo(site, request);
  if (undo === null || viewer.kind !== 'operator')
    return refuse(location, 'There is nothing to take back any more.');
  const { versions } = site.content;
  const texts = new Map<string, string>();
  for (const { file, before } of undo.files) {
    const version = (await versions.readAll(file)).find(({ hash }) => hash === before);
    const text = version === undefined ? null : await versions.readText(file, version.number);
    if (text === null)
      return refuse(location, `The version of content/${file} before it is not stored any more.`);
    texts.set(file, text);
  }
  const hashes = new Map(undo.files.map(({ file, after }) => [file, after]));
  const message = `Taken back: ${undo.message}`;
  const outcome = await saveTexts(site, texts, { message, location, viewer }, hashes);
  if (!outcome.isError) await site.operators.temporaryValues.remove('undo', viewer.id);
  return outcome;
}
