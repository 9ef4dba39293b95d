import type { PageContext } from '../core/content/page-context.ts';
import type { PageSection } from '../core/content/sections/section.schema.ts';
import type { QueryReader } from '../core/savings/calculator-texts.ts';
import { buildCalculatorProps, type CalculatorProps } from '../islands/savings/calculator-props.ts';

/** The calculator that a section holds, ready for its island; null for sections of other types. */
export function findCalculator(
  section: PageSection,
  { path, plans, site, calls }: PageContext,
  query: QueryReader,
): CalculatorProps | null {
  if (section.type !== 'trial-calculator' && section.type !== 'roi-calculator') return null;
  const calculator = plans.calculators[section.type === 'trial-calculator' ? 'trial' : 'roi'];
  return buildCalculatorProps(calculator, {
    path,
    anchor: section.id,
    query,
    partner: site.promotedPartner,
    calls,
  });
}
