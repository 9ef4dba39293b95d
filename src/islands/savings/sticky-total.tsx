import type { Savings } from '../../core/savings/compute-savings.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import type { CalculatorCopy } from '../../core/savings/plans.schema.ts';

/**
 * Keeps the saving in view on a phone while the fields are filled in. It repeats the result, so it is hidden from
 * readers.
 */
export function StickyTotal(props: { readonly copy: CalculatorCopy; readonly savings: Savings }) {
  const { copy, savings } = props;
  return (
    <p
      aria-hidden
      data-print="hide"
      className={`tabular sticky bottom-0 -mx-5 -mb-5 mt-4 sm:-mx-9 sm:-mb-9 sm:px-9 flex items-baseline justify-between gap-4 border-t border-line bg-positive-wash px-5 py-2.5 md:hidden ${
        savings.monthlyCents > 0 ? '' : savings.currentCents > 0 ? 'invisible' : 'hidden'
      }`}
    >
      <span className="text-sm">{copy.saving}</span>
      <span className="font-display text-xl font-semibold text-positive">
        {formatDollars(savings.monthlyCents)}{' '}
        <span className="font-text text-sm font-normal text-ink">{copy.monthly}</span>
      </span>
    </p>
  );
}
