import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { forAll } from '../../../test/support/for-all.ts';
import { editYaml, splitMarkdown, type YamlPath } from '../edit-yaml.ts';
import { parseYaml } from '../parse-yaml.ts';
import { diffValue } from './diff-value.ts';

/** The YAML of every shipped content file. */
const TEXTS = readdirSync(path.join(ROOT, 'content'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:yaml|md)$/.test(name))
  .sort()
  .map((name) => readFileSync(path.join(ROOT, 'content', name), 'utf8'))
  .map((text) => splitMarkdown(text)?.front ?? text);

const readValue = (text: string): unknown => {
  const parsed = parseYaml(text);
  return 'problem' in parsed ? expect.unreachable(parsed.problem) : parsed.value;
};

/** The text with another value. */
function write(text: string, value: unknown): string {
  const edited = editYaml(text, diffValue(readValue(text), value));
  return 'problem' in edited ? expect.unreachable(`${edited.path.join('.')} ${edited.problem}`) : edited.text;
}

/** Every place of a value, with what is there. */
function listPlaces(value: unknown, at: YamlPath = []): readonly (readonly [YamlPath, unknown])[] {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(Object(typeof value === 'object' ? value : null));
  return [[at, value], ...entries.flatMap(([key, inner]) => listPlaces(inner, [...at, key]))];
}

/** A value with another one at a place. */
function replace(value: unknown, [key, ...rest]: YamlPath, found: unknown): unknown {
  if (key === undefined) return found;
  if (Array.isArray(value)) return value.with(Number(key), replace(value[Number(key)], rest, found));
  return { ...Object(value), [key]: replace(Object(value)[key], rest, found) };
}

/** The lines of a text that another one does not have, each as often as it is missing there. */
function listMissing(text: string, other: string): readonly string[] {
  const left = Map.groupBy(other.split('\n'), (line) => line.trim());
  return text.split('\n').filter((line) => left.get(line.trim())?.pop() === undefined);
}

const NUMBER = fc.nat(1_000_000);
const MOVES = fc.constantFrom('move', 'remove', 'copy');
/** What is drawn is one of those that there are. */
const choose = <T>(list: readonly T[], drawn: number): T =>
  list[drawn % list.length] ?? expect.unreachable('there is none');

it('writes edited texts of every shipped file, and changes no line beside them', () =>
  forAll(2, [fc.constantFrom(...TEXTS), NUMBER], (text, drawn) => {
    const value = readValue(text);
    // A text that its line ends with: others go over several.
    const words = listPlaces(value).filter(
      ([at, found]) =>
        typeof found === 'string' &&
        /^[A-Z][a-z]+ [A-Za-z ,.]+$/.test(found) &&
        at.at(-1) !== 'type' &&
        text.split('\n').some((line) => /[:-] [^>|]*$/.test(line) && line.endsWith(` ${found}`)),
    );
    if (words.length === 0) return;
    const [at, old] = choose(words, drawn);
    const wanted = replace(value, at, `${String(old)} and more`);
    const written = write(text, wanted);
    expect(readValue(written)).toEqual(wanted);
    expect([listMissing(text, written).length, listMissing(written, text).length]).toEqual([1, 1]);
    // Taken back, nothing is left of it.
    expect(write(written, value)).toBe(text);
  }));

it('moves, removes and copies items of every shipped file, and keeps the lines of the others', () =>
  forAll(2, [fc.constantFrom(...TEXTS), NUMBER, NUMBER, NUMBER, MOVES], (text, list, from, to, kind) => {
    const value = readValue(text);
    const lists = listPlaces(value).flatMap(([at, found]) =>
      Array.isArray(found) && found.length > 1 ? [[at, found] as const] : [],
    );
    if (lists.length === 0) return;
    const [at, items] = choose(lists, list);
    const index = from % items.length;
    const rest = items.toSpliced(index, 1);
    const moved = rest.toSpliced(to % items.length, 0, items[index]);
    const copied = items.toSpliced(index + 1, 0, items[index]);
    const wanted = replace(value, at, { move: moved, remove: rest, copy: copied }[kind]);
    const written = write(text, wanted);
    expect(readValue(written)).toEqual(wanted);
    // A list within one line is that line.
    if (kind !== 'remove') expect(listMissing(text, written).length).toBeLessThanOrEqual(1);
    if (kind !== 'copy') expect(listMissing(written, text).length).toBeLessThanOrEqual(1);
  }));

const FIELDS = { size: fc.integer(), words: fc.array(fc.constantFrom('x', 'y')) };
const ITEM = fc.oneof(
  fc.integer(),
  fc.stringMatching(/^[a-z ]{0,8}$/),
  fc.record(
    { type: fc.constantFrom('a', 'b'), ...FIELDS },
    { requiredKeys: ['type'], noNullPrototype: true },
  ),
);

it('finds edits between any two lists that make one the other', () =>
  forAll(1, [fc.array(ITEM, { maxLength: 6 }), fc.array(fc.oneof(ITEM, NUMBER))], (items, drawn) => {
    // Items that stay, come twice, go, and new ones.
    const next = drawn.map((one) =>
      typeof one === 'number' && items.length > 0 ? choose(items, Math.abs(one)) : one,
    );
    expect(readValue(write(`list: ${JSON.stringify(items)}\n`, { list: next }))).toEqual({ list: next });
  }));

it('keeps the comment of an item that is moved and edited, and gives a new field its place in the schema', () => {
  const text =
    'list:\n  - { a: 1, b: 1 }\n  # Two.\n  - { a: 2, b: 2 }\nwords:\n  - a\n  # B.\n  - b\ndraft: true\n';
  const list = [
    { a: 2, b: 3 },
    { a: 1, b: 1 },
  ];
  const value = { list, words: ['b', 'a'], title: 'A', draft: undefined };
  const order = () => ['title', 'list', 'words', 'draft'];
  expect(editYaml(text, diffValue(readValue(text), value, order))).toEqual({
    text: 'title: A\nlist:\n  # Two.\n  - { a: 2, b: 3 }\n  - { a: 1, b: 1 }\nwords:\n  # B.\n  - b\n  - a\n',
  });
});
