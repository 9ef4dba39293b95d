import type { TextPath } from './figures.ts';

/** `sections.4 (faq).items.2.answer`: positions from 1, list entries with the type that they say they are. */
export function describeField(raw: unknown, at: TextPath): string {
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
