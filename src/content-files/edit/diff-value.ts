import { isDeepStrictEqual } from 'node:util';
import type { YamlEdit, YamlPath } from '../edit-yaml.ts';

/** The fields of the mapping at a path as its schema lists them. */
type FindOrder = (path: YamlPath) => readonly string[];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The edits that make one value of a file another, for `editYaml`: what is the same keeps its bytes, and a moved item its
 * comments too. Values are what JSON has; a field that is undefined is none.
 */
export function diffValue(
  before: unknown,
  after: unknown,
  findOrder: FindOrder = () => [],
): readonly YamlEdit[] {
  // Once lists have their items, the paths of all others are right, and values are set together.
  const rank = ({ kind, path }: YamlEdit) =>
    kind === 'set' ? 1 : kind === 'remove' && typeof path.at(-1) === 'string' ? 2 : 0;
  return listEdits(before, after, findOrder, []).toSorted((one, other) => rank(one) - rank(other));
}

function listEdits(before: unknown, after: unknown, findOrder: FindOrder, path: YamlPath): YamlEdit[] {
  if (isDeepStrictEqual(before, after)) return [];
  const set = (at: YamlPath, value: unknown): YamlEdit => ({
    kind: 'set',
    path: at,
    value,
    order: findOrder(at.slice(0, -1)),
  });
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0)
    return listItemEdits(before, after, findOrder, path);
  if (!isObject(before) || !isObject(after) || before['type'] !== after['type']) return [set(path, after)];
  const has = (key: string) => Object.hasOwn(after, key) && after[key] !== undefined;
  return [
    ...Object.entries(after).flatMap(([key, value]) =>
      Object.hasOwn(before, key)
        ? listEdits(before[key], value, findOrder, [...path, key])
        : [set([...path, key], value)],
    ),
    ...Object.keys(before)
      .filter((key) => !has(key))
      .map((key): YamlEdit => ({ kind: 'remove', path: [...path, key] })),
  ].filter((edit) => edit.kind !== 'set' || edit.value !== undefined);
}

function listItemEdits(
  before: readonly unknown[],
  after: readonly unknown[],
  findOrder: FindOrder,
  path: YamlPath,
): YamlEdit[] {
  const pairs = pairItems(before, after);
  const kept = pairs.filter((pair) => pair !== null);
  const edits = [...before.keys()]
    .filter((at) => !kept.includes(at))
    .map((at): YamlEdit => ({ kind: 'remove', path: [...path, at] }))
    .reverse();
  const now = kept.toSorted((one, other) => one - other);
  for (const [at, wanted] of kept.entries()) {
    const here = now[at] ?? wanted;
    if (here === wanted) continue;
    // One item that goes down is one move, and not one of each item that comes up.
    const [from, to] = now[at + 1] === wanted ? [at, kept.indexOf(here)] : [now.indexOf(wanted), at];
    edits.push({ kind: 'move', path: [...path, from], to });
    now.splice(to, 0, ...now.splice(from, 1));
  }
  for (const [at, value] of after.entries()) {
    if (pairs[at] !== null) continue;
    const above = pairs[at - 1] ?? null;
    const isCopy = above !== null && isDeepStrictEqual(before[above], value);
    edits.push(
      isCopy ? { kind: 'copy', path: [...path, at - 1] } : { kind: 'insert', path: [...path, at], value },
    );
  }
  const inner = pairs.flatMap((pair, at) =>
    pair === null ? [] : listEdits(before[pair], after[at], findOrder, [...path, at]),
  );
  return [...edits, ...inner];
}

/** For each item of a list which one of the former list it was; null: it is new. */
export function pairItems(before: readonly unknown[], after: readonly unknown[]): readonly (number | null)[] {
  const free = new Set(before.keys());
  const pairs: (number | null)[] = after.map(() => null);
  const pair = (countAlike: (item: unknown, value: unknown, isAtPlace: boolean) => number) => {
    for (const [index, value] of after.entries()) {
      if (pairs[index] !== null) continue;
      const scores = [...free].map((at) => [at, countAlike(before[at], value, at === index)] as const);
      const [found, most] = scores.reduce((best, one) => (one[1] > best[1] ? one : best), [-1, 0] as const);
      if (most === 0) continue;
      free.delete(found);
      pairs[index] = found;
    }
  };
  pair((item, value, isAtPlace) => Number(isAtPlace && isDeepStrictEqual(item, value)));
  pair((item, value) => Number(isDeepStrictEqual(item, value)));
  pair((item, value) =>
    isObject(item) && isObject(value) && item['type'] === value['type']
      ? Object.keys(item).filter((key) => isDeepStrictEqual(item[key], value[key])).length
      : 0,
  );
  // What is left was written anew at its place.
  pair((_, __, isAtPlace) => Number(isAtPlace));
  return pairs;
}
