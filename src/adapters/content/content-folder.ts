import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { ContentError, type ContentProblem } from '../../core/content/content-error.ts';
import type { TextPath } from '../../core/content/figures.ts';

/** Changes what a file holds; `report` records what is wrong at a path (keys and positions from 0). */
export type Prepare = (raw: unknown, report: (path: TextPath, reason: string) => void) => unknown;

/** Reads YAML files of one folder against schemas and collects what is wrong with all of them. */
export interface ContentFolder {
  readonly problems: ContentProblem[];
  /** The parsed file, or undefined after recording why not. `prepare` changes its raw value before the check. */
  readFile<S extends z.ZodType>(file: string, schema: S, prepare?: Prepare): z.output<S> | undefined;
  /** Every `*.yaml` of a folder that parses, by name without ending. */
  readFolder<S extends z.ZodType>(folder: string, schema: S, prepare?: Prepare): Map<string, z.output<S>>;
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
    const full = path.join(root, file);
    if (!existsSync(full)) {
      problems.push({ file, field: '', reason: 'the file is missing' });
      return undefined;
    }
    const document = parseDocument(readFileSync(full, 'utf8'));
    const fault = document.errors[0];
    if (fault !== undefined) {
      problems.push({ file, field: '', reason: fault.message.split('\n')[0] ?? 'is not YAML' });
      return undefined;
    }
    const raw: unknown = document.toJS();
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
    const full = path.join(root, folder);
    const names = existsSync(full) ? readdirSync(full).filter((name) => name.endsWith('.yaml')) : [];
    for (const name of names.sort()) {
      const data = readFile(`${folder}/${name}`, schema, prepare);
      if (data !== undefined) found.set(name.slice(0, -'.yaml'.length), data);
    }
    return found;
  }

  return {
    problems,
    readFile,
    readFolder,
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
