import { useEffect, useState } from 'react';
import type { Savings } from '../../core/savings/compute-savings.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import type { CalculatorCopy } from '../../core/savings/plans.schema.ts';

const PAUSE_MS = 700;

/** The result as one sentence, once typing pauses; empty until something changes. */
export function useLiveAnnouncement(
  { monthlyCents, annualCents, currentCents }: Savings,
  copy: CalculatorCopy,
): string {
  const sentence =
    monthlyCents > 0
      ? `${copy.saving}: ${formatDollars(monthlyCents)} ${copy.monthly}, ${formatDollars(annualCents)} ${copy.annual}.`
      : currentCents > 0
        ? copy.none
        : copy.empty;
  const [first] = useState(sentence);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (sentence === first && spoken === '') return;
    const timer = setTimeout(() => setSpoken(sentence), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [sentence, first, spoken]);
  return spoken;
}
