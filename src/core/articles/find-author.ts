import type { Author } from './author.schema.ts';

/** Finds an author by key or name; articles of other services name their authors, files may do either. */
export function findAuthor(authors: ReadonlyMap<string, Author>, nameOrKey: string): Author | undefined {
  const wanted = nameOrKey.trim().toLowerCase();
  return [...authors.values()].find(({ key, name }) => key === wanted || name.toLowerCase() === wanted);
}
