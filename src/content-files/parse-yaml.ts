import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { CST, type Document, isMap, isNode, isScalar, Lexer, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { parseJson } from '../core/text/parse-text.ts';

/** The hash of the text of a file as it is on the disk. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the line, from 1, of a value, or of the nearest one around it that the file has; null when it has neither. */
export type FindLine = (path: readonly (string | number)[]) => number | null;

/** A value with its lines, or why the text cannot be read. */
export type ParsedYaml =
  | { readonly value: unknown; readonly findLine: FindLine }
  | { readonly line: number | null; readonly problem: string };

/**
 * Values by their texts, the one that was needed last at the end: an edit is parsed to be applied, checked, rendered and
 * searched for faults, and each reader of a folder meets the same files.
 */
const recent = new Map<string, { readonly text: string; readonly value: unknown }>();
/** Characters of the texts in `recent`; a text of more than a tenth is parsed each time. */
const MAX_REMEMBERED = 1_000_000;
let remembered = 0;

/** Values by the hashes of their texts, as the build has parsed them. */
let built: ReadonlyMap<string, unknown> = new Map();

/** What this process has parsed lately, as the text of a file for `takeParsed`. */
export function stringifyParsed(): string {
  const kept = [...recent.values()].filter(({ value }) =>
    isDeepStrictEqual(parseJson(JSON.stringify(value)), value),
  );
  return JSON.stringify(kept.map(({ text, value }) => [hashText(text), value]));
}

/** Takes what the build has parsed of the files that have not changed since: half of the time of a start. */
export function takeParsed(file: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  built = new Map(parsedSchema.catch([]).parse(parseJson(text)));
}

const parsedSchema = z.array(z.tuple([z.string(), z.unknown()]));

/**
 * Parses YAML without tags, with at most a hundred uses of an alias; `line` from 1. The value may be that of an earlier
 * call, so it must not be changed.
 */
export function parseYaml(source: string): ParsedYaml {
  const known = recent.get(source);
  // A part of a text keeps all of it in memory: front matter, that of its article. So the first key stays.
  const text = known?.text ?? structuredClone(source);
  const value = known?.value ?? built.get(built.size > 0 ? hashText(text) : '');
  const parsed = value === undefined ? parse(text) : { value, findLine: findLineLater(text) };
  if ('problem' in parsed || text.length > MAX_REMEMBERED / 10) return parsed;
  recent.delete(text);
  recent.set(text, { text, value: parsed.value });
  if (known === undefined) remembered += text.length;
  for (const [oldest] of recent) {
    if (remembered <= MAX_REMEMBERED) break;
    recent.delete(oldest);
    remembered -= oldest.length;
  }
  return parsed;
}

/** The document is much larger than its value, so it is parsed again for those few that have a fault to show. */
function findLineLater(text: string, document?: Document.Parsed): FindLine {
  return (path) => {
    document ??= parseDocument(text, OPTIONS);
    return findLine(document, text, path);
  };
}

/** A longer file is no page: reading it takes seconds. */
const MAX_LENGTH = 500_000;
/** Values, names and marks: 20,000 lines of fields. */
const MAX_TOKENS = 50_000;
const MAX_DEPTH = 100;
const MAX_ALIASES = 100;

/**
 * Why a text is not parsed, as the end of a sentence that begins with its file; null when it is. The parser nests its calls
 * as deep as the lists and mappings are, and searches the document for each alias.
 */
function findExcess(text: string): string | null {
  if (text.length > MAX_LENGTH) return `has more than ${MAX_LENGTH.toLocaleString('en')} characters`;
  /** The columns of the entries around a place that are on lines of their own. */
  const entries: number[] = [];
  const counts = { tokens: 0, aliases: 0, brackets: 0 };
  let column = 0;
  /** Where the entry begins that a colon may follow; null: the next value begins it. */
  let start: number | null = null;
  const enter = (at: number) => {
    while ((entries.at(-1) ?? -1) >= at) entries.pop();
    entries.push(at);
  };
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    counts.tokens += 1;
    if (type === 'alias') counts.aliases += 1;
    if (type === 'flow-seq-start' || type === 'flow-map-start') counts.brackets += 1;
    if (type === 'flow-seq-end' || type === 'flow-map-end') counts.brackets -= 1;
    const isItem = type === 'seq-item-ind' || type === 'explicit-key-ind';
    if (counts.brackets <= 0 && isItem) enter(column);
    if (counts.brackets <= 0 && type === 'map-value-ind') enter(start ?? column);
    if (type === 'newline' || isItem) start = null;
    else if (type !== 'space') start ??= column;
    column = type === 'newline' ? 0 : column + token.length;
    if (counts.tokens > MAX_TOKENS)
      return `has more than ${MAX_TOKENS.toLocaleString('en')} names and values`;
    if (counts.aliases > MAX_ALIASES) return `uses more than ${MAX_ALIASES} aliases (*)`;
    if (entries.length + counts.brackets > MAX_DEPTH)
      return `nests more than ${MAX_DEPTH} lists and mappings`;
  }
  return null;
}

/** Keys are compared by `findRepeatedKey`, the parser would compare each with each; it would quote the line of each error. */
const OPTIONS = { prettyErrors: false, uniqueKeys: false, keepSourceTokens: true } as const;

let latest: { readonly text: string; readonly document: Document.Parsed } | undefined;

/** Parses a text with its source, unless it was the last one that the same turn has parsed: what was edited is edited again. */
export function openDocument(text: string): Document.Parsed | { readonly problem: string } {
  if (latest?.text === text) return latest.document;
  const problem = findExcess(text);
  if (problem !== null) return { problem };
  const document = parseDocument(text, OPTIONS);
  // It is much larger than its text.
  if (latest === undefined)
    queueMicrotask(() => {
      latest = undefined;
    });
  latest = { text, document };
  return document;
}

/** Parses YAML of another program, where a # behind a value is a comment, and the lines of a quoted text need no indentation. */
export function parseForeignYaml(source: string): ParsedYaml {
  const read = parse(source, true);
  if ('value' in read) return read;
  const indented = source.replace(/^[\w-]+:[ \t]*"(?:[^"\\]|\\.)*"/gm, (text) =>
    text.replace(/\n(?=\S)/g, '\n  '),
  );
  const again = parse(indented, true);
  return 'value' in again ? again : read;
}

function parse(text: string, isForeign = false): ParsedYaml {
  const document = openDocument(text);
  if ('problem' in document) return { line: null, problem: document.problem };
  const countLines = (end: number) => text.slice(0, end).split('\n').length;
  const fault =
    document.errors[0] ?? (isForeign ? undefined : findRepeatedKey(document)) ?? document.warnings[0];
  if (fault !== undefined) {
    const [reason = 'is not YAML'] = fault.message.split('\n');
    return { line: countLines(fault.pos[0]), problem: YAML_REASONS[fault.code] ?? reason };
  }
  const line = isForeign ? null : findCutText(document, text);
  if (line !== null) return { line, problem: CUT_TEXT };
  try {
    const value: unknown = document.toJS();
    if (isCyclic(value)) return { line: null, problem: 'has an anchor (&) that contains itself' };
    return { value, findLine: findLineLater(text, document) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { line: null, problem: `is not usable YAML: ${reason}` };
  }
}

/** The first key that its mapping has before, in the form of an error of the parser. */
function findRepeatedKey(document: Document.Parsed) {
  let found:
    | { readonly code: string; readonly message: string; readonly pos: readonly [number, ...number[]] }
    | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found = { code: 'DUPLICATE_KEY', message: '', pos: key.range ?? [0] };
        if (found !== undefined) return visit.BREAK;
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function findLine(
  document: Document.Parsed,
  text: string,
  path: readonly (string | number)[],
): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const [key, parent] = [path[length - 1], document.getIn(path.slice(0, length - 1), true)];
    // The line of a key is that of its name: a long value may begin below.
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, length), true);
    const [start] = isNode(node) ? (node.range ?? []) : [];
    if (start !== undefined) return text.slice(0, start).split('\n').length;
  }
  return null;
}

const CUT_TEXT =
  'has a # after a value: put the text in quotation marks, or a space behind the # of a comment';

/** The line, from 1, on which a `#` ends a text that was probably meant to go on, such as `Tool #1`; else null. */
function findCutText(document: Document.Parsed, text: string): number | null {
  if (!/\s#\S/.test(text)) return null;
  let end: number | undefined;
  visit(document, (_, node) => {
    if (!isScalar(node) || !/^[^\s#]/.test(node.comment ?? '')) return undefined;
    end = node.range?.[1];
    return visit.BREAK;
  });
  return end === undefined ? null : text.slice(0, end).split('\n').length;
}

/** Reasons of the parser that speak to programmers. */
const YAML_REASONS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'has a second document: remove the line ---',
  TAB_AS_INDENT: 'has a tab as indentation: use spaces',
  DUPLICATE_KEY: 'has a key twice',
  BAD_INDENT: 'has a wrong indentation, or a bracket that is not closed',
  BLOCK_AS_IMPLICIT_KEY:
    'has a colon inside of a text, or a wrong indentation: put the text in quotation marks',
  UNEXPECTED_TOKEN: 'has a character that YAML does not allow here: put the whole text in quotation marks',
  BAD_SCALAR_START: 'has a text that begins with @, ` or %: put it in quotation marks',
  BAD_DQ_ESCAPE: 'has a single backslash in double quotation marks: write two of them',
  TAG_RESOLVE_FAILED: 'has a text that begins with !: put it in quotation marks',
  MISSING_CHAR: 'has a quotation mark that is not closed, or a line without a colon',
};

function isCyclic(value: unknown, around: ReadonlySet<unknown> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.has(value)) return true;
  const path = new Set([...around, value]);
  return Object.values(value).some((part) => isCyclic(part, path));
}
