import type { SumStep } from '../../core/savings/compute-savings.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';

const STEP_CLASSES: Readonly<Record<SumStep['kind'], string>> = {
  item: 'text-muted',
  total: 'border-t border-line font-semibold',
  minus: '',
  result: 'border-t-2 border-line-strong font-semibold',
  year: 'text-muted',
};

/** Steps of the sum, line by line, as on a receipt. A line of nothing is left out, and the total of one line. */
export function SumLines({ steps }: { readonly steps: readonly SumStep[] }) {
  const items = steps.filter(({ kind, cents }) => kind === 'item' && cents > 0).length;
  return (
    <dl className="tabular">
      {steps
        .filter(({ kind, cents }) => (kind === 'total' ? items > 1 : kind !== 'item' || cents > 0))
        .map(({ kind, label, cents }) => (
          <div key={`${kind} ${label}`} className={`flex justify-between gap-4 py-2 ${STEP_CLASSES[kind]}`}>
            <dt>{label}</dt>
            <dd>{formatDollars(kind === 'minus' ? -cents : cents)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The lines that the sum will have, before there is anything to add up. */
export function BlankSumLines({ steps }: { readonly steps: readonly SumStep[] }) {
  return (
    <div aria-hidden className="tabular mb-5 border-b-2 border-line-strong pb-2 text-muted max-md:hidden">
      {steps
        .filter(({ kind }) => kind === 'item' || kind === 'minus')
        .map(({ label }) => (
          <p key={label} className="flex justify-between gap-4 py-2">
            {label}
            <span>{'\u2013'}</span>
          </p>
        ))}
    </div>
  );
}
