import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { ContentError, type ContentProblem } from '../../core/pages/content-error.ts';
import type { TextPath } from '../../core/pages/figures.ts';
import { parseYaml, readTextFile } from './read-text-file.ts';

/** Changes what a file contains; `report` records what is wrong at a path (keys and positions from 0). */
export type Prepare = (raw: unknown, report: (path: TextPath, reason: string) => void) => unknown;

/** Reads YAML files of one folder against schemas and collects what is wrong with all of them. */
export interface ContentFolder {
  readonly problems: ContentProblem[];
  /** The parsed file, or undefined after recording why not. `prepare` changes its raw value before the check. */
  readFile<S extends z.ZodType>(file: string, schema: S, prepare?: Prepare): z.output<S> | undefined;
  /** Every `*.yaml` of a folder that parses, by name without ending. */
  readFolder<S extends z.ZodType>(folder: string, schema: S, prepare?: Prepare): Map<string, z.output<S>>;
  /** Names without ending of every `*.yaml` of a folder, also of those that do not parse; sorted. */
  listNames(folder: string): string[];
  /** Throws `ContentError` when anything was recorded. */
  finish(): void;
}

/** Opens `root` (usually `content/`). */
export function createContentFolder(root: string): ContentFolder {
  const problems: ContentProblem[] = [];

  function readFile<S extends z.ZodType>(
    file: string,
    schema: S,
    prepare: Prepare = (raw) => raw,
  ): z.output<S> | undefined {
    const refuse = (reason: string): undefined => {
      problems.push({ file, field: '', reason });
    };
    if (!existsSync(path.join(root, file))) return refuse('the file is missing');
    const read = readTextFile(root, file);
    if ('problem' in read) return refuse(read.problem);
    const parsed = parseYaml(read.text);
    if ('problem' in parsed) {
      return refuse(parsed.line === null ? parsed.problem : `${parsed.problem} at line ${parsed.line}`);
    }
    const raw = parsed.value;
    const report = (at: TextPath, reason: string) =>
      problems.push({ file, field: describeField(raw, at), reason });
    const result = schema.safeParse(prepare(raw, report));
    if (result.success) return result.data;
    for (const issue of result.error.issues) report(issue.path.map(toKey), issue.message);
    return undefined;
  }

  function readFolder<S extends z.ZodType>(
    folder: string,
    schema: S,
    prepare?: Prepare,
  ): Map<string, z.output<S>> {
    const found = new Map<string, z.output<S>>();
    for (const name of listNames(folder)) {
      const data = readFile(`${folder}/${name}.yaml`, schema, prepare);
      if (data !== undefined) found.set(name, data);
    }
    return found;
  }

  function listNames(folder: string): string[] {
    const full = path.join(root, folder);
    const files = existsSync(full) ? readdirSync(full).filter((name) => name.endsWith('.yaml')) : [];
    return files.map((name) => name.slice(0, -'.yaml'.length)).sort();
  }

  return {
    problems,
    readFile,
    readFolder,
    listNames,
    finish() {
      if (problems.length > 0) throw new ContentError(problems);
    },
  };
}

const toKey = (part: PropertyKey) => (typeof part === 'number' ? part : String(part));

/** `sections.4 (faq).items.2.answer`: positions from 1, list entries with the type that they say they are. */
function describeField(raw: unknown, at: TextPath): string {
  let value: unknown = raw;
  return at
    .map((part) => {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
      if (typeof part === 'string') return part;
      const type = typeof value === 'object' && value !== null ? Reflect.get(value, 'type') : undefined;
      return typeof type === 'string' ? `${part + 1} (${type})` : `${part + 1}`;
    })
    .join('.');
}
