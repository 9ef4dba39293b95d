import { diffArrays, diffWordsWithSpace } from 'diff';
import { nameKey } from '../../core/console/form-fields.ts';
import type { ContentVersion, ContentVersions } from '../../stores/content-versions.ts';
import { locateListPage } from '../reports/columns.ts';

/** A part of a line; `isChanged`: the other text does not have it. */
interface LinePart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of one of two texts. */
export interface DifferenceLine {
  /** From 1. */
  readonly number: number;
  readonly parts: readonly LinePart[];
}

/** A line of two texts side by side; null where one of them does not have it. */
export interface DifferenceRow {
  readonly isChanged: boolean;
  readonly before: DifferenceLine | null;
  readonly after: DifferenceLine | null;
}

/** Of two texts with more differences, everything between the first and the last one counts as replaced. */
const MAX_EDITS = 2_000;
/** Lines around a difference that are shown. */
const AROUND = 2;
/** Two lines with less in common are shown as two lines, not as one with many changed words. */
const MIN_COMMON = 0.3;

/** Lines of YAML with the names that the form has for their fields; the lines of a text stay as they are. */
export function nameFields(lines: string): string {
  let column = Number.POSITIVE_INFINITY;
  const name = (line: string) => {
    const [start = '', marks = '', key] = /^(\s*(?:- +)*)(?:([A-Za-z][\w-]*):(?=\s|$))?/.exec(line) ?? [];
    const indent = line.search(/\S/);
    if (indent === -1 || indent > column) return line;
    const isText = /(?:: |- )[|>][-+\d]*\s*$/.test(line);
    column = !isText ? Number.POSITIVE_INFINITY : key === undefined ? indent : marks.length;
    const flow = line
      .slice(start.length)
      .replace(/^ ?\{[^{}"']*\}\s*$/, (all) => all.replace(/([\w-]+):/g, (_, one) => `${nameKey(one)}:`));
    return `${marks}${key === undefined ? '' : `${nameKey(key)}:`}${flow}`;
  };
  return lines.split('\n').map(name).join('\n');
}

/** The text of a file as it is compared: fields with their names, in YAML and above the text of an article. */
function nameFieldsOf(file: string, text: string): string {
  const end = file.endsWith('.yaml') ? text.length : file.endsWith('.md') ? text.indexOf('\n---', 3) : 0;
  return nameFields(text.slice(0, Math.max(0, end))) + text.slice(Math.max(0, end));
}

/** Compares two texts of a file line by line: the rows that differ, with those around them; null is a gap. */
export function compareTexts(file: string, before: string, after: string): readonly (DifferenceRow | null)[] {
  const [old, now] = [nameFieldsOf(file, before), nameFieldsOf(file, after)];
  // A key that was written in another way has the same name.
  const changes = old === now ? compareLines(before, after) : compareLines(old, now);
  const rows = before === after ? [] : buildRows(changes);
  const isNear = rows.map((_, index) =>
    rows.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ isChanged }) => isChanged),
  );
  return rows.flatMap((row, index) => {
    if (isNear[index]) return [row];
    return isNear[index - 1] || index === 0 ? [null] : [];
  });
}

/** How many lines a text has that another one did not have, and the other way round. */
export function countChangedLines(before: string, after: string): { added: number; removed: number } {
  const changes = before === after ? [] : compareLines(before, after);
  const count = (lines: (change: LineChange) => readonly string[]) =>
    changes.reduce((sum, change) => sum + (change.isChanged ? lines(change).length : 0), 0);
  return { added: count(({ after: lines }) => lines), removed: count(({ before: lines }) => lines) };
}

/** Lines that both texts have, or those that replace others. */
interface LineChange {
  readonly isChanged: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function compareLines(before: string, after: string): readonly LineChange[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === now[start]) start += 1;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [left, right] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const same = (lines: readonly string[]): LineChange => ({ isChanged: false, before: lines, after: lines });
  const middle = diffArrays(left, right, { maxEditLength: MAX_EDITS })?.map(({ value, added, removed }) =>
    added || removed
      ? { isChanged: true, before: removed ? value : [], after: added ? value : [] }
      : same(value),
  );
  return [
    same(old.slice(0, start)),
    ...(middle ?? [{ isChanged: true, before: left, after: right }]),
    same(old.slice(old.length - end)),
  ];
}

function buildRows(changes: readonly LineChange[]): DifferenceRow[] {
  const rows: DifferenceRow[] = [];
  let [left, right] = [0, 0];
  for (const { isChanged, before, after } of mergeReplacements(changes)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      const [old, now] = compareWords(before[index], after[index]);
      rows.push({
        isChanged,
        before: old && { number: left + index + 1, parts: old },
        after: now && { number: right + index + 1, parts: now },
      });
    }
    left += before.length;
    right += after.length;
  }
  return rows;
}

/** Lines that are removed and those that are added at the same place are beside each other. */
function mergeReplacements(changes: readonly LineChange[]): LineChange[] {
  const merged: LineChange[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    if (last?.isChanged && change.isChanged)
      merged[merged.length - 1] = {
        isChanged: true,
        before: [...last.before, ...change.before],
        after: [...last.after, ...change.after],
      };
    else merged.push(change);
  }
  return merged;
}

/** The parts of a line and of the one in its place; null for a line that is not there. */
function compareWords(
  before: string | undefined,
  after: string | undefined,
): readonly [readonly LinePart[] | null, readonly LinePart[] | null] {
  const whole = (text: string, isChanged: boolean) => [{ text: text.replaceAll('\r', '␍'), isChanged }];
  if (before === undefined || after === undefined)
    return [
      before === undefined ? null : whole(before, true),
      after === undefined ? null : whole(after, true),
    ];
  if (before === after) return [whole(before, false), whole(after, false)];
  const words = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  const common = words?.reduce(
    (sum, { value, added, removed }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  );
  if (words === undefined || (common ?? 0) < MIN_COMMON * Math.min(before.length, after.length))
    return [whole(before, true), whole(after, true)];
  const take = (side: 'added' | 'removed') =>
    words
      .filter((word) => !word[side === 'added' ? 'removed' : 'added'])
      .map((word) => ({ text: word.value.replaceAll('\r', '␍'), isChanged: word[side] === true }));
  return [take('removed'), take('added')];
}

/** Versions on one page of the history. */
const VERSIONS_PER_PAGE = 25;

/** A version with what it has changed. */
export interface ShownVersion extends ContentVersion {
  /** Lines; null for the oldest version that is stored. */
  readonly changes: { readonly added: number; readonly removed: number } | null;
}

/** Reads the versions of a file, newest first, and the two that are compared: the two newest unless two are chosen. */
export async function readHistory(
  contentVersions: ContentVersions,
  file: string,
  parameters: URLSearchParams,
) {
  const versions = await contentVersions.readAll(file);
  const { place, rows: own } = locateListPage(versions.length, parameters, VERSIONS_PER_PAGE);
  const shown = versions.slice(own.offset, own.offset + own.limit);
  const [newest, oldest] = [shown[0]?.number ?? 0, shown.at(-1)?.number ?? 0];
  const texts = await contentVersions.readTexts(file, oldest - 1, newest);
  const rows = shown.map((version): ShownVersion => {
    const [before, after] = [texts.get(version.number - 1), texts.get(version.number)];
    const isKnown = before !== undefined && after !== undefined;
    return { ...version, changes: isKnown ? countChangedLines(before, after) : null };
  });
  const find = (name: string, index: number) =>
    versions.find(({ number }) => String(number) === parameters.get(name)) ?? versions[index];
  // Not `from` and `to`: those are the days of a period.
  const [from, to] = [find('older', 1), find('newer', 0)];
  const [before, after] = [await readText(from), await readText(to)];
  async function readText(version: ContentVersion | undefined) {
    return version === undefined ? null : contentVersions.readText(file, version.number);
  }
  return {
    /** All of them, for the choice of two. */
    versions,
    /** Those of this page. */
    rows,
    ...place,
    /** null with fewer than two versions. */
    compared:
      from === undefined || to === undefined || before === null || after === null
        ? null
        : { from, to, rows: compareTexts(file, before, after) },
  };
}
