import type { Content } from '../../core/pages/content.ts';
import { ContentError } from '../../core/pages/content-error.ts';
import type { StoredSearch } from '../articles/article-search.ts';
import type { ArticleFile } from '../articles/files/article-file.ts';
import type { CollectedUses } from './collect-claim-uses.ts';
import type { ContentSource } from './content-source.ts';
import { parseMaps, stringifyMaps } from './map-json.ts';

/** What a build has read and checked, in parts that are loaded when they are needed. */
export interface BuiltParts {
  readonly content: { readonly content: Content; readonly claimUses: CollectedUses };
  readonly articles: readonly ArticleFile[];
  readonly search: StoredSearch;
}

export const CONTENT_PARTS = ['content', 'articles', 'search'] as const satisfies (keyof BuiltParts)[];

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
    const reason = 'was built from other sources than the worker: build both again with "npm run edge"';
    throw new ContentError([{ file: `${name}.json`, field: '', reason }]);
  };
  const { content, claimUses } = load('content');
  return {
    read: () => ({ content, documents: new Map() }),
    // Nothing is edited before the next build.
    readEdits: ({ documents }) => ({ content, documents, waiting: [] }),
    readFixed: () => content,
    readImages: () => content.images,
    createClaimUsesReader: () => () => claimUses,
    articles: {
      read: () => load('articles'),
      readEdits: () => ({ files: load('articles'), waiting: [] }),
      listSlugs: () => load('articles').map(({ slug }) => slug),
      readState: () => version,
      readSearch: () => load('search'),
    },
  };
}
