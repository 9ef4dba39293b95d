import type { ComponentType } from 'react';
import type { IllustrationProps } from './drawing.tsx';

const MODULES = import.meta.glob<Readonly<Record<string, ComponentType<IllustrationProps>>>>(
  './illustrations/*.tsx',
  { eager: true },
);

/** The illustration that content calls `name`: the component `OneTab` of `illustrations/one-tab.tsx` for `one-tab`. */
export function Illustration({ name, ...props }: IllustrationProps & { readonly name: string }) {
  const exported = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const Drawing = MODULES[`./illustrations/${name}.tsx`]?.[exported];
  if (Drawing === undefined) {
    throw new Error(`src/ui/illustrations/${name}.tsx has to export ${exported}`);
  }
  return <Drawing {...props} />;
}
