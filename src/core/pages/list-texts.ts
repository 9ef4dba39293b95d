import type { TextPath } from './figures.ts';

/** Lists every text in a content value, at any depth and in order, with the keys and positions that lead to it. */
export function listTexts(
  value: unknown,
  path: TextPath = [],
): readonly { readonly text: string; readonly path: TextPath }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    listTexts(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
