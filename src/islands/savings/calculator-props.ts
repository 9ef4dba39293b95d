import type { PartnerLinkAttributes } from '../../core/outbound/cta.ts';
import type { CalculatorTexts } from '../../core/savings/compute-savings.ts';
import type { Calculator } from '../../core/savings/plans.schema.ts';

/** What a page gives its calculator. */
export interface CalculatorProps {
  readonly calculator: Calculator;
  /** The initial texts of the fields: the defaults, or what the address brought. */
  readonly texts: CalculatorTexts;
  /** Where the form leads without scripts: the page itself, at the calculator. */
  readonly address: string;
  /** The link of the call to action. */
  readonly link: PartnerLinkAttributes;
}
