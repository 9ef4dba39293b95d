import type { PageContext } from '../../core/pages/page-context.ts';
import type { PageSection, SectionType } from '../../core/pages/sections/section.schema.ts';

type SectionComponent = (props: { readonly section: PageSection; readonly context: PageContext }) => null;
type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const WITH_ISLANDS: Modules = import.meta.glob(['./*-section.astro', '!./page-section.astro'], {
  eager: true,
});
const COMPONENTS: Modules = import.meta.glob(['./*.tsx', '!./*.test.tsx'], { eager: true });

/**
 * Finds the component of a section type by its name: `<type>-section.astro` for a type with an island, otherwise
 * `<Type>Section` of `<type>.tsx`.
 */
export function findSectionComponent(type: SectionType): SectionComponent {
  const name = `${type.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Section`;
  const component =
    WITH_ISLANDS[`./${type}-section.astro`]?.['default'] ?? COMPONENTS[`./${type}.tsx`]?.[name];
  if (typeof component !== 'function') {
    throw new Error(
      `src/sections/pages/${type}.tsx has to export ${name}, the component of its section type`,
    );
  }
  return component as SectionComponent;
}
