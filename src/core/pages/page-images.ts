import type { TextPath } from './figures.ts';
import type { ImageField } from './image-field.schema.ts';
import type { Page } from './page.schema.ts';

/** The images of a page from top to bottom: those of its hero and of its sections. */
export function listPageImages({ sections }: Page): readonly ImageField[] {
  return sections.flatMap((section) => {
    if (section.type === 'image') return [section.image];
    if (section.type === 'cards') return section.items.flatMap(({ image }) => image ?? []);
    if (section.type !== 'hero') return [];
    const { figure } = section;
    return figure?.kind === 'image' || figure?.kind === 'timeline' ? (figure.image ?? []) : [];
  });
}

/** Every file that an `image` of an unchecked page document names, with the path of the name. */
export function listImageReferences(
  raw: unknown,
  path: TextPath = [],
): readonly { readonly path: TextPath; readonly src: string }[] {
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.entries(raw).flatMap(([key, value]: [string, unknown]) => {
    const at = [...path, Array.isArray(raw) ? Number(key) : key];
    const src = key === 'image' && typeof value === 'object' && value !== null && Reflect.get(value, 'src');
    return typeof src === 'string' ? [{ path: [...at, 'src'], src }] : listImageReferences(value, at);
  });
}
