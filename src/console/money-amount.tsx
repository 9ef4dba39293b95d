import { formatMoney, formatShortMoney, NO_FIGURE } from '../core/console/format-figures.ts';

/** Kind of money. A label or heading and the look show it: solid, hatched, struck; never color alone. */
export type MoneyKind = 'approved' | 'expected' | 'pending' | 'reversed' | 'unknown';

const KIND_CLASSES: Readonly<Record<MoneyKind, string>> = {
  approved: 'money money-approved',
  expected: 'money money-expected',
  pending: 'money money-pending',
  reversed: 'money money-reversed',
  unknown: 'money',
};

/** An amount in minor units. Nothing is shown as a dash. */
export function MoneyAmount(props: {
  readonly amount: number;
  readonly currency: string;
  readonly kind?: MoneyKind;
  /** Without cents, for headlines. */
  readonly isShort?: boolean;
}) {
  const { amount, currency, kind = 'approved', isShort = false } = props;
  if (amount === 0) return <span className="no-figure">{NO_FIGURE}</span>;
  const format = isShort ? formatShortMoney : formatMoney;
  // What was taken back is a deduction, whichever way it is stored.
  const text = format(kind === 'reversed' ? -Math.abs(amount) : amount, currency);
  return kind === 'reversed' ? (
    <s className={KIND_CLASSES.reversed}>{text}</s>
  ) : (
    <span className={KIND_CLASSES[kind]}>{text}</span>
  );
}
