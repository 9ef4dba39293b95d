import { type ReactNode, useState } from 'react';
import type { Savings, SumStep } from '../../core/savings/calculate-savings.ts';
import type { CalculatorCopy, CalculatorFigures } from '../../core/savings/calculators.schema.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import type { CalculatorProps } from './savings-calculator.tsx';

/** The query that fills the fields with their placeholders. */
function buildExampleAddress({ fields }: CalculatorFigures): string {
  const query = fields.flatMap(({ name, placeholder }) =>
    placeholder === null ? [] : [`${name}=${placeholder}`],
  );
  return `?${query.join('&')}`;
}

/** The sum and the saving, or a sentence when the plan saves nothing. */
export function SavingsResult(props: {
  readonly calculator: CalculatorFigures;
  readonly copy: CalculatorCopy;
  readonly savings: Savings;
  /** Whether the figures are those of the calculator's defaults. */
  readonly isExample: boolean;
  readonly link: CalculatorProps['link'];
}) {
  const { calculator, copy, savings, isExample, link } = props;
  const { monthlyCents, annualCents } = savings;
  const isEmpty = savings.currentCents === 0;
  const isSaving = monthlyCents > 0;
  const year = savings.steps.find(({ kind }) => kind === 'year');
  return (
    <div
      className={`flex flex-col border-line p-5 max-md:border-t sm:p-9 md:border-l ${isSaving ? 'bg-positive-wash' : 'bg-sunken'}`}
    >
      {isEmpty ? (
        <BlankSumLines steps={savings.steps} />
      ) : (
        <SumLines
          steps={savings.steps.filter(({ kind }) => kind !== 'year' && !(isSaving && kind === 'result'))}
        />
      )}
      {isSaving ? (
        <div data-savings className="border-t-2 border-line-strong pt-4">
          <p className="flex items-center justify-between gap-4 font-semibold">
            {copy.saving}
            {isExample && <ExampleMark copy={copy} />}
          </p>
          <SavingBox cents={monthlyCents} unit={copy.monthly} size="text-5xl" />
          <SavingBox cents={annualCents} unit={copy.annual} size="text-2xl" sum={year?.label} />
          <p data-banner className="mt-5 flex gap-2 font-semibold">
            <Icon name="check" className="mt-1 size-[1.15em] text-positive" />
            {copy.banner}
          </p>
          <p className="mt-6">
            <PartnerLink {...link} className="button button-primary">
              {copy.action}
            </PartnerLink>
          </p>
        </div>
      ) : (
        <>
          <p className={`max-w-text text-lg text-balance ${isEmpty ? '' : 'mt-5'}`.trim()}>
            {isEmpty ? copy.empty : copy.none}
          </p>
          {isEmpty && copy.example !== undefined && (
            <p className="mt-5">
              <a href={buildExampleAddress(calculator)} className="text-accent underline">
                {copy.example}
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Says that the figures next to it are not the visitor's. */
function ExampleMark({ copy }: { readonly copy: CalculatorCopy }) {
  return (
    <span className="rounded-sm border border-line-strong px-1.5 text-xs font-normal">
      {copy.exampleMark}
    </span>
  );
}

/** One saving, large, with its unit and, in small print, the sum that leads to it. */
function SavingBox(props: {
  readonly cents: number;
  readonly unit: string;
  readonly size: 'text-5xl' | 'text-2xl';
  readonly sum?: string | undefined;
}) {
  return (
    <div className={`tabular mt-1 font-display font-semibold text-positive ${props.size}`}>
      {formatDollars(props.cents)}{' '}
      <span className="mr-2 font-text text-base font-normal tracking-normal text-ink">{props.unit}</span>
      {props.sum !== undefined && ' '}
      {props.sum !== undefined && (
        <span className="font-text text-sm font-normal tracking-normal whitespace-nowrap text-muted">
          {props.sum}
        </span>
      )}
    </div>
  );
}

const STEP_CLASSES: Readonly<Record<SumStep['kind'], string>> = {
  item: 'text-muted',
  total: 'border-t border-line font-semibold',
  minus: '',
  result: 'border-t-2 border-line-strong font-semibold',
  year: 'text-muted',
};

/** Steps of the sum, line by line, as on a receipt. A line of nothing is left out, and the total of one line. */
function SumLines({ steps }: { readonly steps: readonly SumStep[] }) {
  const items = steps.filter(({ kind, cents }) => kind === 'item' && cents > 0).length;
  return (
    <dl className="tabular">
      {steps
        .filter(({ kind, cents }) => (kind === 'total' ? items > 1 : kind !== 'item' || cents > 0))
        .map(({ kind, label, cents }) => (
          <div key={`${kind} ${label}`} className={`flex justify-between gap-4 py-2 ${STEP_CLASSES[kind]}`}>
            <dt>{label}</dt>
            <dd className="whitespace-nowrap">{formatDollars(kind === 'minus' ? -cents : cents)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The lines that the sum will have, before there is anything to add up. */
function BlankSumLines({ steps }: { readonly steps: readonly SumStep[] }) {
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

/**
 * Keeps the saving in view on a phone while the fields are filled in. It repeats the result, so it is hidden from
 * readers.
 */
export function StickyTotal(props: {
  readonly copy: CalculatorCopy;
  readonly savings: Savings;
  readonly isExample: boolean;
}) {
  const { copy, savings, isExample } = props;
  const barClass =
    'flex items-baseline justify-between gap-4 border-t border-line bg-positive-wash px-5 py-2.5 md:hidden';
  const visibilityClass = savings.monthlyCents > 0 ? '' : savings.currentCents > 0 ? 'invisible' : 'hidden';
  return (
    <p
      aria-hidden
      data-print="hide"
      className={`tabular sticky bottom-0 -mx-5 -mb-5 mt-4 sm:-mx-9 sm:-mb-9 sm:px-9 ${barClass} ${visibilityClass}`}
    >
      <span className="text-sm">
        {copy.saving} {isExample && <ExampleMark copy={copy} />}
      </span>
      <span className="font-display text-xl font-semibold text-positive">
        {formatDollars(savings.monthlyCents)}{' '}
        <span className="font-text text-sm font-normal text-ink">{copy.monthly}</span>
      </span>
    </p>
  );
}

/** Copies a link with the figures; when figures came with a link, leads back to the visitor's own. */
export function LinkTools(props: {
  readonly copy: CalculatorCopy;
  readonly address: () => string;
  /** Null: the figures are the visitor's own. */
  readonly onOwn: (() => void) | null;
  /** Whether there is no result to link to. */
  readonly isEmpty: boolean;
}) {
  const { copy, onOwn } = props;
  const [status, setStatus] = useState('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(props.address());
      setStatus(copy.shared);
    } catch {
      setStatus(copy.shareFailed);
    }
  };
  return (
    <div
      className={`mt-auto pt-4 noscript:hidden ${props.isEmpty && onOwn === null ? 'invisible max-md:hidden' : ''}`}
      data-print="hide"
    >
      <div className="flex flex-wrap gap-x-6">
        <LinkButton onClick={() => void share()}>
          <Icon name="link" />
          {copy.share}
        </LinkButton>
        {onOwn !== null && (
          <LinkButton onClick={onOwn}>
            <Icon name="arrow-left" />
            {copy.own}
          </LinkButton>
        )}
      </div>
      <p role="status" className="min-h-6 text-sm text-muted">
        {status === '' && onOwn !== null ? copy.linked : status}
      </p>
    </div>
  );
}

function LinkButton(props: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={props.onClick}
      className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-accent"
    >
      {props.children}
    </button>
  );
}
