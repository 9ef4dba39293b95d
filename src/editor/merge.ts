import { diffArrays } from 'diff';
import { Marked } from 'marked';
import { SITE_MARKDOWN } from '../core/articles/markdown-words.ts';
import { findExcess } from '../core/text/markdown-bounds.ts';

/** Words, spaces and single marks: what an edit of a person changes. */
const WORDS = /[\p{L}\p{M}\p{N}]+|[ \t]+|[\s\S]/gu;
/** Longer differences are not looked for: the time grows with their square. */
const MAX_EDITS = 3_000;

const split = (text: string): readonly string[] => text.match(WORDS) ?? [];

/** What stands in another text in place of a part of the base; positions count words. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function listHunks(base: readonly string[], other: readonly string[]): readonly Hunk[] | null {
  const found = diffArrays([...base], [...other], { maxEditLength: MAX_EDITS });
  if (found === undefined) return null;
  const hunks: { from: number; to: number; length: number }[] = [];
  let at = 0;
  let isOpen = false;
  for (const { value, added, removed } of found) {
    if (!added && !removed) {
      at += value.length;
      isOpen = false;
      continue;
    }
    const last = isOpen ? hunks.at(-1) : undefined;
    const hunk = last ?? { from: at, to: at, length: 0 };
    if (last === undefined) hunks.push(hunk);
    if (added) hunk.length += value.length;
    else {
      at += value.length;
      hunk.to = at;
    }
    isOpen = true;
  }
  return hunks;
}

/** Where a position of the base is in the other text; `isAfter`: behind what was put in there. */
function map(hunks: readonly Hunk[], at: number, isAfter: boolean): number {
  let moved = at;
  for (const { from, to, length } of hunks)
    if (to <= at && (from < at || isAfter)) moved += length - (to - from);
  return moved;
}

type Side = 'before' | 'after' | 'none';

/**
 * Puts what differs between `base` and `mine` into `theirs`. Where both differ from the base, `mine` stands; where both put
 * something in at one place, `side` says on which side of theirs mine stands. With `none`, both of these are a conflict.
 * null: a conflict, or too much to compare.
 */
function mergeTokens(base: string, theirs: string, mine: string, side: Side): string | null {
  if (base === mine) return theirs;
  if (base === theirs) return mine;
  const [old, other, own] = [base, theirs, mine].map(split) as [string[], string[], string[]];
  const [changed, differs] = [listHunks(old, own), listHunks(old, other)];
  if (changed === null || differs === null) return null;
  let merged = '';
  let done = 0;
  let next = 0;
  while (next < changed.length) {
    let { from = 0, to = 0 } = changed[next] ?? {};
    next += 1;
    // What overlaps is one change: it grows until nothing crosses its ends.
    for (let isGrown = true; isGrown; ) {
      isGrown = false;
      for (const hunk of differs) {
        if (side === 'none' && hunk.from <= to && hunk.to >= from) return null;
        if (hunk.from >= to || hunk.to <= from || (hunk.from >= from && hunk.to <= to)) continue;
        [from, to, isGrown] = [Math.min(from, hunk.from), Math.max(to, hunk.to), true];
      }
      for (let hunk = changed[next]; hunk !== undefined && hunk.from < to; hunk = changed[next]) {
        [to, isGrown] = [Math.max(to, hunk.to), true];
        next += 1;
      }
    }
    const isPoint = from === to;
    const start = map(differs, from, isPoint ? side === 'after' : true);
    const end = isPoint ? start : map(differs, to, false);
    merged +=
      other.slice(done, start).join('') +
      own.slice(map(changed, from, false), map(changed, to, true)).join('');
    done = Math.max(done, end);
  }
  return merged + other.slice(done).join('');
}

/**
 * Puts what differs between `base` and `mine` into `theirs`, word by word: what nobody changed keeps its bytes. `none`: null
 * where both changed the same words. Texts with as many lines are compared line by line.
 */
export function mergeTexts(base: string, theirs: string, mine: string, side: Side): string | null {
  const [old, other, own] = [base, theirs, mine].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  if (old.length !== other.length || side === 'none') return mergeTokens(base, theirs, mine, side);
  const shorter = Math.min(old.length, own.length);
  let start = 0;
  while (start < shorter && old[start] === own[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === own.at(-1 - end)) end += 1;
  const cut = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  const [cutOld, cutOther, cutOwn] = [cut(old), cut(other), cut(own)];
  const merged =
    cutOld.length === cutOwn.length
      ? cutOld.map((line, index) => mergeTokens(line, cutOther[index] ?? '', cutOwn[index] ?? '', side))
      : cutOld.length === 0
        ? cutOwn
        : [mergeTokens(cutOld.join('\n'), cutOther.join('\n'), cutOwn.join('\n'), side)];
  if (merged.includes(null)) return null;
  return [
    ...other.slice(0, start),
    ...(cutOwn.length === 0 ? [] : merged),
    ...other.slice(other.length - end),
  ].join('\n');
}

/** A block of Markdown with its bytes, and those between it and the block above. */
interface MarkdownBlock {
  readonly source: string;
  readonly gap: string;
}

/** Splits Markdown into its blocks; what would take the parser too long is one of them. */
export function splitBlocks(text: string): readonly MarkdownBlock[] {
  const lines = text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
  const flat = text.replace(/\r\n?/g, '\n');
  const blocks: MarkdownBlock[] = [];
  let done = 0;
  const add = (from: number, to: number) => {
    const own = lines.slice(from, to).join('');
    const source = own.replace(/(?:\r\n?|\n)$/, '');
    const above = lines[done - 1] ?? '';
    const gap = (/(?:\r\n?|\n)$/.exec(above)?.[0] ?? '') + lines.slice(done, from).join('');
    blocks.push({ source, gap });
    done = to;
  };
  let [at, line] = [0, 0];
  for (const { raw } of findExcess(flat) < 0 ? new Marked(SITE_MARKDOWN).lexer(flat) : []) {
    // What the parser has not left as it is cannot be told apart.
    if (!flat.startsWith(raw, at)) break;
    const lead = countLines(/^(?:[ \t]*\n)*/.exec(raw)?.[0] ?? '');
    const length = raw.trim() === '' ? 0 : countLines(`${raw.replace(/\n[ \t\n]*$/, '')}\n`) - lead;
    if (length > 0) add(line + lead, line + lead + length);
    at += raw.length;
    line += countLines(raw);
  }
  if (flat.slice(at).trim() !== '') add(Math.max(done, line), lines.length);
  return blocks;
}

const countLines = (text: string) => text.split('\n').length - 1;
