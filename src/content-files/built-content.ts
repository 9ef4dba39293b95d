import { type Content, ContentError } from '../core/pages/content.ts';
import type { ArticleFile } from './articles/article-file.ts';
import type { CollectedUses } from './collect-claim-uses.ts';
import type { ContentSource } from './content-source.ts';
import { hashText } from './parse-yaml.ts';

/** What a build has read and checked, in parts that are loaded when they are needed. */
export interface BuiltParts {
  readonly content: { readonly content: Content; readonly claimUses: CollectedUses };
  readonly articles: readonly ArticleFile[];
  /** The text of each file that the console shows. */
  readonly files: Readonly<Record<string, string>>;
}

export const CONTENT_PARTS = ['content', 'articles', 'files'] as const satisfies (keyof BuiltParts)[];

interface Versioned<Part> {
  readonly version: string;
  readonly part: Part;
}

/** Writes one part as JSON. Throws `TypeError` for a value that JSON would change. */
export function stringifyPart<Name extends keyof BuiltParts>(
  part: BuiltParts[Name],
  version: string,
): string {
  const versioned: Versioned<BuiltParts[Name]> = { version, part };
  return stringifyMaps(versioned);
}

/**
 * Opens content that a build has read and checked. Nothing is checked again except that the same version has built it.
 * Throws `ContentError` when it was another one. `readPart`: returns what `stringifyPart` has written.
 */
export function openBuiltContent(
  readPart: (name: keyof BuiltParts) => string,
  version: string,
): ContentSource {
  const load = <Name extends keyof BuiltParts>(name: Name): BuiltParts[Name] => {
    // The version says that the value has this type: the same sources have written it.
    const built = parseMaps(readPart(name)) as Versioned<BuiltParts[Name]>;
    if (built.version === version) return built.part;
    const reason = 'was built from other sources than the worker: build both again with "signpost edge"';
    throw new ContentError([{ file: `${name}.json`, field: '', reason }]);
  };
  const { content, claimUses } = load('content');
  return {
    readStart: () => ({ content, documents: new Map(), waiting: [], leftOut: [], warnings: [] }),
    // Nothing is edited before the next build.
    readEdits: (documents) => ({ content, documents, waiting: [], leftOut: [], warnings: [] }),
    remember: () => null,
    readImages: () => content.images,
    readClaimUses: () => claimUses,
    known: new Map(),
    articles: {
      read: () => load('articles'),
      readShown: () => ({ files: load('articles'), waiting: [], leftOut: [], warnings: [] }),
      listSlugs: () => load('articles').map(({ slug }) => slug),
    },
    builtFiles: {
      list: () => Object.keys(load('files')).map((file) => ({ file, changedAt: null })),
      read(file) {
        const files = load('files');
        const text = Object.hasOwn(files, file) ? files[file] : undefined;
        return text === undefined ? { problem: 'is not part of the build' } : { text, hash: hashText(text) };
      },
    },
    // `signpost content` finds both before a build.
    checkCopy: () => [],
    files: null,
    imageStore: null,
  };
}

/** Keys and positions that lead to a part of a value. */
type Path = readonly (string | number)[];

/** The form in JSON: each map is a list of its entries, and `maps` leads to it; a map in a map comes first. */
interface Stored {
  readonly value: unknown;
  readonly maps: readonly Path[];
}

/**
 * Writes a value of plain objects, arrays, maps and texts as JSON. A field without a value is left out. Throws
 * `TypeError` for everything else that JSON would change, such as a date or a function.
 */
export function stringifyMaps(value: unknown): string {
  const maps: Path[] = [];
  const stored: Stored = { value: encode(value, ['value'], maps), maps };
  return JSON.stringify(stored);
}

/** Parses what `stringifyMaps` has written. Walks to the maps only, so that it takes hardly more than `JSON.parse`. */
export function parseMaps(text: string): unknown {
  const stored: Stored = JSON.parse(text);
  for (const path of stored.maps) {
    const parent = path.slice(0, -1).reduce<object>((at, step) => Reflect.get(at, step), stored);
    const last = path.at(-1) ?? '';
    Reflect.set(parent, last, new Map(Reflect.get(parent, last)));
  }
  return stored.value;
}

function encode(value: unknown, path: Path, maps: Path[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => encode(item, [...path, index], maps));
  if (value instanceof Map) {
    const entries = [...value].map((entry, index) => encode(entry, [...path, index], maps));
    maps.push(path);
    return entries;
  }
  if (isPlain(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([key, field]) => [key, encode(field, [...path, key], maps)]));
  }
  const type = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new TypeError(`JSON has no form for ${path.slice(1).join('.')}: ${type}`);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
