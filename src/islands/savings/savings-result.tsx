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

/** A calculator's result, or that of its example. */
interface ResultProps {
  readonly calculator: CalculatorFigures;
  readonly copy: CalculatorCopy;
  readonly savings: Savings;
  /** Whether the figures are those of the calculator's defaults or placeholders. */
  readonly isExample: boolean;
}

const findWash = ({ monthlyCents }: Savings) => (monthlyCents > 0 ? 'bg-positive-wash' : 'bg-sunken');

/** The saving before usage and, as large, the one with it; a sentence when the plan saves nothing. */
export function SavingsFigures({ calculator, copy, savings, isExample }: ResultProps) {
  const { monthlyCents, annualCents, netCents } = savings;
  return (
    <div
      data-result
      className={`border-line px-5 py-4 sm:p-8 md:col-start-2 md:border-l ${findWash(savings)}`}
    >
      {monthlyCents > 0 ? (
        <div data-savings className="flex flex-wrap items-end gap-x-10 gap-y-4">
          {/* Its line stays: nothing moves under the pointer when the figures become the visitor's own. */}
          <p className="-mb-1 min-h-[1lh] w-full">{isExample && <ExampleMark copy={copy} />}</p>
          <SavingBox label={copy.saving} copy={copy} cents={monthlyCents} year={annualCents} />
          {calculator.usageCents > 0 && (
            <SavingBox label={copy.net} copy={copy} cents={netCents} year={netCents * calculator.months} />
          )}
        </div>
      ) : (
        <p className="max-w-text text-lg text-balance">
          {savings.currentCents === 0 ? copy.empty : copy.none}
        </p>
      )}
    </div>
  );
}

/** The bars and the call to action; before there is anything to add up, the way to an example. */
export function SavingsSum(props: ResultProps & { readonly link: CalculatorProps['link'] }) {
  const { calculator, copy, savings, link } = props;
  return (
    <div
      data-sum
      className={`border-line px-5 pb-4 sm:px-8 sm:pb-8 md:col-start-2 md:border-l ${findWash(savings)} ${savings.currentCents === 0 ? '' : 'max-md:pt-4'}`}
    >
      {savings.currentCents > 0 && <SumBars copy={copy} savings={savings} />}
      {!isShort(calculator) && <SumLines calculator={calculator} copy={copy} savings={savings} />}
      {savings.monthlyCents > 0 && (
        <>
          <p data-banner className="mt-4 flex gap-2 font-semibold">
            <Icon name="check" className="mt-1 size-[1.15em] text-positive" />
            {copy.banner}
          </p>
          <p className="mt-5">
            <PartnerLink {...link} className="button button-primary">
              {copy.action}
            </PartnerLink>
          </p>
        </>
      )}
      {savings.currentCents === 0 && copy.example !== undefined && (
        <a href={buildExampleAddress(calculator)} className="text-accent underline">
          {copy.example}
        </a>
      )}
    </div>
  );
}

/** How strong the color of a bill is, by its place among the bills. */
export const findTone = (index: number) => 1 - (index % 5) * 0.17;

/** The bills above the plan on one scale, on wide screens; what is saved is the gap behind the plan. */
function SumBars({ copy, savings }: Omit<ResultProps, 'calculator' | 'isExample'>) {
  const { steps, currentCents, planCents, monthlyCents } = savings;
  const findWidth = (cents: number) => `${(100 * cents) / Math.max(currentCents, planCents)}%`;
  const items = steps.filter(({ kind }) => kind === 'item');
  const plan = steps.find(({ kind }) => kind === 'minus');
  let start = 0;
  return (
    <div aria-hidden className="tabular mb-4 hidden text-sm md:block">
      <p className="py-1">{`${copy.title}, ${formatDollars(currentCents)}`}</p>
      <svg aria-hidden className="h-7 w-full">
        {items.map(({ label, cents }, index) => {
          start += cents;
          const box = { x: findWidth(start - cents), width: findWidth(cents), height: '100%' };
          return (
            <rect
              key={label}
              {...box}
              fill="var(--accent)"
              fillOpacity={findTone(index)}
              stroke="var(--surface)"
            />
          );
        })}
      </svg>
      <svg aria-hidden className="mt-3 h-7 w-full">
        <rect width={findWidth(planCents)} height="100%" fill="var(--ink)" />
        {monthlyCents > 0 && (
          <rect
            x={findWidth(planCents)}
            width={findWidth(monthlyCents)}
            height="100%"
            fill="var(--positive)"
            fillOpacity="0.22"
            stroke="var(--positive)"
            strokeDasharray="5 4"
          />
        )}
      </svg>
      <p className="py-1">
        {plan?.label}
        {monthlyCents > 0 && (
          <b className="float-right text-positive">{`${formatDollars(monthlyCents)} less`}</b>
        )}
      </p>
    </div>
  );
}

/** Says that the figures next to it are not the visitor's. */
function ExampleMark({ copy }: { readonly copy: CalculatorCopy }) {
  return (
    <span className="rounded-sm bg-marker px-2 text-sm font-semibold text-on-marker">{copy.exampleMark}</span>
  );
}

/** One saving a month, large, under what it is, with that of a year. */
function SavingBox(props: {
  readonly label: string | undefined;
  readonly copy: CalculatorCopy;
  readonly cents: number;
  readonly year: number;
}) {
  const { label, copy, cents, year } = props;
  return (
    <div className="tabular">
      <p className="text-sm font-semibold">{label}</p>
      <p>
        <span className="block font-display text-5xl font-semibold text-positive">
          {formatDollars(cents)}
        </span>{' '}
        {copy.monthly}, <b className="font-semibold">{formatDollars(year)}</b> {copy.annual}
      </p>
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

/**
 * The sum line by line, as on a receipt. A line of nothing is left out, as is the total of one line, and bills
 * that the fields show already.
 */
export function SumLines({ calculator, copy, savings }: Omit<ResultProps, 'isExample'>) {
  const { steps, currentCents, monthlyCents } = savings;
  if (currentCents === 0) return null;
  const items = steps.filter(({ kind, cents }) => kind === 'item' && cents > 0).length;
  const left = [monthlyCents > 0 ? 'result' : 'year', ...(isRepeated(calculator, savings) ? ['item'] : [])];
  return (
    <dl className="tabular">
      {steps
        .filter(({ kind }) => !left.includes(kind))
        .filter(({ kind, cents }) => (kind === 'total' ? items !== 1 : kind !== 'item' || cents > 0))
        .map(({ kind, label, cents }) => (
          <div key={`${kind} ${label}`} className={`flex justify-between gap-4 py-1.5 ${STEP_CLASSES[kind]}`}>
            <dt>{kind === 'total' ? copy.title : label}</dt>
            <dd className="whitespace-nowrap">{formatDollars(kind === 'minus' ? -cents : cents)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Whether the fields leave room for the sum below them. */
export const isShort = ({ fields }: CalculatorFigures) => fields.length < 3;

/** Whether the bills of the sum are the fields themselves. */
export function isRepeated({ fields }: CalculatorFigures, { steps }: Savings): boolean {
  const labels = new Set(fields.map(({ label }) => label));
  return steps.every(({ kind, label }) => kind !== 'item' || labels.has(label));
}

/**
 * Keeps the saving in view on a phone while the fields are filled in. It repeats the result, so it is hidden from
 * readers.
 */
export function StickyTotal({ copy, savings, isExample }: ResultProps) {
  const barClass =
    'flex items-baseline justify-between gap-4 border-t border-line bg-positive-wash px-5 py-2.5 md:hidden';
  const visibilityClass = savings.monthlyCents > 0 ? '' : savings.currentCents > 0 ? 'invisible' : 'hidden';
  return (
    <p
      aria-hidden
      data-total
      data-print="hide"
      className={`tabular sticky bottom-0 -mx-5 -mb-5 mt-2 sm:-mx-8 sm:-mb-8 sm:px-8 ${barClass} ${visibilityClass}`}
    >
      <span className="text-sm">
        {copy.saving} {isExample && <ExampleMark copy={copy} />}
      </span>
      <span className="font-display text-xl font-semibold whitespace-nowrap text-positive">
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
      className={`mt-auto flex flex-wrap items-center gap-x-6 pt-2 noscript:hidden ${props.isEmpty && onOwn === null ? 'invisible max-md:hidden' : ''}`}
      data-print="hide"
    >
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
      <p role="status" className="text-sm text-muted">
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
