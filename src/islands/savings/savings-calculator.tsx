import { type ClipboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { readSessionState, whenModeKnown, writeSessionState } from '../../browser/storage.ts';
import type { PartnerLinkAttributes } from '../../core/outbound/cta.ts';
import {
  type CalculatorTexts,
  calculateSavings,
  type Savings,
} from '../../core/savings/calculate-savings.ts';
import {
  buildLinkedQuery,
  fillExample,
  hasLinkedTexts,
  isSameTexts,
  normalizeText,
  type OwnCopy,
  parseLinkedTexts,
  parseStoredTexts,
  USUAL_COPY,
} from '../../core/savings/calculator-texts.ts';
import type {
  CalculatorCopy,
  CalculatorFigures,
  CalculatorField as Field,
} from '../../core/savings/calculators.schema.ts';
import { formatDollars, parseAmount } from '../../core/savings/parse-amount.ts';
import {
  findTone,
  isRepeated,
  isShort,
  LinkTools,
  SavingsFigures,
  SavingsSum,
  StickyTotal,
  SumLines,
} from './savings-result.tsx';

/** What a page gives its calculator. */
export interface CalculatorProps {
  readonly calculator: CalculatorFigures;
  readonly copy: OwnCopy;
  /** The initial texts of the fields: the defaults, or what the address brought. */
  readonly texts: CalculatorTexts;
  /** Whether the texts are the defaults of the calculator, which the result is marked as until the first input. */
  readonly isExample: boolean;
  /** Where the form leads without scripts: the page itself, at the calculator. */
  readonly address: string;
  /** The link of the call to action. */
  readonly link: PartnerLinkAttributes;
}

/** A savings calculator that updates while you type and keeps its inputs in the address. Without scripts a GET form. */
export function SavingsCalculator(props: CalculatorProps) {
  const { calculator } = props;
  const { fields } = calculator;
  const copy = { ...USUAL_COPY, ...props.copy };
  const { form, texts, linked, edited, type, showOwn, address } = useCalculator(props);
  const isExample = props.isExample && !edited;
  const shown = isExample ? fillExample(calculator, texts) : texts;
  const savings = calculateSavings(calculator, shown);
  const announcement = useLiveAnnouncement(savings, copy);
  const result = { calculator, copy, savings, isExample };
  return (
    <form
      ref={form}
      method="get"
      action={props.address}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className="grid grid-cols-[minmax(0,1fr)] overflow-clip rounded-lg border border-line bg-raised text-ink md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:grid-rows-[auto_1fr]"
    >
      <SavingsFigures {...result} />
      <div className="flex flex-col p-5 sm:p-8 md:col-start-1 md:row-span-2 md:row-start-1">
        <h3 className="text-xl">{copy.title}</h3>
        <div className="mt-3">
          {fields.map((field, index) => (
            <CalculatorFieldView
              key={field.name}
              field={field}
              tone={isRepeated(calculator, savings) ? findTone(index) : null}
              text={texts[field.name] ?? ''}
              showsExample={isExample}
              copy={copy}
              onType={(text) => type(field.name, text)}
            />
          ))}
        </div>
        <button type="submit" className="button button-quiet mt-6 hidden self-start noscript:inline-flex">
          {copy.submit}
        </button>
        {isShort(calculator) && (
          <div className="mt-3">
            <SumLines calculator={calculator} copy={copy} savings={savings} />
          </div>
        )}
        <p className="mt-4 text-sm text-muted">{copy.compared}</p>
        <LinkTools
          copy={copy}
          address={() => address(shown)}
          onOwn={linked ? showOwn : null}
          isEmpty={savings.currentCents === 0}
        />
        <StickyTotal {...result} />
      </div>
      <SavingsSum {...result} link={props.link} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </form>
  );
}

/** One number field with its label, unit and message. Pasted text is parsed by the rule for all figures. */
function CalculatorFieldView(props: {
  readonly field: Field;
  /** How strong the color of its bar is; null: it has none. */
  readonly tone: number | null;
  readonly text: string;
  /** Whether an empty field counts as its placeholder; after an input it counts as 0. */
  readonly showsExample: boolean;
  readonly copy: CalculatorCopy;
  readonly onType: (text: string) => void;
}) {
  const { field, text, copy, onType } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [hasBadInput, setHasBadInput] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  // Number fields show no thousands separators, so one for large counts is a text field.
  const isLarge = field.kind === 'count' && (field.max ?? 0) > 1_000;
  const number = Number(text);
  // What was typed before hydration raised no event that React saw.
  useLayoutEffect(() => setHasBadInput(input.current?.validity.badInput ?? false), []);
  const isInvalid = hasBadInput || number < 0 || (text !== '' && parseAmount(text) === null);
  const written =
    field.kind === 'amount'
      ? formatDollars(Math.round(number * 100))
      : `${number.toLocaleString('en-US')} ${field.unit}`;
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (/^\s*\d+\s*$/.test(pasted)) return;
    event.preventDefault();
    const amount = parseAmount(pasted);
    setHasBadInput(amount === null || /^\s*[-\u2212]/.test(pasted));
    if (amount !== null) onType(normalizeText(pasted));
  };
  return (
    <div className="border-b border-line py-3.5">
      <label
        htmlFor={id}
        className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 *:first:flex-[1_1_5rem]"
      >
        <span>
          {props.tone !== null && (
            <svg aria-hidden className="mr-2.5 inline-block size-3 max-md:hidden">
              <rect width="100%" height="100%" fill="var(--accent)" fillOpacity={props.tone} />
            </svg>
          )}
          {field.label}
          {(field.kind === 'amount' || isLarge) && (
            <span className="block text-sm text-muted">{field.unit}</span>
          )}
        </span>
        <input
          ref={input}
          id={id}
          type={isLarge ? 'text' : 'number'}
          inputMode={field.kind === 'count' ? 'numeric' : 'decimal'}
          name={field.name}
          value={isLarge && number > 0 && !isFocused ? number.toLocaleString('en-US') : text}
          {...(!isLarge && {
            min: field.min,
            max: field.max ?? undefined,
            step: field.kind === 'count' ? 1 : 'any',
          })}
          placeholder={
            props.showsExample && field.placeholder !== null ? String(field.placeholder) : undefined
          }
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          onChange={({ target }) => onType(isLarge ? target.value.replaceAll(',', '') : target.value)}
          // React raises no change event while the value stays empty, as it does for `--`.
          onInput={({ currentTarget: { validity } }) => {
            setHasBadInput(validity.badInput);
            if (validity.badInput) onType('');
          }}
          onPaste={paste}
          aria-invalid={isInvalid || undefined}
          aria-describedby={`${id}-message`}
          className="field tabular w-28 max-w-[40vw] scroll-mb-20 text-right text-lg font-semibold placeholder:font-normal"
        />
      </label>
      <p
        id={`${id}-message`}
        role="status"
        className={`mt-1 text-sm empty:hidden ${isInvalid ? 'text-danger' : 'text-muted'}`}
      >
        {isInvalid && copy.invalid}
        {!isInvalid && number > (field.max ?? Infinity) && copy.large.replace('{number}', written)}
      </p>
    </div>
  );
}

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
function useCalculator({ calculator, texts }: CalculatorProps) {
  const [state, setState] = useState<CalculatorState>({ texts, linked: false, edited: false });
  const [own, setOwn] = useState<CalculatorTexts | null>(null);
  const record = `calculator-${calculator.name}`;
  const form = useRef<HTMLFormElement>(null);

  useLayoutEffect(() => {
    const typed = readTyped(form.current, texts);
    if (typed !== null) setState({ texts: typed, linked: false, edited: true });
    whenModeKnown(() => {
      const stored = parseStoredTexts(calculator, readSessionState(record));
      setOwn(stored);
      setState((before) =>
        before.edited
          ? before
          : { ...before, ...hydrateTexts(calculator, texts, stored, history.state?.[record] === true) },
      );
    });
  }, [calculator, record, texts]);

  useEffect(() => {
    if (!state.edited) return;
    writeSessionState(record, state.texts);
    // The state of the entry says that its figures are those of this tab, and so older than the stored ones.
    const write = () =>
      history.replaceState(
        window.held ? history.state : { ...history.state, [record]: true },
        '',
        buildAddress(calculator, state.texts),
      );
    const timer = setTimeout(write, ADDRESS_PAUSE_MS);
    // A link that is followed before the pause: nothing may be stored.
    addEventListener('click', write, { capture: true, once: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('click', write, true);
    };
  }, [calculator, record, state]);

  return {
    ...state,
    form,
    type: (name: string, text: string) =>
      setState((before) => ({ texts: { ...before.texts, [name]: text }, linked: false, edited: true })),
    showOwn: own === null ? null : () => setState({ texts: own, linked: false, edited: true }),
    address: (shown: CalculatorTexts) => new URL(buildAddress(calculator, shown), location.href).href,
  };
}

function hydrateTexts(
  calculator: CalculatorFigures,
  rendered: CalculatorTexts,
  stored: CalculatorTexts | null,
  isOwnEntry: boolean,
): Partial<CalculatorState> {
  if (stored !== null && isOwnEntry) return { texts: stored, edited: true };
  const query = new URLSearchParams(location.search);
  if (hasLinkedTexts(calculator, query)) {
    const texts = parseLinkedTexts(calculator, query);
    return { texts, linked: stored !== null && !isSameTexts(calculator, texts, stored) };
  }
  return stored === null ? { texts: rendered } : { texts: stored, edited: true };
}

/** What was typed into the server's HTML before scripts took over; null when nothing was. */
function readTyped(form: HTMLFormElement | null, rendered: CalculatorTexts): CalculatorTexts | null {
  let isTyped = false;
  const texts = Object.entries(rendered).map(([name, text]) => {
    const input = form?.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return [name, text];
    const value = input.value.replaceAll(',', '');
    // A number field is empty while its text is no number.
    const isShown = value === text || (value === '' && Number.isNaN(Number(text)));
    isTyped ||= !isShown || input.validity.badInput;
    return [name, isShown ? text : value];
  });
  return isTyped ? Object.fromEntries(texts) : null;
}

/** The address of this page with the figures in it, and nothing else that a visit brought. */
function buildAddress(calculator: CalculatorFigures, texts: CalculatorTexts): string {
  return `${location.pathname}?${buildLinkedQuery(calculator, texts)}${location.hash}`;
}

const PAUSE_MS = 700;

/** The result as one sentence, once typing pauses; empty until something changes. */
function useLiveAnnouncement(
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
