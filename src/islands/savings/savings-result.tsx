import type { Savings } from '../../core/savings/compute-savings.ts';
import { formatDollars } from '../../core/savings/parse-amount.ts';
import type { Calculator } from '../../core/savings/plans.schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { PartnerLink } from '../../ui/partner-link.tsx';
import type { CalculatorProps } from './calculator-props.ts';
import { BlankSumLines, SumLines } from './sum-lines.tsx';

/** The query that fills the fields with their placeholders. */
function buildExampleAddress({ fields }: Calculator): string {
  const query = fields.flatMap(({ name, placeholder }) =>
    placeholder === null ? [] : [`${name}=${placeholder}`],
  );
  return `?${query.join('&')}`;
}

/** The sum and the saving, or a sentence when the plan saves nothing. */
export function SavingsResult(props: {
  readonly calculator: Calculator;
  readonly savings: Savings;
  readonly link: CalculatorProps['link'];
}) {
  const { calculator, savings, link } = props;
  const { copy } = calculator;
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
          <p className="font-semibold">{copy.saving}</p>
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

/** One saving, large, with its unit and, in small print, the sum that leads to it. */
function SavingBox(props: {
  readonly cents: number;
  readonly unit: string;
  readonly size: 'text-5xl' | 'text-2xl';
  readonly sum?: string | undefined;
}) {
  return (
    <p className={`tabular mt-1 font-display font-semibold text-positive ${props.size}`}>
      {formatDollars(props.cents)}{' '}
      <span className="mr-2 font-text text-base font-normal tracking-normal text-ink">{props.unit}</span>
      {props.sum !== undefined && ' '}
      {props.sum !== undefined && (
        <span className="font-text text-sm font-normal tracking-normal whitespace-nowrap text-muted">
          {props.sum}
        </span>
      )}
    </p>
  );
}
