import { parseLinkedTexts, type QueryReader } from '../../core/savings/calculator-texts.ts';
import type { Calculator } from '../../core/savings/plans.ts';
import type { CalculatorTexts } from '../../core/savings/savings.ts';

/** What a page gives its calculator. */
export interface CalculatorProps {
  readonly calculator: Calculator;
  /** What stands in the fields at first: the defaults, or what the address brought. */
  readonly texts: CalculatorTexts;
  /** Where the form leads without scripts: the page itself, at the calculator. */
  readonly address: string;
  /** The link of the call to action. */
  readonly call: { readonly partner: string; readonly source: string; readonly event: string };
}

/** Where a calculator stands: the page, its anchor there, the query of the address, and what its link carries. */
export interface CalculatorPlace {
  readonly path: string;
  readonly anchor: string | undefined;
  readonly query: QueryReader;
  readonly partner: string;
  readonly calls: { readonly source: string; readonly event: string } | undefined;
}

/** Builds the calculator of a page. */
export function buildCalculatorProps(calculator: Calculator, place: CalculatorPlace): CalculatorProps {
  const { path, anchor, calls } = place;
  return {
    calculator,
    texts: parseLinkedTexts(calculator, place.query),
    address: anchor === undefined ? path : `${path}#${anchor}`,
    call: {
      partner: place.partner,
      source: calls?.source ?? 'calculator',
      event: calls?.event ?? 'call_to_action',
    },
  };
}
