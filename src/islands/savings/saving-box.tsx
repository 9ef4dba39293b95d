import { formatDollars } from '../../core/savings/format-dollars.ts';

/** One saving, large, with its unit and, in small print, the sum that leads to it. */
export function SavingBox(props: {
  readonly cents: number;
  readonly unit: string;
  readonly size: 'text-5xl' | 'text-2xl';
  readonly sum?: string | undefined;
}) {
  return (
    <p className={`tabular mt-1 font-display font-semibold text-positive ${props.size}`}>
      {formatDollars(props.cents)}{' '}
      <span className="font-text text-base font-normal tracking-normal text-ink">{props.unit}</span>
      {props.sum !== undefined && (
        <span className="ml-3 font-text text-sm font-normal tracking-normal text-muted">{props.sum}</span>
      )}
    </p>
  );
}
