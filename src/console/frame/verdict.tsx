import { useFrame } from '../console-page.ts';
import type { readBookedMoney } from '../reports/breakdown.ts';
import { formatRoughShare, formatShortMoney } from '../reports/format.ts';
import { VERDICT_DAYS, type Verdict } from '../reports/verdicts.ts';

const TONES: Partial<Record<Verdict['word'], string>> = {
  earns: 'text-positive',
  strong: 'text-positive',
  loses: 'text-danger',
  early: 'text-muted',
  nothing: 'text-muted',
};

/** What is known of the subject of a view, before its figures. */
export function VerdictSentence({ verdict }: { readonly verdict: Verdict | null }) {
  if (verdict === null) return null;
  const { lead, text, doubt, arrived, word } = verdict;
  return (
    <>
      {doubt !== null && <p className="problem">{doubt}</p>}
      <h2 className="sentence">
        <span className={doubt === null ? TONES[word] : 'text-muted'}>{lead}</span> {text}
      </h2>
      {arrived !== null && (
        <p className="text-muted">
          By the day of the click: {formatRoughShare(arrived)} of the money of the clicks of the last{' '}
          {VERDICT_DAYS} days has usually arrived by now. In 8 of 10 cases the end lies in the range.
        </p>
      )}
    </>
  );
}

/** The same in a table. */
export function VerdictCell({ verdict }: { readonly verdict: Verdict | null | undefined }) {
  if (!verdict) return <span className="no-figure">–</span>;
  const { lead, text, doubt, word } = verdict;
  return (
    <span className="verdict-cell">
      <span className={doubt === null ? TONES[word] : 'text-muted'}>{lead}</span>{' '}
      <small>{doubt ?? text}</small>
    </span>
  );
}

/** How what was booked goes together with what the clicks of the same days have brought. */
export function BookedLine({
  booked: money,
}: {
  readonly booked: Awaited<ReturnType<typeof readBookedMoney>>;
}) {
  const { range } = useFrame().query;
  if (money === null || money.booked === 0) return null;
  const { booked, unmatched, ofClicks, older, days, currency } = money;
  const format = (amount: number) => formatShortMoney(amount, currency);
  const these = range === 'all' ? 'in all' : days === 1 ? 'on this day' : `in these ${days} days`;
  return (
    <p className="text-muted pt-[.4rem]">
      {format(booked)} was booked {these}: {format(ofClicks)} by clicks of{' '}
      {days === 1 ? 'this day' : 'these days'}, {format(older)} by older ones
      {unmatched !== 0 && `, ${format(unmatched)} without a click`}.
    </p>
  );
}
