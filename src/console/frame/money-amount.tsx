import type { CommissionRow } from '../commissions/commissions-model.ts';
import { formatMoney, formatShortMoney, NO_FIGURE } from '../figures/format-figures.ts';

/** Kind of money. A label or heading and the look show it: solid, hatched, struck; never color alone. */
type MoneyKind = 'approved' | 'expected' | 'pending' | 'reversed' | 'unknown';

const KIND_CLASSES: Readonly<Record<MoneyKind, string>> = {
  approved: 'money money-approved',
  expected: 'money money-expected',
  pending: 'money money-pending',
  reversed: 'money money-reversed',
  unknown: 'money',
};

/** An amount in minor units. Nothing, or what is not known, is shown as a dash. */
export function MoneyAmount(props: {
  readonly amount: number | null;
  /** Null where there is no money at all. */
  readonly currency: string | null;
  readonly kind?: MoneyKind;
  /** Without cents, for headlines. */
  readonly isShort?: boolean;
}) {
  const { amount, currency, kind = 'approved', isShort = false } = props;
  if (amount === null || amount === 0 || currency === null)
    return <span className="no-figure">{NO_FIGURE}</span>;
  const format = isShort ? formatShortMoney : formatMoney;
  // What was taken back is a deduction, whichever way it is stored.
  const text = format(kind === 'reversed' ? -Math.abs(amount) : amount, currency);
  // The stroke begins after the sign, which it would hide.
  const [, sign = '', figure = ''] = /^(\D?)(.*)$/.exec(text) ?? [];
  return (
    <span className={KIND_CLASSES[kind]}>
      {kind === 'reversed' ? (
        <>
          {sign}
          <s>{figure}</s>
        </>
      ) : (
        text
      )}
    </span>
  );
}

/** What a commission is worth, or was worth before it was reversed, with the look of its status. */
export function CommissionAmount({
  row: { status, amount, reversedAmount, currency },
}: {
  readonly row: Pick<CommissionRow, 'status' | 'amount' | 'reversedAmount' | 'currency'>;
}) {
  return (
    <MoneyAmount
      amount={status === 'reversed' ? reversedAmount : amount}
      currency={currency}
      kind={status === 'paid' ? 'approved' : status}
    />
  );
}
