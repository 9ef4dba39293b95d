import { formatDollars } from '../../core/savings/format-dollars.ts';
import type { SumStep } from '../../core/savings/savings.ts';

const LOOKS: Readonly<Record<SumStep['kind'], string>> = {
  item: 'text-muted',
  total: 'border-t border-line font-semibold',
  minus: '',
  result: 'border-t-2 border-line-strong font-semibold',
  year: 'text-muted',
};

/** Steps of the sum, line by line, as on a receipt. Lines of nothing are left out. */
export function SumLines({ steps }: { readonly steps: readonly SumStep[] }) {
  return (
    <dl className="n">
      {steps
        .filter(({ kind, cents }) => kind === 'minus' || kind === 'result' || cents > 0)
        .map(({ kind, label, cents }) => (
          <div key={`${kind} ${label}`} className={`flex justify-between gap-4 py-2 ${LOOKS[kind]}`}>
            <dt>{label}</dt>
            <dd>{formatDollars(kind === 'minus' ? -cents : cents)}</dd>
          </div>
        ))}
    </dl>
  );
}
