import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { ContentError, type ContentProblem } from '../../core/content/content-error.ts';

/** Reads YAML files of one folder against schemas and collects what is wrong with all of them. */
export interface ContentFolder {
  readonly problems: ContentProblem[];
  /** The parsed file, or undefined after recording why not. */
  readFile<S extends z.ZodType>(file: string, schema: S): z.output<S> | undefined;
  /** Every `*.yaml` of a folder that parses, by name without ending. */
  readFolder<S extends z.ZodType>(folder: string, schema: S): Map<string, z.output<S>>;
  /** Throws `ContentError` when anything was recorded. */
  finish(): void;
}

/** Opens `root` (usually `content/`). */
export function createContentFolder(root: string): ContentFolder {
  const problems: ContentProblem[] = [];

  function readFile<S extends z.ZodType>(file: string, schema: S): z.output<S> | undefined {
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
    const result = schema.safeParse(document.toJS());
    if (result.success) return result.data;
    problems.push(...result.error.issues.map((issue) => toProblem(file, issue)));
    return undefined;
  }

  function readFolder<S extends z.ZodType>(folder: string, schema: S): Map<string, z.output<S>> {
    const found = new Map<string, z.output<S>>();
    const full = path.join(root, folder);
    const names = existsSync(full) ? readdirSync(full).filter((name) => name.endsWith('.yaml')) : [];
    for (const name of names.sort()) {
      const data = readFile(`${folder}/${name}`, schema);
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

function toProblem(file: string, issue: z.core.$ZodIssue): ContentProblem {
  const field = issue.path.map((part) => (typeof part === 'number' ? `${part + 1}` : String(part))).join('.');
  return { file, field, reason: issue.message };
}
