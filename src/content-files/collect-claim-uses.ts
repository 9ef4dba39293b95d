import path from 'node:path';
import type { ClaimUses } from '../core/pages/claims/claims.ts';
import { listNames, type TextPath } from '../core/pages/claims/placeholders.ts';
import { type Content, describeField } from '../core/pages/content.ts';
import { ParsedFiles } from './content-folder.ts';
import { findFileStats, listFilesBelow } from './read-text-file.ts';

/** Where content files name claims, and where they quote samples; each as `file, field`. */
export interface CollectedUses {
  /** The file of each claim below the content folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly uses: ClaimUses;
  readonly samples: readonly string[];
  /** false: a file could not be read, which the check of the content reports. */
  readonly isComplete: boolean;
}

/** Reads every YAML file below `root`. A claim is named as `{claim:key}` or, in lists, by its key. */
export function collectClaimUses(
  root: string,
  claims: Content['claims'],
  parsed = new ParsedFiles(root),
): CollectedUses {
  const uses = new Map<string, string[]>();
  const samples: string[] = [];
  const note = (key: string, place: string) => {
    const places = uses.get(key) ?? [];
    if (!places.includes(place)) uses.set(key, [...places, place]);
  };
  const walk = (file: string, content: unknown, value: unknown, at: TextPath): void => {
    const place = [file, describeField(content, at)].filter(Boolean).join(', ');
    if (typeof value === 'string') {
      if (claims.has(value)) note(value, place);
      for (const name of listNames(value)) {
        const key = /^claim:([a-z0-9-]+)/.exec(name)?.[1];
        if (key !== undefined) note(key, place);
      }
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (Reflect.get(value, 'sample') === true) samples.push(place);
    const isList = Array.isArray(value);
    for (const [name, part] of Object.entries(value)) {
      walk(file, content, part, [...at, isList ? Number(name) : name]);
    }
  };
  const files = new Map<string, string>();
  let isComplete = true;
  for (const file of listFiles(root)) {
    const read = parsed.read(file);
    if (!('value' in read)) {
      isComplete = false;
      continue;
    }
    const content = read.value;
    if (!file.startsWith(`claims${path.sep}`)) walk(file, content, content, []);
    else for (const key of Object.keys(Object(content))) files.set(key, file);
  }
  return { files, uses, samples, isComplete };
}

/**
 * Creates a reader of the same that reads the files again only when one was changed, added or removed, or for other
 * claims. While an edit has broken one of them, it returns what it read before, if anything.
 */
export function createClaimUsesReader(
  root: string,
  parsed?: ParsedFiles,
): (claims: Content['claims']) => CollectedUses {
  let last: {
    readonly state: string;
    readonly claims: Content['claims'];
    readonly uses: CollectedUses;
  } | null = null;
  return (claims) => {
    const state = listFiles(root)
      .map((file) => {
        const stats = findFileStats(path.join(root, file));
        return [file, stats?.mtimeMs, stats?.ctimeMs, stats?.size].join(' ');
      })
      .join();
    if (last?.state === state && last.claims === claims) return last.uses;
    const found = collectClaimUses(root, claims, parsed);
    const uses = found.isComplete || last === null ? found : last.uses;
    last = { state, claims, uses };
    return uses;
  };
}

function listFiles(root: string): string[] {
  return listFilesBelow(root)
    .filter((file) => file.endsWith('.yaml') && findFileStats(path.join(root, file))?.isFile())
    .sort();
}
