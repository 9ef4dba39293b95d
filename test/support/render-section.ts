import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PageContext } from '../../src/core/pages/page-context.ts';
import type { PageSection } from '../../src/core/pages/sections/section.schema.ts';
import { parseLinkedTexts, separateCopy } from '../../src/core/savings/calculator-texts.ts';
import { SavingsCalculator } from '../../src/islands/savings/savings-calculator.tsx';
import { SectionFrame } from '../../src/sections/pages/section-frame.tsx';

const MODULES = import.meta.glob<Record<string, unknown>>(
  ['../../src/sections/pages/*.tsx', '!../../src/sections/pages/*.test.tsx'],
  { eager: true },
);

/** Renders a section as its page does; what needs Astro there is put together here. */
export function renderSection(section: PageSection, context: PageContext): string {
  const calculator = (key: string): ReactNode => {
    const found = context.savings.calculators[key];
    if (found === undefined) throw new Error(`there is no calculator "${key}"`);
    const texts = parseLinkedTexts(found, new URLSearchParams());
    const link = {} as Parameters<typeof SavingsCalculator>[0]['link'];
    return createElement(SavingsCalculator, {
      ...separateCopy(found),
      texts,
      link,
      isExample: true,
      address: '/',
    });
  };
  const render = (component: unknown, children: ReactNode = null) =>
    renderToStaticMarkup(
      createElement(component as FunctionComponent<object>, { section, context } as object, children),
    );
  if (section.type === 'savings-calculator') return render(SectionFrame, calculator(section.calculator));
  const name = section.type.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const component = MODULES[`../../src/sections/pages/${section.type}.tsx`]?.[`${name}Section`];
  return section.type === 'hero' && section.figure?.kind === 'calculator'
    ? render(component, calculator(section.figure.calculator))
    : render(component);
}
