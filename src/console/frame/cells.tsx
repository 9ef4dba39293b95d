import { Fragment, type ReactNode, useId } from 'react';
import type { CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { METRICS } from '../../core/commissions/metric-definitions.ts';
import { useFrame } from '../console-page.ts';
import type { SumKind } from '../reports/addresses.ts';
import type { MetricKey } from '../reports/columns.ts';
import { formatAge, formatMoney, formatShortMoney, formatTime, NO_FIGURE } from '../reports/format.ts';
import type { CommissionRow } from '../reports/select-entries.ts';

/**
 * The name of a metric with its definition, formula and example on hover, focus and tap, without scripts. With `href`
 * the name is a link (the heading of a column that sorts) and devices without a pointer get a button beside it.
 */
export function MetricName(props: {
  readonly metric: MetricKey;
  /** A shorter name, or one in a sentence. */
  readonly name?: string;
  readonly href?: string;
}) {
  const { metric, href } = props;
  const { name: fullName, meaning, formula, example } = METRICS[metric];
  const name = props.name ?? fullName;
  const id = useId();
  return (
    <span className="metric">
      {href === undefined ? (
        <button type="button" className="metric-name" aria-describedby={id}>
          {name}
        </button>
      ) : (
        <>
          <a className="sort-link" href={href} aria-describedby={id}>
            {name}
          </a>
          <button
            type="button"
            className="metric-help"
            aria-label={`What ${name} means`}
            aria-describedby={id}
          >
            ?
          </button>
        </>
      )}
      <span role="tooltip" id={id} className="metric-card">
        <b>{fullName}</b>
        <span>{meaning}</span>
        <span className="font-mono text-[.75rem]">= {formula}</span>
        <span className="text-muted">{example}</span>
      </span>
    </span>
  );
}

/** Kinds of money. A label or heading and the look show it: solid, hatched, struck; never color alone. */
const KIND_CLASSES: Readonly<Record<SumKind, string>> = {
  confirmed: 'money money-approved',
  approved: 'money money-approved',
  paid: 'money money-paid',
  expected: 'money text-positive',
  pending: 'money money-pending',
  reversed: 'money money-reversed',
  unknown: 'money',
};

/** Longer amounts may break. */
const MAX_UNBROKEN = 12;
/** Where they may: after the currency, and before the last six, twelve … digits. */
const BREAK = /(?<=\u00a0)|(?<=,)(?=(?:\d{3},\d{3},)*\d{3},\d{3}(?:\.\d+)?$)/;

/** A formatted amount. A long one may break where its column has no room. */
export function MoneyText({ text }: { readonly text: string }): ReactNode {
  if (text.length <= MAX_UNBROKEN) return text;
  const parts = text.split(BREAK);
  return parts.map((part, index) => (
    <Fragment key={parts.slice(index).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** An amount in minor units. Nothing, or what is not known, is shown as a dash. */
export function MoneyAmount(props: {
  readonly amount: number | null;
  /** Null where there is no money at all. */
  readonly currency: string | null;
  readonly kind?: SumKind | undefined;
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
          <s>
            <MoneyText text={figure} />
          </s>
        </>
      ) : (
        <MoneyText text={text} />
      )}
    </span>
  );
}

/**
 * What a commission is worth, or was worth before it was reversed, with the look of its status; below it what that is in
 * the currency of the totals.
 */
export function CommissionAmount(props: { readonly row: CommissionRow }) {
  const { status, converted, ...own } = props.row;
  const getWorth = ({ amount, reversedAmount }: Record<'amount' | 'reversedAmount', number>) =>
    status === 'reversed' ? reversedAmount : amount;
  return (
    <>
      <MoneyAmount amount={getWorth(own)} currency={own.currency} kind={status} />
      {converted === 'no-rate' && getWorth(own) !== 0 && <span className="converted">no rate</span>}
      {converted !== null && converted !== 'no-rate' && getWorth(own) !== 0 && (
        <ConvertedText
          amount={getWorth(converted)}
          currency={converted.currency}
          title={`at ${converted.rate}, the rate of ${converted.day}`}
        />
      )}
    </>
  );
}

/** What an amount beside it is in another currency. */
export function ConvertedText(props: {
  readonly amount: number;
  readonly currency: string;
  readonly title?: string;
}) {
  return (
    <span className="converted" title={props.title}>
      <MoneyText text={formatMoney(props.amount, props.currency)} />
    </span>
  );
}

const STATUS_CLASSES: Readonly<Record<CommissionStatus, string>> = {
  pending: 'tag tag-pending',
  approved: 'tag border-transparent bg-positive-wash text-positive',
  paid: 'tag border-transparent bg-positive text-surface',
  reversed: 'tag border-transparent bg-danger-wash text-danger line-through',
  unknown: 'tag border-warning text-warning',
};

/** The status of a commission as a word with the look of its money. */
export function StatusTag(props: { readonly status: CommissionStatus }) {
  return <span className={STATUS_CLASSES[props.status]}>{props.status}</span>;
}

/** A moment in the site's time zone; with `now`, how long ago it was, and the moment on hover. */
export function TimeText(props: {
  /** ms since 1970. */
  readonly time: number;
  readonly now?: number;
}) {
  const { time, now } = props;
  const exact = formatTime(time, useFrame().timeZone);
  return (
    <time
      className="time"
      dateTime={new Date(time).toISOString()}
      title={now === undefined ? undefined : exact}
    >
      {now === undefined ? exact : formatAge(time, now)}
    </time>
  );
}
