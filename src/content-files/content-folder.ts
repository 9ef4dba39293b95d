import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import type { TextPath } from '../core/pages/claims/placeholders.ts';
import { ContentError, type ContentProblem, describeField } from '../core/pages/content.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import { parseImageManifest } from '../core/pages/images/image-field.schema.ts';
import { describeIssue, listIssues } from '../core/text/describe-issue.schema.ts';
import { leaveOutFormer } from './former-fields.ts';
import { type FindLine, type ParsedYaml, parseYaml } from './parse-yaml.ts';
import { findFileStats, readNames, readTextFile } from './read-text-file.ts';

/** Records something of a file at a path (keys and positions from 0). */
export type Report = (path: TextPath, reason: string) => void;

/** Changes what a file contains; `report` records what is wrong with it, `wait` an image that is not there. */
type Prepare = (raw: unknown, report: Report, wait: Report) => unknown;

/** Returns another value for a file in which this is wrong, so that its page can be drawn; undefined: there is none. */
export type Repair = (problems: readonly ContentProblem[]) => unknown;

/** The parsed YAML of files, by their path below the content folder; undefined: there is no such file. */
export type ContentDocuments = ReadonlyMap<string, unknown>;

/** What files had when they had this state, by their path below the folder. */
export type KnownFiles = Map<string, { readonly state: string; readonly value: unknown }>;

/** The YAML files of a folder. One that was not changed is parsed once: that takes most of the time in which it is read. */
export class ParsedFiles {
  /** What another thread starts with, so that it does not parse the same again. */
  readonly known: KnownFiles;
  readonly #root: string;

  constructor(root: string, known: KnownFiles = new Map()) {
    this.#root = root;
    this.known = known;
  }

  /** Returns the value of a file, the same object until the file changes. */
  read(file: string): ParsedYaml | { readonly problem: string; readonly line?: null } {
    const stats = findFileStats(path.join(this.#root, file));
    if (stats === undefined) this.known.delete(file);
    const state = stats && [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino].join();
    const known = this.known.get(file);
    if (known !== undefined && known.state === state) {
      const findLine: FindLine = (at) => {
        const again = readDocument(this.#root, file);
        return 'value' in again ? again.findLine(at) : null;
      };
      return { value: known.value, findLine };
    }
    const read = readDocument(this.#root, file);
    if (state !== undefined && 'value' in read) this.known.set(file, { state, value: read.value });
    return read;
  }
}

/** Reads YAML files of one folder against schemas and collects what is wrong with all of them. */
export class ContentFolder {
  readonly problems: ContentProblem[] = [];
  /** Images that files name and that are not there, such as those that are still converted. */
  readonly waits: ContentProblem[] = [];
  /** What is wrong and keeps nothing from being shown, such as links and redirects that lead nowhere. */
  readonly warnings: ContentProblem[] = [];
  /** What files have that is not read any more. It is not wrong: a check and a build pass. */
  readonly unread: ContentProblem[] = [];
  /** What is wrong with a file in place of which another value was read. */
  readonly repaired: ContentProblem[] = [];
  /** What was read. */
  readonly documents = new Map<string, unknown>();
  readonly #findLines = new Map<string, FindLine>();
  readonly #root: string;
  readonly #held: ContentDocuments | undefined;
  readonly #files: ParsedFiles;
  readonly #repair: Repair | undefined;

  /**
   * Opens `root` (usually `content/`). `held`: what is read instead of these files; undefined: as if it were not there. `repair`
   * is asked for those that are wrong.
   */
  constructor(root: string, held?: ContentDocuments, files = new ParsedFiles(root), repair?: Repair) {
    this.#repair = repair;
    this.#root = root;
    this.#held = held;
    this.#files = files;
  }

  /** The parsed file, or undefined after recording why not. `prepare` changes its raw value before the check. */
  readFile<S extends z.ZodType>(
    file: string,
    schema: S,
    prepare: Prepare = (raw) => raw,
  ): z.output<S> | undefined {
    const read = this.#held?.has(file) ? { value: this.#held.get(file) } : this.#files.read(file);
    if ('problem' in read) {
      const { line = null, problem: reason } = read;
      this.problems.push({ file, field: line === null ? '' : `line ${line}`, reason });
      return undefined;
    }
    if ('findLine' in read) this.#findLines.set(file, read.findLine);
    const { value: raw, former } = leaveOutFormer(file, read.value);
    const tell = this.openReport(file, read.value, this.unread);
    for (const { path: at, reason } of former) tell(at, reason);
    const first = this.#parse(file, raw, schema, prepare);
    const repair = this.#held?.has(file) ? this.#repair : undefined;
    let value: unknown = raw;
    let parsed = first;
    while (parsed.problems.length > 0 && value !== undefined) {
      value = repair?.(parsed.problems);
      if (value !== undefined) parsed = this.#parse(file, value, schema, prepare);
    }
    const isRepaired = value !== undefined && parsed !== first;
    const { data, problems, waits } = isRepaired ? parsed : first;
    this.documents.set(file, isRepaired ? value : raw);
    if (isRepaired) this.repaired.push(...first.problems);
    this.problems.push(...problems);
    this.waits.push(...waits);
    return data;
  }

  #parse<S extends z.ZodType>(file: string, raw: unknown, schema: S, prepare: Prepare) {
    const problems: ContentProblem[] = [];
    const waits: ContentProblem[] = [];
    const value = prepare(raw, this.openReport(file, raw, problems), this.openReport(file, raw, waits));
    const result = schema.safeParse(value, { error: describeIssue });
    for (const issue of result.success ? [] : listIssues(result.error)) {
      const at = issue.path.map(toKey);
      const reason = readAt(value, at) === null ? 'is empty' : issue.message;
      // An unknown field is reported of what is around it.
      const path = issue.code === 'unrecognized_keys' ? [...at, ...issue.keys.slice(0, 1)] : at;
      problems.push(this.addLine({ file, field: describeField(value, at), reason, path }));
    }
    return { data: result.data, problems, waits };
  }

  /** Every `*.yaml` of a folder that parses, by name without ending. */
  readFolder<S extends z.ZodType>(folder: string, schema: S, prepare?: Prepare): Map<string, z.output<S>> {
    this.problems.push(...findMisnamed(this.#root, folder).filter(({ file }) => !this.#held?.has(file)));
    const found = new Map<string, z.output<S>>();
    for (const name of this.listNames(folder)) {
      const data = this.readFile(`${folder}/${name}.yaml`, schema, prepare);
      if (data !== undefined) found.set(name, data);
    }
    return found;
  }

  /** Names without ending of every `*.yaml` of a folder, also of those that do not parse; sorted. */
  listNames(folder: string): string[] {
    const held = [...(this.#held ?? [])]
      .map(([file, raw]) => ({ folder: path.dirname(file), name: path.basename(file), raw }))
      .filter((one) => one.folder === folder);
    const replaced = new Set(held.map(({ name }) => name));
    const found = listYamlFiles(path.join(this.#root, folder)).filter((name) => !replaced.has(name));
    // A file that is checked before it is written is not in the folder yet.
    const added = held.filter(({ raw }) => raw !== undefined).map(({ name }) => name);
    return [...found, ...added].sort().map((name) => name.slice(0, -'.yaml'.length));
  }

  /** Opens the list of what is wrong with a file; `raw` is what was read of it. */
  openReport(file: string, raw: unknown, list = this.problems): Report {
    return (path, reason) => {
      list.push(this.addLine({ file, field: describeField(raw, path), reason, path }));
    };
  }

  /** Adds the line of a problem to its field, unless the file was not read. */
  addLine({ path: at, ...problem }: ContentProblem): ContentProblem {
    const findLine = this.#findLines.get(problem.file);
    if (at === undefined) return problem;
    // Of a text that is checked before it is written, the caller knows the lines.
    if (findLine === undefined) return { ...problem, path: at };
    const line = findLine(at);
    if (line === null) return problem;
    return { ...problem, field: [`line ${line}`, problem.field].filter(Boolean).join(', ') };
  }

  /** Throws `ContentError` when anything was recorded. */
  finish(): void {
    if (this.problems.length > 0) throw new ContentError(this.problems);
  }
}

const readAt = (value: unknown, at: TextPath): unknown =>
  at.reduce<unknown>((found, part) => (found === null ? undefined : Object(found)[part]), value);

const toKey = (part: PropertyKey) => (typeof part === 'number' ? part : String(part));

function readDocument(root: string, file: string): ReturnType<ParsedFiles['read']> {
  if (!existsSync(path.join(root, file))) return { problem: 'the file is missing' };
  const read = readTextFile(root, file);
  return 'problem' in read ? read : parseYaml(read.text);
}

/** Files that are meant to be read and would be ignored. */
function findMisnamed(root: string, folder: string): ContentProblem[] {
  const { names, problem } = readNames(path.join(root, folder));
  if (problem !== undefined) return [{ file: `${folder}/`, field: '', reason: problem }];
  return names
    .filter((name) => /\.ya?ml$/i.test(name) && !name.endsWith('.yaml'))
    .map((name) => ({
      file: `${folder}/${name}`,
      field: '',
      reason: 'is not read: its ending has to be .yaml',
    }));
}

const listYamlFiles = (folder: string): string[] =>
  readNames(folder).names.filter((name) => name.endsWith('.yaml'));

/** Why there is no list of images; `file`: where it should be. */
export const explainMissingBuild = (file: string): string =>
  `the program has no list of images (${file}): ${file.includes('node_modules') ? 'repair it with "npm ci"' : 'start it with "npm start"'}`;

/**
 * Creates a function that reads the list of images that a build wrote, again only after the file has changed.
 * It throws `ContentError` when there is no such file.
 */
export function createImageManifestReader(file: string): () => ImageCatalog {
  let catalog: ImageCatalog | undefined;
  let readAt = 0;
  return () => {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs === undefined) {
      // While another version is installed, the program that runs goes on with its own.
      if (catalog !== undefined) return catalog;
      throw new ContentError([{ file: 'images', field: '', reason: explainMissingBuild(file) }]);
    }
    if (catalog === undefined || mtimeMs !== readAt) {
      catalog = parseImageManifest(JSON.parse(readFileSync(file, 'utf8')));
      readAt = mtimeMs;
    }
    return catalog;
  };
}
