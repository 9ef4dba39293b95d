import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';
import { diffValue, pairItems } from '../../content-files/edit/diff-value.ts';
import { Piece } from '../../content-files/edit/piece.ts';
import { listFieldKeys } from '../../content-files/edit/plan-form.ts';
import { STATE_FIELDS } from '../../content-files/edit/plan-state.ts';
import { isObject } from '../../core/console/form-fields.ts';
import { mergeTexts, splitBlocks } from '../../editor/merge.ts';

/** Both have changed the same words, or something that only a person can put in order. */
class SameWords extends Error {}

/** One thing in a text, in the text of somebody else and in one's own. */
type Three<T> = readonly [base: T, theirs: T, mine: T];

/**
 * Joins what two have made of one piece, by its fields and by the blocks of its text. null: both have changed the same field
 * or block, one of them who sees it or where, or a text cannot be read.
 */
export function joinPieces(base: Piece, theirs: Piece, mine: Piece): Piece | null {
  const { values: before } = base;
  const { values: now } = theirs;
  const { values: written } = mine;
  if (before === null || now === null || written === null) return null;
  if (STATE_FIELDS.some((key) => !isDeepStrictEqual([now[key], written[key]], [before[key], before[key]])))
    return null;
  try {
    const joined = joinValues([before, now, written]);
    const body = joinBodies([base.body, theirs.body, mine.body]);
    const merged = mergeTexts(base.text, theirs.text, mine.text, 'none');
    const whole = merged === null ? null : new Piece(base.file, merged);
    if (whole !== null && whole.body === body && isDeepStrictEqual(whole.values, joined)) return whole;
    const change = (from: Piece, to: unknown, text: string) =>
      from.edit(
        diffValue(from.values, to, (path) => listFieldKeys(base.file, to, path)),
        text,
      );
    // Comments of both stay where one of them has changed values alone.
    for (const [one, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      const plain = change(base, one.values, one.body);
      if ('problem' in plain || plain.text !== one.text) continue;
      const piece = change(other, joined, body);
      return 'problem' in piece || !isDeepStrictEqual(piece.values, joined) ? null : piece;
    }
    return null;
  } catch (error) {
    if (error instanceof SameWords) return null;
    throw error;
  }
}

/** undefined: there is no such field. */
function joinValues(values: Three<unknown>): unknown {
  const [base, theirs, mine] = values;
  if (isDeepStrictEqual(base, mine) || isDeepStrictEqual(theirs, mine)) return theirs;
  if (isDeepStrictEqual(base, theirs)) return mine;
  if (Array.isArray(base) && Array.isArray(theirs) && Array.isArray(mine))
    return joinItems([base, theirs, mine], pairItems, joinValues).map(({ value }) => value);
  if (!isObject(base) || !isObject(theirs) || !isObject(mine)) throw new SameWords();
  if (theirs['type'] !== base['type'] || mine['type'] !== base['type']) throw new SameWords();
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const read = (own: Readonly<Record<string, unknown>>, key: string) =>
    Object.hasOwn(own, key) ? own[key] : undefined;
  const fields = [...keys].map(
    (key) => [key, joinValues([read(base, key), read(theirs, key), read(mine, key)])] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function joinBodies(bodies: Three<string>): string {
  const [base, theirs, mine] = bodies;
  if (base === mine) return theirs;
  if (base === theirs) return mine;
  const newline = theirs.includes('\r\n') ? '\r\n' : '\n';
  const [old, other, own] = [splitBlocks(base), splitBlocks(theirs), splitBlocks(mine)];
  const list = (blocks: typeof old) => blocks.map(({ source }) => source);
  const joined = joinItems([list(old), list(other), list(own)], pairBlocks, (sources) =>
    String(joinValues(sources)),
  );
  const text = joined
    .map(({ value, at: [first, second, third] }, index) => {
      const [was, there, here] = [old[first ?? -1]?.gap, other[second ?? -1]?.gap, own[third ?? -1]?.gap];
      const gap = there === was ? here : (there ?? here);
      return index === 0 ? value : (gap || newline.repeat(2)) + value;
    })
    .join('');
  // Lists that touch would be one, and a fence without an end would take in what is below it.
  const read = list(splitBlocks(text));
  if (!isDeepStrictEqual(read, list(joined.map(({ value }) => ({ source: value, gap: '' })))))
    throw new SameWords();
  return text;
}

/** For each block which one it was: what stays in its place, or was written anew there. */
function pairBlocks(before: readonly string[], after: readonly string[]): readonly (number | null)[] {
  let at = 0;
  let gone = 0;
  return diffArrays([...before], [...after]).flatMap(({ added, removed, value: { length } }) => {
    if (removed) {
      gone = length;
      at += length;
      return [];
    }
    const from = at - gone;
    const isRewritten = added && gone === length;
    if (!added) at += length;
    gone = 0;
    return Array.from({ length }, (_, index) =>
      added && !isRewritten ? null : (isRewritten ? from : at - length) + index,
    );
  });
}

/** An item with where it is in each list; null: it is not there. */
interface JoinedItem<T> {
  readonly value: T;
  readonly at: Three<number | null>;
}

/** Joins two lists: what one has removed, moved or put in is so, unless the other has changed it or put something there too. */
function joinItems<T>(
  [base, theirs, mine]: Three<readonly T[]>,
  pair: (before: readonly T[], after: readonly T[]) => readonly (number | null)[],
  join: (values: Three<T>) => T,
): readonly JoinedItem<T>[] {
  const [there, here] = [pair(base, theirs), pair(base, mine)];
  const isIn = (pairs: typeof there, at: number | null) => at !== null && pairs.includes(at);
  const listBoth = (pairs: typeof there) => pairs.filter((at) => isIn(there, at) && isIn(here, at));
  const isSorted = (pairs: typeof there) =>
    pairs.every((at, index) => index === 0 || (at ?? 0) > (pairs[index - 1] ?? 0));
  const [order, own] = [listBoth(there), listBoth(here)];
  const hasMoved = !isSorted(own);
  if (hasMoved && !isSorted(order) && !isDeepStrictEqual(order, own)) throw new SameWords();
  const build = (pairs: typeof there, isMine: boolean) =>
    pairs.map((at, index): JoinedItem<T>['at'] =>
      at === null
        ? [null, isMine ? null : index, isMine ? index : null]
        : [at, isIn(there, at) ? there.indexOf(at) : null, isIn(here, at) ? here.indexOf(at) : null],
    );
  const sides = [build(there, false), build(here, true)] as const;
  const [lead, other] = hasMoved ? [sides[1], sides[0]] : sides;
  const isNew = ([at]: JoinedItem<T>['at']) => at === null;
  for (const [at, second, third] of sides.flat()) {
    // What one has removed, the other must not have changed.
    if (at === null || (second !== null && third !== null)) continue;
    const value = second === null ? mine[third ?? 0] : theirs[second];
    if (!isDeepStrictEqual(value, base[at])) throw new SameWords();
  }
  // What both have removed, one of them may have written anew.
  const isGone = base.some((_, at) => !isIn(there, at) && !isIn(here, at));
  if (isGone && sides.flat().some(isNew)) throw new SameWords();
  const found = lead.filter((one) => isNew(one) || (one[1] !== null && one[2] !== null));
  for (const [index, one] of other.entries()) {
    if (!isNew(one)) continue;
    const above = other
      .slice(0, index)
      .findLast((before) => found.some((kept) => isDeepStrictEqual(kept, before)));
    const place = found.findIndex((kept) => isDeepStrictEqual(kept, above)) + 1;
    const below = found[place];
    if (below !== undefined && isNew(below)) throw new SameWords();
    found.splice(place, 0, one);
  }
  return found.map((at) => {
    const [first, second, third] = at;
    const [was, now, written] = [base[first ?? -1], theirs[second ?? -1], mine[third ?? -1]] as Three<T>;
    return { at, value: first !== null ? join([was, now, written]) : second === null ? written : now };
  });
}
