import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, isSeq, type Node, Scalar, stringify, YAMLMap } from 'yaml';
import { openDocument, parseYaml } from './parse-yaml.ts';

/** Keys, and positions from 0, that lead to a part of a file. */
export type YamlPath = readonly (string | number)[];

/** One change of what a YAML file contains. Values are what JSON has. */
export type YamlEdit =
  /**
   * Replaces the value at `path`, or adds the key, with the mappings around it that are missing. `order`: the keys of
   * the mapping as its schema lists them, among which a new key gets its place.
   */
  | {
      readonly kind: 'set';
      readonly path: YamlPath;
      readonly value: unknown;
      readonly order?: readonly string[];
    }
  /** Removes a key or an item. */
  | { readonly kind: 'remove'; readonly path: YamlPath }
  /** Inserts an item; the last part of `path` is its position then. */
  | { readonly kind: 'insert'; readonly path: YamlPath; readonly value: unknown }
  /** Moves an item of a list to the position `to`. */
  | { readonly kind: 'move'; readonly path: YamlPath; readonly to: number }
  /** Inserts a copy of an item behind it. */
  | { readonly kind: 'copy'; readonly path: YamlPath };

/** A text between two positions of a file, and what replaces it. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const REFUSED =
  'cannot be changed without changing other lines, perhaps because of an anchor (&) or a tag (!)';

/**
 * Changes a YAML file in the order of `edits`: the bytes of what is edited are replaced, all others stay. The result is
 * parsed, and has exactly the wanted value. `problem` continues a sentence that begins with the file, or with the part at
 * `path`.
 */
export function editYaml(
  text: string,
  edits: readonly YamlEdit[],
): { readonly text: string } | { readonly problem: string; readonly path: YamlPath } {
  let edited = text;
  for (const batch of groupEdits(edits)) {
    const result = applyBatch(edited, batch);
    const single = result === null && batch.length > 1 ? applyOneByOne(edited, batch) : result;
    if (single === null) return refuse(edited, batch[0]);
    if (typeof single !== 'string') return single;
    edited = single;
  }
  return { text: edited };
}

/** Whether it changes a value or a key, which cannot change the path of another. */
const keepsPaths = ({ kind, path }: YamlEdit) =>
  kind === 'set' || (kind === 'remove' && typeof path.at(-1) === 'string');

/** Edits that are made together: neighbors that keep the paths of each other. */
function groupEdits(edits: readonly YamlEdit[]): (readonly [YamlEdit, ...YamlEdit[]])[] {
  const groups: [YamlEdit, ...YamlEdit[]][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    if (last !== undefined && keepsPaths(edit) && keepsPaths(last[0])) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function refuse(text: string, { path }: YamlEdit) {
  const read = parseYaml(text);
  return { problem: 'problem' in read ? read.problem : REFUSED, path };
}

function applyOneByOne(text: string, batch: readonly YamlEdit[]) {
  let edited = text;
  for (const edit of batch) {
    const next = applyBatch(edited, [edit]);
    if (next === null) return refuse(edited, edit);
    edited = next;
  }
  return edited;
}

/** The edited text; null when it would not have exactly the wanted value, or when edits overlap. */
function applyBatch(text: string, batch: readonly YamlEdit[]): string | null {
  const document = openDocument(text);
  const before = 'problem' in document || document.errors.length > 0 ? null : readValue(document);
  if (before === null || 'problem' in document) return null;
  let wanted = before.value;
  for (const edit of batch) {
    const next = applyToValue(wanted, edit.path, edit);
    if (next === null) return null;
    wanted = next.value;
  }
  for (const isSafe of [false, true]) {
    const file = new YamlText(text, document.contents, isSafe);
    const splices = batch.map((edit) => file.findSplice(edit)).sort((one, other) => other.start - one.start);
    const isApart = splices.every(({ start, end }, index) => {
      const next = splices[index - 1];
      return next === undefined || (end <= next.start && start < next.start);
    });
    if (!isApart) return null;
    const edited = splices.reduce(
      (now, { start, end, text: part }) => now.slice(0, start) + part + now.slice(end),
      text,
    );
    const after = parseYaml(edited);
    if ('value' in after && isDeepStrictEqual(after.value, wanted)) return edited;
  }
  return null;
}

/** The value of a document; null when its aliases explode. */
function readValue(document: Document.Parsed): { readonly value: unknown } | null {
  try {
    return { value: document.toJS() };
  } catch {
    return null;
  }
}

/** The value after an edit; null when there is nothing at its path. */
function applyToValue(value: unknown, path: YamlPath, edit: YamlEdit): { readonly value: unknown } | null {
  const [key, ...rest] = path;
  if (key === undefined) return edit.kind === 'set' ? { value: edit.value } : null;
  if (typeof key === 'number') {
    if (!Array.isArray(value) || key < 0 || key > value.length) return null;
    return applyToItem(value, key, rest, edit);
  }
  const fields = value ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) return null;
  const entries = Object.entries(fields);
  if (rest.length === 0 && edit.kind === 'remove') {
    return Object.hasOwn(fields, key)
      ? { value: Object.fromEntries(entries.filter(([name]) => name !== key)) }
      : null;
  }
  const inner = Object.hasOwn(fields, key) ? Reflect.get(fields, key) : undefined;
  const next = applyToValue(inner, rest, edit);
  if (next === null) return null;
  return {
    value: Object.hasOwn(fields, key)
      ? Object.fromEntries(entries.map(([name, field]) => [name, name === key ? next.value : field]))
      : Object.fromEntries([...entries, [key, next.value]]),
  };
}

function applyToItem(
  items: readonly unknown[],
  index: number,
  rest: YamlPath,
  edit: YamlEdit,
): { readonly value: unknown } | null {
  if (rest.length === 0 && edit.kind === 'insert') return { value: items.toSpliced(index, 0, edit.value) };
  if (index === items.length) return null;
  if (rest.length > 0 || edit.kind === 'set') {
    const next = applyToValue(items[index], rest, edit);
    return next && { value: items.with(index, next.value) };
  }
  if (edit.kind === 'remove') return { value: items.toSpliced(index, 1) };
  if (edit.kind === 'copy') return { value: items.toSpliced(index + 1, 0, items[index]) };
  if (edit.kind !== 'move' || edit.to < 0 || edit.to >= items.length) return null;
  return { value: items.toSpliced(index, 1).toSpliced(edit.to, 0, items[index]) };
}

/** A mapping or list of a file, which the parser has given its position. */
type Collection = Node & { readonly items: readonly unknown[] };

/** Entries of a mapping or list that are written on lines of their own. */
interface Block {
  /** The indentation of each entry. */
  readonly indent: string;
  /** An entry begins at its name, its hyphen or its comment, and ends behind its last line. */
  readonly entries: readonly { readonly start: number; readonly end: number }[];
}

/** A parsed file that finds the bytes which an edit replaces. */
class YamlText {
  readonly #text: string;
  readonly #isSafe: boolean;
  readonly #root: unknown;
  readonly #newline: string;

  /** `root`: what was parsed, with its source. `isSafe`: each text is written in double quotation marks, which fit every text. */
  constructor(text: string, root: unknown, isSafe: boolean) {
    this.#text = text;
    this.#root = root;
    this.#isSafe = isSafe;
    this.#newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  findSplice(edit: YamlEdit): Splice {
    const { path } = edit;
    if (edit.kind === 'set') return this.#findSet(path, edit.value, edit.order ?? []);
    const parent = this.#find(path.slice(0, -1));
    const key = path.at(-1) ?? '';
    if (!isCollection(parent)) return this.#findNothing();
    const index = typeof key === 'number' ? key : findKey(parent, key);
    if (edit.kind === 'insert') return this.#insert(parent, index, path, (style) => style.item(edit.value));
    if (isFlow(parent) || parent.items.length === 0) return this.#changeFlow(parent, index, edit);
    return this.#changeBlock(parent, index, edit);
  }

  /** The node at a path; undefined when there is nothing. */
  #find(path: YamlPath): unknown {
    return path.reduce<unknown>((node, key) => {
      if (isSeq(node) && typeof key === 'number') return node.items[key];
      return isMap(node) && typeof key === 'string' ? node.items[findKey(node, key)]?.value : undefined;
    }, this.#root);
  }

  /** A change that cannot be made: the value stays, so that the caller finds another one than it wants. */
  #findNothing(): Splice {
    return { start: 0, end: 0, text: '' };
  }

  #findSet(path: YamlPath, value: unknown, order: readonly string[]): Splice {
    const node = this.#find(path);
    if (isNode(node)) return this.#replace(node, path, value);
    // The nearest mapping that is there gets the key, with everything that is missing below it.
    for (let length = path.length - 1; length >= 0; length -= 1) {
      const parent = this.#find(path.slice(0, length));
      const key = path[length];
      if (parent === undefined || typeof key !== 'string') continue;
      const added = path
        .slice(length + 1)
        .reduceRight<unknown>(
          (inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }),
          value,
        );
      if (isMap(parent) && parent.items.length > 0) {
        const names = length === path.length - 1 ? order : [];
        const index = findPlace(parent.items.map(getKey), key, names);
        return this.#insert(parent, index, path.slice(0, length + 1), (style) => style.field(key, added));
      }
      if (length > 0 && isNode(parent)) return this.#replace(parent, path.slice(0, length), { [key]: added });
      return this.#append(key, added);
    }
    return this.#findNothing();
  }

  /** Adds the first field to a file that has comments at most. */
  #append(key: string, value: unknown): Splice {
    const text = this.#text;
    const isEnded = text === '' || text.endsWith('\n') || text === '\uFEFF';
    const [start, end] = isNode(this.#root) ? this.#getRange(this.#root) : [text.length, text.length];
    const field = this.#renderLines('', this.#writeBlock({ [key]: value }));
    return { start, end, text: (isEnded || start < end ? '' : this.#newline) + field };
  }

  #replace(node: Node, path: YamlPath, value: unknown): Splice {
    const [start, end] = this.#getRange(node);
    const text = this.#text;
    if (isPlainObject(value) || Array.isArray(value)) {
      const isEmpty = Object.keys(value).length === 0;
      const flow = isEmpty || this.#isInFlow(path) || (isCollection(node) && isFlow(node));
      if (flow || path.length === 0) {
        const written = flow ? this.#writeFlow(value) : this.#renderLines('', this.#writeBlock(value));
        return this.#join(start, end, written);
      }
      const isItem = typeof path.at(-1) === 'number';
      const indent = `${this.#indentOf(path)}  `;
      const lines = this.#renderLines(indent, this.#writeBlock(value)).replace(/\r?\n$/, '');
      if (isItem) return { start, end, text: lines.slice(indent.length) };
      const from = text.slice(0, start).trimEnd().length;
      return { start: from, end, text: this.#newline + lines };
    }
    const written = this.#writeScalar(value, isScalar(node) ? node : null, path);
    const before = text.slice(0, start).trimEnd();
    // On the line of its name, not on that where the mapping or list began.
    const isMoved = isCollection(node) && !isFlow(node) && before.endsWith(':');
    return this.#join(isMoved ? before.length : start, end, written);
  }

  /** A value begins after a space, unless it is the first of its line or of its brackets. */
  #join(start: number, end: number, written: string): Splice {
    const before = this.#text[start - 1] ?? '\n';
    const after = this.#text[end] ?? '\n';
    const isApart = /[\s[{]/.test(before);
    // A block has its line break in its own text; the next line has to begin after it.
    const isEnded = start === end || /[\s,\]}]/.test(after);
    return { start, end, text: (isApart ? '' : ' ') + written + (isEnded ? '' : this.#newline) };
  }

  /** Where a node begins and ends, without the blank lines behind it. */
  #getRange(node: Node): readonly [number, number] {
    const [start = 0, valueEnd = start] = node.range ?? [];
    const isBlock = isCollection(node) ? !isFlow(node) : isScalar(node) && isBlockScalar(node);
    if (!isBlock) return [start, valueEnd];
    const part = this.#text.slice(start, valueEnd);
    return [start, start + part.replace(/(?:\r?\n[ \t]*)+$/, '').length];
  }

  #isInFlow(path: YamlPath): boolean {
    return path.some((_, length) => {
      const node = this.#find(path.slice(0, length));
      return isCollection(node) && isFlow(node);
    });
  }

  /** The indentation of the line of a key or hyphen, or of its own column when others are before it on its line. */
  #indentOf(path: YamlPath): string {
    const parent = this.#find(path.slice(0, -1));
    const key = path.at(-1) ?? '';
    if (!isCollection(parent)) return '';
    const index = typeof key === 'number' ? key : findKey(parent, key);
    const start = getEntryStart(parent, Math.max(0, Math.min(index, parent.items.length - 1)));
    return ' '.repeat(start - this.#findLineStart(start));
  }

  #findLineStart(position: number): number {
    const start = this.#text.lastIndexOf('\n', position - 1) + 1;
    return start === 0 && this.#text.startsWith('\uFEFF') ? 1 : start;
  }

  #insert(
    parent: Collection,
    index: number,
    path: YamlPath,
    write: (style: Writer) => { readonly block: string; readonly flow: string },
  ): Splice {
    const written = write({
      field: (key, value) => ({
        block: this.#writeBlock({ [key]: value }),
        flow: this.#writeFlow({ [key]: value })
          .slice(1, -1)
          .trim(),
      }),
      item: (value) => ({ block: this.#writeBlock([value]), flow: this.#writeFlow(value) }),
    });
    const isInFlow = isFlow(parent) && (parent.items.length > 0 || this.#isInFlow(path.slice(0, -1)));
    if (isInFlow) return this.#insertFlow(parent, index, written.flow);
    if (parent.items.length === 0) {
      const [start, end] = this.#getRange(parent);
      const indent = `${this.#indentOf(path.slice(0, -1))}  `;
      const lines = this.#renderLines(indent, written.block).replace(/\r?\n$/, '');
      const from = this.#text.slice(0, start).replace(/[ \t]+$/, '').length;
      return { start: from, end, text: this.#newline + lines };
    }
    const block = this.#findBlock(parent);
    const lines = this.#renderLines(block.indent, written.block);
    return this.#rebuild(block, (chunks) => chunks.toSpliced(index, 0, lines.slice(block.indent.length)));
  }

  #insertFlow(parent: Collection, index: number, written: string): Splice {
    const entries = findFlowEntries(parent);
    const next = entries[index];
    if (next !== undefined) return { start: next.start, end: next.start, text: `${written}, ` };
    const last = entries.at(-1);
    if (last !== undefined) {
      const before = entries.at(-2)?.end ?? parent.range?.[0] ?? last.start;
      const gap = /\r?\n[ \t]*$/.exec(this.#text.slice(before, last.start))?.[0] ?? ' ';
      return { start: last.end, end: last.end, text: `,${gap}${written}` };
    }
    const [start, end] = this.#getRange(parent);
    return { start, end, text: isMap(parent) ? `{ ${written} }` : `[${written}]` };
  }

  #changeFlow(parent: Collection, index: number, edit: YamlEdit): Splice {
    const entries = findFlowEntries(parent);
    const texts = entries.map(({ start, end }) => this.#text.slice(start, end));
    const [first, last, entry] = [entries[0], entries.at(-1), entries[index]];
    if (first === undefined || last === undefined || entry === undefined) return this.#findNothing();
    if (edit.kind === 'copy') return { start: entry.end, end: entry.end, text: `, ${texts[index]}` };
    if (edit.kind === 'move') {
      const moved = texts.toSpliced(index, 1).toSpliced(edit.to, 0, texts[index] ?? '');
      const gaps = entries.map(({ start }, at) => this.#text.slice(entries[at - 1]?.end ?? start, start));
      const text = moved.map((part, at) => (gaps[at] ?? '') + part).join('');
      return { start: first.start, end: last.end, text };
    }
    const [start, end] = this.#getRange(parent);
    if (entries.length === 1) return { start, end, text: isMap(parent) ? '{}' : '[]' };
    const [previous, next] = [entries[index - 1], entries[index + 1]];
    if (next !== undefined) return { start: entry.start, end: next.start, text: '' };
    return { start: previous?.end ?? entry.start, end: entry.end, text: '' };
  }

  #changeBlock(parent: Collection, index: number, edit: YamlEdit): Splice {
    const block = this.#findBlock(parent);
    const entry = block.entries[index];
    if (entry === undefined) return this.#findNothing();
    if (edit.kind === 'remove' && block.entries.length === 1) {
      const before = this.#text.slice(0, entry.start);
      // Behind the name or hyphen around it, when there is nothing in between.
      const trimmed = before.replace(/\s+$/, '');
      const isBehind = /(^|[\s:])[:-]$/.test(trimmed) || trimmed.endsWith(':');
      const text = `${isBehind ? ' ' : ''}${isMap(parent) ? '{}' : '[]'}${this.#newline}`;
      return { start: isBehind ? trimmed.length : entry.start, end: entry.end, text };
    }
    return this.#rebuild(block, (chunks) => {
      const own = chunks[index] ?? '';
      if (edit.kind === 'remove') return chunks.toSpliced(index, 1);
      if (edit.kind === 'move') return chunks.toSpliced(index, 1).toSpliced(edit.to, 0, own);
      const comment = own.length - this.#text.slice(getEntryStart(parent, index), entry.end).length;
      return chunks.toSpliced(index + 1, 0, own.slice(comment));
    });
  }

  /** The entries of a mapping or list with the comments above them and the blank lines between them. */
  #findBlock(parent: Collection): Block {
    const starts = parent.items.map((_, index) => getEntryStart(parent, index));
    const [first = 0] = starts;
    const column = first - this.#findLineStart(first);
    const entries = starts.map((start, index) => {
      const content = this.#findEntryEnd(parent, index);
      const next = starts[index + 1];
      const end = this.#findBlockEnd(content, column, next);
      return { start, end };
    });
    return {
      indent: ' '.repeat(column),
      entries: entries.map(({ start, end }, index) => {
        const previous = entries[index - 1];
        return {
          start: previous === undefined ? start : this.#findComment(start, previous.end, column),
          end,
        };
      }),
    };
  }

  /** The end of what an entry has, without the comments behind it. */
  #findEntryEnd(parent: Collection, index: number): number {
    const item = parent.items[index];
    const [, value] = splitEntry(item);
    const [key] = splitEntry(item);
    for (const node of [value, key]) {
      if (!isNode(node)) continue;
      if (isCollection(node) && !isFlow(node) && node.items.length > 0) {
        return this.#findEntryEnd(node, node.items.length - 1);
      }
      return this.#getRange(node)[1];
    }
    return getEntryStart(parent, index) + 1;
  }

  /** The end of the last line of an entry: that of its content, or of a comment below that is indented further. */
  #findBlockEnd(content: number, column: number, next: number | undefined): number {
    let end = this.#findLineEnd(content);
    for (let line = end; line < (next ?? this.#text.length); line = this.#findLineEnd(line)) {
      const [, spaces = '', mark = ''] = /^([ ]*)([^\s]?)/.exec(this.#text.slice(line)) ?? [];
      const isBlank = /^[ \t]*\r?(\n|$)/.test(this.#text.slice(line));
      if (!isBlank && (mark !== '#' || spaces.length <= column)) break;
      if (!isBlank) end = this.#findLineEnd(line);
    }
    return end;
  }

  #findLineEnd(position: number): number {
    const end = this.#text.indexOf('\n', position);
    return end < 0 ? this.#text.length : end + 1;
  }

  /** The start of the comment right above an entry, with the same indentation; that of the entry without one. */
  #findComment(start: number, from: number, column: number): number {
    let found = start;
    for (let line = this.#findLineStart(start); line > from; ) {
      line = this.#findLineStart(line - 1);
      const isComment = this.#text.slice(line, line + column + 1) === `${' '.repeat(column)}#`;
      if (line < from || !isComment) break;
      found = line + column;
    }
    return found;
  }

  /** Writes the entries of a block in another order, or others, each behind the blank lines of its place. */
  #rebuild({ entries, indent }: Block, change: (chunks: readonly string[]) => readonly string[]): Splice {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return this.#findNothing();
    const isEnded = this.#text[last.end - 1] === '\n';
    const chunks = entries.map(({ start, end }) => this.#endLine(this.#text.slice(start, end)));
    const gaps = entries
      .slice(1)
      .map(({ start }, index) => this.#text.slice(entries[index]?.end ?? start, start - indent.length));
    const blank = gaps.length > 0 && gaps.every((gap) => gap !== '') ? this.#newline : '';
    const changed = change(chunks);
    // Only what differs is written, so that a comment between others is never moved.
    const places = changed.length === chunks.length ? gaps : fitGaps(gaps, chunks, changed, blank);
    const text = changed
      .map((chunk, index) => (index === 0 ? '' : (places[index - 1] ?? blank) + indent) + chunk)
      .join('');
    const { start, end } = { start: first.start, end: last.end };
    return this.#shorten({ start, end, text: isEnded ? text : text.replace(/\r?\n$/, '') });
  }

  /** The same change without the bytes that it would write as they are, so that changes of one file do not overlap. */
  #shorten({ start, end, text }: Splice): Splice {
    const old = this.#text.slice(start, end);
    const most = Math.min(old.length, text.length);
    let [before, after] = [0, 0];
    while (before < most && old[before] === text[before]) before += 1;
    while (after < most - before && old.at(-1 - after) === text.at(-1 - after)) after += 1;
    return { start: start + before, end: end - after, text: text.slice(before, text.length - after) };
  }

  #endLine(chunk: string): string {
    return chunk.endsWith('\n') ? chunk : chunk + this.#newline;
  }

  #renderLines(indent: string, lines: string): string {
    return lines
      .split('\n')
      .map((line) => (line === '' ? '' : indent + line))
      .join(this.#newline);
  }

  /** Writes a mapping or list on lines of its own, the last one with its end. */
  #writeBlock(value: unknown): string {
    return stringify(value, { lineWidth: 0, ...(this.#isSafe && { defaultStringType: 'QUOTE_DOUBLE' }) });
  }

  #writeFlow(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#writeFlow(item)).join(', ')}]`;
    if (!isPlainObject(value)) return this.#chooseText(value, listTexts(value, null, '', 0), true);
    const fields = Object.entries(value).map(([key, field]) => {
      const name = /^[a-z][\w-]*$/i.test(key) && !AMBIGUOUS.test(key) ? key : quote(key);
      return `${name}: ${this.#writeFlow(field)}`;
    });
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }

  #writeScalar(value: unknown, old: Scalar | null, path: YamlPath): string {
    const isFlowed = this.#isInFlow(path);
    const indent = this.#indentOf(path);
    const style = isFlowed && old !== null && isBlockScalar(old) ? null : old;
    const texts = listTexts(value, style, `${indent}  `, isFlowed ? 0 : MAX_LINE);
    return this.#chooseText(value, texts, isFlowed).replaceAll('\n', this.#newline);
  }

  /** The first text that YAML reads as the value, in brackets or as a field. */
  #chooseText(value: unknown, texts: readonly string[], isFlowed: boolean): string {
    const safe = texts.at(-1) ?? 'null';
    if (this.#isSafe) return safe;
    const isRead = (text: string) => {
      const around = isFlowed
        ? ([`{ k: ${text} }`, `[ ${text} ]`] as const)
        : ([`k: ${text}\n`, `- ${text}\n`] as const);
      return around.every((file, index) => {
        const read = parseYaml(file);
        return 'value' in read && isDeepStrictEqual(read.value, index === 0 ? { k: value } : [value]);
      });
    };
    return texts.find((text) => text === safe || isRead(text)) ?? safe;
  }
}

interface Writer {
  readonly field: (key: string, value: unknown) => { readonly block: string; readonly flow: string };
  readonly item: (value: unknown) => { readonly block: string; readonly flow: string };
}

/** Blank lines between entries after some were added or removed: those before an entry that stays, stay. */
function fitGaps(
  gaps: readonly string[],
  before: readonly string[],
  after: readonly string[],
  blank: string,
): string[] {
  const changed = after.findIndex((chunk, index) => chunk !== before[index]);
  const at = changed < 0 ? after.length : changed;
  if (after.length > before.length) return gaps.toSpliced(Math.max(0, at - 1), 0, blank);
  return gaps.toSpliced(Math.max(0, at - 1), 1);
}

/** Longer lines of a folded text are broken. */
const MAX_LINE = 120;

/** Words that other readers of YAML take for something else than a text, and times. */
const AMBIGUOUS = /^[\s{}[\],&*!|>%@`"'#?:]|^(y|n|yes|no|on|off|true|false|null|~)$|^[-+]?[\d_.:]+$|^0[xob]/i;

/**
 * How a value can be written, the best first; the last one is always right. `old`: what it replaces. `width`: of the
 * lines of a block; 0: none is possible.
 */
function listTexts(value: unknown, old: Scalar | null, indent: string, width: number): string[] {
  if (typeof value !== 'string') return [JSON.stringify(value ?? null)];
  const type = old?.type ?? Scalar.PLAIN;
  const isLine = !/[\n\r]/.test(value);
  const double = quote(value);
  const single = isLine ? [`'${value.replaceAll("'", "''")}'`] : [];
  const plain = isLine && value !== '' && !AMBIGUOUS.test(value) ? [value] : [];
  const quoted = double.includes('\\') ? [...single, double] : [double];
  const blocks =
    width === 0 ? [] : [...writeFolded(value, type, indent, width), ...writeLiteral(value, indent)];
  if (type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL) return [...blocks, double];
  if (!isLine) return [...blocks, double];
  if (type === Scalar.QUOTE_SINGLE) return [...single, double];
  if (type === Scalar.QUOTE_DOUBLE) return [...quoted, double];
  return [...plain, ...quoted, double];
}

/** In double quotation marks, with escapes for what editors do not show. */
const quote = (value: string) =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function writeLiteral(value: string, indent: string): string[] {
  if (/[\r\u007f-\u009f\u2028\u2029\ufeff]/.test(value)) return [];
  const ends = /\n+$/.exec(value)?.[0].length ?? 0;
  if (ends > 1 || value.trim() === '') return [];
  const lines = (ends === 1 ? value.slice(0, -1) : value).split('\n');
  const isIndented = /^\s/.test(value);
  const header = `|${isIndented ? '2' : ''}${ends === 1 ? '' : '-'}`;
  return [[header, ...lines.map((line) => (line === '' ? '' : indent + line))].join('\n')];
}

function writeFolded(value: string, type: Scalar.Type, indent: string, width: number): string[] {
  const isFolded = type === Scalar.BLOCK_FOLDED;
  const text = value.endsWith('\n') ? value.slice(0, -1) : value;
  const paragraphs = text.split('\n');
  const canFold = paragraphs.every(
    (line) => line === line.trim() && line !== '' && !/ {2}|[\r\t]/.test(line),
  );
  if (!isFolded || !canFold) return [];
  const folded = paragraphs.map((line) => {
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      const isFull = last !== '' && indent.length + last.length + 1 + word.length > width;
      if (isFull) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines.map((part) => indent + part).join('\n');
  });
  return [`${value.endsWith('\n') ? '>' : '>-'}\n${folded.join('\n\n')}`];
}

const isCollection = (node: unknown): node is Collection => isMap(node) || isSeq(node);
const isFlow = (node: Collection): boolean => Reflect.get(node, 'flow') === true;
const isBlockScalar = ({ type }: Scalar) => type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name and the value of an entry; an item has no name. */
function splitEntry(item: unknown): readonly [key: unknown, value: unknown] {
  const isPair = typeof item === 'object' && item !== null && 'key' in item && 'value' in item;
  return isPair && !isNode(item) ? [item.key, item.value] : [undefined, item];
}

function getKey(item: unknown): string {
  const [key] = splitEntry(item);
  return isScalar(key) ? String(key.value) : '';
}

const findKey = (parent: Collection, key: string) =>
  parent instanceof YAMLMap ? parent.items.findIndex((item) => getKey(item) === key) : -1;

/** Where a new key belongs: behind the last one that comes before it in `order`; at the end when it is not in it. */
function findPlace(keys: readonly string[], key: string, order: readonly string[]): number {
  const own = order.indexOf(key);
  if (own < 0) return keys.length;
  return keys.findLastIndex((name) => order.indexOf(name) < own && order.includes(name)) + 1;
}

/** Where an entry begins: at its name, or at the hyphen of an item. */
function getEntryStart(parent: Collection, index: number): number {
  const item = parent.items[index];
  const [key, value] = splitEntry(item);
  const token = parent.srcToken;
  if (isSeq(parent) && token?.type === 'block-seq') {
    const hyphen = token.items[index]?.start.find(({ type }) => type === 'seq-item-ind');
    if (hyphen !== undefined) return hyphen.offset;
  }
  const node = key ?? value;
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function findFlowEntries(parent: Collection) {
  return parent.items.map((item) => {
    const [key, value] = splitEntry(item);
    const [first, last] = [key ?? value, value ?? key];
    const start = isNode(first) ? (first.range?.[0] ?? 0) : 0;
    return { start, end: isNode(last) ? (last.range?.[1] ?? start) : start };
  });
}

/** Splits a Markdown file into YAML between two lines of `---` and the body; null without such lines. */
export function splitMarkdown(text: string) {
  const [, open = '', front, close = '', behind = ''] =
    /^(\uFEFF?---\r?\n)([\s\S]*?)(\r?\n---[ \t]*(?:\r?\n|$))([\s\S]*)$/.exec(text) ?? [];
  if (front === undefined) return null;
  const body = behind.trim();
  const at = behind.indexOf(body);
  const [before, after] = [behind.slice(0, at), behind.slice(at + body.length)];
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    front,
    body,
    newline,
    /** Builds the file with another front matter and body. */
    join: (nextFront: string, nextBody: string) => {
      // The front matter ends with the line break of the line below it.
      const yaml = nextFront.replace(/\r?\n$/, '');
      const next = nextBody === body ? body : nextBody.trim();
      const isNew = body === '' && next !== '';
      return `${open}${yaml}${close}${before}${isNew && before === '' ? newline : ''}${next}${isNew && after === '' ? newline : after}`;
    },
  };
}
