import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readSessionState, writeSessionState } from '../../browser/storage.ts';
import {
  buildLinkedQuery,
  hasLinkedTexts,
  isSameTexts,
  parseLinkedTexts,
  parseStoredTexts,
} from '../../core/savings/calculator-texts.ts';
import type { CalculatorTexts, Savings } from '../../core/savings/compute-savings.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import type { Calculator, CalculatorCopy } from '../../core/savings/plans.schema.ts';
import type { CalculatorProps } from './savings-calculator.tsx';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_PAUSE_MS = 350;

interface CalculatorState {
  readonly texts: CalculatorTexts;
  /** The figures came with a link, and the visitor's own are others. */
  readonly linked: boolean;
  /** Changed by the visitor here, so they belong in the address. */
  readonly edited: boolean;
}

/** The fields' texts: the link's, else the visitor's own of this tab, else the defaults. */
export function useCalculator({ calculator, texts }: Pick<CalculatorProps, 'calculator' | 'texts'>) {
  const [state, setState] = useState<CalculatorState>({ texts, linked: false, edited: false });
  const [own, setOwn] = useState<CalculatorTexts | null>(null);
  const record = `calculator-${calculator.name}`;
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef(state.texts);
  latest.current = state.texts;

  useLayoutEffect(() => {
    const stored = parseStoredTexts(calculator, readSessionState(record));
    const typed = readTyped(form.current, texts);
    setOwn(stored);
    setState((before) => ({ ...before, ...(typed ?? hydrateTexts(calculator, texts, stored)) }));
  }, [calculator, record, texts]);

  useEffect(() => {
    if (!state.edited) return;
    writeSessionState(record, state.texts);
    const timer = setTimeout(() => {
      history.replaceState(history.state, '', buildAddress(calculator, state.texts));
    }, ADDRESS_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [calculator, record, state]);

  return {
    ...state,
    form,
    type: (name: string, text: string) =>
      setState(({ texts: before }) => ({ texts: { ...before, [name]: text }, linked: false, edited: true })),
    showOwn: own === null ? null : () => setState({ texts: own, linked: false, edited: true }),
    address: () => new URL(buildAddress(calculator, latest.current), location.href).href,
  };
}

function hydrateTexts(
  calculator: Calculator,
  rendered: CalculatorTexts,
  stored: CalculatorTexts | null,
): Partial<CalculatorState> {
  const query = new URLSearchParams(location.search);
  if (hasLinkedTexts(calculator, query)) {
    const texts = parseLinkedTexts(calculator, query);
    return { texts, linked: stored !== null && !isSameTexts(calculator, texts, stored) };
  }
  return stored === null ? { texts: rendered } : { texts: stored, edited: true };
}

/** What was typed into the server's HTML before scripts took over; null when nothing was. */
function readTyped(form: HTMLFormElement | null, rendered: CalculatorTexts): CalculatorState | null {
  const typed = Object.entries(rendered).map(([name, text]) => {
    const input = form?.elements.namedItem(name);
    return [name, input instanceof HTMLInputElement ? input.value : text] as const;
  });
  if (typed.every(([name, text]) => text === rendered[name])) return null;
  return { texts: Object.fromEntries(typed), linked: false, edited: true };
}

/** The address of this page with the figures in it, and nothing else that a visit brought. */
function buildAddress(calculator: Calculator, texts: CalculatorTexts): string {
  return `${location.pathname}?${buildLinkedQuery(calculator, texts)}${location.hash}`;
}

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
