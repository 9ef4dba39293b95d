import { z } from 'zod';
import type { ContentText } from '../../content-files/content-files.ts';
import { hashText } from '../../content-files/parse-yaml.ts';
import type { ConsoleViewer } from '../../core/console/capabilities.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { noteContentChange } from '../activity/note-activity.ts';
import { type ActionOutcome, buildFailure, type ConsoleSite, type ViewRequest } from '../console-site.ts';
import { formatCount } from '../reports/format.ts';
import { findPublishProblem, READ_ONLY_BUILD } from './drafts.ts';
import { findSaveProblem, storeVersion } from './note-saved.ts';
import { readSaving } from './written-files.ts';

/** A change of some lines of a content file that an operator may take: the text from `start` to `end` becomes `text`. */
export interface LineChange {
  /** Tells it from every other change, and from the same one of a file that was changed meanwhile. */
  readonly id: string;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Number of the first line, from 1. */
  readonly line: number;
  /** The whole lines before and after it. */
  readonly before: string;
  readonly after: string;
  /** Whether it is in the text of an article, and not in fields. */
  readonly isBody: boolean;
}

/** Proposes a change of a part of a file. */
export function proposeChange(
  file: string,
  whole: string,
  start: number,
  end: number,
  text: string,
): LineChange {
  const from = whole.lastIndexOf('\n', start - 1) + 1;
  const next = whole.indexOf('\n', Math.max(start, end));
  const to = next === -1 ? whole.length : next;
  const before = whole.slice(from, to);
  const after = whole.slice(from, start) + text + whole.slice(end, to);
  return {
    file,
    start,
    end,
    text,
    before,
    after,
    id: hashText([file, start, before, after].join('\0')).slice(0, 16),
    line: whole.slice(0, from).split('\n').length,
    isBody: file.endsWith('.md') && start > whole.indexOf('\n---', 3),
  };
}

/** Proposes what makes one text of a file the other; null when they are equal. */
export function proposeText(file: string, before: string, after: string): LineChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return proposeChange(file, before, start, before.length - end, after.slice(start, after.length - end));
}

/** What an operator is asked before several files are changed: lines to take, and pieces that are left out with the reason. */
export interface ChangePlan {
  readonly changes: readonly LineChange[];
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[];
}

/** `12 files, 14 lines`. */
export function countLines(changes: readonly LineChange[]): string {
  const files = new Set(changes.map(({ file }) => file)).size;
  const lines = changes.reduce((sum, { before }) => sum + before.split('\n').length, 0);
  return `${formatCount(files, 'file')}, ${formatCount(lines, 'line')}`;
}

const refuse = (location: string, problem: string) =>
  buildFailure(location, `Nothing was changed. ${problem}`);

/** Saves those changes of a plan that were ticked, all of them or none. `done` begins the message: `Replaced`. */
export async function saveChosen(
  site: ConsoleSite,
  plan: ChangePlan,
  ids: readonly string[],
  { done, location, viewer }: { done: string; location: string; viewer: ConsoleViewer },
): Promise<ActionOutcome> {
  const chosen = plan.changes.filter(({ id }) => ids.includes(id));
  if (ids.length === 0) return refuse(location, 'No line is ticked.');
  if (chosen.length < new Set(ids).size)
    return refuse(location, 'A file was changed meanwhile: look at the lines again.');
  const texts = new Map<string, string>();
  const files = site.platform.content.files;
  for (const [file, list] of Map.groupBy(chosen, (change) => change.file)) {
    const read = files?.read(file) ?? { problem: 'is missing' };
    if ('problem' in read) return refuse(location, `content/${file} ${read.problem}.`);
    const last = list.toSorted((one, other) => other.start - one.start);
    texts.set(
      file,
      last.reduce(
        (text, change) => text.slice(0, change.start) + change.text + text.slice(change.end),
        read.text,
      ),
    );
  }
  return saveTexts(site, texts, { message: `${done}: ${countLines(chosen)}.`, location, viewer });
}

/** How long several files can be put back with one step. */
const UNDO_MS = 86_400_000;
const undoSchema = z.object({
  message: z.string(),
  time: z.number(),
  files: z.array(z.object({ file: z.string(), before: z.string(), after: z.string() })),
});

/** The last change of several files by an operator, which one step takes back; null without one. */
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
  const problem = findSaveProblem(files.saveTogether(changes, readSaving(site, viewer)));
  if (problem !== null) return refuse(location, problem);
  const names = changes.map(({ file }) => file);
  // What is asked for in one turn is one commit.
  const [, ...notes] = await Promise.all([
    noteContentChange(site, viewer, names, message, location),
    ...changes.map(({ file, text, before }) => storeVersion(site, file, { before, text, viewer })),
  ]);
  const note = notes.find((one) => one !== '') ?? '';
  site.log.info('content of several files saved', {
    files: names,
    operator: viewer.kind === 'operator' && viewer.id,
  });
  if (viewer.kind === 'operator') {
    const now = site.clock.now();
    const undo = {
      message,
      time: now,
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
